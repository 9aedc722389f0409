"""What has changed in somebody's challenges and games since they were last told, as events of the Bot API. Pure.

Everything follows from the present state, so no event can be missed, however much happens between two looks.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from server.games.changes.beginning import challenged_player
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.web.bots.shapes.challenges import ChallengeStatus, challenge_shape
from server.web.bots.shapes.games import People, game_event

EventJson = dict[str, Any]


class Stage(Enum):
    """How a game stands for somebody."""

    ASKED = "they are challenged"
    ASKING = "they challenge somebody by name"
    PLAYING = "they play"
    WAITING = "whoever has a link may join, of which nobody is told"


@dataclass(frozen=True, slots=True)
class LastTold:
    """What somebody was told of a game. `asked`: who was challenged, if anybody was."""

    stage: Stage
    asked: Player | None = None


def told_of(game: Game, person: str) -> LastTold | None:
    """What there is to tell `person` (an id) about it; None: nothing, or no longer anything."""
    seated = game.color_of(person) is not None
    if game.status is not Status.OPEN:
        return LastTold(Stage.PLAYING) if seated and game.status is not Status.OVER else None
    asked = challenged_player(game)
    if asked is not None and asked.id == person:
        return LastTold(Stage.ASKED, asked)
    if not seated:
        return None
    return LastTold(Stage.WAITING) if asked is None else LastTold(Stage.ASKING, asked)


@dataclass(frozen=True, slots=True)
class EventWriter:
    """Writes events for `person` (an id). `now`: ms. `address`: of the site."""

    person: str
    people: People
    address: str
    now: Callable[[], int]

    def news(
        self, before: Mapping[str, LastTold], after: Mapping[str, LastTold], games: Mapping[str, Game]
    ) -> Iterator[EventJson]:
        """The news since `before`. `games`: those whose stage has changed, by id."""
        for game_id in before.keys() | after.keys():
            was, now, game = before.get(game_id), after.get(game_id), games.get(game_id)
            if game is None or (was is not None and now is not None and was.stage is now.stage):
                continue
            if now is not None:
                yield from self._new(now, game)
            elif was is not None:
                yield from self._gone(was, game)

    def _new(self, now: LastTold, game: Game) -> Iterator[EventJson]:
        if now.stage is Stage.PLAYING:
            yield self._of_game("gameStart", game)
        elif now.asked is not None:
            yield self._of_challenge("challenge", game, now.asked, "created")

    def _gone(self, was: LastTold, game: Game) -> Iterator[EventJson]:
        begun = game.white is not None and game.black is not None and game.color_of(self.person) is not None
        if begun:
            if was.stage is not Stage.PLAYING:
                # It has begun and ended since the last look.
                yield self._of_game("gameStart", game)
            yield self._of_game("gameFinish", game)
        elif was.asked is not None:
            declined = game.outcome is not None and game.outcome.reason == "declined"
            if not declined:
                yield self._of_challenge("challengeCanceled", game, was.asked, "canceled")
            elif was.stage is Stage.ASKING:
                reason = {"declineReason": "The challenge was declined.", "declineReasonKey": "generic"}
                event = self._of_challenge("challengeDeclined", game, was.asked, "declined")
                yield {**event, "challenge": {**event["challenge"], **reason}}

    def _of_game(self, kind: str, game: Game) -> EventJson:
        color = game.color_of(self.person)
        assert color is not None
        return {"type": kind, "game": game_event(game, color, self.people, self.now())}

    def _of_challenge(self, kind: str, game: Game, asked: Player, status: ChallengeStatus) -> EventJson:
        shape = challenge_shape(game, asked, self.people, self.address, status)
        return {"type": kind, "challenge": shape, "compat": {"bot": not game.terms.rated, "board": True}}
