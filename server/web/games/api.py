"""The JSON API: creating, joining and reading games, and what a program must know to take part.

Handlers read a request and write the answer; `new_games` checks terms, and the game decides everything else. The shape
of a variant is described for programs; what it says comes from `rules.variant.rule_data`, which knows no library that
could describe it, and a test compares the two on every variant.
"""

import asyncio
import re
from typing import Annotated, Any, Literal, NotRequired

from aiohttp import web
from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from server.games.changes.beginning import challenged_players
from server.games.errors import Refused, RegisteredOnly
from server.games.joining import Way
from server.games.state import Game
from server.games.terms import Terms
from server.realtime.play.creation import CreatedGame, create_open_game
from server.realtime.protocol.schema import protocol_schema
from server.realtime.protocol.wire import Side, side
from server.rules.fairy_stockfish import fairy_stockfish_data
from server.rules.variant.pieces import Color
from server.rules.variant.rule_data import rule_data
from server.storage.time_slices import run_sliced
from server.web.budgets.limits import charge
from server.web.forms import Form, read_form, read_page_query
from server.web.games.challenges import person_asked, propose
from server.web.games.computer import begin_against_computer
from server.web.games.game_json import NO_CHANGES, GameJson, game_steps, writing_pgn
from server.web.games.new_games import NewGame, color_of, first_move, terms_of
from server.web.games.your_games import room_for_game
from server.web.guests import known_or_new_guest, require_welcome
from server.web.openapi.operation import PGN, Media, described
from server.web.rendering.answers import as_json
from server.web.rendering.page_cache import cached_for_all, render_once
from server.web.rendering.problems import respond
from server.web.session import Visitor
from server.web.site import SITE, charge_address, find_round, find_variant, with_cookie

LONG = 200
"""Half-moves. Replaying another LONG of them costs as much as another game."""
PUBLIC = {"Cache-Control": "public, max-age=300"}
"""For answers that are the same for everybody and change only with a release."""


Secret = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{16,64}$")]


class Joining(Form):
    """The secret of the link: the part after #, up to a dot if there is one. A named opponent has none."""

    secret: Secret | Literal[""] = ""


PLY = r"^[0-9]{1,4}$"


def number_of_plies(text: str) -> str:
    """Raises ValueError, with the sentence for whoever asked."""
    if not re.fullmatch(PLY, text):
        raise ValueError("this is the number of half-moves, such as 23")
    return text


class PlyQuery(Form):
    """`ply`: only the first so many half-moves."""

    ply: Annotated[str, AfterValidator(number_of_plies), Field(json_schema_extra={"pattern": PLY})] | None = None


class Person(TypedDict, total=False):
    """Who a browser is; empty for nobody."""

    id: str
    name: str


class Links(TypedDict):
    """The link for each of two others."""

    white: NotRequired[str]
    black: NotRequired[str]


class MadeGame(TypedDict):
    """A new game. `color`: one's own, if one plays. `link`: for the opponent, with the `secret` that opens the seat.

    `links`: for two others who play. `asked`: the names of two who were asked to play each other.
    """

    id: str
    url: str
    color: NotRequired[Side]
    secret: NotRequired[str]
    link: NotRequired[str]
    links: NotRequired[Links]
    asked: NotRequired[list[str]]


class Seated(TypedDict):
    """The game, and the colour that one has in it."""

    id: str
    color: Side


@described(body=NewGame, answers={201: MadeGame}, refused=(409,))
async def create_game(request: web.Request) -> web.Response:
    """POST /api/games: a game with one empty seat and the link that fills it, or with two and a link for each."""
    site = request.app[SITE]
    form = await read_form(request, NewGame)
    terms = terms_of(form, site.offered)
    color = color_of(form)
    move = first_move(form, terms, color)
    known = await site.sessions.find(request)
    if form.between is not None:
        game = await propose(site, terms, form.between, color, known)
        asked_for = [player.name for player in challenged_players(game)]
        return as_json(MadeGame(id=game.id, url=f"/{game.id}", asked=asked_for), status=201)
    if form.computer is not None:
        return await create_against_computer(request, form, terms, color)
    require_account(terms, known)
    await require_welcome(request, Way.LOBBY)
    asked = None if form.to is None else await person_asked(site, form.to, known)
    visitor = await site.sessions.require(request)
    player = visitor.player if form.players == "me" else None
    async with room_for_game(site, visitor.user.id):
        if asked is not None:
            charge(site.limits.challenges, visitor.user.id, site.now())
        made = await create_open_game(site.rounds.services, terms, player, color, asked, move=move or "")
    answer = created(made, f"{site.settings.address}/{made.game.id}", color if player else None)
    return with_cookie(site, visitor, as_json(answer, status=201))


