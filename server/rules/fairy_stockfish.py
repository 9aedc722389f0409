"""A variant as a section of Fairy-Stockfish's variants.ini, so that it plays what the data says, a host's own included.

Runs no engine, and knows no position. What it makes of the section is held to our rules by counting moves
(tests/rules/fairy_stockfish). That material is insufficient it decides by rules of its own, which change no move.

Pieces that it knows get its own names, so that it judges them by its own values; all others are custom pieces. Where a
variant writes "+n", it has one letter more for the promoted piece, which its FEN and moves write as "+n", too.
Its Betza notation differs from the one of variant files: a direction is two letters, no bent riders are known, and only
steps to a neighbour and knight's leaps can be repeated.

A side has one region of drops for all its pieces (pawns may be kept off the first rank and off where they promote), and
one region of promotion for all: pawns choose a piece there, and what has a promoted form of its own ("+n") may take it
when it moves into, within or out of the region.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, product
from string import ascii_lowercase

from server.rules.variant.movement import Atom, Mode, Vector, parse_betza
from server.rules.variant.pieces import Role
from server.rules.variant.variant import FILE_LETTERS, Castling, Extinction, Goal, Pocket, Promotion, Variant

MOST_FILES, MOST_RANKS = 12, 10


class Part(StrEnum):
    """The part of the rules that cannot be said."""

    BOARD = "board"
    PIECES = "pieces"
    PROMOTION = "promotion"
    DROPS = "drops"
    GATING = "gating"
    CASTLING = "castling"
    ENDINGS = "endings"


class Inexpressible(Exception):
    """The variant cannot be said in variants.ini, because of `part`; `why` says it to programmers."""

    def __init__(self, part: Part, why: str) -> None:
        super().__init__(f"{part}: {why}")
        self.part = part
        self.why = why


Movement = frozenset[tuple[Vector, int, Mode]]
"""What each step is, how often it may be repeated (0: to the edge), and what it may do where it arrives."""


@dataclass(frozen=True, slots=True)
class Army:
    """`letters`: by role, one each. `names`: how Fairy-Stockfish calls each role. `lines`: of variants.ini."""

    letters: Mapping[str, str]
    names: Mapping[str, str]
    lines: tuple[str, ...]

    def letters_of(self, roles: Iterator[str] | tuple[str, ...]) -> str:
        """The letters of these roles, as a set; "-" for none."""
        return "".join(self.letters[role] for role in roles) or "-"


def section_name(variant: Variant) -> str:
    """How Fairy-Stockfish is to call it: no name that it has built in."""
    return f"our-{variant.id}"


def variants_ini(variant: Variant) -> str:
    """The section of the variant, with its name. Raises Inexpressible."""
    if variant.files > MOST_FILES or variant.ranks > MOST_RANKS:
        raise Inexpressible(Part.BOARD, f"it goes to {MOST_FILES} files and {MOST_RANKS} ranks")
    pieces = army(variant)
    lines = [
        f"[{section_name(variant)}]",
        f"maxFile = {variant.files}",
        f"maxRank = {variant.ranks}",
        f"startFen = {variant.start_fen}",
        *pieces.lines,
        *_promotion_lines(variant, pieces),
        *_pocket_lines(variant, pieces),
        *_castling_lines(variant, pieces),
        *_ending_lines(variant),
    ]
    return "\n".join(lines) + "\n"


def fairy_stockfish_data(variant: Variant) -> dict[str, str]:
    """The section and its name, ready for JSON; or under "cannot" the part of the rules that cannot be said."""
    try:
        return {"name": section_name(variant), "ini": variants_ini(variant)}
    except Inexpressible as error:
        return {"cannot": error.part.value}


def army(variant: Variant) -> Army:
    """The pieces. Raises Inexpressible."""
    edge = max(variant.files, variant.ranks) - 1
    letters = _letters(variant)
    known = {movement(parse_betza(text), edge): name for name, text in NAMED.items()}
    custom = count(1)
    names: dict[str, str] = {}
    lines: list[str] = []
    for role in variant.roles:
        # Where captures explode, its king is one that is taken, and lost as the last of its kind.
        role = replace(role, royal=role.royal and not variant.explodes)
        names[role.id], line = _named(role, letters[role.id], edge, known, custom, set(names.values()))
        lines.append(line)
    return Army(letters, names, (*lines, *_double_steps(variant)))


def _letters(variant: Variant) -> dict[str, str]:
    """A letter for each role: its own, or for a promoted one any that is left."""
    taken = {role.id[-1] for role in variant.roles}
    free = iter(letter for letter in ascii_lowercase if letter not in taken)
    try:
        return {role.id: next(free) if role.id[0] == "+" else role.id for role in variant.roles}
    except StopIteration:
        raise Inexpressible(Part.PIECES, "there are more kinds of piece than letters") from None


def _named(
    role: Role, letter: str, edge: int, known: Mapping[Movement, str], custom: Iterator[int], taken: set[str]
) -> tuple[str, str]:
    """The name of a role there, and the line that defines it."""
    if role.pawn:
        if "pawn" in taken or not _is_usual_pawn(role):
            raise Inexpressible(Part.PIECES, f"{role.id} is another pawn")
        return "pawn", f"pawn = {letter}"
    moves = movement(role.atoms, edge)
    if role.royal:
        usual = moves == movement(parse_betza("K"), edge)
        return "king", f"king = {letter}" if usual else f"king = {letter}:{betza(moves)}"
    name = known.get(moves)
    if name is not None and name not in taken:
        return name, f"{name} = {letter}"
    name = f"customPiece{next(custom)}"
    return name, f"{name} = {letter}:{betza(moves)}"


LETTERS = {
    (0, 1): "W", (1, 1): "F", (0, 2): "D", (1, 2): "N", (2, 2): "A",
    (0, 3): "H", (1, 3): "L", (2, 3): "Z", (3, 3): "G",
}  # fmt: skip
REPEATED = frozenset("WFN")
_MODES = {Mode.BOTH: "", Mode.MOVE: "m", Mode.CAPTURE: "c"}
_LONGEST = 9
"""A number of repeats is one digit."""
NAMED = {
    "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "fers": "F", "alfil": "A", "fersAlfil": "FA",
    "silver": "FfW", "bers": "RF", "archbishop": "BN", "chancellor": "RN", "amazon": "QN", "knibis": "mNcB",
    "biskni": "mBcN", "kniroo": "mNcR", "rookni": "mRcN", "gold": "WfF", "dragonHorse": "BW", "wazir": "W",
    "commoner": "K", "centaur": "KN",
}  # fmt: skip
"""Pieces that have no rules of their own there."""
_PAWN = frozenset(parse_betza("fmWfcF"))
_DOUBLE_STEP = frozenset(parse_betza("ifmW2"))


def movement(atoms: Iterable[Atom], edge: int) -> Movement:
    """The movement of plain atoms, each step named once for moving and once for capturing.

    `edge`: so many repeats reach the edge of the board from anywhere. Raises Inexpressible for bent riders, first
    moves and captures in passing.
    """
    reach: dict[Vector, dict[Mode, int]] = defaultdict(dict)
    for atom in atoms:
        if atom.onward or atom.initial or atom.en_passant:
            raise Inexpressible(Part.PIECES, "bent riders, first moves and captures in passing belong to pawns alone")
        limit = atom.limit or edge
        for step in atom.steps:
            for mode in (Mode.MOVE, Mode.CAPTURE) if atom.mode is Mode.BOTH else (atom.mode,):
                reach[step][mode] = max(min(limit, edge), reach[step].get(mode, 0))
    found = set()
    for step, limits in reach.items():
        alike = len(limits) == 2 and len(set(limits.values())) == 1
        for mode, limit in limits.items():
            found.add((step, 0 if limit == edge else limit, Mode.BOTH if alike else mode))
    return frozenset(found)


def betza(moves: Movement) -> str:
    """The movement as text. Raises Inexpressible."""
    groups: dict[tuple[str, int, str], set[Vector]] = defaultdict(set)
    for (dx, dy), limit, mode in moves:
        short, long = sorted((abs(dx), abs(dy)))
        groups[LETTERS[short, long], limit, _MODES[mode]].add((dx, dy))
    return "".join(_token(*key, steps) for key, steps in sorted(groups.items()))


def _token(letter: str, limit: int, mode: str, steps: set[Vector]) -> str:
    if limit != 1 and letter not in REPEATED:
        raise Inexpressible(Part.PIECES, f"{letter} cannot be repeated")
    if limit > _LONGEST:
        raise Inexpressible(Part.PIECES, f"a step cannot be repeated {limit} times")
    every = 8 if letter in "NLZ" else 4
    directions = "" if len(steps) == every else "".join(_direction(*step) for step in sorted(steps))
    return mode + directions + letter + {0: letter, 1: ""}.get(limit, str(limit))


def _direction(dx: int, dy: int) -> str:
    """Two letters; of an oblique leap the first says to which side it goes less far."""
    across, along = ("r" if dx > 0 else "l"), ("f" if dy > 0 else "b")
    if dx == 0 or dy == 0:
        return 2 * (along if dx == 0 else across)
    return across + along if abs(dx) <= abs(dy) else along + across


def _is_usual_pawn(role: Role) -> bool:
    """Whether it moves as in chess, with or without a double step and captures in passing."""
    plain = frozenset(replace(atom, en_passant=False) for atom in role.atoms if not atom.initial)
    return plain == _PAWN and frozenset(atom for atom in role.atoms if atom.initial) in (frozenset(), _DOUBLE_STEP)


def _double_steps(variant: Variant) -> Iterator[str]:
    """Where pawns may go two squares, and whether they are captured in passing."""
    pawn = next((role for role in variant.roles if role.pawn), None)
    if pawn is None or not pawn.initial_ranks:
        yield "doubleStep = false"
        return
    yield f"doubleStepRegionWhite = {region(pawn.initial_ranks)}"
    yield f"doubleStepRegionBlack = {region(pawn.initial_ranks, variant.ranks)}"
    if not any(atom.en_passant for atom in pawn.atoms):
        yield "enPassantRegion = -"
    elif pawn.passing_ranks != pawn.initial_ranks:
        passed = frozenset(rank + 1 for rank in pawn.passing_ranks)
        yield f"enPassantRegionWhite = {region(passed, variant.ranks)}"
        yield f"enPassantRegionBlack = {region(passed)}"


def region(ranks: frozenset[int], last: int = 0) -> str:
    """Whole ranks, counted from the own side; for Black if the board's `last` one is given. "-" for none."""
    return " ".join(f"*{last + 1 - rank if last else rank}" for rank in sorted(ranks)) or "-"


