"""What of people's texts is shown to others, and how often.

Text stays text: whatever could disturb other people's screens (control and direction characters, stacks of accents) is
removed here, and pages show the rest verbatim, never as markup.
"""

import unicodedata
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from server.realtime.process.token_bucket import TokenBucket
from server.refusal import Refusal

MAX_LENGTH: Final = 140
MARKS_PER_LETTER: Final = 2
LINES: Final = 5
WINDOW_MS: Final = 10_000
SPEAKERS: Final = 10_000
JOINER: Final = "\u200d"
VARIATION_SELECTOR: Final = "\ufe0f"


class ChatRejected(Refusal):
    """The line is refused."""

    code = "not_allowed"


class NothingSaid(ChatRejected):
    """Nothing printable is left of the line."""

    code = "bad_message"


class SaidTooMuch(ChatRejected):
    """The player writes too much for others to read."""

    code = "rate"


def clean(text: str) -> str:
    """`text` in NFC without control and format characters, and with at most two marks per letter; may be empty.

    A mark without a letter is removed, as it would sit on what the page shows before it. A joiner stays between the
    parts of an emoji. White space becomes single spaces.
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        if kind[0] == "M":
            marks += 1
            if marks > MARKS_PER_LETTER or not kept or kept[-1].isspace():
                continue
        elif char == JOINER:
            if not kept or not _can_be_joined(kept[-1]):
                continue
        elif kind in ("Cc", "Zl", "Zp"):
            char = " "
        elif kind in ("Cf", "Cs", "Co", "Cn"):
            continue
        else:
            marks = 0
        kept.append(char)
    # What was removed may have stood between a letter and its mark.
    line = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    return line[:MAX_LENGTH].rstrip(f"{JOINER} ")


def _can_be_joined(char: str) -> bool:
    """Is it a pictograph, a skin tone or the variation selector for pictographs?"""
    return char == VARIATION_SELECTOR or unicodedata.category(char) in ("So", "Sk")


@dataclass(slots=True)
class _Speaker:
    bucket: TokenBucket = field(default_factory=lambda: TokenBucket(LINES, WINDOW_MS))
    last: str = ""


class ChatLimiter:
    """What people wrote lately through this process. Bounded: those silent longest are forgotten."""

    __slots__ = ("_speakers",)

    def __init__(self) -> None:
        self._speakers: OrderedDict[str, _Speaker] = OrderedDict()

    def accept(self, player: str, game: str, text: str, now: int) -> str:
        """The line as it may be shown in `game`. `now`: ms. Raises ChatRejected."""
        line = clean(text)
        if not line:
            raise NothingSaid("chat_empty")
        speaker = self._speakers.setdefault(player, _Speaker())
        self._speakers.move_to_end(player)
        if len(self._speakers) > SPEAKERS:
            self._speakers.popitem(last=False)
        if f"{game} {line}" == speaker.last:
            raise ChatRejected("chat_repeated")
        if not speaker.bucket.take(now):
            raise SaidTooMuch("chat_too_fast")
        speaker.last = f"{game} {line}"
        return line
