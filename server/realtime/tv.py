"""TV: games in play, for people who watch many at once. It takes no command, and shows what rounds have stored.

There is a channel for all variants, one for each variant that somebody watches, and one for each game that is shown
alone, as on a page of another site. A channel of many has up to twelve boards
and keeps each until its game is over or adjourned, so that nobody loses the game they watch. Free places go to the
games most worth watching, in the channel of all variants first to the best of each. New viewers get those first.
A channel without viewers costs nothing.
"""

import asyncio
import logging
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from operator import itemgetter
from typing import Final

from pydantic import TypeAdapter

from server.games.people import has_account
from server.games.state import Game
from server.games.status import Status
from server.realtime.cluster.bus import Deleted, deletion_of
from server.realtime.play.connection import TRY_LATER
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.round import Round
from server.realtime.play.rounds import GONE, NoSuchGame, Rounds
from server.realtime.play.views import NO_RATINGS, PlayerRatings
from server.realtime.protocol.codec import encode, encode_refusal
from server.realtime.protocol.feed import Subscriber, Subscribers
from server.realtime.protocol.snapshot import Clocks
from server.realtime.protocol.tv_messages import Board, BoardAdded, BoardGone, BoardMoved, Boards, Inbound, TvHi
from server.realtime.protocol.wire import clock_text, side
from server.realtime.runtime.background import SingleFlight
from server.realtime.shared import GameObserver
from server.rules.notation.fen import format_fen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError

log = logging.getLogger(__name__)

MAX_BOARDS: Final = 12
REFRESH_EVERY_S: Final = 2.0
SOON_MS: Final = 15 * 60_000
MAX_ELSEWHERE: Final = 60
"""With several processes, how many games with the nearest deadlines, which are being played, are considered."""
READ_AT_ONCE: Final = 10
"""Games that are read at the same time: the last of a hundred frames does not wait for each of the others."""
ALL: Final = ""
OF_A_GAME: Final = "game "
"""What the name of a channel of one game begins with, before its id: no variant has such a name."""


class TvChannel:
    """The boards of one variant, or of all, and their viewers. `ready`: its first boards have been chosen. `alone`: it
    shows one game, and that until it is over.
    """

    __slots__ = ("alone", "games", "name", "ready", "subscribers")

    def __init__(self, name: str, *, alone: bool = False) -> None:
        self.name = name
        self.alone = alone
        self.games: dict[str, Game] = {}
        self.ready = False
        self.subscribers = Subscribers()


