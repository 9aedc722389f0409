"""Seeks over HTTP: making, reading, taking and withdrawing them. Decides nothing about them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.errors import Refused
from server.games.joining import Way
from server.games.seeks import MAX_VARIANTS, Seek, Seeker
from server.realtime.open_seeks import seek_rating, seek_view
from server.realtime.protocol.lobby_messages import Seeks, SeekView
from server.realtime.runtime.ids import game_of_seek, new_id
from server.web.budgets.callers import address_key
from server.web.forms import COLORS, Form, VariantId, read_form
from server.web.games.new_games import Bank, Correspondence, Realtime, control_of
from server.web.games.your_games import require_room
from server.web.guests import require_welcome
from server.web.openapi.operation import Nothing, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem, respond
from server.web.session import Visitor
from server.web.site import SITE, Site, charge_address, with_cookie

Points = Annotated[int, Field(ge=100, le=4_000)]
"""A rating that an opponent may be asked for."""


class NewSeek(Form):
    """A game against anybody who wants the same. `variants`: those to choose from; none: any.

    `lowest`, `highest`: the rating of the opponent in such games at least and at most; null: anything. It needs an
    account, of both.
    """

    variants: Annotated[list[VariantId], Field(max_length=MAX_VARIANTS)] = []  # noqa: RUF012 - pydantic copies it
    chess960: bool = False
    color: Literal["white", "black", "random"] = "random"
    clock: Annotated[Realtime | Correspondence | Bank, Field(discriminator="kind")]
    rated: bool = False
    lowest: Points | None = None
    highest: Points | None = None


class Taking(Form):
    """Takes a seek, in one of these of its variants; none: any."""

    variants: Annotated[list[VariantId], Field(max_length=MAX_VARIANTS)] = []  # noqa: RUF012 - pydantic copies it


class SeekMade(TypedDict):
    """The seek that stands now."""

    seek: SeekView


class GameBegun(TypedDict):
    """The id of a game that is on."""

    game: str


@described(answers={200: Seeks})
async def read_seeks(request: web.Request) -> web.Response:
    """GET /api/seeks: the open seeks, as the lobby's socket shows them to this reader."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    listed = site.live.lobby.seeks.listed(None if visitor is None else visitor.user.id)
    return web.Response(text=listed, content_type="application/json")


@described(body=NewSeek, answers={201: SeekMade, 200: GameBegun}, refused=(409,))
async def make_seek(request: web.Request) -> web.Response:
    """POST /api/seeks: look for an opponent. 201: the seek stands; 200: somebody waited, and the game is on."""
    site = request.app[SITE]
    form = await read_form(request, NewSeek)
    control = control_of(form.clock)
    if not set(form.variants) <= set(site.offered):
        raise Problem(400, "unknown_variant")
    if form.chess960 and not all(site.variants[variant].chess960 for variant in form.variants):
        raise Problem(400, "no_chess960")
    await require_welcome(request, Way.LOBBY)
    visitor = await site.sessions.require(request)
    seek_id = new_id()
    seek = Seek(
        id=seek_id,
        game=game_of_seek(await site.store.addresses.signing_key(), seek_id),
        maker=seeker(request, site, visitor),
        variants=tuple(dict.fromkeys(form.variants)),
        chess960=form.chess960,
        control=control,
        color=COLORS.get(form.color),
        rated=form.rated,
        created=site.now(),
        lowest=form.lowest or 0,
        highest=form.highest or 0,
    )
    if not visitor.user.guest:
        seek = replace(seek, rating=await rating_in(site, visitor.user.id, seek))
    try:
        game = await site.live.lobby.post_seek(seek, partial(require_room, site, visitor.user.id))
    except Refused as refusal:
        return with_cookie(site, visitor, respond(request, refusal))
    if game is None:
        answer = {"seek": seek_view(seek, site.live.services.bots).model_dump(exclude_none=True)}
        return with_cookie(site, visitor, as_json(answer, status=201))
    return with_cookie(site, visitor, as_json({"game": game}))


@described(body=Taking, answers={200: GameBegun}, refused=(409, 410))
async def take_seek(request: web.Request) -> web.Response:
    """POST /api/seeks/{seek}/accept: play whoever waits."""
    site = request.app[SITE]
    form = await read_form(request, Taking)
    await require_welcome(request, Way.LOBBY)
    visitor = await site.sessions.require(request)
    try:
        taker, check_games = seeker(request, site, visitor), partial(require_room, site, visitor.user.id)
        seek, person = request.match_info["seek"], visitor.user
        rating = "" if person.guest else await rating_to_take(site, person.id, seek, form.variants)
        game = await site.live.lobby.accept_seek(
            request.match_info["seek"], taker, form.variants, check_games, rating=rating
        )
    except Refused as refusal:
        return with_cookie(site, visitor, respond(request, refusal))
    return with_cookie(site, visitor, as_json({"game": game}))


@described(answers={200: GameBegun}, refused=(404,))
async def read_game_of_seek(request: web.Request) -> web.Response:
    """GET /api/seeks/{seek}/game: the game that has come of it, for its two players.

    A page asks that was disconnected while its seek went. 404: none has, as far as anybody else may know.
    """
    site, seek = request.app[SITE], request.match_info["seek"]
    visitor = await site.sessions.find(request)
    if visitor is not None:
        # The game of a seek that an earlier release stored has the id of the seek.
        for game_id in (game_of_seek(await site.store.addresses.signing_key(), seek), seek):
            game = await site.game(game_id)
            if game is not None and game.color_of(visitor.user.id) is not None:
                return as_json({"game": game.id})
    charge_address(request, site.limits.misses)
    raise Problem(404, "no_game")


@described(answers={200: Nothing}, refused=(410,))
async def withdraw_seek(request: web.Request) -> web.Response:
    """DELETE /api/seeks/{seek}: withdraw one's own seek."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    if visitor is None:
        raise Problem(403, "not_yours")
    await site.live.lobby.withdraw_seek(request.match_info["seek"], visitor.player)
    return as_json({})


def seeker(request: web.Request, site: Site, visitor: Visitor) -> Seeker:
    """Who seeks; the network of a guest is noted, as guests of one share what aborting costs them."""
    if visitor.user.guest:
        network = address_key(request, site.settings)
        site.live.services.playbans.note_guest(visitor.player, network, visitor.user.created)
    return Seeker(visitor.player, registered=not visitor.user.guest)


async def rating_to_take(site: Site, user: str, seek_id: str, variants: Sequence[str] = ()) -> str:
    """What the seek of that id may ask for of whoever takes it; "" if it asks for nothing. Raises Unavailable.

    `variants`: those that the taker wants to play; none: whichever the seek has.
    """
    seek = site.live.lobby.seeks.get_seek(seek_id)
    if seek is None or not seek.has_range:
        return ""
    common = tuple(one for one in seek.variants or variants if not variants or one in variants)
    return await rating_in(site, user, replace(seek, variants=common or seek.variants))


async def rating_in(site: Site, user: str, seek: Seek) -> str:
    """The rating of somebody with an account in the games of that seek, as in `Seek`. Raises Unavailable."""
    perfs = await site.store.ratings.perfs(user)
    return seek_rating(perfs, seek.variants, seek.control, site.now(), chess960=seek.chess960)