async def create_against_computer(request: web.Request, form: NewGame, terms: Terms, color: Color) -> web.Response:
    """Both seats are taken: there is no link."""
    game, visitor = await begin_against_computer(request, form, terms, color)
    answer = MadeGame(id=game.id, url=f"/{game.id}", color=side(color))
    return with_cookie(request.app[SITE], visitor, as_json(answer, status=201))


def created(made: CreatedGame, address: str, color: Color | None) -> MadeGame:
    """The answer to the creator of a game, the only one with the links. `color`: theirs, None if they do not play."""
    answer = MadeGame(id=made.game.id, url=f"/{made.game.id}")
    if color is None:
        links = Links()
        for seat, secret in made.secrets.items():
            links[side(seat)] = f"{address}#{secret}.{side(seat)}"
        return {**answer, "links": links}
    if not made.secrets:
        return {**answer, "color": side(color)}
    return {**answer, "secret": made.secret, "link": f"{address}#{made.secret}", "color": side(color)}


def require_account(terms: Terms, visitor: Visitor | None) -> None:
    """Raises RegisteredOnly if a guest wants a rated game: tomorrow they could be somebody else."""
    if terms.rated and (visitor is None or visitor.user.guest):
        raise RegisteredOnly


@described(body=Joining, answers={200: Seated}, refused=(409, 410))
async def join_game(request: web.Request) -> web.Response:
    """POST /api/games/{game}/join: take the empty seat, by the secret of the link.

    Whoever is refused still gets the cookie.
    """
    # Or each attempt would create another guest.
    site = request.app[SITE]
    form = await read_form(request, Joining)
    round_ = await find_round(request)
    require_account(round_.game.terms, await site.sessions.find(request))
    await require_welcome(request, Way.LINK)
    visitor = await site.sessions.require(request)
    try:
        async with room_for_game(site, visitor.user.id):
            game = await site.rounds.join(round_.game.id, form.secret, visitor.player)
    except Refused as refusal:
        return with_cookie(site, visitor, respond(request, refusal))
    color = game.color_of(visitor.user.id)
    assert color is not None
    return with_cookie(site, visitor, as_json({"id": game.id, "color": color.name.lower()}))


@described(answers={200: Person})
async def become_guest(request: web.Request) -> web.Response:
    """POST /api/guest: become a guest, since chat needs a name."""
    visitor = await known_or_new_guest(request)
    return with_cookie(request.app[SITE], visitor, as_json(me(visitor)))


@described(answers={200: Person})
async def read_me(request: web.Request) -> web.Response:
    """GET /api/me: who this browser is, {} if nobody yet."""
    return as_json(me(await request.app[SITE].sessions.find(request)))


def me(visitor: Visitor | None) -> Person:
    """Who is behind the session; {}: a stranger."""
    return {} if visitor is None else {"id": visitor.user.id, "name": visitor.user.name}


@described(answers={200: GameJson}, cached=True)
async def read_game(request: web.Request) -> web.StreamResponse:
    """GET /api/games/{game}: the whole game as everybody may read it."""
    game = (await find_round(request)).game

    async def write_game(request: web.Request) -> web.Response:
        charge_by_length(request, game)
        return as_json(await run_sliced(game_steps(game)))

    return await render_once(request, f"{request.path} {game.rev}", write_game, depends_on_context=False)


@described(query=PlyQuery, answers={200: Media(PGN)})
async def read_pgn(request: web.Request) -> web.Response:
    """GET /api/games/{game}.pgn: a game as a file to download. Raises Problem (400)."""
    site, game = request.app[SITE], (await find_round(request)).game
    ply = read_page_query(request, PlyQuery).ply
    charge_by_length(request, game)
    changes = await site.store.ratings.changes(game.id) if game.terms.rated else NO_CHANGES
    plies = None if ply is None else int(ply)
    return web.Response(
        text=await run_sliced(writing_pgn(game, site.settings.address, plies, changes)),
        headers={
            "Content-Type": f"{PGN}; charset=utf-8",
            "Content-Disposition": f'attachment; filename="{game.terms.variant.id}-{game.id}.pgn"',
        },
    )


