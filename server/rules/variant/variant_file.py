"""Turns the parsed content of a variant file into a Variant, refusing whatever is unknown or impossible.

A child's tables override its parent's key by key; `false` in place of a table removes the parent's.
"""

import re
from collections.abc import Mapping
from typing import Any

from server.rules.errors import InvalidVariant
from server.rules.variant.movement import parse_betza
from server.rules.variant.pieces import Role
from server.rules.variant.variant import (
    FILE_LETTERS,
    MAX_FILES,
    MAX_RANKS,
    Castling,
    Endings,
    Extinction,
    Geometry,
    Goal,
    Pocket,
    Promotion,
    Variant,
)

TomlTable = Mapping[str, Any]
OWN_KEYS = frozenset(
    ("parent", "name", "tagline", "differences", "order", "pgn_tag", "pgn_tag_960", "pgn_aliases", "pgn_aliases_960")
)
"""Keys that a child does not inherit."""
MOST_CHECKS = 9
"""A counter of checks is one digit of the FEN."""
_ROLE_ID = re.compile(r"\+?[a-z]")


class TableReader:
    """A table of a file; every key must be read, with its type. All methods raise InvalidVariant."""

    def __init__(self, file: str, path: str, table: Any) -> None:
        if not isinstance(table, Mapping):
            raise InvalidVariant(file, path, "must be a table")
        self.file = file
        self.path = path
        self.rest = dict(table)

    def refuse(self, key: str, reason: str) -> InvalidVariant:
        """The error to raise for `key`: it names the file and the whole path."""
        return InvalidVariant(self.file, f"{self.path}.{key}" if self.path else key, reason)

    def table(self, key: str) -> "TableReader | None":
        """The table in that place; None if there is none, or the file has `false` there."""
        value = self.rest.pop(key, False)
        path = f"{self.path}.{key}" if self.path else key
        return None if value is False else TableReader(self.file, path, value)

    def _take(self, key: str, default: Any) -> Any:
        if default is None and key not in self.rest:
            raise self.refuse(key, "is missing")
        return self.rest.pop(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        """The text of `key`; without a default it must be there and not be blank. Raises InvalidVariant."""
        value = self._take(key, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise self.refuse(key, "must be a text")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Whether `key` is true. Raises InvalidVariant."""
        value = self.rest.pop(key, default)
        if not isinstance(value, bool):
            raise self.refuse(key, "must be true or false")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """From `low` to `high`, both included."""
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.refuse(key, f"must be a whole number from {low} to {high}")
        return value

    def decimal(self, key: str, low: float, high: float, default: float) -> float:
        """From `low` to `high`, both included."""
        value = self.rest.pop(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise self.refuse(key, f"must be a number from {low} to {high}")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """The list of texts of `key`; without a default it must be there. Raises InvalidVariant."""
        value = self._take(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise self.refuse(key, "must be a list of texts")
        return tuple(value)

    def ranks(self, key: str, ranks: int, default: tuple[int, ...] | None = None) -> frozenset[int]:
        """Ranks from 1 to `ranks`, as White counts them."""
        value = self._take(key, default)
        good = isinstance(value, list | tuple) and all(type(one) is int and 1 <= one <= ranks for one in value)
        if not good:
            raise self.refuse(key, f"must be a list of ranks from 1 to {ranks}")
        return frozenset(value)

    def squares(self, key: str, geometry: Geometry) -> frozenset[int]:
        """The squares of those names; none if there is no such key. Raises InvalidVariant."""
        found = {name: geometry.parse(name) for name in self.texts(key, ())}
        for name, square in found.items():
            if square is None:
                raise self.refuse(key, f"{name!r} is not a square of the board")
        return frozenset(square for square in found.values() if square is not None)

    def board_file(self, key: str, geometry: Geometry) -> int:
        """The file of that letter, from 0."""
        return self._file_number(key, self.text(key), geometry)

    def file_pair(self, key: str, geometry: Geometry) -> tuple[int, int]:
        """Two files by their letters, from 0."""
        letters = self.texts(key)
        if len(letters) != 2:
            raise self.refuse(key, "must be two files")
        return self._file_number(key, letters[0], geometry), self._file_number(key, letters[1], geometry)

    def _file_number(self, key: str, letter: str, geometry: Geometry) -> int:
        if len(letter) != 1 or letter not in FILE_LETTERS[: geometry.files]:
            raise self.refuse(key, f"{letter!r} is not a file of the board")
        return FILE_LETTERS.index(letter)

    def done(self) -> None:
        """Refuses the first key that was not read. Raises InvalidVariant."""
        for key in self.rest:
            raise self.refuse(key, "unknown key")


def overlay(parent: TomlTable, child: TomlTable) -> dict[str, Any]:
    """The parent's content, overridden by the child's."""
    merged = dict(parent)
    for key, value in child.items():
        below = merged.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            merged[key] = overlay(below, value)
        else:
            merged[key] = value
    return merged


def read_variant(file: str, variant_id: str, content: TomlTable) -> Variant:
    """The variant that the merged content describes. Raises InvalidVariant."""
    top = TableReader(file, "", content)
    top.rest.pop("parent", None)
    geometry = Geometry(top.number("files", 3, MAX_FILES), top.number("ranks", 3, MAX_RANKS))
    roles = _roles(top, geometry)
    known = {role.id: role for role in roles}
    pocket = _pocket(top, geometry, known)
    tag = top.text("pgn_tag", variant_id.capitalize())
    variant = Variant(
        id=variant_id,
        name=top.text("name"),
        tagline=top.text("tagline"),
        differences=_differences(top),
        differences_960=top.texts("differences_960", ()) if content.get("chess960") else (),
        order=top.number("order", 0, 10_000, 1000),
        geometry=geometry,
        start_fen=top.text("start"),
        chess960=top.flag("chess960"),
        pgn_tag=tag,
        pgn_tag_960=top.text("pgn_tag_960", f"{tag}960"),
        pgn_aliases=top.texts("pgn_aliases", ()),
        pgn_aliases_960=top.texts("pgn_aliases_960", ()),
        takeable_king=top.flag("takeable_king"),
        must_capture=top.flag("must_capture"),
        may_not_check=top.flag("may_not_check"),
        explodes=top.flag("explodes"),
        kingless=_kingless(top, roles),
        opposite=_opposite(top, known),
        roles=roles,
        promotions=_promotions(top, geometry, known),
        pocket=pocket,
        gates=_gates(top, pocket),
        castling=_castling(top, geometry, known, roles),
        endings=_endings(top, geometry, known),
    )
    _check_parts(top, variant)
    top.rest.pop("differences_960", None)
    top.done()
    return variant


def _check_parts(top: TableReader, variant: Variant) -> None:
    """Raises InvalidVariant if parts that are possible by themselves do not go together."""
    drop_ranks = variant.pocket.ranks if variant.pocket is not None else {}
    for role_id, rule in variant.promotions.items():
        if drop_ranks.get(role_id, frozenset()) & rule.forced:
            raise top.refuse("pocket.ranks", f"{role_id!r} cannot be dropped where it would have to promote")
    if variant.chess960 and (variant.castling is None or not variant.king):
        raise top.refuse("chess960", "needs castling" if variant.king else "needs a royal piece")
    endings = variant.endings
    if variant.explodes and (variant.pocket is not None or any(variant.kingless) or variant.may_not_check):
        raise top.refuse("explodes", "needs a royal piece on both sides, no pocket, and checks that are allowed")
    if variant.explodes and (endings.extinction or endings.bare_king_loses or endings.checks):
        raise top.refuse("explodes", "does not go together with extinction, bare_king and checks")
    if variant.may_not_check and (not variant.king or variant.endings.checks):
        raise top.refuse("may_not_check", "needs a royal piece, and no number of checks that wins")
    if any(variant.kingless):
        if endings.extinction is None:
            raise top.refuse("roles", "without a royal piece a side needs another way to lose: endings.extinction")
        if endings.bare_king_loses or endings.checks or endings.insufficient:
            raise top.refuse("endings", "bare_king, checks and insufficient need a royal piece on both sides")


def _kingless(top: TableReader, roles: tuple[Role, ...]) -> tuple[bool, bool]:
    side = top.text("without_king", "")
    if side not in ("", "white", "black"):
        raise top.refuse("without_king", "must be white or black")
    if any(role.royal for role in roles):
        return side == "white", side == "black"
    if side:
        raise top.refuse("without_king", "means nothing where no piece is royal")
    return True, True


def _differences(top: TableReader) -> tuple[str, ...]:
    differences = top.texts("differences")
    if not 2 <= len(differences) <= 5 or not all(one.strip() for one in differences):
        raise top.refuse("differences", "must be two to five sentences")
    return differences


def _opposite(top: TableReader, known: Mapping[str, Role]) -> tuple[tuple[str, str], ...]:
    pairs = top.texts("opposite", ())
    for pair in pairs:
        if len(pair) != 2 or not set(pair) <= known.keys():
            raise top.refuse("opposite", f"{pair!r} is not two letters of pieces")
    return tuple((pair[0], pair[1]) for pair in pairs)


def _roles(top: TableReader, geometry: Geometry) -> tuple[Role, ...]:
    table = top.table("roles")
    if table is None:
        raise top.refuse("roles", "missing")
    roles = [_role(table, key, geometry) for key in list(table.rest) if table.rest[key] is not False]
    ids = {role.id for role in roles}
    if sum(role.royal for role in roles) > 1:
        raise top.refuse("roles", "only one kind of piece can be royal")
    if len(roles) > 40:
        raise top.refuse("roles", "more than 40 kinds of piece")
    letters = [role.san for role in roles]
    for role in roles:
        if role.captured_as not in ids:
            raise table.refuse(role.id, f"there is no piece {role.captured_as!r} for it to be captured as")
        if letters.count(role.san) > 1:
            raise table.refuse(role.id, f"the SAN letter {role.san!r} is used twice")
    return tuple(roles)


def _role(table: TableReader, key: str, geometry: Geometry) -> Role:
    if not _ROLE_ID.fullmatch(key):
        raise table.refuse(key, "a piece is named by its FEN letter, a to z, or + and a letter")
    entry = table.table(key)
    if entry is None:
        raise table.refuse(key, "missing")
    try:
        atoms = parse_betza(entry.text("move"))
    except ValueError as reason:
        raise entry.refuse("move", str(reason)) from None
    san = entry.text("san", key[-1].upper())
    if not re.fullmatch("[A-Z]", san):
        raise entry.refuse("san", "must be one capital letter")
    role = Role(
        id=key,
        name=entry.text("name"),
        san=san,
        atoms=atoms,
        royal=entry.flag("royal"),
        pawn=entry.flag("pawn"),
        mates=entry.flag("mates", True),
        initial_ranks=(initial := entry.ranks("initial", geometry.ranks, ())),
        passing_ranks=entry.ranks("en_passant", geometry.ranks, tuple(initial)),
        first_move=entry.text("first_move", ""),
        value=entry.decimal("value", 0, 100, 0),
        captured_as=entry.text("captured_as", key),
    )
    if role.first_move and not (role.royal and re.fullmatch("[a-z]", role.first_move)):
        raise entry.refuse("first_move", "must be one letter, and only the royal piece can have it")
    if not role.passing_ranks <= initial:
        raise entry.refuse("en_passant", "must lie within initial")
    if any(atom.initial for atom in atoms) != bool(role.first_move or role.initial_ranks):
        raise entry.refuse("move", "a first move (i) goes together with either initial ranks or a first_move letter")
    entry.done()
    return role


def _known_roles(table: TableReader, key: str, ids: tuple[str, ...], known: Mapping[str, Role]) -> tuple[str, ...]:
    for one in ids:
        if one not in known:
            raise table.refuse(key, f"there is no piece {one!r}")
    return ids


def _letters_once(table: TableReader, key: str, letters: str) -> tuple[str, ...]:
    if len(set(letters)) < len(letters):
        raise table.refuse(key, "must name each piece once")
    return tuple(letters)


def _promotions(top: TableReader, geometry: Geometry, known: Mapping[str, Role]) -> dict[str, Promotion]:
    table = top.table("promotion")
    if table is None:
        return {}
    found = {}
    for key in list(table.rest):
        entry = table.table(key)
        if entry is None:
            continue
        _known_roles(table, key, (key,), known)
        found[key] = _promotion(entry, geometry, known)
        if any(known[to].royal or (to[0] == "+" and to != f"+{key}") for to in found[key].to):
            raise entry.refuse("to", "a piece becomes neither royal nor the promoted form of another")
    return found


def _promotion(entry: TableReader, geometry: Geometry, known: Mapping[str, Role]) -> Promotion:
    by_file = _known_roles(entry, "by_file", entry.texts("by_file", ()), known)
    if by_file and len(by_file) != geometry.files:
        raise entry.refuse("by_file", "must name one piece for each file")
    to = by_file or _known_roles(entry, "to", entry.texts("to"), known)
    entry.rest.pop("to", None)
    when = entry.text("when", "into")
    if when not in ("into", "touch"):
        raise entry.refuse("when", "must be into or touch")
    limits = entry.rest.pop("limits", {})
    if not isinstance(limits, Mapping) or not all(key in to and type(n) is int and n > 0 for key, n in limits.items()):
        raise entry.refuse("limits", "must give numbers to pieces it may become")
    ranks = entry.ranks("ranks", geometry.ranks)
    forced = entry.ranks("forced", geometry.ranks, ())
    if not forced <= ranks:
        raise entry.refuse("forced", "must lie within ranks")
    entry.done()
    return Promotion(tuple(dict.fromkeys(to)), ranks, forced, when == "touch", by_file, dict(limits))


def _pocket(top: TableReader, geometry: Geometry, known: Mapping[str, Role]) -> Pocket | None:
    entry = top.table("pocket")
    if entry is None:
        return None
    order = _known_roles(entry, "order", _letters_once(entry, "order", entry.text("order")), known)
    ranks = entry.table("ranks")
    everywhere = tuple(range(1, geometry.ranks + 1))
    rest = everywhere if ranks is None else tuple(ranks.ranks("others", geometry.ranks, everywhere))
    zones = {role: frozenset(rest) if ranks is None else ranks.ranks(role, geometry.ranks, rest) for role in order}
    if ranks is not None:
        ranks.done()
    pairs = frozenset(_known_roles(entry, "pairs", tuple(entry.text("pairs", "")), known))
    pocket = Pocket(order, entry.flag("captures"), entry.flag("drops"), entry.flag("setup"), zones, pairs)
    if pocket.captures and not all(role.royal or role.captured_as in order for role in known.values()):
        raise entry.refuse("order", "must name every piece that can be captured")
    if pocket.captures and not any(role.pawn for role in known.values()):
        raise entry.refuse("captures", "needs a pawn, as which promoted pieces return")
    if (pocket.setup or pocket.pairs) and not pocket.drops:
        raise entry.refuse("setup", "needs drops")
    entry.done()
    return pocket


def _gates(top: TableReader, pocket: Pocket | None) -> tuple[str, ...]:
    gates = _letters_once(top, "gates", top.text("gates", ""))
    if gates and (pocket is None or not set(gates) <= set(pocket.order)):
        raise top.refuse("gates", "must name pieces of the pocket")
    return gates


def _castling(
    top: TableReader, geometry: Geometry, known: Mapping[str, Role], roles: tuple[Role, ...]
) -> Castling | None:
    entry = top.table("castling")
    if entry is None:
        return None

    castling = Castling(
        king=_castling_king(entry, known),
        king_from=entry.board_file("king_from", geometry),
        king_to=entry.file_pair("king_to", geometry),
        rook_from=(geometry.files - 1, 0),
        rook_to=entry.file_pair("rook_to", geometry),
        rook=_known_roles(entry, "rook", (entry.text("rook", "r"),), known)[0],
        earned=entry.flag("earned"),
    )
    if any(role.first_move in (*FILE_LETTERS[: geometry.files], "k", "q") for role in roles if role.first_move):
        raise entry.refuse("king_from", "castling and a first_move letter would be confused in the FEN")
    entry.done()
    return castling


def _castling_king(entry: TableReader, known: Mapping[str, Role]) -> str:
    royal = next((role.id for role in known.values() if role.royal), None)
    (king,) = _known_roles(entry, "king", (entry.text("king", royal),), known)
    if royal is not None and king != royal:
        raise entry.refuse("king", "must be the royal piece, if there is one")
    return king


def _endings(top: TableReader, geometry: Geometry, known: Mapping[str, Role]) -> Endings:
    entry = top.table("endings")
    if entry is None:
        raise top.refuse("endings", "missing")
    stalemate = entry.text("stalemate")
    if stalemate not in ("draw", "loss", "win"):
        raise entry.refuse("stalemate", "must be draw, loss or win")
    endings = Endings(
        stalemate_loses=stalemate == "loss",
        stalemate_wins=stalemate == "win",
        bare_king_loses=entry.flag("bare_king"),
        move_rule=entry.number("move_rule", 0, 1000),
        repetition=entry.number("repetition", 2, 100),
        insufficient=entry.flag("insufficient"),
        goal=_goal(entry, geometry, known),
        checks=entry.number("checks", 0, MOST_CHECKS, 0),
        extinction=_extinction(entry, known),
    )
    if endings.insufficient and endings.goal is not None:
        raise entry.refuse("insufficient", "must be false, as a piece can always go to its goal")
    if endings.extinction is not None and (endings.insufficient or endings.bare_king_loses):
        raise entry.refuse("extinction", "needs insufficient and bare_king to be false")
    entry.done()
    return endings


def _extinction(top: TableReader, known: Mapping[str, Role]) -> Extinction | None:
    entry = top.table("extinction")
    if entry is None:
        return None
    kinds = _known_roles(entry, "kinds", _letters_once(entry, "kinds", entry.text("kinds", "")), known)
    if any(known[kind].royal for kind in kinds):
        raise entry.refuse("kinds", "a royal piece is never captured")
    extinction = Extinction(
        kinds,
        left=entry.number("left", 0, 9, 0),
        against=entry.number("against", 0, 9, 0),
        reply=entry.flag("reply"),
        wins=entry.flag("wins"),
    )
    entry.done()
    return extinction


def _goal(top: TableReader, geometry: Geometry, known: Mapping[str, Role]) -> Goal | None:
    entry = top.table("goal")
    if entry is None:
        return None
    royal = next((role.id for role in known.values() if role.royal), None)
    (piece,) = _known_roles(entry, "piece", (entry.text("piece", royal),), known)
    shared = entry.squares("squares", geometry)
    ranks = entry.ranks("ranks", geometry.ranks, ())
    every = range(geometry.size)
    white, black = (shared | {s for s in every if geometry.rank_for(s, side) in ranks} for side in (0, 1))
    if not white:
        raise entry.refuse("squares", "must name squares, unless ranks are given")
    reply = entry.flag("reply")
    if reply and piece != royal:
        raise entry.refuse("reply", "belongs to a goal of the royal piece")
    entry.done()
    return Goal(piece, (white, black), reply)
