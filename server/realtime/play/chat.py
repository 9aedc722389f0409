"""The chat of a round: what may be written and how often, and what is kept for pages that open it. Stores nothing.

Text stays text: whatever could disturb other people's screens (control and direction characters, stacks of accents) is
removed here, and pages show the rest verbatim, never as markup. Too long, too often and twice the same is refused.
"""

import re
import unicodedata
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from server.games.clocks.time_control import TimeControl
from server.realtime.protocol.wire import Room
from server.realtime.runtime.limits import BoundedDict, TokenBucket
from server.rules.errors import Refusal
from server.storage.stores import ChatLine

MARKS_PER_LETTER: Final = 2
JOINER: Final = "\u200d"
VARIATION_SELECTOR: Final = "\ufe0f"
LINE_BREAK: Final = re.compile(r"\r\n|\r|\n")
EMPTY_LINES: Final = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class ChatForm:
    """What may be written: at most `longest` characters, on one line unless it has `line_breaks`."""

    longest: int
    line_breaks: bool = False


LINE: Final = ChatForm(140)
LETTER: Final = ChatForm(2_000, line_breaks=True)


def form_of(control: TimeControl, room: Room) -> ChatForm:
    """What may be written in `room` of a game with that clock: with days for a move, players have time to read more."""
    return LETTER if room == "players" and control.by_days else LINE


def clean(text: str, form: ChatForm = LINE) -> str:
    """`text` in NFC without control and format characters, and with at most two marks per letter; may be empty.

    A mark without a letter is removed, as it would sit on what the page shows before it. A joiner stays between the
    parts of an emoji. White space becomes single spaces. Line breaks stay if `form` has them, with at most one empty
    line between two others.
    """
    lines = LINE_BREAK.split(text) if form.line_breaks else [text]
    shown = EMPTY_LINES.sub("\n\n", "\n".join(map(_clean_line, lines))).strip("\n")
    return shown[: form.longest].rstrip(f"{JOINER} \n")


def _clean_line(text: str) -> str:
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
    return unicodedata.normalize("NFC", " ".join("".join(kept).split())).rstrip(f"{JOINER} ")


def _can_be_joined(char: str) -> bool:
    """Is it a pictograph, a skin tone or the variation selector for pictographs?"""
    return char == VARIATION_SELECTOR or unicodedata.category(char) in ("So", "Sk")


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

    def take_back(self, player: str) -> None:
        """Their last message was not stored, so they may say it again."""
        if (speaker := self._speakers.get(player)) is not None:
            speaker.last = None


def check_length(text: str, form: ChatForm) -> None:
    """Raises BadChat for a message that is too long."""
    if len(text) > form.longest:
        raise BadChat("chat_too_long", most=form.longest)


def lines_in(text: str) -> int:
    """How many chat lines a message counts as: cutting it up lets nobody say more in a minute."""
    return -(-len(text) // LINE.longest)


CHAT_LINES: Final = 50
CHAT_BYTES: Final = 32_768
"""Of UTF-8 text. Fifty of the short lines of a live game always fit, and sixteen of the longest messages in English."""
KNOWN_LINES: Final = 2 * CHAT_LINES
"""Lines that are recognised: processes may read them in another order than they are stored in."""


class ChatHistory:
    """The latest chat of one round, bounded in lines and bytes. `lines`: oldest first, as far as a page gets them."""

    __slots__ = ("_at", "_known", "lines")

    def __init__(self, stored: Sequence[ChatLine]) -> None:
        self.lines = newest(stored)
        # Hashes, as a line that is no longer shown must still be recognised.
        self._known = tuple(map(hash, stored[-KNOWN_LINES:]))
        self._at = stored[-1].at if stored else 0

    def next_at(self, now: int) -> int:
        """The time (ms) of a line written at `now`: later than any before, so that a repeated line is a new one."""
        self._at = max(now, self._at + 1)
        return self._at

    def knows(self, line: ChatLine) -> bool:
        """Has `line` been added, not long ago?"""
        return hash(line) in self._known

    def speakers(self, people: Set[str]) -> frozenset[str]:
        """Those of `people` (ids) who have said something of this."""
        return frozenset(line.player for line in self.lines if line.player in people) if people else frozenset()

    def add(self, line: ChatLine) -> None:
        """Adds a line; the oldest goes."""
        self._known = (*self._known[1 - KNOWN_LINES :], hash(line))
        self.lines = newest((*self.lines, line))


def newest(lines: Sequence[ChatLine]) -> tuple[ChatLine, ...]:
    """The last of `lines` that are CHAT_LINES at most, and CHAT_BYTES together."""
    sizes = accumulate(len(line.text.encode()) for line in reversed(lines[-CHAT_LINES:]))
    fitting = sum(size <= CHAT_BYTES for size in sizes)
    return tuple(lines[len(lines) - fitting :])
