"""How long a chat message may be, and what of it is shown to others. Knows no sender and no clock time.

Text stays text: whatever could disturb other people's screens (control and direction characters, stacks of accents) is
removed here, and pages show the rest verbatim, never as markup.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import TimeControl
from server.realtime.protocol.wire import Room

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
