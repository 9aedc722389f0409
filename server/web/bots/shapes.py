"""How the Bot API writes games and challenges: whole, as a state, and as an event of somebody's account.

Variants are called by their tags in a PGN, which are those of lichess where it has them.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from server.games.changes.beginning import player_for
from server.games.clocks.time_control import Speed, TimeControl, speed_of
from server.games.player import Player
from server.games.state import Game, OfferKind
from server.games.status import Status
from server.games.terms import Terms
from server.games.tournaments.tournament import Tournament
from server.realtime.protocol.wire import PlayerRating
from server.rules.endings import Reason
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.pgn_tags import plain_name
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.web.bots.answers import (
    BotChallenge,
    BotGame,
    BotOpponent,
    BotSeat,
    DeclineReason,
    ExportedGame,
    ExportedPlayer,
    ExportedUser,
    OpenChallenge,
    Side,
    TimeControlJson,
    TournamentIds,
    VariantTag,
    Winner,
)
from server.web.clock_words import paces

OWN_START = "startpos"
"""The first position of a game that begins as its variant always does."""
SET_UP = "From Position"
"""What lichess calls a game of its standard variant with another start. Our data has that name, too."""

CAMEL_CASE: Final = re.compile("[a-z]+([A-Z][a-z]+)+")
"""How lichess writes a name of several words as one key."""


@dataclass(frozen=True, slots=True)
class VariantName:
    key: str
    name: str


def variant_name(variant: Variant, *, chess960: bool, own_start: bool = True) -> VariantName:
    """`own_start`: the game begins as the variant always does."""
    if chess960:
        tag = variant.pgn_tag_960
        return VariantName(plain_name(tag if tag != variant.pgn_tag else f"{tag}960"), tag)
    if not own_start and SET_UP in variant.pgn_aliases:
        return VariantName("fromPosition", SET_UP)
    return VariantName(_key(variant), variant.pgn_tag)


def _key(variant: Variant) -> str:
    """The name in one word: as lichess writes it, if the variant has such a name besides its own ("kingOfTheHill")."""
    plain = plain_name(variant.pgn_tag)
    same = (alias for alias in variant.pgn_aliases if plain_name(alias) == plain and CAMEL_CASE.fullmatch(alias))
    return next(same, plain)


def begins_as_ever(terms: Terms) -> bool:
    """Does the game begin with the only start position of its variant?"""
    return not terms.chess960 and terms.start_fen == format_fen(start_position(terms.variant))


def variant_of(terms: Terms) -> VariantTag:
    """The variant as lichess names it; any variant that it lacks by this site's own id."""
    found = variant_name(terms.variant, chess960=terms.chess960, own_start=terms.chess960 or begins_as_ever(terms))
    return {"key": found.key, "name": found.name, "short": found.name}


def initial_fen(terms: Terms) -> str:
    """The first position, or OWN_START."""
    return OWN_START if begins_as_ever(terms) else written_fen(terms.variant, terms.start_fen)


def written_fen(variant: Variant, fen: str) -> str:
    """The FEN as lichess writes it: where checks are counted, those that were given, at its end ("+1+0")."""
    most = variant.endings.checks
    if not most:
        return fen
    *fields, left, halfmoves, number = fen.split(" ")
    white, black = (most - int(one) for one in left.split("+"))
    return " ".join((*fields, halfmoves, number, f"+{white}+{black}"))


ENDLESS: Final = 2**31 - 1
"""What a clock shows where there is none, ms."""
MOVES: Final = 40
"""In a game, when its whole time is estimated."""
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
    Reason.GOAL: "variantEnd",
    Reason.CHECKS: "variantEnd",
    Reason.EXTINCTION: "variantEnd",
    Reason.EXPLOSION: "variantEnd",
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
Ratings = tuple[PlayerRating, PlayerRating]
"""Of White and Black, be it those of newcomers."""


Bots = Container[str]
"""The ids of the accounts that are bots."""


def title_of(player: Player, bots: Bots) -> str | None:
    """ "BOT" for a program; None for everybody else: there are no other titles here."""
    return "BOT" if player.id in bots else None


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
    return speed_of_control(terms.control)


def speed_of_control(control: TimeControl) -> str:
    """The same by the clock."""
    speed = speed_of(control)
    return (Speed.CORRESPONDENCE if speed is Speed.UNLIMITED else speed).value


def perf_name(terms: Terms) -> str:
    """The variant, or for the one that lichess calls its standard the speed."""
    return perf_of(variant_of(terms)["key"], terms.control)


def perf_of(key: str, control: TimeControl) -> str:
    """The same by the key of the variant and the clock."""
    return speed_of_control(control) if key in ("standard", "fromPosition") else key


def person_id(name: str) -> str:
    """By which the Bot API knows somebody."""
    return name.lower()


