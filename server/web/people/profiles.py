"""The profile of a registered player: what they play, their ratings, their opponents, and their games in play; and what
the reader and they are to each other.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from aiohttp import web

from server.games.clocks.speed import Speed
from server.rules.variant.variant import Variant
from server.storage.protocols.accounts import Account
from server.storage.protocols.archive import GameSummary, Search
from server.storage.protocols.ratings import Category, Perf, RatingChange, Tally
from server.web.archive.search import day_of
from server.web.board_data import emblems
from server.web.languages import variant_names
from server.web.lobby.your_games import flip
from server.web.online.online_people import following, is_seen_here
from server.web.people.ratings import rating_cards
from server.web.people.ratings.rating_chart import HEIGHT, LEFT, WIDTH, chart_of
from server.web.people.ties import tie_shown
from server.web.pictures.image_cache import IMAGES
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site

GAMES_IN_CHART = 300
GAMES_IN_TABLE = 20
OPPONENTS = 8
LAST_GAMES = 8
OPPONENTS_LOOKED_AT = 200
RUNNING = 20
WITH_BOARD = 4
"""Games in play with a picture."""
ORDER = {speed: number for number, speed in enumerate(Speed)}


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list, as its player sees it. `outcome`: won, drawn, lost, or "" while it goes on or for none."""

    game: GameSummary
    opponent: str
    outcome: str
    day: str


async def profile_page(request: web.Request) -> web.Response:
    """GET /@/{name}; `?rating=` chooses the history to draw. Any spelling of the name redirects to the same page."""
    site = request.app[SITE]
    name = request.match_info["name"]
    account = await site.store.accounts.find(name)
    if account is None:
        raise Problem(404, "no_player")
    if account.name != name:
        raise web.HTTPMovedPermanently(f"/@/{quote(account.name)}")
    visitor = await site.sessions.find(request)
    shown = await profile_of(site, account, variant_names(request), request.query.get("rating"))
    tie = await tie_shown(site, visitor, account.user)
    shown |= {
        "own": tie.own,
        "follows": tie.follows,
        "blocks": tie.blocks,
        "with_board": {game.id for game in shown["running"][:WITH_BOARD]} if IMAGES in request.app else frozenset(),
        "flip": flip,
        "here": await is_seen_here(site, account.user, visitor),
        "met": await met(site, visitor, account),
        "following": await following(site, visitor) if tie.own else (),
    }
    return await as_page(request, "people/profile.html", **shown)


async def profile_of(site: Site, account: Account, called: Mapping[str, str], wanted: str | None) -> dict[str, Any]:
    """All that the template shows. Raises Unavailable."""
    ratings, now = site.store.ratings, site.now()
    perfs, scores, games, page, allowance = await asyncio.gather(
        ratings.perfs(account.user),
        ratings.scores(account.user, OPPONENTS),
        site.live.running_games.of(account.user),
        site.store.archive.page(Search(player=account.name, source="played"), LAST_GAMES),
        site.live.vacations.of(account.user),
    )
    rated = by_kind([one for one in perfs if one.rating.games], site.variants)
    category = chosen(rated, wanted)
    history = await ratings.history(account.user, category, GAMES_IN_CHART) if category else ()
    on_cards = rating_cards.most_played(rated)
    latest = [ratings.history(account.user, one.category, rating_cards.LATEST) for one in on_cards]
    lines = await asyncio.gather(*latest)
    return {
        "cards": [rating_cards.card_of(one, line, now) for one, line in zip(on_cards, lines, strict=True)],
        "portrait": emblems(site.variants),
        "player": account.name,
        "since": day_of(account.created),
        "away": allowance.until,
        "rated": [(one, one.rating.aged(now)) for one in rated],
        "tallies": tallies(perfs, site.variants),
        "scores": scores,
        "running": [game for game in games if game.opponent is not None][:RUNNING],
        "finished": [game_row(account.name, game) for game in page.games],
        "called": called,
        "category": category,
        "chart": chart_of(history),
        "size": {"width": WIDTH, "height": HEIGHT, "left": LEFT},
        "table": table(history),
        "charted": len(history),
    }


async def met(site: Site, visitor: Visitor | None, account: Account) -> Tally | None:
    """The visitor's tally against that person; None if they have not met. Raises Unavailable."""
    if visitor is None or visitor.user.id == account.user:
        return None
    scores = await site.store.ratings.scores(visitor.user.id, OPPONENTS_LOOKED_AT)
    return next((one.tally for one in scores if one.opponent == account.user), None)


def by_kind(perfs: Sequence[Perf], variants: Mapping[str, Variant]) -> Sequence[Perf]:
    """`perfs` in the order of the site's variants, usual starts before shuffled ones, fast speeds before slow ones."""
    order = {variant: number for number, variant in enumerate(variants)}
    return sorted(
        (one for one in perfs if one.category.variant in order),
        key=lambda one: (order[one.category.variant], one.category.chess960, ORDER[one.category.speed]),
    )


def chosen(rated: Sequence[Perf], wanted: str | None) -> Category | None:
    """The category whose history is drawn: the one asked for, else that of the last rated game."""
    asked = next((one.category for one in rated if one.category.key == wanted), None)
    latest = max(rated, key=lambda one: one.rating.at, default=None)
    return asked or (latest.category if latest else None)


def tallies(perfs: Sequence[Perf], variants: Mapping[str, Variant]) -> Sequence[tuple[str, bool, Tally]]:
    """Variant, whether shuffled, and the tally at all speeds together, most played first."""
    totals: dict[tuple[str, bool], Tally] = {}
    for one in by_kind(perfs, variants):
        key = one.category.variant, one.category.chess960
        totals[key] = totals.get(key, Tally()) + one.tally
    return sorted(((*key, tally) for key, tally in totals.items()), key=lambda one: -one[2].games)


def game_row(player: str, game: GameSummary) -> GameRow:
    """One game in the list of `player` (a name): the opponent, how it ended for the player, and the day."""
    white = game.white == player
    opponent = (game.black if white else game.white) or "?"
    outcome = {"1-0": "won" if white else "lost", "0-1": "lost" if white else "won", "1/2-1/2": "drawn"}
    return GameRow(
        game, opponent, outcome.get(game.result or "", ""), day_of(game.created if game.ended is None else game.ended)
    )


def table(history: Sequence[RatingChange]) -> Sequence[tuple[str, int, int]]:
    """Day, rating after the game, and change, newest first."""
    newest = history[: -GAMES_IN_TABLE - 1 : -1]
    return [(day_of(one.at), round(one.after), round(one.after) - round(one.before)) for one in newest]
