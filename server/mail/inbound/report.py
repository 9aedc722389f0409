"""What came of a mail, as plain values that its answer is written from. Knows no language and no store."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.refusal import Refusal
from server.rules.movegen.position import Position
from server.storage.running import RunningGame


class NotDone(Refusal):
    """The reply as a whole, or one of its commands, does not fit the game."""

    area = "replies"
    code = "not_done"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the answer says: the key of a sentence, and what goes into it."""

    key: str
    params: dict[str, str | int] = field(default_factory=dict)


@dataclass(slots=True)
class Report:
    """What came of a mail. `near`: moves that look like the one that was refused; `line`: the conditional moves that
    it stands in, if it does.

    `boards`: positions to show besides that of the game, each with the sentence above it. `asks`: the answer asks
    whether the resignation is meant. `games`: the list of the player's games, if they asked for it. `help`: the topic
    that they asked about; None: no help.
    """

    done: list[Sentence] = field(default_factory=list)
    refused: Refusal | None = None
    near: Sequence[str] = ()
    line: Sequence[str] = ()
    boards: list[tuple[Sentence, Position]] = field(default_factory=list)
    asks: bool = False
    games: Sequence[RunningGame] | None = None
    help: str | None = None
