"""How a piece moves, in sentences of the catalogue made from its atoms. Knows no board."""

from collections.abc import Iterator
from dataclasses import replace

from server.rules.movement import Atom, Mode, Vector
from server.rules.pieces import Role
from server.web.rules_pages.guide import Guide

STRAIGHT, DIAGONAL, ANY = "straight", "diagonal", "any"
STEP = {STRAIGHT: "rules.step_straight", DIAGONAL: "rules.step_diagonal", ANY: "rules.step_any"}
SOME = {STRAIGHT: "rules.some_straight", DIAGONAL: "rules.some_diagonal", ANY: "rules.some_any"}
RUN = {STRAIGHT: "rules.run_straight", DIAGONAL: "rules.run_diagonal", ANY: "rules.run_any"}
ALONE = {"f": "rules.only_forward", "b": "rules.only_backward", "s": "rules.only_sideways", "v": "rules.only_up_down"}
MODES = {Mode.MOVE: "rules.never_captures", Mode.CAPTURE: "rules.only_captures"}


def movement_sentences(guide: Guide, role: Role) -> tuple[str, ...]:
    """One sentence for each way in which the piece moves."""
    return tuple(_sentence(guide, role, atom, both) for atom, both in _joined(role.atoms))


def _joined(atoms: tuple[Atom, ...]) -> Iterator[tuple[Atom, bool]]:
    """Straight and diagonal atoms that are alike otherwise are one: the flag says so."""
    left = list(atoms)
    while left:
        atom = left.pop(0)
        twin = next((other for other in left if _are_twins(atom, other)), None)
        if twin is not None:
            left.remove(twin)
        yield atom, twin is not None


def _are_twins(one: Atom, other: Atom) -> bool:
    if one.onward or other.onward or len(one.steps) != len(other.steps):
        return False
    return {_size(one), _size(other)} == {(0, 1), (1, 1)} and replace(one, steps=()) == replace(other, steps=())


def _size(atom: Atom) -> Vector:
    """Shorter and longer part of the step, without signs."""
    short, long = sorted(map(abs, atom.steps[0]))
    return short, long


def _sentence(guide: Guide, role: Role, atom: Atom, both: bool) -> str:
    what, notes = _what(guide, atom, both), _notes(guide, role, atom)
    return guide.say("rules.noted", what=what, notes="; ".join(notes)) if notes else guide.say("rules.plain", what=what)


def _what(guide: Guide, atom: Atom, both: bool) -> str:
    short, long = _size(atom)
    if atom.onward:
        run = atom.onward[0][0]
        onward = guide.say("rules.on_as_rook") if 0 in run else guide.say("rules.on_as_bishop")
        return guide.say("rules.bent", first=_what(guide, replace(atom, onward=()), both), onward=onward)
    if long == 1:
        way = ANY if both else DIAGONAL if short else STRAIGHT
        if atom.limit == 1:
            return guide.say(STEP[way])
        return guide.say(SOME[way], n=atom.limit) if atom.limit else guide.say(RUN[way])
    if short == 0:
        leap = guide.say("rules.leap_straight", n=long)
    elif short == long:
        leap = guide.say("rules.leap_diagonal", n=long)
    elif (short, long) == (1, 2):
        leap = guide.say("rules.leap_knight")
    else:
        leap = guide.say("rules.leap_oblique", n=long, aside=short)
    return leap if atom.limit == 1 else guide.say("rules.leap_again", leap=leap)


def _notes(guide: Guide, role: Role, atom: Atom) -> list[str]:
    notes = []
    if way := _direction(atom):
        notes.append(guide.say(ALONE[way]))
    if atom.mode is not Mode.BOTH:
        notes.append(guide.say(MODES[atom.mode]))
    if atom.initial and role.initial_ranks:
        notes.append(guide.say("rules.from_rank", n=len(role.initial_ranks), ranks=guide.ranks(role.initial_ranks)))
    elif atom.initial:
        notes.append(guide.say("rules.first_move_only"))
    if atom.en_passant:
        notes.append(guide.say("rules.also_en_passant"))
    return notes


def _direction(atom: Atom) -> str:
    """The only direction, as a letter of Betza's; "" where there is no such limit."""
    ways = {"f" if dy > 0 else "b" if dy < 0 else "s" for _, dy in atom.steps}
    if len(ways) == 1:
        return ways.pop()
    return "v" if all(dx == 0 for dx, _ in atom.steps) else ""
