"""Sanctions: what the host decides about a person who spoils the site for others. Each has a measure, a reason and an
end.

Nothing is secret: the person can always read what was decided, why and until when, and may appeal once. A sanction ends
by itself, or is lifted earlier. Moderators cannot sanction anybody who has a role at the desk, and nobody can shut out
a host before that role is taken away, so a site always keeps a host who can sign in.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.desk import Desk, Role
from server.games.errors import DecisionRefused, NotAllowed
from server.games.people import has_account
from server.games.player import Player
from server.rules.sliced_work import SlicedWork

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
LONGEST_WORDS: Final = 500
"""Characters of the host's own words beside the reason."""
LONGEST_APPEAL: Final = 1_000
MOST_HELD: Final = 200
LONGEST_HELD: Final = 40
"""The most words on the list of held words, and the most characters in one of them."""
MOST_STANDING: Final = 20
"""The most sanctions that one person can be under at once."""
OUTLIVES_MS: Final = 90 * DAY_MS
"""How long, at most, a sanction that shuts a person out outlives the deletion of their account."""


class Measure(StrEnum):
    """What a sanction does."""

    WARN = "warn"
    MUTE_HERE = "mute_here"
    MUTE = "mute"
    HIDE = "hide"
    UNRATED = "unrated"
    TOURNAMENTS = "tournaments"
    SUSPEND = "suspend"
    CLOSE = "close"


class Reason(StrEnum):
    INSULT = "insult"
    SPAM = "spam"
    SHAMING = "shaming"
    CHEATING = "cheating"
    STALLING = "stalling"
    OTHER = "other"


SHUT_OUT: Final = (Measure.SUSPEND, Measure.CLOSE)
"""Measures that keep a person from signing in."""
SILENCING: Final = (Measure.MUTE, *SHUT_OUT)
"""Measures that keep a person from writing anything that others read."""
HIDING: Final = (Measure.HIDE, *SHUT_OUT)
"""Measures that keep a person off all lists."""
UNRATED: Final = (Measure.UNRATED, *SHUT_OUT)
"""Measures that keep a person from rated games."""
OUT_OF_TOURNAMENTS: Final = (Measure.TOURNAMENTS, *SHUT_OUT)
"""Measures that keep a person out of tournaments."""
LENGTHS: Final[Mapping[str, int]] = {
    "15m": 15 * MINUTE_MS,
    "1h": HOUR_MS,
    "1d": DAY_MS,
    "7d": 7 * DAY_MS,
    "30d": 30 * DAY_MS,
    "90d": 90 * DAY_MS,
    "ever": 0,
}
"""How long a sanction may last, ms; 0: until it is lifted."""
NETWORK_LENGTHS: Final[Mapping[str, int]] = {"": 0, "1h": HOUR_MS, "1d": DAY_MS, "7d": 7 * DAY_MS}
"""How long no new guests are accepted from the network of a suspended guest, ms; 0: they still are."""
USUAL: Final[Mapping[Measure, str]] = {
    Measure.WARN: "ever",
    Measure.MUTE_HERE: "90d",
    Measure.MUTE: "1d",
    Measure.HIDE: "ever",
    Measure.UNRATED: "ever",
    Measure.TOURNAMENTS: "30d",
    Measure.SUSPEND: "7d",
    Measure.CLOSE: "30d",
}
"""The default length of each measure. A closed account can be reopened for that long, and is then deleted."""
FIXED: Final = (Measure.WARN, Measure.MUTE_HERE, Measure.CLOSE)
"""Measures that always have their default length: a warning lasts until it is confirmed, a mute in one place longer
than people talk there.
"""
OF_GUESTS: Final = (Measure.WARN, Measure.MUTE_HERE, Measure.MUTE, Measure.HIDE, Measure.SUSPEND)
"""Measures that apply to guests, who have no rated games and no account to close."""