def _promotion_lines(variant: Variant, pieces: Army) -> Iterator[str]:
    """The lines of variants.ini. Raises Inexpressible."""
    rules = variant.promotions
    choices = rules.get(_pawn(variant))
    own_form = {role: rule for role, rule in rules.items() if rule.to == (f"+{role}",)}
    if choices is not None and _pawn(variant) in own_form:
        choices = None
    _check_promotions(variant, rules.keys() - own_form.keys())
    zone = next(iter(rules.values())).ranks if rules else frozenset[int]()
    yield f"promotionRegionWhite = {region(zone)}"
    yield f"promotionRegionBlack = {region(zone, variant.ranks)}"
    yield f"promotionPieceTypes = {pieces.letters_of(choices.to if choices else ())}"
    if own_form:
        pairs = " ".join(f"{pieces.letters[role]}:{pieces.letters[rule.to[0]]}" for role, rule in own_form.items())
        yield f"promotedPieceType = {pairs}"
    if limits := variant.promotion_limits:
        yield f"promotionLimit = {' '.join(f'{pieces.letters[role]}:{most}' for role, most in limits.items())}"
    yield from _forced_promotion_lines(variant, rules.get(_pawn(variant)))


def _pawn(variant: Variant) -> str:
    return next((role.id for role in variant.roles if role.pawn), "")


