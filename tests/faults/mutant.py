"""What one mutant is: a defence switched off, and the test that must find it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` stands exactly once in `file`; with `new` there, `test` must fail: as pytest takes it, or a `.mjs` file.

    `full`: only with all the numbers of its row does it run, or is it strict enough.
    """

    name: str
    file: str
    old: str
    new: str
    test: str
    full: bool = False
