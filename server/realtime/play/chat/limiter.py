"""How much each person may say: too long, too often and twice the same is refused. Knows no game and no viewer."""

from dataclasses import dataclass, field
from typing import Final

from server.realtime.play.chat.text import LINE, ChatForm, clean
from server.realtime.process.bounded_dict import BoundedDict
from server.realtime.process.limits.token_bucket import TokenBucket
from server.refusal import Refusal

LINES: Final = 5
WINDOW_MS: Final = 10_000
SPEAKERS: Final = 10_000


class ChatRejected(Refusal):
    """The message is refused."""

    code = "not_allowed"


class BadChat(ChatRejected):
    """It has more characters than may be written there, or nothing printable is left of it."""

    code = "bad_message"


class SaidTooMuch(ChatRejected):
    """The player writes too much for others to read."""

    code = "rate"


class SaidTwice(ChatRejected):
    """The player writes the same once more."""


@dataclass(slots=True)
class _Speaker:
    """`last`: the hash of their last message and its game, since ten thousand long messages would fill memory."""

    bucket: TokenBucket = field(default_factory=lambda: TokenBucket(LINES, WINDOW_MS))
    last: int | None = None


class ChatLimiter:
    """What people wrote lately through this process. Bounded: those silent longest are forgotten."""

    __slots__ = ("_speakers",)

    def __init__(self) -> None:
        self._speakers: BoundedDict[str, _Speaker] = BoundedDict(SPEAKERS)

    def accept(self, player: str, game: str, text: str, now: int, form: ChatForm = LINE) -> str:
        """The message as it may be shown in `game`. `now`: ms. Raises ChatRejected."""
        check_length(text, form)
        speaker = self._speakers[player] = self._speakers.get(player) or _Speaker()
        # First, because cleaning a long text takes a millisecond.
        if not speaker.bucket.take_or_owe(now, lines_in(text)):
            raise SaidTooMuch("chat_too_fast")
        message = clean(text, form)
        if not message:
            raise BadChat("chat_empty")
        said = hash((game, message))
        if said == speaker.last:
            raise SaidTwice("chat_repeated")
        speaker.last = said
        return message


def check_length(text: str, form: ChatForm) -> None:
    """Raises BadChat for a message that is too long."""
    if len(text) > form.longest:
        raise BadChat("chat_too_long", most=form.longest)


def lines_in(text: str) -> int:
    """How many chat lines a message counts as: cutting it up lets nobody say more in a minute."""
    return -(-len(text) // LINE.longest)