def _check_promotions(variant: Variant, choosing: set[str]) -> None:
    """`choosing`: the roles that do not simply take their own promoted form."""
    rules, pawn = variant.promotions, _pawn(variant)
    if choosing - {pawn}:
        raise Inexpressible(Part.PROMOTION, "only pawns choose what they become")
    if pawn in choosing and set(rules[pawn].to) & rules.keys():
        raise Inexpressible(Part.PROMOTION, "what a pawn became could promote once more")
    if len({rule.ranks for rule in rules.values()}) > 1:
        raise Inexpressible(Part.PROMOTION, "all promote in one region")
    if any(role.id[0] == "+" and role.id[1:] not in rules.keys() - choosing for role in variant.roles):
        raise Inexpressible(Part.PROMOTION, "a promoted form is one that the piece may take")
    for role, rule in rules.items():
        if rule.by_file:
            raise Inexpressible(Part.PROMOTION, "the file does not decide")
        if role == pawn:
            _check_pawn_promotion(rule)
        elif rule.forced or not rule.touch:
            raise Inexpressible(Part.PROMOTION, "pieces are free to promote within and out of the region, too")


def _check_pawn_promotion(rule: Promotion) -> None:
    """A pawn only goes forward, so leaving the region or moving within it means entering it first."""
    first = min(rule.ranks, default=0)
    if rule.touch and rule.ranks != frozenset(range(first, first + len(rule.ranks))):
        raise Inexpressible(Part.PROMOTION, "a pawn does not promote when it leaves the region")
    if rule.limits and rule.to[0][0] == "+":
        raise Inexpressible(Part.PROMOTION, "the promoted form of a pawn cannot be limited")


