"""Each piece: how it moves, in sentences made from its atoms and in diagrams, and what people wrote about it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from server.rules.diagrams.diagram import Diagram, Mark, Use
from server.rules.diagrams.reach import blocked, piece_diagrams
from server.rules.diagrams.special_moves import en_passant
from server.rules.movegen.tables import tables_of
from server.rules.variant.movement import Atom, Mode, Vector
from server.rules.variant.pieces import MOVES, Role, chess_pieces_in, is_chess_piece
from server.web.rules_pages.drawing import FIRST_WORDS, WORDS, first_word
from server.web.rules_pages.page import (
    NEW_PIECES,
    Figure,
    Figures,
    Legend,
    PageContext,
    Portrait,
    Section,
    Sided,
    bullets,
)


def new_pieces(context: PageContext) -> Section | None:
    """The pieces that chess does not have, each with its portrait; None if there are none."""
    unlike = [role for role in context.variant.roles if not is_chess_piece(role)]
    if not unlike:
        return None
    # Pieces of chess that move differently here come last.
    roles = sorted(unlike, key=lambda role: role.name == "pawn" or role.name in MOVES)
    parts = tuple(_piece(context, role, _portrait(context, role)) for role in roles)
    return Section(
        NEW_PIECES, context.say("rules.new_pieces"), context.with_prose("pieces", _legend(context, roles)), parts
    )


def ordinary_pieces(context: PageContext) -> Section | None:
    """The pieces that chess has. Only a page that teaches chess itself shows them at once."""
    roles = [role for role in context.variant.roles if is_chess_piece(role)]
    if not roles:
        return None
    legend = _legend(context, roles)
    parts = tuple(_piece(context, role) for role in roles)
    if teaches_chess(context):
        return Section("ordinary", context.say("rules.pieces"), context.with_prose("pieces", legend), parts)
    inside = context.pieces(role.id for role in roles)
    return Section("ordinary", context.say("rules.ordinary"), (legend,), parts, folded=inside)


def teaches_chess(context: PageContext) -> bool:
    """Does the game have only what chess has?"""
    variant = context.variant
    return not context.shuffled and variant.pocket is None and all(map(is_chess_piece, variant.roles))


def _portrait(context: PageContext, role: Role) -> Portrait:
    worth = context.say("rules.worth", value=f"{role.value:g}") if role.value else ""
    parts = tuple(Sided(kind, context.kind(kind), kind[0].upper()) for kind in chess_pieces_in(role.atoms))
    return Portrait(Sided(role.name, context.piece(role.id), role.id.upper()), worth, parts)


def _legend(context: PageContext, roles: Sequence[Role]) -> Legend:
    """The marks that the pictures of these pieces have. What is reached in one position looks like BOTH."""
    found = {(mark.use, first_word(role) if mark.first else "") for role in roles for mark in _marks(context, role)}
    found.discard((Use.REACHED, ""))
    entries = [
        (use.value, bool(first), context.say(WORDS[use]) + (f" ({context.say(first)})" if first else ""))
        for use in WORDS
        for first in ("", *FIRST_WORDS)
        if (use, first) in found
    ]
    return Legend(tuple(entries), context.say("rules.legend_note"))


def _marks(context: PageContext, role: Role) -> Iterator[Mark]:
    for figure in _figures(context, role):
        yield from figure.diagram.marks


def _piece(context: PageContext, role: Role, portrait: Portrait | None = None) -> Section:
    """A piece with a portrait has three blocks to be shown first: that, how it moves, and one board."""
    sentences = bullets(*movement_sentences(context, role), *_traits(context, role))
    figures, prose = tuple(_figures(context, role)), context.prose.pieces.get(role.id, ())
    boards = (Figures(figures[:1]), Figures(figures[1:])) if portrait else (Figures(figures),)
    blocks = (portrait, sentences, *boards, *prose)
    fragment = f"piece-{role.id.replace('+', 'promoted-')}"
    shown = tuple(block for block in blocks if block is not None and block != Figures(()))
    return Section(fragment, context.title(role), shown)


def _traits(context: PageContext, role: Role) -> Iterator[str]:
    variant, say = context.variant, context.say
    codes = tables_of(variant).codes
    if role.royal:
        yield say("rules.royal")
    if codes.placed[0][role.id] in codes.color_bound and not role.pawn:
        yield say("rules.color_bound")
    if sources := [source for source, rule in variant.promotions.items() if role.id[0] == "+" and role.id in rule.to]:
        yield say("rules.promoted_form", piece=context.the_pieces(sources))
    if variant.pocket and variant.pocket.captures and role.captured_as != role.id:
        yield say("rules.captured_as", piece=context.piece(role.captured_as))
    same = chess_pieces_in(role.atoms)
    # One that moves like a king and is none is not the king of chess.
    if not is_chess_piece(role) and len(same) == 1 and same[0] != "king":
        yield say("rules.piece_of_chess", piece=context.kind(same[0]))
    elif not role.royal and (others := context.namesakes(role.atoms, context.piece(role.id))):
        yield say("rules.same_elsewhere", others=others)


def _figures(context: PageContext, role: Role) -> Iterator[Figure]:
    for diagram in piece_diagrams(context.variant, role):
        yield Figure(diagram, _caption(context, role, diagram))
    if (among := blocked(context.variant, role)) is not None:
        yield Figure(among, context.say("rules.among_caption", piece=context.the(role.id)))
    if role.pawn and (passing := en_passant(context.variant)) is not None:
        yield Figure(passing, _passing_caption(context, passing))


def _caption(context: PageContext, role: Role, diagram: Diagram) -> str:
    assert diagram.square is not None
    square = context.variant.geometry.names[diagram.square]
    reach = context.say("rules.reach_caption", piece=context.the(role.id), square=square, n=len(diagram.marks))
    first = _first_caption(context, role) if any(mark.first for mark in diagram.marks) else ""
    return f"{reach} {first}".strip()


def _first_caption(context: PageContext, role: Role) -> str:
    """A pawn that is dropped behind the rank from which it goes farther has that move still before it."""
    if role.initial_ranks:
        ranks = context.ranks(role.initial_ranks)
        return context.say("rules.first_caption_ranks", n=len(role.initial_ranks), ranks=ranks)
    return context.say("rules.first_caption")


def _passing_caption(context: PageContext, diagram: Diagram) -> str:
    names = context.variant.geometry.names
    taken = next(mark for mark in diagram.marks if mark.use is Use.TAKEN)
    origin, target = diagram.moved
    return context.say(
        "rules.en_passant_caption", origin=names[origin], target=names[target], square=names[taken.square]
    )


STRAIGHT, DIAGONAL, ANY = "straight", "diagonal", "any"
MODES = {Mode.MOVE: "rules.never_captures", Mode.CAPTURE: "rules.only_captures"}
DIRECTIONS = "fbs"
"""Forward, backward, sideways, as in Betza notation; a diagonal step forward counts as forward."""


def movement_sentences(context: PageContext, role: Role) -> tuple[str, ...]:
    """One sentence for each way in which the piece moves."""
    return tuple(_sentence(context, role, atom, both) for atom, both in _joined(role.atoms))


def _joined(atoms: tuple[Atom, ...]) -> Iterator[tuple[Atom, bool]]:
    """Yields each atom, and whether it also stands for its twin: the same movement, straight instead of diagonal.
    Repeated atoms and those without a step, such as sideways diagonals, are left out.
    """
    left = list(dict.fromkeys(atom for atom in atoms if atom.steps))
    while left:
        atom = left.pop(0)
        twin = next((other for other in left if _are_twins(atom, other)), None)
        if twin is not None:
            left.remove(twin)
        yield atom, twin is not None


def _are_twins(one: Atom, other: Atom) -> bool:
    if one.onward or other.onward or _directions(one) or _directions(other):
        return False
    return {_size(one), _size(other)} == {(0, 1), (1, 1)} and replace(one, steps=()) == replace(other, steps=())


def _size(atom: Atom) -> Vector:
    """The shorter and the longer part of the step, without signs."""
    short, long = sorted(map(abs, atom.steps[0]))
    return short, long


def _directions(atom: Atom) -> str:
    """The directions in which the atom goes, in the order of DIRECTIONS; "" if it goes in all of them."""
    short, long = _size(atom)
    if len(atom.steps) == (8 if 0 < short < long else 4):
        return ""
    found = {"s" if abs(dx) > abs(dy) else "f" if dy > 0 else "b" for dx, dy in atom.steps}
    return "".join(one for one in DIRECTIONS if one in found)


def _sentence(context: PageContext, role: Role, atom: Atom, both: bool) -> str:
    if _is_double_step(role, atom):
        return context.say("rules.two", where=_where(context, atom, both), how="".join(_when(context, role, atom)))
    return context.say("rules.sentence", what=_what(context, atom, both), how="".join(_how(context, role, atom)))


def _is_double_step(role: Role, atom: Atom) -> bool:
    """Is all that `atom` adds a second step without capturing, as from a pawn's first square?"""
    single = (other for other in role.atoms if other.limit == 1 and other.mode is Mode.MOVE)
    return atom.limit == 2 and atom.mode is Mode.MOVE and any(set(atom.steps) <= set(one.steps) for one in single)


