"""Games against the computer: the page on which somebody chooses one, and how it begins. Works without a script.

The computer itself is in the browser of whoever plays; the server only gives it a seat.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.player import LEVELS
from server.games.state import Game
from server.games.terms import Terms
from server.realtime.play.creation import create_against_computer
from server.refusal import Refusal
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.web.board_data import example_960
from server.web.forms.forms import Form, NewGame, Realtime, Unlimited, of_a_page, validated
from server.web.forms.new_games import color_of, terms_of
from server.web.forms.page_forms import read_fields
from server.web.lobby.your_games import require_room
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem, with_status
from server.web.rules_pages.addresses import address_of, form_at
from server.web.session import Visitor
from server.web.site import SITE, with_cookie

CLOCKS: Final[Mapping[str, Realtime | Unlimited]] = {
    "none": Unlimited(kind="unlimited"),
    "180+2": Realtime(kind="realtime", initial=180, increment=2),
    "300+3": Realtime(kind="realtime", initial=300, increment=3),
    "600+5": Realtime(kind="realtime", initial=600, increment=5),
    "900+10": Realtime(kind="realtime", initial=900, increment=10),
    "1800+20": Realtime(kind="realtime", initial=1800, increment=20),
}
"""Those on the page, by what its form sends. Programs may ask for any other by the minute."""
FIRST_LEVEL: Final = 2
"""What somebody who has not chosen before is offered."""


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


async def computer_page(request: web.Request) -> web.Response:
    """GET /computer, with what is chosen already as its query."""
    return await show_choice(request, validated(of_a_page(request.query, Opponent), Opponent))


async def play_computer(request: web.Request) -> web.Response:
    """POST /computer: begins a game and leads to its board."""
    site = request.app[SITE]
    wanted = await read_fields(request, Opponent)
    variant, shuffled = _form_asked(request, wanted)
    asked = NewGame(
        variant=variant.id,
        chess960=shuffled,
        color=wanted.color,
        clock=CLOCKS[wanted.clock],
        fen=wanted.fen or None,
        computer=int(wanted.level),
    )
    try:
        game, visitor = await begin_against_computer(request, asked, terms_of(asked, site.variants), color_of(asked))
    except Refusal as refusal:
        return await show_choice(request, wanted, refusal)
    return with_cookie(site, visitor, web.Response(status=303, headers={"Location": f"/{game.id}"}))


async def begin_against_computer(
    request: web.Request, form: NewGame, terms: Terms, color: Color
) -> tuple[Game, Visitor]:
    """The new game, and who plays `color` in it. Raises BadTerms, Problem, InvalidFen, Unavailable."""
    site = request.app[SITE]
    visitor = await site.sessions.require(request)
    await require_room(site, visitor.user.id)
    assert form.computer is not None
    return await create_against_computer(site.rounds.services, terms, visitor.player, color, form.computer), visitor


def _form_asked(request: web.Request, wanted: Opponent) -> tuple[Variant, bool]:
    """The variant, and whether its 960 form; the first one if none is named. Raises Problem (404)."""
    variants = request.app[SITE].variants
    found = form_at(wanted.variant or next(iter(variants)), variants)
    if found is None:
        raise Problem(404, "unknown_variant")
    return found


async def show_choice(
    request: web.Request, wanted: Opponent, problem: Refusal | None = None, *, offline: bool = False
) -> web.Response:
    """The form filled in as `wanted`. `problem`: why no game was begun. `offline`: as it is shown offline."""
    variant, shuffled = _form_asked(request, wanted)
    variants = request.app[SITE].variants.values()
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


def start_fen(variant: Variant, shuffled: bool) -> str:
    """Where a game begins; of the 960 form an example, as each game draws its own."""
    return example_960(variant).get("fen960", variant.start_fen) if shuffled else variant.start_fen


def pace(value: str) -> str:
    """ "5+3" for "300+3"; "" without a clock."""
    initial, _, increment = value.partition("+")
    return f"{int(initial) // 60}+{increment}" if increment else ""