def _forced_promotion_lines(variant: Variant, rule: Promotion | None) -> Iterator[str]:
    """Where a pawn must promote: everywhere in the region, nowhere, or only where it could not move on."""
    forced = rule.forced if rule else frozenset[int]()
    everywhere = rule is not None and forced == rule.ranks
    at_the_end = bool(forced) and not everywhere
    if at_the_end and forced != {variant.ranks}:
        raise Inexpressible(Part.PROMOTION, "it is forced in the whole region or on the last rank")
    if at_the_end and any(_can_be_stuck(variant, role.atoms) for role in variant.roles if not role.pawn):
        raise Inexpressible(Part.PROMOTION, "no piece may go where it could not move on")
    yield f"mandatoryPawnPromotion = {_flag(everywhere)}"
    yield f"immobilityIllegal = {_flag(at_the_end)}"


def _can_be_stuck(variant: Variant, atoms: tuple[Atom, ...]) -> bool:
    """Whether there is a square from which the piece could go nowhere, even on an empty board."""
    board = variant.geometry
    steps = {step for atom in atoms if atom.mode is not Mode.CAPTURE for step in atom.steps}
    return any(all(board.shifted(square, step) is None for step in steps) for square in range(board.size))


_NOWHERE = frozenset[int]()


def _pocket_lines(variant: Variant, pieces: Army) -> Iterator[str]:
    """The lines of variants.ini. Raises Inexpressible."""
    pocket = variant.pocket
    if pocket is None:
        return
    if pocket.captures:
        _check_captures(variant)
        yield "capturesToHand = true"
    if pocket.drops:
        yield from _drop_lines(variant, pocket, pieces)
    if variant.gates:
        yield from _gating_lines(variant, pocket)


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _castling_lines(variant: Variant, pieces: Army) -> Iterator[str]:
    castling = variant.castling
    if castling is None:
        yield "castling = false"
        return
    _check_castling(variant, castling)
    yield f"castlingKingFile = {FILE_LETTERS[castling.king_from]}"
    yield f"castlingKingsideFile = {FILE_LETTERS[castling.king_to[0]]}"
    yield f"castlingQueensideFile = {FILE_LETTERS[castling.king_to[1]]}"
    yield f"castlingKingPiece = {pieces.letters[castling.king]}"
    yield f"castlingRookPieces = {pieces.letters[castling.rook]}"
    yield f"castlingDroppedPiece = {_flag(castling.earned)}"


def _check_castling(variant: Variant, castling: Castling) -> None:
    right, left = castling.king_to
    if castling.rook_to != (right - 1, left + 1):
        raise Inexpressible(Part.CASTLING, "the rook comes to stand beside the king, on its inner side")
    king = variant.role(castling.king)
    steps = {(to - castling.king_from, 0) for to in castling.king_to}
    if any(step in steps for atom in king.atoms for step in atom.steps) or any(
        atom.limit != 1 and (dx, 0) in atom.steps for atom in king.atoms for dx in (1, -1)
    ):
        raise Inexpressible(Part.CASTLING, "a move of the king could be meant as well")


def _ending_lines(variant: Variant) -> Iterator[str]:
    endings = variant.endings
    if endings.move_rule % 2:
        raise Inexpressible(Part.ENDINGS, "the move rule counts whole moves")
    if variant.explodes:
        if endings.goal is not None:
            raise Inexpressible(Part.ENDINGS, "a goal where captures explode")
        yield "blastOnCapture = true"
        yield "extinctionValue = loss"
        yield f"extinctionPieceTypes = {_letters(variant)[variant.king]}"
        yield "extinctionPseudoRoyal = true"
    if variant.must_capture:
        yield "mustCapture = true"
    if variant.may_not_check:
        yield "checking = false"
    yield f"stalemateValue = {'loss' if endings.stalemate_loses else 'win' if endings.stalemate_wins else 'draw'}"
    yield f"nMoveRule = {endings.move_rule // 2}"
    yield f"nFoldRule = {endings.repetition}"
    if endings.goal is not None:
        yield from _goal_lines(variant, endings.goal)
    if endings.extinction is not None:
        yield from _extinction_lines(variant, endings.extinction)
    if endings.checks:
        yield "checkCounting = true"
    if endings.bare_king_loses:
        if variant.pocket is not None:
            raise Inexpressible(Part.ENDINGS, "what is in the pocket counts as if it stood on the board")
        yield "extinctionValue = loss"
        yield "extinctionPieceTypes = *"
        yield "extinctionPieceCount = 1"