def player_shape(player: Player | None, bots: Bots, rating: PlayerRating | None = None) -> BotSeat:
    """Without an id while the seat is empty (None), and for the computer."""
    if player is None:
        return {"id": "", "name": ""}
    if player.level:
        return {"id": "", "name": player.name, "aiLevel": player.level}
    made: BotSeat = {"id": person_id(player.name), "name": player.name, "title": title_of(player, bots)}
    if rating is not None:
        made |= {"rating": rating.rating, "provisional": rating.provisional}
    return made


def opponent_shape(player: Player | None, rating: PlayerRating) -> BotOpponent:
    """Somebody's opponent."""
    if player is None:
        return {"id": "", "username": "", "rating": rating.rating}
    if player.level:
        return {"id": None, "username": player.name, "ai": player.level}
    return {"id": person_id(player.name), "username": player.name, "rating": rating.rating}


def source_of(game: Game, tournament: Tournament | None = None) -> str:
    """How it came about, as far as lichess has a word for it. `tournament`: that of the game."""
    if tournament is not None and tournament.terms.format in ("arena", "swiss"):
        return tournament.terms.format
    if game.import_source is not None:
        return "import"
    return "friend" if game.computer is None else "ai"


def tournament_ids(tournament: Tournament | None) -> TournamentIds:
    """The id of the tournament by its kind; nothing without one, or if lichess has none of its kind."""
    if tournament is not None and tournament.terms.format == "swiss":
        return {"swissId": tournament.id}
    if tournament is not None and tournament.terms.format == "arena":
        return {"tournamentId": tournament.id}
    return {}


def game_full(game: Game, bots: Bots, ratings: Sequence[PlayerRating | None], now: int) -> dict[str, Any]:
    """The first line of a game's stream. `ratings`: of White and Black. `now`: ms."""
    terms, control = game.terms, game.terms.control
    clock = {"initial": control.initial_ms[0], "increment": control.increment_ms[0]}
    return {
        "type": "gameFull",
        "id": game.id,
        "variant": variant_of(terms),
        "speed": speed_name(terms),
        "perf": {"name": perf_name(terms)},
        "rated": terms.rated,
        "createdAt": game.created,
        "white": player_shape(game.white, bots, ratings[0]),
        "black": player_shape(game.black, bots, ratings[1]),
        "initialFen": initial_fen(terms),
        **({"clock": clock} if control.by_the_minute else {}),
        **days_shape(terms),
        "state": game_state(game, now),
    }


def days_shape(terms: Terms) -> dict[str, int]:
    """The days for a move; nothing without them."""
    return {"daysPerTurn": terms.control.days} if terms.control.days else {}


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


def game_event(
    game: Game, color: Color, bots: Bots, ratings: Ratings, now: int, tournament: Tournament | None
) -> BotGame:
    """The game as an event of the account that plays `color`. `ratings`: of White and Black. `tournament`: its own."""
    left = game.clock.remaining(color, now)
    status = status_name(game)
    made: BotGame = {
        "fullId": game.id,
        "gameId": game.id,
        "id": game.id,
        "fen": written_fen(game.terms.variant, format_fen(game.position)),
        "color": side(color),
        "lastMove": game.plies[-1].uci if game.plies else "",
        "source": source_of(game, tournament),
        "status": {"id": STATUS_IDS[status], "name": status},
        "variant": variant_of(game.terms),
        "speed": speed_name(game.terms),
        "perf": perf_name(game.terms),
        "rating": ratings[color.value].rating,
        "rated": game.terms.rated,
        "hasMoved": any(game.mover_of(ply) is color for ply in range(len(game.plies))),
        "opponent": opponent_shape(game.player(color.other), ratings[color.other.value]),
        "isMyTurn": game.has_the_move(color),
        "secondsLeft": (ENDLESS if left is None else left) // 1000,
        "compat": {"bot": not game.terms.rated, "board": True},
    }
    return {**made, **tournament_ids(tournament), **winner_of(game)}


def exported(game: Game, bots: Bots, ratings: Ratings, tournament: Tournament | None) -> ExportedGame:
    """The game to keep. `ratings`: of White and Black. `tournament`: its own."""
    terms, control = game.terms, game.terms.control
    made: ExportedGame = {
        "id": game.id,
        "rated": terms.rated,
        "variant": variant_of(terms)["key"],
        "speed": speed_name(terms),
        "perf": perf_name(terms),
        "createdAt": game.created,
        "lastMoveAt": game.ended or max(game.created, game.clock.since),
        "status": status_name(game),
        "source": source_of(game, tournament),
        "players": {side(color): _exported_player(game.player(color), bots, ratings[color.value]) for color in Color},
        "moves": " ".join(ply.san for ply in game.plies),
    }
    if not begins_as_ever(terms):
        made["initialFen"] = written_fen(terms.variant, terms.start_fen)
    if control.by_the_minute:
        initial, increment = control.initial_ms[0] // 1000, control.increment_ms[0] // 1000
        made["clock"] = {"initial": initial, "increment": increment, "totalTime": initial + MOVES * increment}
    if control.days:
        made["daysPerTurn"] = control.days
    if tournament is not None and tournament.terms.format == "swiss":
        made["swissTour"] = {"id": tournament.id}
    elif tournament is not None and tournament.terms.format == "arena":
        made["arenaTour"] = {"id": tournament.id, "name": tournament.terms.name}
    return {**made, **winner_of(game)}


