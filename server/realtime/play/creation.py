"""Makes new games and stores them: with an invitation, against the computer, between two who are asked, as played, or
of a seek that was taken.

A seek stays taken until its game is made, so after a crash, or while the store gives no answers, the same game is made
again: by this process or by another. How players have chosen, on their accounts, to flag in new correspondence games is
stored with the game; they can still choose otherwise in each game.

Knows no round and no page: a game is loaded when somebody comes to it.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from server.games.changes.beginning import both_here, new_game, with_flags_by_hand
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import with_color
from server.games.errors import Gone
from server.games.frozen import replace
from server.games.game import play
from server.games.player import Player, computer_at
from server.games.seeks import Pairing, Seek, common_variants, seats
from server.games.state import Game, Invite
from server.games.terms import Terms
from server.realtime.cluster.bus import game_stored
from server.realtime.domain_events import Challenged, Paired
from server.realtime.play.meetings import are_apart, check_challenges, hears_of
from server.realtime.runtime.ids import digest, new_id, new_secret
from server.realtime.runtime.limits import BoundedDict
from server.realtime.shared import Services
from server.rules.notation.fen import format_fen, shuffled_fen, start_position
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.errors import Duplicate, StoreError, Unreadable
from server.storage.protocols.ratings import RatingStore
from server.storage.tables.accounts import AccountStore

log = logging.getLogger(__name__)

ID_TRIES: Final = 5
MAX_UNCONFIRMED: Final = 1_000
"""Games that the store may or may not have, because its answer was lost."""


@dataclass(frozen=True, slots=True)
class CreatedGame:
    """A new game. `secrets` open its empty seats and are stored nowhere."""

    game: Game
    secrets: Mapping[Color, str]

    @property
    def secret(self) -> str:
        """The secret of the only empty seat. Raises ValueError if there are two."""
        (secret,) = self.secrets.values()
        return secret


async def create_open_game(
    services: Services,
    terms: Terms,
    creator: Player | None,
    color: Color,
    asked: Player | None = None,
    game_id: str = "",
    move: str = "",
) -> CreatedGame:
    """A new game in which `creator` plays `color`, and anybody who has the secret may take the other seat.

    Without a creator both seats are empty, each with a secret of its own, and `color` does not matter. With `asked`
    the other seat is for that player only, without a secret; if they have blocked `creator`, it is as if they never
    answered. `game_id`: its id, "" for any. `move`: `creator` has
    played it already (UCI), "" for none.

    Raises Refused, BadTerms, InvalidFen, NotAllowed, Unavailable; StoreError if there is a game of that id.
    """
    empty = tuple(Color) if creator is None else (color.other,)
    secrets = {} if asked else {seat: new_secret() for seat in empty}
    waits: dict[Color, Invite] = {seat: asked or digest(secrets[seat]) for seat in empty}
    invites = (waits.get(Color.WHITE), waits.get(Color.BLACK))
    white = creator if color is Color.WHITE else None
    black = creator if color is Color.BLACK else None
    now = services.now()

    def make(id: str) -> Game:
        made = new_game(id, terms, now, white, black, invites)
        return play(made, PlayMove(color, move, 0), now)[0] if move else made

    heard, check = True, None
    if asked is not None and creator is not None:
        if terms.rated:
            services.check_rated(creator.id, asked.id)
        heard = await hears_of(services, creator.id, asked)
        check = partial(check_challenges, services, creator.id, asked)
    game = await _store_new(services, make, game_id, asked if heard else None, check)
    if asked is not None and creator is not None and heard:
        services.events.publish(Challenged(game, asked, creator))
    return CreatedGame(game, secrets)


async def create_against_computer(services: Services, terms: Terms, person: Player, color: Color, level: int) -> Game:
    """A new game in which `person` plays `color` against the computer at `level`.

    Raises BadTerms, InvalidFen, Unavailable; ValueError if there is no such level.
    """
    seats = with_color((person, person), color.other, computer_at(level))
    make = partial(new_game, terms=terms, now=services.now(), white=seats[0], black=seats[1])
    return await _store_new(services, make, "", None)


async def store_played_game(services: Services, game: Game) -> None:
    """Stores a game as it was played where nobody could follow it. Raises Duplicate, Unavailable."""
    await services.store.create(game)
    services.show_game(game)


async def propose_game(
    services: Services, terms: Terms, white: Player, black: Player, by: Player, game_id: str = ""
) -> Game:
    """A new game for two people, who are asked one after the other, `by` a third; `game_id`: its id, "" for any.

    If either has blocked `by` or the other, neither is asked. Raises as `create_open_game` does, and ValueError if
    they are one person.
    """
    if terms.rated:
        services.check_rated(white.id, black.id)
    heard = all([await hears_of(services, by.id, asked) for asked in (white, black)])
    # Nor may `by` learn that one of the two has blocked the other.
    heard = heard and not await are_apart(services, white.id, black.id)
    make = partial(new_game, terms=terms, now=services.now(), invites=(white, black), proposer=by)
    game = await _store_new(services, make, game_id, white if heard else None)
    if heard:
        services.events.publish(Challenged(game, white, black))
    return game


async def _store_new(
    services: Services,
    make: Callable[[str], Game],
    game_id: str,
    asked: Player | None,
    check: Callable[[str], Awaitable[None]] | None = None,
) -> Game:
    """Stores what `make` makes under that id, "" for any. `asked`: who is to answer now. `check` raises Refused if the
    game of an id may not be made, as there are enough such games.
    """
    for id in (game_id,) if game_id else (new_id() for _ in range(ID_TRIES)):
        game = await with_chosen_flagging(make(id), services.store.accounts)
        if check is not None:
            await check(id)
        if asked is not None:
            # First: without the note they could not find the game, and a note without a game is harmless.
            await services.store.challenges.note(game.id, asked.id, game.created)
        try:
            await services.store.create(game)
        except Duplicate:
            continue
        except StoreError:
            # It may have been stored all the same.
            services.show_game(game)
            raise
        services.show_game(game)
        return game
    raise StoreError("no free id was found for a new game")


async def with_chosen_flagging(game: Game, accounts: AccountStore) -> Game:
    """The new `game`, in which those who have a seat flag as they have chosen. Raises Unavailable."""
    seated = {player.id for player in game.players}
    if not seated or not game.terms.control.by_days:
        return game
    return with_flags_by_hand(game, await accounts.who_flags_by_hand(seated))


async def flags_by_hand(player: Player, game: Game, accounts: AccountStore) -> bool:
    """Does `player`, who takes a seat in `game`, flag by hand? Raises Unavailable."""
    return game.terms.control.by_days and player.id in await accounts.who_flags_by_hand({player.id})


async def has_newcomer(store: RatingStore, game: Game) -> bool:
    """Is the variant new to a player of `game`?"""
    asked = (is_new_to(store, player.id, game.terms.variant.id) for player in game.players)
    return any(await asyncio.gather(*asked))


async def is_new_to(store: RatingStore, player: str, variant: str) -> bool:
    """If the store cannot say, the answer is yes: it only gives people more time, and offers them a lesson."""
    try:
        return all(perf.category.variant != variant for perf in await store.perfs(player))
    except StoreError as error:
        log.info("whether %s is new to %s is not known: %s", variant, player, error)
        return True


def choose_pairing(
    seek: Seek,
    taker: Player,
    wanted: Sequence[str],
    color: Color | None,
    variants: Sequence[str],
    offered: Sequence[str],
) -> Pairing:
    """What `taker` gets who would play the variants `wanted` (none: any of `variants`) with `color` (None: either).

    What both leave open is drawn by lot, among the variants that are `offered`; what one of them named before it was no
    longer offered is still played. Raises NotAllowed if there is no variant that both would play.
    """
    common = common_variants(seek, wanted, variants)
    variant = secrets.choice([one for one in common if one in offered] or common)
    free = secrets.choice(tuple(Color))
    return Pairing(taker, variant, seek.color or (free if color is None else color.other))


class NewGames:
    """The games that one process makes."""

    def __init__(self, services: Services, variants: Mapping[str, Variant]) -> None:
        self._services = services
        self._variants = variants
        self._unconfirmed: BoundedDict[str, tuple[Game, ...]] = BoundedDict(MAX_UNCONFIRMED)

    async def make_game(self, seek: Seek, pairing: Pairing, asking: str | None) -> None:
        """Makes and publishes the game of `seek`; repeating it changes nothing. The person `asking` (an id) gets the
        game as an answer, so they need no notification.

        Raises Gone if its id is another game's; Unavailable; InvalidFen, BadTerms, ValueError for a variant that does
        not allow the game any more.
        """
        now = self._services.now()
        game = _game_of(seek, pairing, self._variants[pairing.variant], now)
        # Both have just asked for it, so its first moves are due soon, whoever comes to the board.
        game, _ = both_here(game, now, unhurried=await has_newcomer(self._services.store.ratings, game))
        game = await with_chosen_flagging(game, self._services.store.accounts)
        game, first = await self._create(game)
        self._services.show_game(game)
        self._services.bus.tell(game_stored(game))
        if first:
            # To play by the minute one has to be there, so pages of both show it.
            seated = () if seek.control.by_the_minute else (game.white, game.black)
            away = tuple(player for player in seated if player is not None and player.id != asking)
            self._services.events.publish(Paired(game, away))

    async def make_tournament_game(self, made: Game, tournament: str, no_show_ms: int = 0) -> None:
        """Makes and publishes a game of a tournament (an id); repeating it changes nothing. Its first moves are due
        soon, but not before `no_show_ms` are over: whoever does not come to the board loses it. In a correspondence
        game there is time, and both are told of it wherever they are.

        Raises Gone if its id is another game's; Unavailable.
        """
        game = replace(made, tournament=tournament)
        if made.terms.control.by_days:
            game = await with_chosen_flagging(game, self._services.store.accounts)
        else:
            unhurried = await has_newcomer(self._services.store.ratings, made)
            game, _ = both_here(game, made.created, unhurried=unhurried)
            game = replace(game, expires=max(game.expires or 0, made.created + no_show_ms))
        game, first = await self._create(game)
        self._services.show_game(game)
        self._services.bus.tell(game_stored(game))
        if first:
            self._services.events.publish(Paired(game, game.players if game.terms.control.by_days else ()))

    async def _create(self, game: Game) -> tuple[Game, bool]:
        """The game as it is stored, and whether this process has made it. If another one has, that tells of it, and
        what was drawn by lot is as it was drawn there. Raises Gone, Unavailable.
        """
        earlier = self._unconfirmed.get(game.id, ())
        self._unconfirmed[game.id] = (*earlier, game)
        try:
            await self._services.store.create(game)
        except Duplicate:
            stored = None
            with suppress(Unreadable):
                stored = await self._services.store.load(game.id)
            if stored is None or not _is_of_same_pairing(stored, game):
                del self._unconfirmed[game.id]
                raise Gone("seek_gone") from None
        else:
            stored = game
        self._unconfirmed.pop(game.id, None)
        return stored, stored is game or stored in earlier


def _is_of_same_pairing(there: Game, made: Game) -> bool:
    """Is what is stored the game of that pairing, whichever process has made it and however far it has gone?

    What was drawn by lot may differ: the start of Chess960.
    """
    players = [[None if one is None else one.id for one in (game.white, game.black)] for game in (there, made)]
    terms = [(game.terms.variant.id, game.terms.chess960, game.terms.control) for game in (there, made)]
    return players[0] == players[1] and terms[0] == terms[1]


def _game_of(seek: Seek, pairing: Pairing, variant: Variant, now: int) -> Game:
    """Raises InvalidFen, BadTerms, ValueError for a variant that does not allow it any more."""
    fen = shuffled_fen(variant, random.SystemRandom()) if seek.chess960 else format_fen(start_position(variant))
    white, black = seats(seek, pairing)
    return new_game(seek.game, Terms(variant, seek.chess960, fen, seek.control, seek.rated), now, white, black)