@dataclass(frozen=True, slots=True)
class Sanction:
    """`by` imposes `measure` on `person`, for `reason` and with `words` of their own ("" for none).

    `place`: the game to which a mute is limited, "" for the whole site. Times are ms since the epoch: `until` (0: no
    end); `ended`, when it was lifted (0: it was not); `seen`, when the person confirmed having read it; `appealed`,
    when they appealed with the text `appeal`; `answered`, when that appeal was decided.
    """

    id: str
    person: Player
    measure: Measure
    reason: Reason
    words: str
    place: str
    by: Player
    at: int
    until: int = 0
    ended: int = 0
    seen: int = 0
    appeal: str = ""
    appealed: int = 0
    answered: int = 0

    def holds(self, now: int) -> bool:
        """Is it in force at `now`? A warning ends once it is confirmed; a closed account stays closed until it is
        deleted.
        """
        if self.ended or (self.until and now >= self.until and self.measure is not Measure.CLOSE):
            return False
        return self.measure is not Measure.WARN or not self.seen

    @property
    def waits_for_answer(self) -> bool:
        """Is there an appeal that nobody has decided yet?"""
        return self.appealed > 0 and not self.answered and not self.ended


UNSEEN: Final = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
"""Invisible characters, with which a held word could be disguised."""
PART: Final = 2_000
PARTS: Final = re.compile(rf"(?s).{{1,{PART}}}\S*")
"""About how many characters are searched in one slice. No word is cut in two."""
NO_SANCTIONS: Final[tuple[Sanction, ...]] = ()


def end_of(measure: Measure, length: str, now: int) -> int:
    """When a sanction that begins at `now` (ms) ends; 0: never. Raises NotAllowed if the measure cannot have that
    length.
    """
    length = USUAL[measure] if measure in FIXED else length
    if length not in LENGTHS:
        raise DecisionRefused("sanction_length")
    # A mute must end: who may never write again should be suspended, and be told so.
    if measure is Measure.MUTE and length == "ever":
        raise DecisionRefused("sanction_length")
    return now + LENGTHS[length] if LENGTHS[length] else 0


def check_sanction(sanction: Sanction, desk: Desk, standing: Iterable[Sanction]) -> None:
    """Raises NotAllowed if `sanction.by` may not impose it. `standing`: the sanctions in force against that person. A
    command of the host (`by` has no id) may do what a host may.
    """
    role = desk.role_of(sanction.person.id)
    if sanction.person.id == sanction.by.id:
        raise DecisionRefused("sanction_oneself")
    if role is not None and sanction.by.id and desk.role_of(sanction.by.id) is not Role.HOST:
        raise DecisionRefused("sanction_role")
    if role is Role.HOST and sanction.measure in SHUT_OUT:
        raise DecisionRefused("sanction_host")
    if not has_account(sanction.person) and sanction.measure not in OF_GUESTS:
        raise DecisionRefused("sanction_guest")
    if (sanction.measure is Measure.MUTE_HERE) != bool(sanction.place):
        raise DecisionRefused("sanction_place")
    if len(sanction.words) > LONGEST_WORDS:
        raise DecisionRefused("sanction_words", n=LONGEST_WORDS)
    if sum(one.id != sanction.id for one in standing) >= MOST_STANDING:
        raise DecisionRefused("sanctions_enough")


def is_same_decision(one: Sanction, other: Sanction) -> bool:
    """Have they decided the same, perhaps a moment later, as a form was sent twice?"""

    def decided(each: Sanction) -> tuple[object, ...]:
        lasts = each.until and each.until - each.at
        return each.person.id, each.by.id, each.measure, each.reason, each.words, each.place, lasts

    return decided(one) == decided(other)