def _what(context: PageContext, atom: Atom, both: bool) -> str:
    if atom.onward:
        onward = context.say("rules.on_as_rook") if 0 in atom.onward[0][0] else context.say("rules.on_as_bishop")
        return context.say("rules.bent", first=_what(context, replace(atom, onward=()), both), onward=onward)
    return _going(context, atom, both) if _size(atom)[1] == 1 else _leap(context, atom)


def _going(context: PageContext, atom: Atom, both: bool) -> str:
    """A step of one square, of several, or of as many as are free."""
    where = _where(context, atom, both)
    if atom.limit == 1:
        return context.say("rules.step", where=where)
    return context.say("rules.some", n=atom.limit, where=where) if atom.limit else context.say("rules.run", where=where)


def _where(context: PageContext, atom: Atom, both: bool) -> str:
    line = ANY if both else DIAGONAL if _size(atom)[0] else STRAIGHT
    directions = _directions(atom)
    return context.say(f"rules.where_{line}_{directions}" if directions else f"rules.where_{line}")


def _leap(context: PageContext, atom: Atom) -> str:
    short, long = _size(atom)
    if short == 0:
        leap = context.say("rules.leap_straight", n=long)
    elif short == long:
        leap = context.say("rules.leap_diagonal", n=long)
    elif (short, long) == (1, 2):
        leap = context.say("rules.leap_knight")
    else:
        leap = context.say("rules.leap_oblique", n=long, aside=short)
    if directions := _directions(atom):
        leap = context.say(f"rules.leap_{directions}", leap=leap)
    if atom.limit == 1:
        return leap
    return (
        context.say("rules.leap_again_some", leap=leap, n=atom.limit)
        if atom.limit
        else context.say("rules.leap_again", leap=leap)
    )


def _how(context: PageContext, role: Role, atom: Atom) -> Iterator[str]:
    """Yields what limits the move, each as the end of a sentence."""
    yield from _when(context, role, atom)
    if atom.mode is not Mode.BOTH:
        yield context.say(MODES[atom.mode])
    if atom.en_passant:
        yield context.say("rules.also_en_passant")


def _when(context: PageContext, role: Role, atom: Atom) -> Iterator[str]:
    if atom.initial and role.initial_ranks:
        yield context.say("rules.from_rank", n=len(role.initial_ranks), ranks=context.ranks(role.initial_ranks))
    elif atom.initial:
        yield context.say("rules.first_move_only")