def _extinction_lines(variant: Variant, rule: Extinction) -> Iterator[str]:
    if variant.pocket is not None:
        raise Inexpressible(Part.ENDINGS, "what is in the pocket counts as if it stood on the board")
    if rule.reply and not rule.against:
        raise Inexpressible(Part.ENDINGS, "a reply is known only where the other side's pieces are counted")
    letters = _letters(variant)
    yield f"extinctionValue = {'win' if rule.wins else 'loss'}"
    yield f"extinctionPieceTypes = {''.join(letters[kind] for kind in rule.kinds) or '*'}"
    yield f"extinctionPieceCount = {rule.left}"
    yield f"extinctionOpponentPieceCount = {rule.against}"
    yield f"extinctionClaim = {_flag(rule.reply)}"


def _goal_lines(variant: Variant, goal: Goal) -> Iterator[str]:
    if goal.reply and not variant.may_not_check:
        raise Inexpressible(Part.ENDINGS, "a reply out of check is not looked for")
    names, pieces = variant.geometry.names, _letters(variant)
    yield f"flagPiece = {pieces[goal.role]}"
    yield f"flagMove = {_flag(goal.reply)}"
    for side, squares in zip(("White", "Black"), goal.squares, strict=True):
        yield f"flagRegion{side} = {' '.join(names[square] for square in sorted(squares))}"


def _check_captures(variant: Variant) -> None:
    for role in variant.roles:
        if role.captured_as != role.id.removeprefix("+"):
            raise Inexpressible(Part.DROPS, f"{role.id} comes to the pocket as {role.captured_as}")


def _drop_lines(variant: Variant, pocket: Pocket, pieces: Army) -> Iterator[str]:
    zone, first_rank, promotion_zone = _zone(variant, pocket)
    yield "pieceDrops = true"
    yield f"dropRegionWhite = {region(zone)}"
    yield f"dropRegionBlack = {region(zone, variant.ranks)}"
    yield f"firstRankPawnDrops = {_flag(first_rank)}"
    yield f"promotionZonePawnDrops = {_flag(promotion_zone)}"
    if pocket.setup:
        yield "mustDrop = true"
    if pocket.pairs:
        if {pieces.names[role] for role in pocket.pairs} != {"bishop"}:
            raise Inexpressible(Part.DROPS, "only bishops come to stand on opposite colours")
        yield "dropOppositeColoredBishop = true"


def _zone(variant: Variant, pocket: Pocket) -> tuple[frozenset[int], bool, bool]:
    """The ranks of all drops, and whether pawns may be dropped on the first one and where they promote."""
    pawns = {role.id for role in variant.roles if role.pawn}
    zones = {pocket.ranks[role] for role in pocket.order if role not in pawns}
    wanted = {pocket.ranks[role] for role in pocket.order if role in pawns}
    if len(zones) > 1:
        raise Inexpressible(Part.DROPS, "all pieces are dropped on the same ranks")
    zone = next(iter(zones | wanted)) if not zones else next(iter(zones))
    promoting = next((rule.ranks for rule in variant.promotions.values()), _NOWHERE)
    for first_rank, promotion_zone in product((False, True), repeat=2):
        left = zone - (_NOWHERE if first_rank else {1}) - (_NOWHERE if promotion_zone else promoting)
        if wanted <= {left}:
            return zone, first_rank, promotion_zone
    raise Inexpressible(Part.DROPS, "pawns are kept off the first rank and off where they promote, or nowhere")


def _gating_lines(variant: Variant, pocket: Pocket) -> Iterator[str]:
    """Any piece that could be dropped on the first rank may be gated."""
    pawns = {role.id for role in variant.roles if role.pawn}
    gated = set(pocket.order) - pawns
    if set(variant.gates) != gated:
        raise Inexpressible(Part.GATING, "whatever is in the pocket may be gated, except pawns")
    if pocket.drops and not all(1 in pocket.ranks[role] for role in gated):
        raise Inexpressible(Part.GATING, "what is gated could be dropped there")
    if any(1 in pocket.ranks[role] for role in pawns & set(pocket.order)):
        raise Inexpressible(Part.GATING, "a pawn that could be dropped on the first rank could be gated")
    yield "gating = true"
    yield "seirawanGating = true"