def check_appeal(sanction: Sanction, text: str, now: int, others: Iterable[Sanction]) -> None:
    """Raises NotAllowed if the sanction is over or was appealed before, or while another appeal, one of `others`, is
    undecided.
    """
    if not sanction.holds(now):
        raise DecisionRefused("appeal_over")
    if sanction.appealed or any(one.waits_for_answer for one in others):
        raise DecisionRefused("appeal_once")
    if not text or len(text) > LONGEST_APPEAL:
        raise DecisionRefused("appeal_text", n=LONGEST_APPEAL)


def first_of(sanctions: Iterable[Sanction], measures: Collection[Measure], now: int) -> Sanction | None:
    """The sanction with one of those measures that is in force at `now` and ends last; None: there is none."""
    found = [one for one in sanctions if one.measure in measures and one.holds(now)]
    return max(found, key=lambda one: (not one.until, one.until), default=None)


def kept_out_until(sanctions: Iterable[Sanction], now: int) -> int:
    """Until when (ms) a person under these sanctions cannot come back if their account is deleted at `now`; 0: they
    can. A closed account would have stayed closed.
    """
    latest = now + OUTLIVES_MS
    ends = [
        min(one.until, latest) if one.until and one.measure is not Measure.CLOSE else latest
        for one in sanctions
        if one.measure in SHUT_OUT and one.holds(now)
    ]
    return max(ends, default=0)


def check_speech(sanctions: Iterable[Sanction], place: str, now: int) -> None:
    """Raises NotAllowed if `sanctions` forbid writing in that place ("": where everybody can read it)."""
    here = [one for one in sanctions if one.measure is not Measure.MUTE_HERE or one.place == place]
    if first_of(here, (Measure.MUTE_HERE, *SILENCING), now) is not None:
        raise NotAllowed("muted")


def check_rated(sanctions: Iterable[Sanction], now: int) -> None:
    """Raises NotAllowed if `sanctions` forbid rated games at `now`."""
    if first_of(sanctions, UNRATED, now) is not None:
        raise NotAllowed("unrated")


def held_words(written: str) -> tuple[str, ...]:
    """The words of the host's list, which has one a line: in order, without duplicates and without lines that have
    nothing to search for. Raises NotAllowed if there are too many, or one is too long.
    """
    lines = {" ".join(line.split()).casefold() for line in written.splitlines()}
    words = tuple(sorted(line for line in lines if read_plainly(line)))
    if len(words) > MOST_HELD or any(len(word) > LONGEST_HELD for word in words):
        raise DecisionRefused("held_words", n=MOST_HELD, longest=LONGEST_HELD)
    return words


def read_plainly(text: str) -> str:
    """The text as it is searched: in one case and one form (NFKC), without invisible characters, with single spaces,
    also for the underscores of a name.
    """
    if not text.isascii():
        text = UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(text.casefold().replace("_", " ").split())


@dataclass(frozen=True, slots=True)
class HeldSearch:
    """Finds any of the words, the longest of which has `longest` letters, but never within a longer word."""

    pattern: re.Pattern[str]
    longest: int

    def finding(self, text: str) -> SlicedWork[str | None]:
        """The first of the words in `text`, which `read_plainly` has prepared. Works in slices, as a game with its
        comments may be long.
        """
        read: list[str] = []
        for part in PARTS.finditer(text):
            read.append(read_plainly(part[0]))
            yield
        plain = " ".join(filter(None, read))
        for at in range(0, len(plain), PART):
            # What begins in this part may end beyond it, and the letters around it count.
            before = min(at, 1)
            found = self.pattern.search(plain[at - before : at + PART + self.longest + 1], before)
            if found is not None and found.start() - before < PART:
                return found[0]
            yield
        return None


def search_for(words: Iterable[str]) -> HeldSearch | None:
    """A search for those words; None if there are none."""
    plain = [word for written in words if (word := read_plainly(written))]
    if not plain:
        return None
    parts = "|".join(map(re.escape, plain))
    return HeldSearch(re.compile(rf"(?<!\w)(?:{parts})(?!\w)"), max(map(len, plain)))
