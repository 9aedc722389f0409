"""What of a person's text is shown to others, and how often. Knows no rooms and no clock.

Text stays text: whatever makes it harm other people's screens (control and direction characters, towers of accents)
is taken out here, and the page shows the rest as it is, never as markup.
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
    """The line is not shown."""

    code = "not_allowed"


class NothingSaid(ChatRejected):
    """Nothing is left of it that could be shown."""

    code = "bad_message"


class SaidTooMuch(ChatRejected):
    """Others could not read so much."""

    code = "rate"


def clean(text: str) -> str:
    """`text` in NFC without control and format characters and without more than two marks on a letter.

    A mark without a letter would sit on what the page shows before it. A joiner stays between the parts of one emoji.
    Blanks become single spaces. Empty if nothing is left.
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
    # What was taken out may have stood between a letter and its mark.
    line = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    return line[:MAX_LENGTH].rstrip(f"{JOINER} ")


def _can_be_joined(char: str) -> bool:
    """A picture, a skin tone or the sign that a picture is meant."""
    return char == VARIATION_SELECTOR or unicodedata.category(char) in ("So", "Sk")


@dataclass(slots=True)
class _Speaker:
    bucket: TokenBucket = field(default_factory=lambda: TokenBucket(LINES, WINDOW_MS))
    last: str = ""


class ChatLimiter:
    """Who said what lately, for all who chat through this process. Bounded: who was silent longest is forgotten."""

    __slots__ = ("_speakers",)

    def __init__(self) -> None:
        self._speakers: OrderedDict[str, _Speaker] = OrderedDict()

    def accept(self, player: str, game: str, text: str, now: int) -> str:
        """The line as it may be shown in `game`. Raises ChatRejected."""
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
