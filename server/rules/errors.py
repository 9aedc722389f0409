"""What can be wrong with a text or a move, as types. Knows nothing of boards or rules.

The message of each error is a sentence for a person: what happened and why.
"""


class RulesError(Exception):
    """Anything the rules core refuses."""


class InvalidFen(RulesError):
    """The text is not a position of this variant."""


class InvalidMove(RulesError):
    """The text is not a move at all."""


class IllegalMove(RulesError):
    """The text is a move, but it is not legal in this position."""


class AmbiguousMove(IllegalMove):
    """The text fits more than one legal move."""


class UnknownVariant(RulesError):
    """There is no variant of that name."""


class InvalidPgn(RulesError):
    """The text is not a game in PGN.

    `code` stands for the sentence, so that it can be said in another language, and `detail` is what it speaks of: a
    name, a number, a move as it stands there, such as 12... Nf6. `ply` (counted from 0) says which move is to blame,
    if one is.
    """

    def __init__(self, code: str, message: str, detail: str = "", ply: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail
        self.ply = ply


class InvalidVariant(RulesError):
    """A variant file states something impossible.

    `file`, `key` and `reason` say where and why; the message holds all three.
    """

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}")
        self.file = file
        self.key = key
        self.reason = reason
