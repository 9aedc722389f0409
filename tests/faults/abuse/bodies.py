"""The bodies that a client of the site may send: an ordinary one, and the largest that is read to its end.

A route that is not named here gets bodies of the right kind that say nothing: it is attacked before anybody adds it.
"""

from tests.faults.abuse.many_games import PLAYER
from tests.faults.abuse.targets import Target
from tests.faults.abuse.wire import json_of

JSON, FIELDS, PGN = "application/json", "application/x-www-form-urlencoded", "text/plain"
FORM = "multipart/form-data; boundary=x"
CLOCK = {"kind": "realtime", "initial": 300, "increment": 0}
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MAX_BODY, MAX_FILE = 65_000, 990_000
LONGEST_LINE = 600
Body = tuple[bytes, str]
"""And its type."""


def fields(**values: str) -> bytes:
    return "&".join(f"{name}={value}" for name, value in values.items()).encode()


def part(name: str, content: bytes) -> bytes:
    """One field of a form, and the end of the form."""
    return b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n--x--\r\n' % (name.encode(), content)


SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
SHUFFLE_SAN = ("Nf3", "Nf6", "Ng1", "Ng8")


def pgn_of(plies: int, variant: str = "Chess", site: str = "?") -> bytes:
    """A game of so many half-moves in which two knights come and go."""
    moves = (SHUFFLE_SAN[ply % 4] for ply in range(plies))
    numbered = (f"{ply // 2 + 1}. {san}" if ply % 2 == 0 else san for ply, san in enumerate(moves))
    return f'[Event "{site}"]\n[Variant "{variant}"]\n[Result "*"]\n\n{" ".join(numbered)} *\n'.encode()


def long_line() -> list[str]:
    return [SHUFFLE[ply % 4] for ply in range(LONGEST_LINE)]


def offline_game(*moves: str) -> dict[str, object]:
    game = {"variant": "chess", "fen": CHESS, "color": "white", "computer": 3, "begun": 0, "played": 0}
    return {**game, "moves": moves}


ORDINARY: dict[str, Body] = {
    "POST /api/games": (json_of({"variant": "chess", "clock": CLOCK}), JSON),
    "POST /api/seeks": (json_of({"variants": ["chess"], "clock": CLOCK}), JSON),
    "POST /api/games/{game}/join": (json_of({"secret": "A" * 22}), JSON),
    "POST /api/games/{game}/offline": (json_of(offline_game("e2e4", "e7e5")), JSON),
    "POST /api/games/{game}/qr": (json_of({"fragment": "A" * 22}), JSON),
    "POST /api/variants/{variant}/line": (json_of({"moves": ["e2e4"]}), JSON),
    "POST /api/lessons/{lesson}/{step}": (json_of({"move": "P@h2"}), JSON),
    "POST /api/puzzles": (json_of({"form": "chess"}), JSON),
    "POST /api/puzzles/{puzzle}": (json_of({"moves": ["c4g8"]}), JSON),
    "POST /api/puzzles/{puzzle}/solution": (b"{}", JSON),
    "POST /api/analysis/pgn": (json_of({"pgn": pgn_of(40).decode()}), JSON),
    "POST /api/import": (pgn_of(40), PGN),
    "POST /import": (part("text", pgn_of(40)), FORM),
    "POST /register": (fields(name="somebody", password="a+long+password"), FIELDS),
    "POST /sign-in": (fields(name="somebody", password="a+long+password"), FIELDS),
    "POST /account/password": (fields(old="a+long+password", new="another+password"), FIELDS),
    "POST /account/delete": (fields(password="a+long+password"), FIELDS),
    "POST /account/ties": (fields(kind="blocks", other=PLAYER.id), FIELDS),
    "POST /account/listing": (fields(unlisted="yes"), FIELDS),
    "POST /report": (fields(name=PLAYER.name, kind="other", text="They+cheat."), FIELDS),
    "POST /settings": (fields(board="slate", zen="on"), FIELDS),
    "POST /language": (fields(language="es", next="/"), FIELDS),
}


LARGEST: dict[str, Body] = {
    "POST /api/games/{game}/offline": (json_of(offline_game(*["e2e4"] * 2_000)), JSON),
    "POST /api/variants/{variant}/line": (json_of({"moves": long_line()}), JSON),
    "POST /api/analysis/pgn": (json_of({"pgn": pgn_of(LONGEST_LINE).decode()}), JSON),
    "POST /api/import": (b'[A ""]\n\n' * (MAX_FILE // 8), PGN),
    "POST /import": (part("text", b"\n".join(pgn_of(4_900, site=str(n)) for n in range(20))), FORM),
    "POST /api/seeks": (json_of({"variants": [f"v{n}" + "x" * 30 for n in range(1_500)], "clock": CLOCK}), JSON),
    "POST /api/games": (json_of({"variant": "chess", "clock": CLOCK, "fen": "8/" * 30_000}), JSON),
    "POST /report": (fields(name=PLAYER.name, kind="other", text="a%0A%CC%81" * 1_600), FIELDS),
    "POST /settings": (fields(**{f"x{n}": "on" for n in range(60)}), FIELDS),
}
"""Some are long because what they hold is costly, others because they are long."""


def kind_of(target: Target) -> str:
    """The type of what the route reads, for one that nobody has named."""
    return JSON if target.path.startswith("/api/") else FIELDS


def ordinary(target: Target) -> Body:
    """What a page or a program of good will sends."""
    if target.method in ("GET", "DELETE"):
        return b"", JSON
    kind = kind_of(target)
    return ORDINARY.get(target.name, (b"{}" if kind == JSON else b"next=/", kind))


def largest_legal(target: Target) -> Body:
    """The most that the route reads before it says no."""
    kind = kind_of(target)
    filled = json_of({"x": "a" * (MAX_BODY - 10)}) if kind == JSON else b"next=" + b"a" * (MAX_BODY - 10)
    return LARGEST.get(target.name, (filled, kind))
