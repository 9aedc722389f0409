"""Games as the Bot API writes them: whole, as a state, and as an event of somebody's account."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from server.games.clocks.speed import Speed, speed_of
from server.games.player import Player
from server.games.state import Game, OfferKind
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.protocol.wire import PlayerRating
from server.rules.endings import Reason
from server.rules.notation.fen import format_fen
from server.rules.variant.pieces import Color
from server.web.bots.shapes.answers import BotGame, BotSeat, Side, Winner
from server.web.bots.shapes.variant_names import initial_fen, variant_of

ENDLESS: Final = 2**31 - 1
"""What a clock shows where there is none, ms."""
STARTED: Final = "started"
CREATED: Final = "created"
STATUS_IDS: Final = {
    CREATED: 10,
    STARTED: 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "noStart": 37,
    "unknownFinish": 38,
    "variantEnd": 60,
}
"""The numbers that lichess gives to the statuses of games."""
STATUS_OF: Final = {
    Reason.CHECKMATE: "mate",
    Reason.STALEMATE: "stalemate",
    Reason.INSUFFICIENT: "draw",
    Reason.REPETITION: "draw",
    Reason.MOVE_RULE: "draw",
    Reason.BARE_KING: "variantEnd",
    "agreement": "draw",
    "forgiven": "draw",
    "resign": "resign",
    "time": "outoftime",
    "left": "timeout",
    "abort": "aborted",
    "declined": "aborted",
    "expired": "noStart",
}
"""By the reason of an outcome."""


@dataclass(frozen=True, slots=True)
class People:
    """What is known of players besides their names. `is_bot` takes an id."""

    is_bot: Callable[[str], bool]

    def title(self, player: Player) -> str | None:
        """ "BOT" for a program; None for everybody else: there are no other titles here."""
        return "BOT" if self.is_bot(player.id) else None


def status_name(game: Game) -> str:
    """The status by lichess's name; "unknownFinish" for an ending that it does not know."""
    if game.outcome is None:
        return CREATED if game.status is Status.OPEN else STARTED
    if game.outcome.reason == Reason.STALEMATE and game.outcome.winner is not None:
        return "variantEnd"
    return STATUS_OF.get(game.outcome.reason, "unknownFinish")


def side(color: Color) -> Side:
    """The Bot API's word for `color`."""
    return "white" if color is Color.WHITE else "black"


def winner_of(game: Game) -> Winner:
    """Empty while the game goes on, and for a draw."""
    return {} if game.outcome is None or game.outcome.winner is None else {"winner": side(game.outcome.winner)}


def speed_name(terms: Terms) -> str:
    """lichess has no speed for games without a clock: they count as correspondence."""
    speed = speed_of(terms.control)
    return (Speed.CORRESPONDENCE if speed is Speed.UNLIMITED else speed).value


def perf_name(terms: Terms) -> str:
    """The variant, or for the one that lichess calls its standard the speed."""
    variant = variant_of(terms)
    return speed_name(terms) if variant["key"] in ("standard", "fromPosition") else variant["key"]


def person_id(name: str) -> str:
    """By which the Bot API knows somebody."""
    return name.lower()


def player_shape(player: Player | None, people: People, rating: PlayerRating | None = None) -> BotSeat:
    """Without an id while the seat is empty (None), and for the computer."""
    if player is None:
        return {"id": "", "name": ""}
    if player.level:
        return {"id": "", "name": player.name, "aiLevel": player.level}
    made: BotSeat = {"id": person_id(player.name), "name": player.name, "title": people.title(player)}
    if rating is not None:
        made |= {"rating": rating.rating, "provisional": rating.provisional}
    return made


def game_full(game: Game, people: People, ratings: Sequence[PlayerRating | None], now: int) -> dict[str, Any]:
    """The first line of a game's stream. `ratings`: of White and Black. `now`: ms."""
    terms, control = game.terms, game.terms.control
    clock = {"initial": control.initial_ms[0], "increment": control.increment_ms[0]} if control.by_the_minute else None
    days = {"daysPerTurn": control.days} if control.days else {}
    return {
        "type": "gameFull",
        "id": game.id,
        "variant": variant_of(terms),
        "speed": speed_name(terms),
        "perf": {"name": perf_name(terms)},
        "rated": terms.rated,
        "createdAt": game.created,
        "white": player_shape(game.white, people, ratings[0]),
        "black": player_shape(game.black, people, ratings[1]),
        "initialFen": initial_fen(terms),
        "clock": clock,
        **days,
        "state": game_state(game, now),
    }


def game_state(game: Game, now: int) -> dict[str, Any]:
    """Everything that changes in a game, with the clocks at `now` (ms)."""
    left = [game.clock.remaining(color, now) for color in Color]
    increments = game.terms.control.increment_ms if game.terms.control.keeps_time else (0, 0)
    offered = {
        f"{letter}{name}": True
        for kind, name in ((OfferKind.DRAW, "draw"), (OfferKind.TAKEBACK, "takeback"))
        for color, letter in ((Color.WHITE, "w"), (Color.BLACK, "b"))
        if any(one.kind is kind and one.by is color for one in game.offers)
    }
    return {
        "type": "gameState",
        "moves": " ".join(ply.uci for ply in game.plies),
        "wtime": ENDLESS if left[0] is None else left[0],
        "btime": ENDLESS if left[1] is None else left[1],
        "winc": increments[0],
        "binc": increments[1],
        "status": status_name(game),
        **offered,
        **winner_of(game),
    }


def changes_of(game: Game) -> tuple[object, ...]:
    """What makes a state worth telling: a clock that only runs is not."""
    return len(game.plies), game.status, game.offers, game.outcome


def game_event(game: Game, color: Color, people: People, now: int) -> BotGame:
    """The game as an event of the account that plays `color`."""
    opponent = player_shape(game.player(color.other), people)
    left = game.clock.remaining(color, now)
    status = status_name(game)
    made: BotGame = {
        "fullId": game.id,
        "gameId": game.id,
        "id": game.id,
        "fen": format_fen(game.position),
        "color": side(color),
        "lastMove": game.plies[-1].uci if game.plies else "",
        "source": "friend",
        "status": {"id": STATUS_IDS[status], "name": status},
        "variant": variant_of(game.terms),
        "speed": speed_name(game.terms),
        "perf": perf_name(game.terms),
        "rated": game.terms.rated,
        "hasMoved": any(game.mover_of(ply) is color for ply in range(len(game.plies))),
        "opponent": {**opponent, "username": opponent["name"]},
        "isMyTurn": game.has_the_move(color),
        "secondsLeft": None if left is None else left // 1000,
        "compat": {"bot": not game.terms.rated, "board": True},
    }
    return {**made, **winner_of(game)}
