"""The ratings shown beside the players, and how a finished game changes them.

The store counts a game once, however often it is asked. The process that ends a game asks at once, so that its players
see the change; `count_finished` counts what a crash has left.
"""

import asyncio
import logging
from typing import Final

from server.games.rating import long_enough
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.round_feed import RoundFeed
from server.realtime.play.views import NO_RATINGS, PlayerRatings
from server.realtime.protocol.wire import PlayerRating
from server.realtime.shared import Services
from server.rules.variant.pieces import Color
from server.storage.documents import to_head
from server.storage.errors import StoreError, Unreadable
from server.storage.protocols.ratings import Category, FinishedGame, RatingChange, RatingStore
from server.storage.summaries import finished_game_of

log = logging.getLogger(__name__)

COUNT_EVERY_S: Final = 5.0
AT_ONCE: Final = 50


async def count_finished(store: RatingStore) -> None:
    """Counts all uncounted games, in batches so as not to delay moves. Raises Unavailable."""
    but: set[str] = set()
    while finished := await store.uncounted(AT_ONCE, but):
        counted = await asyncio.gather(*(_count(store, one) for one in finished))
        but |= {one.game for one, done in zip(finished, counted, strict=True) if not done}


async def _count(store: RatingStore, finished: FinishedGame) -> bool:
    """Counts a game. False if its players' ratings are damaged: it stays uncounted, but holds up no other."""
    try:
        await store.count(finished)
    except Unreadable:
        return False
    return True


async def player_ratings(store: RatingStore, game: Game, now: int) -> PlayerRatings:
    """The ratings to show for White and Black; None for a player without one in this category.

    For a finished game they are those before it and how it changed them. Raises Unavailable.
    """
    if game.status is Status.OVER:
        changes = await store.changes(game.id) if _moves_ratings(game) else {}
        return _changed(changes.get(Color.WHITE)), _changed(changes.get(Color.BLACK))
    return await _present(store, game, Color.WHITE, now), await _present(store, game, Color.BLACK, now)


async def _present(store: RatingStore, game: Game, color: Color, now: int) -> PlayerRating | None:
    player = game.player(color)
    if player is None:
        return None
    try:
        rating = (await store.perf(player.id, Category.of(game.terms))).rating
    except Unreadable:
        return None
    if not (rating.games or game.terms.rated):
        return None
    return PlayerRating(rating=rating.rounded, provisional=rating.aged(now).provisional)


def _changed(change: RatingChange | None) -> PlayerRating | None:
    if change is None:
        return None
    before = round(change.before)
    return PlayerRating(rating=before, provisional=change.provisional, change=round(change.after) - before)


class RatingDisplay:
    """The ratings that the viewers of one round see, kept up to date."""

    __slots__ = ("_feed", "_known", "_services")

    def __init__(self, services: Services, feed: RoundFeed) -> None:
        self._feed = feed
        self._services = services
        self._known: object = None if _uncounted(feed) else _who(feed.shown)

    def update(self, game: Game) -> None:
        """Reads the ratings again if the players have changed or the game has ended."""
        known = _who(game)
        if known != self._known:
            self._known = known
            self._services.background.spawn(self._find(game))

    async def _find(self, game: Game) -> None:
        store, over = self._services.store.ratings, game.status is Status.OVER
        try:
            if over and game.result != "*":
                await store.count(finished_game_of(to_head(game)))
            if not over or _moves_ratings(game):
                # The ratings shown beside a casual game stay.
                self._feed.show_ratings(await player_ratings(store, game, self._services.now()))
        except StoreError as error:
            log.warning("the ratings in game %s cannot be read: %s", game.id, error)
            self._known = None


def _who(game: Game) -> object:
    """What the shown ratings depend on."""
    return game.white, game.black, game.status is Status.OVER


def _uncounted(feed: RoundFeed) -> bool:
    game = feed.shown
    return game.status is Status.OVER and _moves_ratings(game) and feed.ratings == NO_RATINGS


def _moves_ratings(game: Game) -> bool:
    outcome = game.outcome
    if outcome is None or not game.terms.rated or game.result == "*":
        return False
    return long_enough(len(game.plies), outcome.reason)
