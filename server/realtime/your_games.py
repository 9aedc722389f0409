"""Tells a person's open pages how their running games stand, whenever one of them begins, ends or changes sides.

Always the whole list, as the store has it, so a message that was lost is made up for by the next. In a game by the
minute the turn is nobody's news: whoever plays it sits at its board. Knows no board and no seek.
"""

from typing import Final

from server.games.clock import ClockKind
from server.games.game import Game
from server.games.status import Status
from server.realtime.bus import Deleted, Hint
from server.realtime.codec import encode
from server.realtime.feed import Listener, Listeners
from server.realtime.lobby_messages import YourGame, YourGames
from server.realtime.node import Node
from server.storage.errors import StoreError
from server.storage.running import RunningGame

SHOWN: Final = 8
"""More are on a page of their own."""


class YourGamesFeed:
    """`pages` of the lobby's line become its listeners when they ask."""

    __slots__ = ("_node", "_pages")

    def __init__(self, node: Node) -> None:
        self._node = node
        self._pages = Listeners()
        node.showings.append(self.changed)
        node.deletions.append(self.deleted)

    def enter(self, listener: Listener) -> None:
        if listener.player is not None:
            self._pages.add(listener)
            self._node.background.spawn(self._tell(listener.player.id, None))

    def leave(self, listener: Listener) -> None:
        self._pages.remove(listener)

    def changed(self, game: Game) -> None:
        """It stands otherwise than before."""
        timed = game.terms.control.kind is ClockKind.REALTIME
        if timed and game.status is Status.LIVE and game.plies:
            return
        for player in (game.white, game.black):
            if player is not None and player.id in self._pages.people:
                waits = game.status is Status.LIVE and game.color_of(player.id) is game.to_move
                self._node.background.spawn(self._tell(player.id, game.id if waits and not timed else None))

    def deleted(self, deleted: Deleted) -> None:
        """It is on nobody's list any more."""
        for player in self._pages.people & set(deleted.players):
            self._node.background.spawn(self._tell(player, None))

    async def hear(self, hint: Hint) -> None:
        """Another process has stored the game of `hint`, which is not followed here. Raises Unavailable."""
        if self._pages.people.isdisjoint(hint.players):
            return
        game = await self._node.store.load(hint.game)
        if game is not None:
            self.changed(game)

    async def _tell(self, player: str, news: str | None) -> None:
        try:
            games = await self._node.store.running_of(player)
        except StoreError:
            # The next change, or a page that opens anew, brings the list.
            return
        now = self._node.now()
        shown = [shown_game(one, now) for one in games[:SHOWN]]
        waiting = sum(one.waits for one in games)
        message = YourGames(games=shown, more=len(games) - len(shown), waiting=waiting, news=news)
        self._pages.tell_people(encode(message), {player})


def shown_game(game: RunningGame, now: int) -> YourGame:
    return YourGame(
        id=game.id,
        variant=game.variant,
        chess960=1 if game.chess960 else None,
        by=game.opponent,
        turn=1 if game.waits else None,
        live=1 if game.by_the_minute else None,
        left=None if game.by_the_minute or game.deadline is None else max(0, game.deadline - now),
    )
