"""The defences that are switched off one by one, and the test that must find each."""

from dataclasses import dataclass

__all__ = ["MUTANTS", "Mutant"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` stands exactly once in `file`; with `new` in its place, `test` (as pytest takes it) must fail."""

    name: str
    file: str
    old: str
    new: str
    test: str


MUTANTS: tuple[Mutant, ...] = ()