def charge_by_length(request: web.Request, game: Game) -> None:
    """Charges a game of thousands of half-moves, which takes as long as many ordinary ones. Raises Problem (429)."""
    if len(game.plies) >= LONG:
        charge_address(request, request.app[SITE].limits.reads, len(game.plies) // LONG)


@described(answers={200: dict[str, Any]}, cached=True)
@cached_for_all
async def read_protocol(request: web.Request) -> web.Response:
    """GET /api/protocol: every message of every socket, as JSON Schema."""
    # In a thread, because it takes 80 ms the first time.
    return as_json(await asyncio.to_thread(protocol_schema), headers=PUBLIC)


Vector = tuple[int, int]
"""Files to the right and ranks forward, as White sees it."""


class PieceMove(TypedDict):
    """One way in which a piece moves: by any of `steps`, up to `max` times in a row (0: as far as the board goes).

    `mode`: whether it captures. `ranks`: only from these; `unmoved`: only from where it began. `then`: on which ways a
    bent rider goes on after its step.
    """

    steps: list[Vector]
    max: int
    mode: str
    ranks: NotRequired[list[int]]
    unmoved: NotRequired[bool]
    enPassant: NotRequired[bool]
    then: NotRequired[list[Vector]]


class RoleJson(TypedDict):
    """A kind of piece. `san`: its letter in moves. `value`: in pawns."""

    name: str
    san: str
    royal: bool
    pawn: bool
    value: float
    moves: list[PieceMove]


class PromotionJson(TypedDict):
    """`ranks`: where it is possible, `forced`: where it must; `to`: into what. `byFile`: only into these, by file."""

    ranks: list[int]
    forced: list[int]
    to: list[str]
    when: str
    byFile: list[str] | None


class DropJson(TypedDict):
    """The ranks on which a piece may be put."""

    ranks: list[int]


class CastlingJson(TypedDict):
    """Files: where king and rook stand after castling on either side, and whence the king comes."""

    kingTo: list[str]
    rookTo: list[str]
    kingFrom: str
    king: str
    rook: str


class GoalJson(TypedDict):
    """The piece that wins by reaching a square of its side, White's first. `reply`: Black may then arrive, too."""

    role: str
    squares: list[list[str]]
    reply: bool


class ExtinctionJson(TypedDict):
    """Who has `left` pieces of one of `kinds`, or of all if there are none, has lost, or won, against so many."""

    kinds: list[str]
    left: int
    against: int
    reply: bool
    wins: bool


class EndingsJson(TypedDict):
    """What ends a game besides mate. `moveRule`, `repetition`, `checks`: after how many; 0: never."""

    stalemateLoses: bool
    stalemateWins: bool
    bareKingLoses: bool
    moveRule: int
    repetition: int
    insufficient: bool
    goal: GoalJson | None
    extinction: ExtinctionJson | None
    checks: int


class RulesJson(TypedDict):
    """What only a program that plays it needs."""

    captures: bool
    setup: bool
    opposite: list[list[str]]
    pairs: list[str]
    capturedAs: dict[str, str]
    limits: dict[str, int]
    castlingEarned: bool
    firstMove: str
    kingless: list[bool]
    explodes: bool
    mustCapture: bool
    mayNotCheck: bool
    passedFrom: dict[str, list[int]]
    mating: list[str]
    takeableKing: bool
    endings: EndingsJson


class FairyStockfishJson(TypedDict):
    """The variant as a section of a variants.ini; or `cannot`: the part of its rules that has no words there."""

    name: NotRequired[str]
    ini: NotRequired[str]
    cannot: NotRequired[str]


class VariantJson(TypedDict):
    """A variant: what boards show of it, under `rules` all that its rules depend on, also for Fairy-Stockfish."""

    id: str
    name: str
    tagline: str
    differences: list[str]
    files: int
    ranks: int
    startFen: str
    chess960: bool
    differences960: list[str]
    pocket: str
    pocketRoles: list[str]
    promoted: bool
    roles: dict[str, RoleJson]
    promotion: dict[str, PromotionJson]
    drops: dict[str, DropJson] | None
    castling: CastlingJson | None
    gates: list[str]
    goals: NotRequired[list[str]]
    checks: NotRequired[int]
    rules: RulesJson
    fairyStockfish: NotRequired[FairyStockfishJson]


@described(answers={200: VariantJson}, cached=True)
@cached_for_all
async def read_variant(request: web.Request) -> web.Response:
    """GET /api/variants/{variant}: names, pieces, how they move and all that the rules depend on."""
    variant = find_variant(request)
    return as_json(rule_data(variant) | {"fairyStockfish": fairy_stockfish_data(variant)}, headers=PUBLIC)