class Tv(GameObserver):
    """A feed of `rounds`. `variants`: those of this site."""

    kinds: TypeAdapter[Inbound] = TypeAdapter(Inbound)

    def __init__(self, rounds: Rounds, variants: Mapping[str, Variant]) -> None:
        self._rounds = rounds
        self._variants = variants
        self._channels: dict[str, TvChannel] = {}
        # Of each page and game where it is: a page of another site may make a channel of any game.
        self._channel_of: dict[Subscriber, TvChannel] = {}
        self._showing: dict[str, dict[TvChannel, None]] = {}
        self._ranking: SingleFlight[list[Round]] = SingleFlight()

    # --- who looks --------------------------------------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber, hi: TvHi) -> None:
        """As `Feed.subscribe`: to the channel that `hi` asks for, or to that of all variants; and leaves any other."""
        known = hi.variant if hi.variant is not None and hi.variant in self._variants else ALL
        name = known if hi.game is None else f"{OF_A_GAME}{hi.game}"
        channel = self._channels.get(name)
        if channel is None:
            channel = self._channels[name] = TvChannel(name, alone=hi.game is not None)
            first = self._choose_first_boards(channel) if hi.game is None else self._load(hi.game, channel)
            self._rounds.services.background.spawn(first)
        if self._channel_of.get(subscriber) is not channel:
            self.unsubscribe(subscriber)
        channel.subscribers.add(subscriber)
        self._channel_of[subscriber] = channel
        if channel.ready:
            subscriber.outbox.put(self._boards(channel))

    async def _choose_first_boards(self, channel: TvChannel) -> None:
        """Shows them to everybody who has come to `channel` by then."""
        best = await self._best()
        self._add_boards(channel, best)
        channel.ready = True
        channel.subscribers.show_all(self._boards(channel))

    async def _load(self, game_id: str, channel: TvChannel) -> None:
        """Shows the game to everybody who has come to `channel` by then, and its end if it is over.

        They are told if there is no such game, or if it cannot be read now, and ask again.
        """
        try:
            found = await self._rounds.get(game_id)
        except StoreError as error:
            log.info("game %s cannot be shown: %s", game_id, error)
            self._drop(channel)
            return channel.subscribers.dismiss(encode_refusal(StorageDown("store_away")), TRY_LATER)
        if found is None:
            self._drop(channel)
            return channel.subscribers.dismiss(encode_refusal(NoSuchGame()), GONE)
        self._put(channel, found.game)
        channel.ready = True
        channel.subscribers.show_all(self._boards(channel))
        if found.game.status is Status.OVER:
            self.show_game(found.game)
        return None

    def _drop(self, channel: TvChannel) -> None:
        """The channel has nothing more to show, or nobody to show it to: whoever asks for the same gets a new one."""
        if self._channels.get(channel.name) is channel:
            del self._channels[channel.name]
        for game_id in tuple(channel.games):
            self._take(channel, game_id)

    def _put(self, channel: TvChannel, game: Game) -> None:
        """Puts a board on a channel, which may have been dropped while the game was read."""
        if self._channels.get(channel.name) is channel:
            self._showing.setdefault(game.id, {})[channel] = None
        channel.games[game.id] = game

    def _take(self, channel: TvChannel, game_id: str) -> None:
        del channel.games[game_id]
        if (showing := self._showing.get(game_id)) is not None:
            showing.pop(channel, None)
            if not showing:
                del self._showing[game_id]

    def _boards(self, channel: TvChannel) -> str:
        now = self._rounds.services.now()
        shown = sorted(channel.games.values(), key=self._rank_of, reverse=True)
        boards = [
            board_of(game, self._watchers(game.id), now, self._ratings(game.id), self._rounds.services.bots)
            for game in shown
        ]
        return encode(Boards(boards=boards))

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """As `Feed.unsubscribe`."""
        channel = self._channel_of.pop(subscriber, None)
        if channel is not None:
            channel.subscribers.remove(subscriber)
            if not channel.subscribers:
                self._drop(channel)

    def silence_changed(self, subscriber: Subscriber) -> None:
        """Does nothing: nobody counts TV viewers."""

    def _rank_of(self, game: Game) -> tuple[int, ...]:
        found = self._rounds.in_memory(game.id)
        return () if found is None else tv_rank(found)

    def _watchers(self, game_id: str) -> int:
        found = self._rounds.in_memory(game_id)
        return 0 if found is None else found.feed.watchers

    def _ratings(self, game_id: str) -> PlayerRatings:
        found = self._rounds.in_memory(game_id)
        return NO_RATINGS if found is None else found.feed.ratings

    # --- what happens -----------------------------------------------------------------------------------------------

    def show_game(self, game: Game) -> None:
        """Shows a changed game to its viewers."""
        channels = tuple(self._showing.get(game.id, ()))
        if not channels:
            return
        moved = encode(self._moved(game))
        left = None if game.status is Status.LIVE else encode(self._gone(game))
        for channel in channels:
            gone = None if channel.alone and game.status is not Status.OVER else left
            # The move that ends a game is shown before its result.
            if gone is None or channel.games[game.id].position != game.position:
                channel.subscribers.show_all(moved)
            channel.games[game.id] = game
            if gone is not None:
                self._take(channel, game.id)
                channel.subscribers.show_all(gone)
                if channel.alone:
                    self._drop(channel)

    def remove_game(self, deleted: Deleted) -> None:
        """Removes a deleted game, without a result."""
        for channel in tuple(self._showing.get(deleted.game, ())):
            self._take(channel, deleted.game)
            channel.subscribers.show_all(encode(BoardGone(game=deleted.game)))
            if channel.alone:
                self._drop(channel)

    def _gone(self, game: Game) -> BoardGone:
        result = game.result if game.status is Status.OVER else None
        return BoardGone(game=game.id, clock=Clocks.of(game, self._rounds.services.now()), result=result)

    def _moved(self, game: Game) -> BoardMoved:
        shown = board_of(game, self._watchers(game.id), self._rounds.services.now(), bots=self._rounds.services.bots)
        return BoardMoved(
            game=game.id,
            fen=shown.fen,
            last=shown.last,
            san=shown.san,
            clock=shown.clock,
            watchers=shown.watchers,
        )

    async def refresh(self) -> None:
        """Fills the free places of every channel. Raises Unavailable."""
        if not self._channels:
            return
        await self._catch_up()
        await self._load_games_elsewhere()
        best = await self._best()
        for channel in tuple(self._channels.values()):
            if channel.ready and not channel.alone:
                self._remove_hidden(channel)
                self._add_boards(channel, best)

    def _remove_hidden(self, channel: TvChannel) -> None:
        """The host may have decided since that somebody is shown in no list."""
        for game in [one for one in channel.games.values() if self._is_hidden(one)]:
            self._take(channel, game.id)
            channel.subscribers.show_all(encode(BoardGone(game=game.id)))

    def _is_hidden(self, game: Game) -> bool:
        hidden = self._rounds.services.sanctions.hidden(self._rounds.services.now())
        return any(player.id in hidden for player in game.players)

    async def _best(self) -> list[Round]:
        """The rounds worth showing, the best first."""
        ranked = await self._ranking.do(ALL, self._rank)
        hidden = self._rounds.services.sanctions.hidden(self._rounds.services.now())
        return [
            one
            for one in ranked
            if self._rounds.in_memory(one.game.id) is one
            and worth_showing(one)
            and not any(player.id in hidden for player in one.game.players)
        ]

    async def _rank(self) -> list[Round]:
        ranked: list[tuple[TvRank, Round]] = []

        def rank(one: Round) -> None:
            if worth_showing(one):
                ranked.append((tv_rank(one), one))

        await self._rounds.do_in_each(rank)
        ranked.sort(key=itemgetter(0), reverse=True)
        return [one for _, one in ranked]

    def _add_boards(self, channel: TvChannel, best: list[Round]) -> None:
        """Fills the free places of `channel` with the first of `best`, of any variant if it is that of ALL."""
        free = MAX_BOARDS - len(channel.games)
        of_all = channel.name == ALL
        wanted = spread(best) if of_all else (one for one in best if one.game.terms.variant.id == channel.name)
        new = (one for one in wanted if one.game.id not in channel.games)
        for one in islice(new, free):
            self._put(channel, one.game)
            if channel.ready:
                services = self._rounds.services
                board = board_of(one.game, one.feed.watchers, services.now(), one.feed.ratings, services.bots)
                channel.subscribers.show_all(encode(BoardAdded(board=board)))

    async def _catch_up(self) -> None:
        """Refreshes games that nobody follows here: another process may have changed or deleted them."""
        if self._rounds.services.alone:
            return
        games = [next(iter(channels)).games[game_id] for game_id, channels in self._showing.items()]
        for start in range(0, len(games), READ_AT_ONCE):
            await asyncio.gather(*map(self._catch_up_with, games[start : start + READ_AT_ONCE]))

    async def _catch_up_with(self, game: Game) -> None:
        try:
            found = await self._rounds.get(game.id)
        except StoreError as error:
            log.info("game %s cannot be shown: %s", game.id, error)
            return
        if found is None:
            self.remove_game(deletion_of(game))
        elif found.game.rev > game.rev:
            self.show_game(found.game)

    async def _load_games_elsewhere(self) -> None:
        """With several processes, loads games of the others, too. Raises Unavailable."""
        services = self._rounds.services
        if not services.bus.alone:
            for game_id in await services.store.due(services.now() + SOON_MS, MAX_ELSEWHERE):
                with suppress(StoreError):
                    await self._rounds.get(game_id)

    def dismiss(self, farewell: str, code: int) -> None:
        """Sends `farewell` to everybody, "" for nothing, and closes all connections with `code`."""
        for channel in tuple(self._channels.values()):
            channel.subscribers.dismiss(farewell, code)


