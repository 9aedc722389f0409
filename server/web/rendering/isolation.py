"""Pages on which a program may share memory among its threads, as Fairy-Stockfish does.

Browsers allow that only where nothing of another site can be loaded unasked. All pages have a group of windows of their
own (Cross-Origin-Opener-Policy) and load their own site's files alone; these pages promise it besides. So must each
worker on them.
"""

from typing import Final

from aiohttp import web

POLICY: Final = {"Cross-Origin-Embedder-Policy": "require-corp"}

ENGINE_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""What the workers of Fairy-Stockfish may do, which have no page: run its WebAssembly. No page may."""
_ENGINE: Final = "/static/fairy-stockfish"


def isolated(page: web.Response) -> web.Response:
    """The page, on which such programs may run."""
    page.headers.update(POLICY)
    return page


def runs_webassembly(path: str) -> bool:
    """Whether this is a script of Fairy-Stockfish's workers."""
    return path.startswith(_ENGINE) and path.endswith(".js")