def _exported_player(player: Player | None, bots: Bots, rating: PlayerRating) -> ExportedPlayer:
    if player is None:
        return {}
    if player.level:
        return {"aiLevel": player.level}
    if not player.id:
        # A name in a file that was imported is nobody's here.
        return {"name": player.name}
    user: ExportedUser = {"id": person_id(player.name), "name": player.name}
    if title := title_of(player, bots):
        user["title"] = title
    made: ExportedPlayer = {"user": user, "rating": rating.rating}
    if rating.provisional:
        made["provisional"] = True
    if rating.change is not None:
        made["ratingDiff"] = rating.change
    return made


DECLINED: Final = {
    "generic": "The challenge was declined.",
    "later": "Not now; please ask again later.",
    "toofast": "That is too fast; please ask for a slower game.",
    "tooslow": "That is too slow; please ask for a faster game.",
    "timecontrol": "Not with that time control.",
    "rated": "Please ask for a rated game.",
    "casual": "Please ask for a casual game.",
    "standard": "Not this variant now.",
    "variant": "Not with this variant.",
    "nobot": "No challenges from bots.",
    "onlybot": "Only challenges from bots.",
}
"""Why a challenge was declined, for programmers, by its key."""
ChallengeStatus = Literal["created", "accepted", "declined", "canceled"]


def challenge_shape(game: Game, asked: Player, bots: Bots, address: str, status: ChallengeStatus) -> BotChallenge:
    """`asked`: who was asked by name. `address`: of the site."""
    color = next((one for one in Color if player_for(game, one) == asked), Color.BLACK).other
    made = _challenge(game, color, player_for(game, color) or game.proposer, bots, address)
    return {**made, "status": status, "destUser": _person(asked, bots)}


def settled_challenge_shape(game: Game, color: Color, bots: Bots, address: str) -> BotChallenge:
    """One of the player of `color` of which nothing came: it was declined, or withdrawn, or nobody answered."""
    made = _challenge(game, color, game.player(color), bots, address)
    if game.outcome is None or game.outcome.reason != "declined":
        return {**made, "status": "canceled"}
    return {**made, **decline_shape(game), "status": "declined"}


def decline_shape(game: Game) -> DeclineReason:
    """Why it was declined."""
    key = game.declined_for or "generic"
    return {"declineReason": DECLINED[key], "declineReasonKey": key}


def _challenge(game: Game, color: Color, challenger: Player | None, bots: Bots, address: str) -> BotChallenge:
    """`color`: the challenger's."""
    return {
        "id": game.id,
        "url": f"{address}/{game.id}",
        "status": "created",
        "challenger": None if challenger is None else _person(challenger, bots),
        "destUser": None,
        "variant": variant_of(game.terms),
        "rated": game.terms.rated,
        "speed": speed_name(game.terms),
        "timeControl": time_control(game.terms.control),
        "color": side(color),
        "finalColor": side(color),
        "perf": {"icon": "", "name": perf_name(game.terms)},
        "initialFen": initial_fen(game.terms),
    }


def open_challenge_shape(game: Game, secrets: Mapping[Color, str], address: str) -> OpenChallenge:
    """A game that waits for whoever has its links. `secrets`: by seat."""
    url = f"{address}/{game.id}"
    white, black = (f"{url}#{secrets[color]}.{side(color)}" for color in Color)
    return {
        "id": game.id,
        "url": url,
        "status": "created",
        "challenger": None,
        "destUser": None,
        "variant": variant_of(game.terms),
        "rated": game.terms.rated,
        "speed": speed_name(game.terms),
        "timeControl": time_control(game.terms.control),
        "color": "random",
        "perf": {"icon": "", "name": perf_name(game.terms)},
        "initialFen": initial_fen(game.terms),
        "urlWhite": white,
        "urlBlack": black,
        "open": {},
    }


def _person(player: Player, bots: Bots) -> BotSeat:
    made: BotSeat = {"id": person_id(player.name), "name": player.name}
    if title := title_of(player, bots):
        made["title"] = title
    return made


def time_control(control: TimeControl) -> TimeControlJson:
    """A time bank, which lichess does not have, is shown as the days added after each move."""
    if control.by_the_minute:
        limit, increment = control.initial_ms[0] // 1000, control.increment_ms[0] // 1000
        return {"type": "clock", "limit": limit, "increment": increment, "show": paces(control)[0]}
    if control.by_days:
        days = control.days or (control.bank_days or (0, 1, 0))[1]
        return {"type": "correspondence", "daysPerTurn": days}
    return {"type": "unlimited"}
