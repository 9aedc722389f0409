"""What can be attacked: every route and socket of the built application, at an address that it serves, and its mailbox.

Nothing here lists routes, so that a new one is attacked from the day it is added. Knows no shapes.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache

from aiohttp import web

from server.app import build_app
from server.settings import Settings
from server.web import routes
from server.web.assets import find_assets
from tests.faults.abuse.many_games import PLAYER

SOCKETS = frozenset(one.handler for one, _ in (*routes.SOCKETS, *routes.FRAMES) if one.path.startswith("/ws"))
DYNAMIC = {
    "game": "AAAAAAAAAA",
    "seek": "BBBBBBBBBB",
    "variant": "crazyhouse",
    "name": PLAYER.name,
    "accent": "7a1f3d",
    "size": "512",
    "change": "block",
    "puzzle": "a1b2c3d4e5",
    "lesson": "grandhouse",
    "step": "plug",
    "uci": "e2e4",
    "answer": "yes",
    "study": "A" * 22,
    "tournament": "A" * 10,
    "chapter": "CCCCCCCCCC",
    "page": "changelog",
}
"""What stands for a parameter of an address, for one that is not here `other`: what costs most to serve."""


@dataclass(frozen=True, slots=True)
class Target:
    """`route` is the address as the table has it, `path` one that it serves."""

    method: str
    route: str
    path: str
    socket: bool = False

    @property
    def is_mailbox(self) -> bool:
        return self.method == "LMTP"

    @property
    def name(self) -> str:
        return f"{self.method} {self.route}"

    def as_json(self) -> dict[str, object]:
        return asdict(self)


MAILBOX = Target("LMTP", "mailbox", "/")
"""Where the host's mail server hands over what strangers write."""


def targets() -> list[Target]:
    """The routes, in the order of the table. HEAD is served as GET is, so it is left out."""
    app = build_app(Settings(), find_assets())
    return [
        Target(route.method, route.resource.canonical, path_of(route.resource), route.handler in SOCKETS)
        for route in app.router.routes()
        if route.method != "HEAD" and route.resource is not None
    ]


def path_of(resource: web.AbstractResource) -> str:
    """An address that the resource serves, as far as its pattern tells; of the built files, the largest."""
    return resource.canonical.format_map(Filled(DYNAMIC, filename=largest_built_file()))


@cache
def largest_built_file() -> str:
    folder = find_assets().static
    largest = max((file for file in folder.rglob("*") if file.is_file()), key=lambda file: file.stat().st_size)
    return largest.relative_to(folder).as_posix()


class Filled(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "other"


def at_game(found: list[Target], game: str) -> list[Target]:
    """The same, where every address of a game is one of that game."""
    return [replace(each, path=each.path.replace(DYNAMIC["game"], game)) for each in found]


def target_of(fields: Mapping[str, object]) -> Target:
    """What `as_json` wrote."""
    return Target(**fields)  # type: ignore[arg-type]
