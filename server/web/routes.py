"""Every URL of the site, on one page."""

from pathlib import Path

from aiohttp import web

from server.web import operation


def add_routes(app: web.Application, static: Path) -> None:
    """Adds all routes. `static` is the folder of the built client; without it, its files are not found."""
    router = app.router
    router.add_get("/health", operation.health)
    if static.is_dir():
        router.add_static("/static", static, follow_symlinks=False, show_index=False)
