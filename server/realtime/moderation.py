"""Who may meet, speak and be seen, and who has to wait, as one process knows it: blocks, playbans, bots, sanctions.
Knows no round.

*Blocks.* All of the site are in memory, as they are asked for within a pairing and for each line of chat.
`realtime.services.ties` reads them from the store, which decides: with several processes another one may have stored a
block just now, so whatever brings two people to one game asks `play.meetings`.

*Playbans.* Players who have aborted too many games must wait for the next opponent. They are kept in memory, for a
limited number of people, like all rate limits: a restart clears them. Each process tells the others what it counts.

*Guests.* What people without an account may do, as the host has chosen; `LivePlay` reads it each second.

*Bots.* All of the site are in memory, because every name that is shown asks. The store decides; `LivePlay` reads it now
and then, as another process may have made an account a bot.

*Sanctions.* All that hold are in memory, as each line of chat and each rated game asks. The store decides;
`realtime.services.sanctions` reads it every few seconds, and at once when this or another process has changed it.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, TypeVar

from server.games.errors import DecisionRefused, Gone, NotAllowed, Playbanned, RestartSoon
from server.games.fair_play import FREE_ABORTS_OF_NETWORK, Aborts
from server.games.joining import GUESTS_MAY, Guests, Way
from server.games.people import has_account
from server.games.player import Player
from server.games.sanctions import (
    HIDING,
    NO_SANCTIONS,
    OUT_OF_TOURNAMENTS,
    SHUT_OUT,
    SILENCING,
    UNRATED,
    HeldSearch,
    Sanction,
    check_rated,
    check_speech,
    first_of,
    search_for,
)
from server.realtime.runtime.limits import BoundedDict
from server.rules.sliced_work import SlicedWork, run_at_once
from server.storage.tables.ties import Block

Known = TypeVar("Known")

NOBODY: Set[str] = frozenset()


class Blocks:
    """People are ids."""

    def __init__(self) -> None:
        self._blocks_of: dict[str, set[str]] = {}
        self._blocked_by: dict[str, set[str]] = {}

    def are_apart(self, one: str, other: str) -> bool:
        """Has either blocked the other?"""
        return other in self._blocks_of.get(one, NOBODY) or one in self._blocks_of.get(other, NOBODY)

    def apart_from(self, person: str | None) -> Set[str]:
        """All with whom `person` is brought to no game; nobody for a visitor without a name."""
        if person is None:
            return NOBODY
        return self._blocks_of.get(person, NOBODY) | self._blocked_by.get(person, NOBODY)

    def unheard_by(self, reader: str | None) -> Set[str]:
        """Those of whom `reader` reads nothing."""
        return NOBODY if reader is None else frozenset(self._blocks_of.get(reader, NOBODY))

    def blockers_of(self, speaker: str) -> Set[str]:
        """The users who have blocked `speaker`, and so do not see what they write."""
        return self._blocked_by.get(speaker, NOBODY)

    def replace_all(self, blocks: Iterable[Block]) -> SlicedWork[Set[str]]:
        """Takes what the store has, and returns the people for whom it is new. Until all of it is taken what was known
        before holds, and nothing else may change it.
        """
        after = Blocks()
        for block in blocks:
            after._add((block,))
            yield
        new = set()
        for person in self._people() | after._people():
            if self.apart_from(person) != after.apart_from(person):
                new.add(person)
            yield
        self._blocks_of, self._blocked_by = after._blocks_of, after._blocked_by
        return new

    def replace_of(self, person: str, blocks: Iterable[Block]) -> None:
        """Replaces all blocks by `person` and of them with those of the store."""
        for one in self._blocks_of.pop(person, NOBODY):
            self._forget(self._blocked_by, one, person)
        for one in self._blocked_by.pop(person, NOBODY):
            self._forget(self._blocks_of, one, person)
        self._add(blocks)

    def _add(self, blocks: Iterable[Block]) -> None:
        for owner, other in blocks:
            self._blocks_of.setdefault(owner, set()).add(other)
            self._blocked_by.setdefault(other, set()).add(owner)

    @staticmethod
    def _forget(sets: dict[str, set[str]], key: str, person: str) -> None:
        sets[key].discard(person)
        if not sets[key]:
            del sets[key]

    def _people(self) -> Set[str]:
        return self._blocks_of.keys() | self._blocked_by.keys()


MAX_PEOPLE: Final = 10_000
MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Guest:
    """The network from which a guest has looked for an opponent, and when (ms) the guest was created."""

    network: str
    created: int


class Playbans:
    """Playbans by player id, for guests too; the oldest are forgotten first.

    A guest with a new cookie has a new id. So guests created after others of their network began to abort share
    those bans; guests created before, and people with an account, do not.
    """

    def __init__(self) -> None:
        self._by_id: BoundedDict[str, Aborts] = BoundedDict(MAX_PEOPLE)
        self._by_network: BoundedDict[str, Aborts] = BoundedDict(MAX_PEOPLE)
        self._guests: BoundedDict[str, Guest] = BoundedDict(MAX_PEOPLE)
        self._counted: BoundedDict[tuple[str, str], bool] = BoundedDict(MAX_PEOPLE)

    def __len__(self) -> int:
        return len(self._by_id)

    def count_abort(self, player: str, game: str, now: int) -> None:
        """Counts that `player` (an id) aborted `game` at `now` (ms). Repeating it changes nothing."""
        if (player, game) in self._counted:
            return
        self._counted[player, game] = True
        self._by_id[player] = self._by_id.get(player, Aborts()).one_more(now)
        if (guest := self._guests.get(player)) is not None:
            self._by_network[guest.network] = self._by_network.get(guest.network, Aborts()).one_more(now)

    def note_guest(self, player: Player, network: str, created: int) -> None:
        """Notes that a guest, created at `created` (ms), looks for an opponent from that network."""
        self._guests[player.id] = Guest(network, created)

    def check(self, player: Player, now: int) -> None:
        """Raises Playbanned if they may not look for an opponent yet."""
        if (left := self._left(player, now)) > 0:
            raise Playbanned(n=-(-left // MINUTE_MS))

    def is_banned(self, player: Player, now: int) -> bool:
        """May they not look for an opponent yet?"""
        return self._left(player, now) > 0

    def check_both(self, maker: Player, taker: Player, now: int) -> None:
        """Raises Gone if either is banned, even if the seek is older than the ban."""
        if self._left(maker, now) > 0 or self._left(taker, now) > 0:
            raise Gone("opponent_paused")

    def _left(self, player: Player, now: int) -> int:
        own = self._by_id.get(player.id, Aborts()).banned_until
        return max(own, self._paused_with_network(player)) - now

    def _paused_with_network(self, player: Player) -> int:
        guest = self._guests.get(player.id)
        theirs = Aborts() if guest is None else self._by_network.get(guest.network, Aborts())
        if guest is None or not theirs.at or guest.created <= theirs.at[0]:
            return 0
        return theirs.banned_after(FREE_ABORTS_OF_NETWORK)


class GuestRules:
    """What the host lets people do who have no account, in games and where they chat."""

    def __init__(self) -> None:
        self.chosen = Guests.ALL

    def may(self, player: Player, way: Way) -> bool:
        """May they do that, with an account or without one?"""
        return has_account(player) or way in GUESTS_MAY[self.chosen]


class HouseRules:
    """What the host lets everybody do. `variants`: ids of those of new games, in the order of display; none: all."""

    def __init__(self) -> None:
        self.chat = True
        self.variants: tuple[str, ...] = ()

    def check_chat(self) -> None:
        """Raises NotAllowed."""
        if not self.chat:
            raise NotAllowed("chat_off")

    def offered(self, known: Mapping[str, Known]) -> dict[str, Known]:
        """Of what is known by the ids of variants, that of those which are offered, in their order. If this site has
        none of them any more, all.
        """
        return {one: known[one] for one in self.variants if one in known} or dict(known)


class ComingRestart:
    """Whether the host has announced that the site is about to be restarted. Until then nobody is paired: a game that
    has just begun would be the first that it spoils.
    """

    def __init__(self) -> None:
        self.announced = False

    def check_pairing(self) -> None:
        """Raises RestartSoon."""
        if self.announced:
            raise RestartSoon("restart_soon")


class Bots:
    """The bots of this site. A bot never becomes a person again, and its name is never given to anybody else."""

    def __init__(self) -> None:
        self.may_be_rated = False
        """Does the host let bots play rated games against each other?"""
        self._people: Mapping[str, str] = {}
        self._names: Set[str] = frozenset()

    def __contains__(self, person: object) -> bool:
        """Is that person (an id) a bot?"""
        return person in self._people

    @property
    def people(self) -> Mapping[str, str]:
        """Their names, by their ids."""
        return self._people

    def is_named(self, name: str | None) -> bool:
        """Is a bot called that, for lists that have only names?"""
        return name in self._names

    def check_rated(self, *people: str) -> None:
        """Raises NotAllowed if no rated game of these people (ids) may be."""
        among = [person in self for person in people]
        if any(among) and not (self.may_be_rated and all(among)):
            raise NotAllowed("rated_bot")

    def replace_all(self, people: Mapping[str, str]) -> None:
        """Replaces all bots with those of the store: names by ids."""
        self._people = dict(people)
        self._names = frozenset(people.values())

    def add_bot(self, person: str, name: str) -> None:
        """That person (an id) is a bot from now on."""
        self.replace_all({**self._people, person: name})


class Sanctions:
    """What the host has decided about people (ids), as far as it holds. It ends by time without anybody's doing."""

    def __init__(self) -> None:
        self._of: Mapping[str, Sequence[Sanction]] = {}
        self._held: HeldSearch | None = None

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def replace_all(self, standing: Iterable[Sanction], held_words: Iterable[str]) -> None:
        """Takes what the store has."""
        self._held = search_for(held_words)
        after: dict[str, list[Sanction]] = {}
        for one in standing:
            after.setdefault(one.person.id, []).append(one)
        self._of = after

    def of(self, person: str | None, now: int) -> Sequence[Sanction]:
        """What that person is under at `now` (ms)."""
        return [one for one in self._of.get(person or "", NO_SANCTIONS) if one.holds(now)]

    def shut_out(self, person: str, now: int) -> Sanction | None:
        """Why that person cannot come in at `now` (ms); None if they can."""
        return first_of(self._of.get(person, NO_SANCTIONS), SHUT_OUT, now)

    def who_is_shut_out(self, now: int) -> Set[str]:
        """All who cannot come in."""
        return {person for person in self._of if self.shut_out(person, now)}

    def hidden(self, now: int) -> Set[str]:
        """All who are shown in no list."""
        return {person for person, theirs in self._of.items() if first_of(theirs, HIDING, now)}

    def hidden_names(self, now: int) -> Set[str]:
        """Their names, for lists that have only names."""
        return {theirs[0].person.name for theirs in self._of.values() if first_of(theirs, HIDING, now)}

    def may_be_read(self, person: str, now: int) -> bool:
        """May others read what that person has written about themselves?"""
        return first_of(self._of.get(person, NO_SANCTIONS), SILENCING, now) is None

    def check_speech(self, person: str, place: str, now: int) -> None:
        """Raises NotAllowed if that person may not write in `place` ("": where all can read it)."""
        check_speech(self._of.get(person, NO_SANCTIONS), place, now)

    def check_text(self, text: str) -> None:
        """Raises NotAllowed if the host holds back a word of it."""
        run_at_once(self.checking_text(text))

    def checking_text(self, text: str) -> SlicedWork[None]:
        """The same in slices, for what may be long."""
        if self._held is not None and (found := (yield from self._held.finding(text))) is not None:
            raise NotAllowed("word_held", word=found)

    def check_rated(self, person: str, now: int) -> None:
        """Raises NotAllowed if that person plays no rated games."""
        check_rated(self._of.get(person, NO_SANCTIONS), now)

    def check_tournaments(self, person: str, now: int) -> None:
        """Raises DecisionRefused if that person enters no tournaments."""
        if first_of(self._of.get(person, NO_SANCTIONS), OUT_OF_TOURNAMENTS, now) is not None:
            raise DecisionRefused("no_tournaments")

    def may_be_paired(self, person: str, now: int, *, rated: bool) -> bool:
        """May a tournament still pair that person, who had entered it before, perhaps, something was decided?"""
        kept_out = (*OUT_OF_TOURNAMENTS, *(UNRATED if rated else ()))
        return first_of(self._of.get(person, NO_SANCTIONS), kept_out, now) is None

    def is_unrated(self, person: str, now: int) -> bool:
        """Does that person play no rated games at `now` (ms)?"""
        return first_of(self._of.get(person, NO_SANCTIONS), UNRATED, now) is not None
