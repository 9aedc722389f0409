"""Finds in the text of a reply what its writer added: not what they quote, nor who wrote it, nor their signature.

Nothing is guessed in favour of a command: whatever is left over is read by a strict grammar (`grammar`), so a quotation
that is not recognised here has the mail refused, and never plays anything. Knows no command.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

MAX_LINES: Final = 2_000
QUOTE: Final = re.compile(r"\s{0,3}[>|»]")
FORWARDED: Final = re.compile(
    r"-{2,}+.{3,60}-{2,}+$|_{10,}+$|(?:Begin forwarded message|Inicio del mensaje reenviado):?$"
)
""" "-----Original Message-----" in any language, and the rule that Outlook draws: the rest is somebody else's mail."""
HEADER: Final = re.compile(r"\*?[^\W\d_][\w -]{1,30}\*?\s?:\*?(?:\s|$)")
HEADERS_IN_A_ROW: Final = 3
"""So many lines that look like "From: …" one after the other begin somebody else's mail."""
VERBS: Final = (
    r"wrote|writes|escribió|ha escrito|a écrit|écrivait|ha scritto|schrieb|schreef|escreveu|skrev|napisał(?:\(a\)|a)?"
    r"|pisze|пишет|написала?|kirjoitti"
)
ATTRIBUTION: Final = re.compile(
    rf"(?:on|el|le|il|am|op|em|den|dnia|w dniu|в)\b.{{4,300}}\b(?:{VERBS})\b.{{0,200}}:$", re.IGNORECASE
)
WROTE: Final = re.compile(rf".{{3,300}}\b(?:{VERBS})\s?:$", re.IGNORECASE)
DATED: Final = re.compile(r"\d{4}-\d\d-\d\d \d.{0,200}<[^<>\s@]+@[^<>\s]+>:$")
""" "2026-11-22 12:00 GMT+01:00 Name <name@example.org>:" """
ATTRIBUTION_LINES: Final = 3
"""A program that wraps lines divides an attribution into at most so many."""
SIGNATURE: Final = re.compile(
    r"--\s?$|—$"
    r"|(?:Sent|Get|Enviado|Envoyé|Gesendet|Von meinem|Inviato|Verzonden|Skickat|Sendt|Wysłane|Отправлено)\b.{3,80}$"
)
CLOSING: Final = re.compile(
    r"(?:(?:best|kind|warm)(?: regards| wishes)?|regards|cheers|thanks|thank you|many thanks|yours|sincerely|bye"
    r"|saludos|un saludo|(?:un )?abrazo|gracias|muchas gracias|atentamente|lg|mfg|vg|viele grüße|cordialement)[,.!]?$",
    re.IGNORECASE,
)


def unflowed(text: str, *, delete_space: bool) -> str:
    """The text of format=flowed (RFC 3676) with its paragraphs on one line each; quoted lines stay as they are."""
    lines: list[str] = []
    open_paragraph = False
    for line in text.splitlines():
        quoted = line.startswith(">")
        flowing = line.endswith(" ") and line != "-- " and not quoted
        line = line if quoted else line.removeprefix(" ")
        if open_paragraph and not quoted and line != "-- ":
            lines[-1] += line
        else:
            lines.append(line)
        if flowing and delete_space:
            lines[-1] = lines[-1][:-1]
        open_paragraph = flowing
    return "\n".join(lines)


def written_lines(text: str) -> tuple[str, ...]:
    """The lines of `text` that its writer added, without empty ones at either end."""
    lines = [_plain(line) for line in text.splitlines()[:MAX_LINES]]
    written = list(_written(lines))
    while written and not written[-1]:
        written.pop()
    while written and not written[0]:
        written.pop(0)
    return tuple(written)


def _plain(line: str) -> str:
    """The line with ordinary spaces only and without characters that nobody sees."""
    shown = "".join(" " if unicodedata.category(char) in ("Zs", "Cc") else char for char in line)
    return "".join(char for char in shown if unicodedata.category(char) != "Cf").strip()


def _written(lines: Sequence[str]) -> Iterator[str]:
    nth = 0
    while nth < len(lines):
        line = lines[nth]
        if QUOTE.match(line):
            nth += 1
        elif SIGNATURE.match(line) or CLOSING.match(line) or FORWARDED.match(line) or _begins_headers(lines, nth):
            # A signature ends what is written, unless what it answers stands below it and the answer below that,
            # which nobody does.
            return
        elif attribution := _attribution(lines, nth):
            nth += attribution
            following = next((line for line in lines[nth:] if line), "")
            if not QUOTE.match(following):
                # Nothing marks where this quotation ends.
                return
        else:
            yield line
            nth += 1


def _begins_headers(lines: Sequence[str], nth: int) -> bool:
    row = lines[nth : nth + HEADERS_IN_A_ROW]
    return len(row) == HEADERS_IN_A_ROW and all(HEADER.match(line) for line in row)


def _attribution(lines: Sequence[str], nth: int) -> int:
    """Over how many lines from the `nth` on it is said who wrote what follows; 0: it is not."""
    for count in range(1, ATTRIBUTION_LINES + 1):
        row = lines[nth : nth + count]
        if len(row) < count or not all(row) or QUOTE.match(row[-1]):
            return 0
        said = " ".join(row)
        if not said.endswith(":"):
            continue
        if ATTRIBUTION.match(said) or DATED.match(said) or (count == 1 and WROTE.match(said)):
            return count
        following = next((line for line in lines[nth + count :] if line), "")
        if count == 1 and QUOTE.match(following) and re.search(r"\d|@", said):
            return count
    return 0
