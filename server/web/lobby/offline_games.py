"""Games against the computer that were played offline: the browser that kept one brings it here, and again if it
does not know whether that arrived. Decides nothing about the game.
"""

from typing import Annotated, Final, Literal, Self

from aiohttp import web
from pydantic import Field, model_validator
from typing_extensions import TypedDict

from server.games.changes.beginning import new_game
from server.games.changes.moving import MAX_PLIES
from server.games.clocks.time_control import DAY_MS, with_color
from server.games.errors import Refused
from server.games.intake.offline import (
    OffBoard,
    OfflineLine,
    OtherLine,
    WrongLine,
    commands_for,
    is_same_game,
    played,
)
from server.games.player import LEVELS, computer_at
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.creation import take_in
from server.storage.errors import Duplicate
from server.storage.time_slices import run_sliced
from server.web.budgets.limits import charge
from server.web.charging import charge_address
from server.web.forms.forms import COLORS, Form, NewGame, Unlimited, VariantId, read_form
from server.web.forms.new_games import terms_of
from server.web.languages import language_of
from server.web.lobby.your_games import require_room
from server.web.openapi.operation import RefusedLine, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import problem_fields, respond, with_status
from server.web.session import Visitor
from server.web.site import SITE, Site, with_cookie

LONGEST_KEPT_MS: Final = 366 * DAY_MS
"""Before now nobody says when a game was played."""
LEAST_CHARGED: Final = 20
"""Half-moves: storing a game costs something, however short it is."""

Ago = Annotated[int, Field(ge=0, le=LONGEST_KEPT_MS)]


class OfflineGame(Form):
    """A game without a clock against the computer at level `computer`. `color`: whose side the sender played.

    `fen`: the position before the first move. `moves`: of both sides, in UCI. `end`: how it ended off the board; null:
    on the board, or not yet. `begun`, `played`: how many ms ago it began, and the last thing happened.
    """

    variant: VariantId
    chess960: bool = False
    fen: Annotated[str, Field(min_length=1, max_length=200)]
    color: Literal["white", "black"]
    computer: Annotated[int, Field(ge=1, le=LEVELS)]
    moves: Annotated[list[Annotated[str, Field(min_length=2, max_length=8)]], Field(min_length=1, max_length=MAX_PLIES)]
    end: OffBoard | None = None
    begun: Ago
    played: Ago

    @model_validator(mode="after")
    def _begins_before_it_ends(self) -> Self:
        if self.played > self.begun:
            raise ValueError("it began before the last thing happened")
        return self


class BroughtGame(TypedDict):
    """The game as it is here now."""

    id: str
    url: str
    status: str


@described(body=OfflineGame, answers={200: BroughtGame, 403: RefusedLine}, refused=(409,))
async def bring(request: web.Request) -> web.Response:
    """POST /api/games/{game}/offline: store a game against the computer under that id, which its sender has drawn.

    One that is here already is brought to where the line leads; sending it again changes nothing. A person who is
    refused still gets the cookie, or each attempt would create another guest.
    """
    site = request.app[SITE]
    form = await read_form(request, OfflineGame)
    visitor = await site.sessions.require(request)
    cost = max(LEAST_CHARGED, len(form.moves))
    charge_address(request, site.limits.brought_by_address, cost)
    charge(site.limits.brought, visitor.key, site.now(), cost)
    try:
        game = await _brought(site, visitor, request.match_info["game"], form)
    except WrongLine as error:
        language = language_of(request)
        message = language.plain("problems.illegal_line", number=error.at + 1, reason=language.said(error))
        refused = as_json(problem_fields(language, error) | {"message": message, "ply": error.at})
        return with_cookie(site, visitor, with_status(refused, error))
    except Refused as refusal:
        return with_cookie(site, visitor, respond(request, refusal))
    return with_cookie(site, visitor, as_json({"id": game.id, "url": f"/{game.id}", "status": game.status.value}))


async def _brought(site: Site, visitor: Visitor, game_id: str, form: OfflineGame) -> Game:
    """The game as it is stored now. Raises WrongLine, OtherLine, Problem, InvalidFen, BadTerms, Unavailable."""
    now, line = site.now(), OfflineLine(form.moves, form.end)
    begun = _begun(site, visitor, game_id, form, now - form.begun)
    there = await site.rounds.get(game_id)
    if there is None:
        game = await run_sliced(played(begun, line, now - form.played))
        if game.status is not Status.OVER:
            await require_room(site, visitor.user.id)
        try:
            await take_in(site.rounds.services, game)
        except Duplicate:
            there = await site.rounds.get(game_id)
        else:
            return game
    if there is None or not is_same_game(there.game, begun):
        raise OtherLine
    # All of it first: of a line that cannot have been played so, nothing is.
    await run_sliced(played(there.game, line, now))
    for command in commands_for(there.game, line):
        await there.submit(command, now)
    return there.game


def _begun(site: Site, visitor: Visitor, game_id: str, form: OfflineGame, at: int) -> Game:
    """The game before its first move. Raises Problem, InvalidFen, BadTerms."""
    asked = NewGame(
        variant=form.variant,
        chess960=form.chess960,
        color=form.color,
        clock=Unlimited(kind="unlimited"),
        fen=form.fen,
        computer=form.computer,
    )
    white, black = with_color((visitor.player, visitor.player), COLORS[form.color].other, computer_at(form.computer))
    return new_game(game_id, terms_of(asked, site.variants), at, white=white, black=black)
