"""Makes new games and stores them: with an invitation, against the computer, between two who are asked, or as played.

Knows no round: a game is loaded when somebody comes to it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from server.games.changes.beginning import new_game
from server.games.clocks.time_control import with_color
from server.games.errors import NotAllowed
from server.games.player import Player, computer_at
from server.games.state import Game, Invite
from server.games.terms import Terms
from server.realtime.play.players.flagging_choices import with_chosen_flagging
from server.realtime.process.domain_events import Challenged
from server.realtime.process.ids import digest, new_id, new_secret
from server.realtime.process.meeting import are_apart, check_may_meet
from server.realtime.process.services import Services
from server.rules.variant.pieces import Color
from server.storage.errors import Duplicate, StoreError

ID_TRIES: Final = 5


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
) -> CreatedGame:
    """A new game in which `creator` plays `color`, and whoever has the secret may take the other seat.

    Without a creator both seats are empty, each with a secret of its own, and `color` does not matter. With `asked`
    the other seat is for that player only, without a secret. `game_id`: its id, "" for any.

    Raises BadTerms, InvalidFen, NotAllowed, Unavailable; StoreError if there is a game of that id.
    """
    empty = tuple(Color) if creator is None else (color.other,)
    secrets = {} if asked else {seat: new_secret() for seat in empty}
    waits: dict[Color, Invite] = {seat: asked or digest(secrets[seat]) for seat in empty}
    invites = (waits.get(Color.WHITE), waits.get(Color.BLACK))
    white = creator if color is Color.WHITE else None
    black = creator if color is Color.BLACK else None
    make = partial(new_game, terms=terms, now=services.now(), white=white, black=black, invites=invites)
    if asked is not None and creator is not None:
        if terms.rated:
            services.bots.check_rated(creator.id, asked.id)
        refusal = NotAllowed("takes_no_challenges", name=asked.name)
        await check_may_meet(services, creator.id, asked, refusal)
    game = await _store_new(services, make, game_id, asked)
    if asked is not None and creator is not None:
        services.events.publish(Challenged(game, asked, creator))
    return CreatedGame(game, secrets)


async def create_against_computer(services: Services, terms: Terms, person: Player, color: Color, level: int) -> Game:
    """A new game in which `person` plays `color` against the computer at `level`.

    Raises BadTerms, InvalidFen, Unavailable; ValueError if there is no such level.
    """
    seats = with_color((person, person), color.other, computer_at(level))
    make = partial(new_game, terms=terms, now=services.now(), white=seats[0], black=seats[1])
    return await _store_new(services, make, "", None)


async def take_in(services: Services, game: Game) -> None:
    """Stores a game as it was played where nobody could follow it. Raises Duplicate, Unavailable."""
    await services.store.create(game)
    services.game_changed(game)


async def propose_game(
    services: Services, terms: Terms, white: Player, black: Player, by: Player, game_id: str = ""
) -> Game:
    """A new game for two people, who are asked one after the other, `by` a third; `game_id`: its id, "" for any.

    Raises as `create_open_game` does, and ValueError if they are one person.
    """
    if terms.rated:
        services.bots.check_rated(white.id, black.id)
    if await are_apart(services, white.id, black.id):
        raise NotAllowed("not_these_two")
    make = partial(new_game, terms=terms, now=services.now(), invites=(white, black), proposer=by)
    game = await _store_new(services, make, game_id, white)
    services.events.publish(Challenged(game, white, black))
    return game


async def _store_new(services: Services, make: Callable[[str], Game], game_id: str, asked: Player | None) -> Game:
    """Stores what `make` makes under that id, "" for any. `asked`: who is to answer now."""
    for id in (game_id,) if game_id else (new_id() for _ in range(ID_TRIES)):
        game = await with_chosen_flagging(make(id), services.store.accounts)
        if asked is not None:
            # First: without the note they could not find the game, and a note without a game is harmless.
            await services.store.challenges.note(game.id, asked.id, game.created)
        try:
            await services.store.create(game)
        except Duplicate:
            continue
        except StoreError:
            # It may have been stored all the same.
            services.game_changed(game)
            raise
        services.game_changed(game)
        return game
    raise StoreError("no free id was found for a new game")
