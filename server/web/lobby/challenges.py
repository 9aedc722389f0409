"""Challenges to somebody by name: whom a form asks, what waits for them, and the refusal. Knows no link and no secret.

Only registered people can be asked, and only they can ask: a name must mean somebody, and pestering must have one.
"""

from dataclasses import dataclass

from aiohttp import web

from server.games.changes.beginning import challenged_player, challenged_players, is_proposed, people_of
from server.games.commands import RefuseChallenge
from server.games.errors import WrongInvitation
from server.games.player import Player
from server.games.state import Game
from server.realtime.lobby.views import clock_text
from server.storage.errors import Unreadable
from server.web.lookup import find_round
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game that waits for the reader. `by`: against whom. `proposer`: who else proposes it, "" if nobody does.

    `clock`: "300+3" seconds, "3d" or "10+1/30d" days, "" without a clock.
    """

    game: str
    by: str
    variant: str
    chess960: bool
    clock: str
    rated: bool
    proposer: str = ""


async def person_asked(site: Site, name: str, asker: Visitor | None) -> Player:
    """The registered person of that name. Raises Problem: the asker is a guest, there is nobody, or it is the asker."""
    if asker is None or asker.user.guest:
        raise Problem(403, "challenge_registered")
    return await person_named(site, name, asker.user.id)


async def person_named(site: Site, name: str, asker: str) -> Player:
    """The registered person of that name. Raises Problem: there is nobody, or it is the asker (an id)."""
    account = await site.store.accounts.find(name)
    if account is None:
        raise Problem(400, "nobody_of_that_name")
    if account.user == asker:
        raise Problem(400, "challenge_oneself")
    return Player(account.user, account.name)


async def challenges_to(site: Site, player: Player) -> list[Challenge]:
    """What waits for them, newest first, but for challenges of people from whom they are kept apart.

    Notes of games that ask them no longer are thrown away. Raises Unavailable.
    """
    found = []
    for game_id in await site.store.challenges.of(player.id):
        live = site.rounds.in_memory(game_id)
        try:
            game = await site.store.load(game_id) if live is None else live.game
        except Unreadable:
            continue
        if game is None:
            # It is just being made, or never was: that note goes by its age.
            continue
        asked = challenged_player(game)
        if asked is None:
            await site.store.challenges.drop(game_id)
        elif asked.id != player.id:
            # The first of two has accepted, and the server stopped before it could note the second.
            await site.store.challenges.pass_on(game_id, asked.id, site.now())
        elif not any(site.live.services.blocks.are_apart(player.id, one.id) for one in _named_in(game)):
            found.append(challenge_of(game))
    return found


def _named_in(game: Game) -> tuple[Player, ...]:
    """Those of whom somebody who is asked to play reads."""
    return people_of(game) if game.proposer is None else (*people_of(game), game.proposer)


def challenge_of(game: Game) -> Challenge:
    maker = challenged_players(game)[1] if is_proposed(game) else game.white or game.black
    terms = game.terms
    return Challenge(
        game=game.id,
        by="" if maker is None else maker.name,
        variant=terms.variant.id,
        chess960=terms.chess960,
        clock=clock_text(terms.control),
        rated=terms.rated,
        proposer="" if game.proposer is None else game.proposer.name,
    )


async def refuse(request: web.Request) -> web.Response:
    """POST /api/games/{id}/refuse: who was asked by name does not want to play."""
    site = request.app[SITE]
    round_ = await find_round(request)
    visitor = await site.sessions.find(request)
    if visitor is None:
        raise WrongInvitation("challenge_of_another")
    await round_.submit(RefuseChallenge(visitor.player), site.now())
    await site.store.challenges.drop(round_.game.id)
    return as_json({})
