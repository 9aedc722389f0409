"""Refusals, independent of language, and what can be wrong with a text or a move.

A refusal has the id of a sentence and the values to fill in. The sentences are in server/words/<language>/<area>.json;
an id keeps its meaning while its words may change.
"""


class Refusal(Exception):
    """`id` names the sentence in `area`, `params` fill its placeholders. Programs can rely on both.

    `code` groups several sentences for programs. A class that has a code can be raised without an id, which then
    equals the code; without a code, the id is the code.
    """

    area = "refusals"
    code = ""
    detail = ""
    """Details for programmers, in English; never shown to people."""

    def __init__(self, id: str = "", /, **params: str | int) -> None:
        super().__init__(id)
        self.id = id or self.code
        self.code = self.code or id
        self.params = params

    @property
    def key(self) -> str:
        """The key of the sentence in every language."""
        return f"{self.area}.{self.id}"

    def __str__(self) -> str:
        """The id and the params, for logs."""
        return " ".join([self.id, *(f"{name}={value!r}" for name, value in self.params.items())])


class RulesError(Refusal):
    """Base of all refusals by the rules."""


class InvalidFen(RulesError):
    """The text is not a FEN of a position of this variant."""

    area = "fen"
    code = "bad_fen"


class InvalidMove(RulesError):
    """The text is not a move at all."""

    code = "illegal"


class IllegalMove(RulesError):
    """The text is a move, but an illegal one in this position."""

    code = "illegal"


class AmbiguousMove(IllegalMove):
    """The text fits more than one legal move."""


class InvalidPgn(RulesError):
    """The text is not a game in PGN. `ply` (from 0): the offending move, if there is one."""

    area = "pgn"
    code = "bad_pgn"

    def __init__(self, id: str, /, ply: int | None = None, **params: str | int) -> None:
        super().__init__(id, **params)
        self.ply = ply


class InvalidVariant(Exception):
    """A variant file states something impossible.

    `file`, `key` and `reason` say where and why; the message holds all three. The reason is a sentence, or what refused
    the position there, which has a sentence elsewhere.
    """

    def __init__(self, file: str, key: str, reason: str | InvalidFen) -> None:
        super().__init__(f"{file}: {key}: {reason}")
        self.file = file
        self.key = key
        self.reason = reason