TvRank = tuple[int, int, int, int]


def worth_showing(one: Round) -> bool:
    """Is it a started real-time game, in which something will happen soon?"""
    game = one.game
    return game.status is Status.LIVE and game.started and game.terms.control.by_the_minute


def tv_rank(one: Round) -> TvRank:
    """The larger, the more worth watching: both players here, rated, strong players, many watchers."""
    strength = sum(player.rating for player in one.feed.ratings if player is not None)
    return one.presence.players_here, int(one.game.terms.rated), strength, one.feed.watchers


def spread(best: Iterable[Round]) -> list[Round]:
    """The same rounds, the best of each variant first, so that none fills TV while another is played."""
    first: dict[str, Round] = {}
    others = []
    for one in best:
        if first.setdefault(one.game.terms.variant.id, one) is not one:
            others.append(one)
    return [*first.values(), *others]


def board_of(
    game: Game, watchers: int, now: int, ratings: PlayerRatings = NO_RATINGS, bots: Container[str] = ()
) -> Board:
    """The board of `game`, with the clocks as of `now` (ms). `bots`: the ids of those who are."""
    white, black = (f"{one.rating}{'?' if one.provisional else ''}" if one else "" for one in ratings)
    accounts = [side(color) for color in Color if (player := game.player(color)) is not None and has_account(player)]
    programs = [side(color) for color in Color if (player := game.player(color)) is not None and player.id in bots]
    return Board(
        game=game.id,
        variant=game.terms.variant.id,
        chess960=1 if game.terms.chess960 else None,
        white=game.white.name if game.white else "",
        black=game.black.name if game.black else "",
        accounts=accounts or None,
        bots=programs or None,
        rated=1 if game.terms.rated else None,
        terms=clock_text(game.terms.control),
        fen=format_fen(game.position),
        last=game.plies[-1].uci if game.plies else None,
        san=game.plies[-1].san if game.plies else None,
        clock=Clocks.of(game, now),
        watchers=watchers,
        ratings=(white, black) if white or black else None,
    )
