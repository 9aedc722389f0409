"""Loads the variant files of this package and those of the host's own folder.

The only module of the rules that opens files. A variant's id is its file name without ".toml".
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from server.rules.errors import InvalidFen, InvalidVariant
from server.rules.movegen.tables import DoublePath, tables_of
from server.rules.notation.fen import parse_fen
from server.rules.variant.variant import Variant
from server.rules.variant.variant_file import OWN_KEYS, overlay, read_variant

BUILT_IN = Path(__file__).parent / "data" / "variants"
"""The folder of this package's variant files."""
UNOFFERED = Path(__file__).parent / "data" / "unoffered"
"""The folder of variants whose rules are complete, but not yet their page, lesson and pieces: no site offers them."""
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


def load_catalogue(extra: Path | None = None, *, unoffered: bool = False) -> Mapping[str, Variant]:
    """All variants by id, in display order. `extra`: a folder with the host's own variant files.

    `unoffered`: with those that no site offers. A host's file of the same name takes the place of one of these, so that
    nobody's variant stops working because this package learns its name.

    Raises InvalidVariant for the first unusable file. Tests show that the files of this package can be played.
    """
    contents = read_folder(BUILT_IN)
    own = {} if extra is None else read_folder(extra)
    if taken := contents.keys() & own.keys():
        raise InvalidVariant(f"{min(taken)}.toml", "file name", "a variant of that name exists already")
    contents |= own
    if unoffered:
        contents = read_folder(UNOFFERED) | contents
    variants = [build_variant(name, contents) if name in own else _inherit(name, contents) for name in contents]
    variants.sort(key=lambda variant: (variant.order, variant.id))
    return MappingProxyType({variant.id: variant for variant in variants})


def read_folder(folder: Path) -> dict[str, dict[str, Any]]:
    """The content of each TOML file in a folder, by the file's name without ".toml". Raises InvalidVariant."""
    if not folder.is_dir():
        raise InvalidVariant(str(folder), "folder", "there is no such folder")
    return {path.stem: _read_file(path) for path in sorted(folder.glob("*.toml"))}


def _read_file(path: Path) -> dict[str, Any]:
    if not _ID.fullmatch(path.stem):
        raise InvalidVariant(path.name, "file name", "must be small letters, digits, - or _, not beginning with - or _")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as reason:
        raise InvalidVariant(path.name, "file", f"is not TOML: {reason}") from None
    except OSError as reason:
        raise InvalidVariant(path.name, "file", f"cannot be read: {reason.strerror}") from None


def build_variant(name: str, contents: Mapping[str, dict[str, Any]]) -> Variant:
    """The variant `name`, which can be played. `contents`: the parsed files by variant id. Raises InvalidVariant."""
    variant = _inherit(name, contents)
    try:
        tables_of(variant)
    except DoublePath as reason:
        raise InvalidVariant(f"{name}.toml", "roles", str(reason)) from None
    try:
        parse_fen(variant, variant.start_fen)
    except InvalidFen as reason:
        raise InvalidVariant(f"{name}.toml", "start", reason) from None
    return variant


def _inherit(name: str, contents: Mapping[str, dict[str, Any]]) -> Variant:
    file = f"{name}.toml"
    lineage = [name]
    while (parent := contents[lineage[-1]].get("parent")) is not None:
        if not isinstance(parent, str) or parent not in contents:
            raise InvalidVariant(f"{lineage[-1]}.toml", "parent", f"there is no variant {parent!r}")
        if parent in lineage:
            raise InvalidVariant(file, "parent", f"{parent!r} descends from itself")
        lineage.append(parent)
    merged: dict[str, Any] = {}
    for ancestor in reversed(lineage):
        inherited = {key: value for key, value in merged.items() if key not in OWN_KEYS}
        merged = overlay(inherited, contents[ancestor])
    return read_variant(file, name, merged)
