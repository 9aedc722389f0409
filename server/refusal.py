"""Why something is not done, in no language: whoever refuses gives the id of a sentence and what is filled into it.

The sentences are in server/words/<language>/<area>.json, where an id keeps its meaning while its words may change.
"""


class Refusal(Exception):  # noqa: N818 - whoever refuses is right to; nothing has gone wrong
    """`id` names the sentence in `area`, `params` are its placeholders. Both are stable, for programs.

    `code` is coarser: what several sentences have in common for a program. A class that has a code may be raised
    without an id, which is then the code; an id without a code is its own.
    """

    area = "refusals"
    code = ""
    detail = ""
    """Particulars for whoever writes a program, in English; no person is told them."""

    def __init__(self, id: str = "", /, **params: str | int) -> None:
        super().__init__(id)
        self.id = id or self.code
        self.code = self.code or id
        self.params = params

    @property
    def key(self) -> str:
        """Of the sentence in the catalogue of every language."""
        return f"{self.area}.{self.id}"

    def __str__(self) -> str:
        """For logs: the id, and what it speaks of."""
        return " ".join([self.id, *(f"{name}={value!r}" for name, value in self.params.items())])
