"""Games against the computer: the page on which somebody chooses one, how it begins, and how one comes here that was
played offline. Works without a script.

The computer itself is in the browser of whoever plays; the server only gives it a seat. A browser that kept a game
brings it, and again if it does not know whether that arrived. Nothing about the game is decided here.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Annotated, Final, Literal, Self

from aiohttp import web
from pydantic import Field, model_validator
from typing_extensions import TypedDict

from server.games.changes.beginning import new_game
from server.games.changes.playing import MAX_PLIES
from server.games.clocks.time_control import DAY_MS, with_color
from server.games.errors import Refused
from server.games.game_id import offline_id
from server.games.joining import Way
from server.games.offline import OffBoard, OfflineLine, OtherLine, WrongLine, commands_for, is_same_game, play_line
from server.games.player import LEVELS, computer_at
from server.games.state import Game
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.play.creation import create_against_computer, store_played_game
from server.rules.errors import Refusal
from server.rules.notation.fen import parse_fen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.errors import Duplicate
from server.storage.time_slices import run_sliced
from server.web.board_data import example_960
from server.web.fair_play import forbid_help
from server.web.forms import COLORS, Form, VariantId, read_fields, read_form, read_page_query
from server.web.games.new_games import NewGame, Realtime, Unlimited, color_of, terms_of
from server.web.games.your_games import room_for_game
from server.web.guests import require_welcome
from server.web.languages import language_of
from server.web.openapi.operation import RefusedLine, described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem, problem_fields, respond, with_status
from server.web.rules_pages.page import address_of, form_at
from server.web.session import Visitor
from server.web.site import SITE, Site, charge_visitor, with_cookie

LONGEST_KEPT_MS: Final = 366 * DAY_MS
"""Before now nobody says when a game was played."""
LEAST_CHARGED: Final = 20
"""Half-moves: storing a game costs something, however short it is."""
FIRST_LEVEL: Final = 1
"""What somebody who has not chosen before is offered: the one for beginners."""


CLOCKS: Final[Mapping[str, Realtime | Unlimited]] = {
    "none": Unlimited(kind="unlimited"),
    "180+2": Realtime(kind="realtime", initial=180, increment=2),
    "300+3": Realtime(kind="realtime", initial=300, increment=3),
    "600+5": Realtime(kind="realtime", initial=600, increment=5),
    "900+10": Realtime(kind="realtime", initial=900, increment=10),
    "1800+20": Realtime(kind="realtime", initial=1800, increment=20),
}
"""Those on the page, by what its form sends. Programs may ask for any other by the minute."""


class Opponent(Form):
    """What the form of the page sends, and what its address may say.

    `variant`: as in the addresses of rules pages, with 960 at its end for the shuffled form. `fen`: where the game
    begins; "": as usual.
    """

    variant: Annotated[str, Field(max_length=50)] = ""
    level: Annotated[str, Field(pattern=rf"^[1-{LEVELS}]$")] = str(FIRST_LEVEL)
    color: Literal["white", "black", "random"] = "random"
    clock: Literal["none", "180+2", "300+3", "600+5", "900+10", "1800+20"] = "none"
    fen: Annotated[str, Field(max_length=200)] = ""


class NotOffered(Problem):
    """The host offers that variant no more."""


async def computer_page(request: web.Request) -> web.Response:
    """GET /computer, with what is chosen already as its query."""
    wanted = read_page_query(request, Opponent)
    try:
        return await show_choice(request, wanted)
    except NotOffered as refusal:
        # Old links and the pages of games that were begun before lead here, too.
        return await show_choice(request, Opponent(), refusal)


async def play_computer(request: web.Request) -> web.Response:
    """POST /computer: begins a game and leads to its board."""
    site = request.app[SITE]
    wanted = await read_fields(request, Opponent)
    try:
        variant, shuffled = _form_asked(request, wanted)
    except NotOffered as refusal:
        return await show_choice(request, Opponent(), refusal)
    asked = NewGame(
        variant=variant.id,
        chess960=shuffled,
        color=wanted.color,
        clock=CLOCKS[wanted.clock],
        fen=wanted.fen or None,
        computer=int(wanted.level),
    )
    try:
        game, visitor = await begin_against_computer(request, asked, terms_of(asked, site.offered), color_of(asked))
    except Refusal as refusal:
        return await show_choice(request, wanted, refusal)
    return with_cookie(site, visitor, web.Response(status=303, headers={"Location": f"/{game.id}"}))


async def begin_against_computer(
    request: web.Request, form: NewGame, terms: Terms, color: Color
) -> tuple[Game, Visitor]:
    """The new game, and who plays `color` in it. Raises BadTerms, Problem, InvalidFen, Unavailable."""
    site = request.app[SITE]
    if form.fen is not None:
        await forbid_help(request, terms.variant, [parse_fen(terms.variant, terms.start_fen, terms.chess960)])
    await require_welcome(request, Way.COMPUTER)
    visitor = await site.sessions.require(request)
    assert form.computer is not None
    services, level = site.rounds.services, form.computer
    async with room_for_game(site, visitor.user.id):
        return await create_against_computer(services, terms, visitor.player, color, level), visitor


async def show_choice(
    request: web.Request, wanted: Opponent, problem: Refusal | None = None, *, offline: bool = False
) -> web.Response:
    """The form filled in as `wanted`. `problem`: why no game was begun. `offline`: as it is shown offline."""
    variant, shuffled = _form_asked(request, wanted)
    variants = request.app[SITE].offered.values()
    page = await as_page(
        request,
        "computer/computer.html",
        chosen=address_of(variant.id, shuffled),
        variant=variant,
        shuffled=shuffled,
        forms=[(one, address_of(one.id, form), form) for one in variants for form in (False, True)[: 1 + one.chess960]],
        start_fen=start_fen,
        wanted=wanted,
        problem=problem,
        offline=offline,
        levels=range(1, LEVELS + 1),
        clocks=[(value, pace(value)) for value in CLOCKS],
    )
    return with_status(page, problem)


def _form_asked(request: web.Request, wanted: Opponent) -> tuple[Variant, bool]:
    """The variant, and whether its 960 form; the first one if none is named. Raises Problem (404), NotOffered."""
    site = request.app[SITE]
    found = form_at(wanted.variant or next(iter(site.offered)), site.offered)
    if found is None:
        if form_at(wanted.variant, site.variants) is not None:
            raise NotOffered(404, "variant_not_offered")
        raise Problem(404, "unknown_variant")
    return found


def start_fen(variant: Variant, shuffled: bool) -> str:
    """Where a game begins; of the 960 form an example, as each game draws its own."""
    return example_960(variant).get("fen960", variant.start_fen) if shuffled else variant.start_fen


def pace(value: str) -> str:
    """ "5+3" for "300+3"; "" without a clock."""
    initial, _, increment = value.partition("+")
    return f"{int(initial) // 60}+{increment}" if increment else ""


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
async def bring_offline_game(request: web.Request) -> web.Response:
    """POST /api/games/{game}/offline: store a game against the computer under that id, which its sender has drawn.

    Only ids that are marked as such (`offline_id`) are taken; the answer says which it is.

    One that is here already is brought to where the line leads; sending it again changes nothing. A person who is
    refused still gets the cookie, or each attempt would create another guest.
    """
    site = request.app[SITE]
    form = await read_form(request, OfflineGame)
    await require_welcome(request, Way.COMPUTER)
    visitor = await site.sessions.require(request)
    cost = max(LEAST_CHARGED, len(form.moves))
    charge_visitor(request, visitor, site.limits.brought, cost)
    try:
        game = await _bring_game(site, visitor, offline_id(request.match_info["game"]), form)
    except WrongLine as error:
        language = language_of(request)
        message = language.plain("problems.illegal_line", number=error.at + 1, reason=language.said(error))
        refused = as_json(problem_fields(language, error) | {"error": message, "message": message, "ply": error.at})
        return with_cookie(site, visitor, with_status(refused, error))
    except Refused as refusal:
        return with_cookie(site, visitor, respond(request, refusal))
    return with_cookie(site, visitor, as_json({"id": game.id, "url": f"/{game.id}", "status": game.status.value}))


async def _bring_game(site: Site, visitor: Visitor, game_id: str, form: OfflineGame) -> Game:
    """The game as it is stored now. Raises WrongLine, OtherLine, Problem, InvalidFen, BadTerms, Unavailable."""
    now, line = site.now(), OfflineLine(form.moves, form.end)
    begun = _offline_start(site, visitor, game_id, form, now - form.begun)
    there = await site.rounds.get(game_id)
    if there is None:
        game = await run_sliced(play_line(begun, line, now - form.played))
        over = game.status is Status.OVER
        try:
            async with nullcontext() if over else room_for_game(site, visitor.user.id):
                await store_played_game(site.rounds.services, game)
        except Duplicate:
            there = await site.rounds.get(game_id)
        else:
            return game
    if there is None or not is_same_game(there.game, begun):
        raise OtherLine
    # All of it first: of a line that cannot have been played so, nothing is.
    await run_sliced(play_line(there.game, line, now))
    for command in commands_for(there.game, line):
        await there.submit(command, now)
    return there.game


def _offline_start(site: Site, visitor: Visitor, game_id: str, form: OfflineGame, at: int) -> Game:
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
