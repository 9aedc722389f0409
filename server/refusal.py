"""Why something was refused, independent of language: the id of a sentence and the values to fill in.

The sentences are in server/words/<language>/<area>.json; an id keeps its meaning while its words may change.
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
