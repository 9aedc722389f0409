"""How a piece moves, in sentences made from its atoms. Knows no board."""

from collections.abc import Iterator
from dataclasses import replace

from server.rules.variant.movement import Atom, Mode, Vector
from server.rules.variant.pieces import Role
from server.web.rules_pages.page_context import PageContext

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
    what, how = _what(context, atom, both), ", ".join(_how(context, role, atom))
    return context.say("rules.qualified", what=what, how=how) if how else context.say("rules.plain", what=what)


def _what(context: PageContext, atom: Atom, both: bool) -> str:
    if atom.onward:
        onward = context.say("rules.on_as_rook") if 0 in atom.onward[0][0] else context.say("rules.on_as_bishop")
        return context.say("rules.bent", first=_what(context, replace(atom, onward=()), both), onward=onward)
    return _going(context, atom, both) if _size(atom)[1] == 1 else _leap(context, atom)


def _going(context: PageContext, atom: Atom, both: bool) -> str:
    """A step of one square, of several, or of as many as are free."""
    line = ANY if both else DIAGONAL if _size(atom)[0] else STRAIGHT
    directions = _directions(atom)
    where = context.say(f"rules.where_{line}_{directions}" if directions else f"rules.where_{line}")
    if atom.limit == 1:
        return context.say("rules.step", where=where)
    return context.say("rules.some", n=atom.limit, where=where) if atom.limit else context.say("rules.run", where=where)


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
    if atom.mode is not Mode.BOTH:
        yield context.say(MODES[atom.mode])
    if atom.initial and role.initial_ranks:
        yield context.say("rules.from_rank", n=len(role.initial_ranks), ranks=context.ranks(role.initial_ranks))
    elif atom.initial:
        yield context.say("rules.first_move_only")
    if atom.en_passant:
        yield context.say("rules.also_en_passant")
