"""Challenges by name as the Bot API writes them: games that wait for somebody to accept."""

from typing import Literal

from server.games.changes.beginning import player_for
from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.state import Game
from server.rules.variant.pieces import Color
from server.web.bots.shapes.answers import BotChallenge, BotSeat, TimeControlJson
from server.web.bots.shapes.games import People, perf_name, person_id, side, speed_name
from server.web.bots.shapes.variant_names import initial_fen, variant_of
from server.web.clock_words import paces

ChallengeStatus = Literal["created", "accepted", "declined", "canceled"]


def challenge_shape(game: Game, asked: Player, people: People, address: str, status: ChallengeStatus) -> BotChallenge:
    """`asked`: who was asked by name. `address`: of the site."""
    color = next((one for one in Color if player_for(game, one) == asked), Color.BLACK).other
    challenger = player_for(game, color) or game.proposer
    return {
        "id": game.id,
        "url": f"{address}/{game.id}",
        "status": status,
        "challenger": None if challenger is None else _person(challenger, people),
        "destUser": _person(asked, people),
        "variant": variant_of(game.terms),
        "rated": game.terms.rated,
        "speed": speed_name(game.terms),
        "timeControl": time_control(game.terms.control),
        "color": side(color),
        "finalColor": side(color),
        "perf": {"icon": "", "name": perf_name(game.terms)},
        "initialFen": initial_fen(game.terms),
    }


def _person(player: Player, people: People) -> BotSeat:
    return {"id": person_id(player.name), "name": player.name, "title": people.title(player)}


def time_control(control: TimeControl) -> TimeControlJson:
    """A time bank, which lichess does not have, is shown as the days added after each move."""
    if control.by_the_minute:
        limit, increment = control.initial_ms[0] // 1000, control.increment_ms[0] // 1000
        return {"type": "clock", "limit": limit, "increment": increment, "show": paces(control)[0]}
    if control.by_days:
        days = control.days or (control.bank_days or (0, 1, 0))[1]
        return {"type": "correspondence", "daysPerTurn": days}
    return {"type": "unlimited"}
