"""Fuzz targets of what a host writes: movements in Betza's notation, and whole variant files."""

import tomllib
from functools import cache

from server.rules import catalogue
from server.rules.catalogue import build_variant
from server.rules.errors import InvalidVariant
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.variant.movement import parse_betza
from tests.fuzz.target import Target, answer, text_of

FOLDER = catalogue.BUILT_IN
LONGEST_MOVEMENT = 200


def betza(data: bytes) -> None:
    atoms = answer(ValueError, parse_betza, text_of(data)[:LONGEST_MOVEMENT])
    if not isinstance(atoms, ValueError):
        assert atoms
        for atom in atoms:
            assert atom.mirrored().mirrored() == atom


@cache
def built_in() -> dict[str, dict]:
    return {path.stem: tomllib.loads(path.read_text()) for path in FOLDER.glob("*.toml")}


def betza_seeds() -> list[bytes]:
    roles = [role for one in built_in().values() for role in one.get("roles", {}).values() if isinstance(role, dict)]
    movements = {role["move"] for role in roles if "move" in role}
    return [text.encode() for text in sorted(movements)] + [b"fmWfceFifmnD", b"t[FR]", b"mQcN", b"W3F2"]


def variant_file(data: bytes) -> None:
    try:
        content = tomllib.loads(text_of(data))
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    variant = answer(InvalidVariant, build_variant, "fuzzed", {**built_in(), "fuzzed": content})
    if not isinstance(variant, InvalidVariant):
        position = start_position(variant)
        assert parse_fen(variant, format_fen(position)) == position
        for move in answer((), legal_moves, position)[:4]:
            after = play(position, move)
            assert parse_fen(variant, format_fen(after)) == after


def variant_file_seeds() -> list[bytes]:
    return [path.read_bytes() for path in sorted(FOLDER.glob("*.toml"))]


VARIANT_FILES = (
    Target("betza", betza, betza_seeds),
    Target("variants", variant_file, variant_file_seeds),
)
