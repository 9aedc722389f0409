"""What one mutant is: a defence switched off, and the test that must find it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` stands exactly once in `file`; with `new` in its place, `test` (as pytest takes it) must fail.

    `full`: only with all the numbers of its row does it run, or is it strict enough.
    """

    name: str
    file: str
    old: str
    new: str
    test: str
    full: bool = False
