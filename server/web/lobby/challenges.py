"""Challenges to somebody by name: whom a form asks, what waits for them, and the refusal. Knows no link and no secret.

Only registered people can be asked, and only they can ask: a name must mean somebody, and pestering must have one.
"""

import secrets
from dataclasses import dataclass

from aiohttp import web

from server.games.changes.beginning import challenged_player
from server.games.clock import TimeControl
from server.games.commands import RefuseChallenge
from server.games.errors import WrongInvitation
from server.games.game import Game
from server.games.player import Player
from server.mail.inbound.mail_commands import Challenge as AskedByMail
from server.mail.inbound.variants_named import VariantNames
from server.realtime.lobby.views import clock_text
from server.rules.variant.pieces import Color
from server.storage.errors import Unreadable
from server.web.budgets.limits import charge
from server.web.forms.forms import COLORS, Correspondence, NewGame
from server.web.forms.new_games import terms_of
from server.web.lobby.your_games import require_room
from server.web.lookup import find_round
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game that waits for the reader. `clock`: "300+3" seconds, "3d" or "10+1/30d" days, "" without a clock."""

    game: str
    by: str
    variant: str
    chess960: bool
    clock: str
    rated: bool


async def person_asked(site: Site, name: str, asker: Visitor | None) -> Player:
    """The registered person of that name. Raises Problem: the asker is a guest, there is nobody, or it is the asker."""
    if asker is None or asker.user.guest:
        raise Problem(403, "challenge_registered")
    return await _named(site, name, asker.user.id)


async def _named(site: Site, name: str, asker: str) -> Player:
    """The registered person of that name. Raises Problem: there is nobody, or it is the asker (an id)."""
    account = await site.store.accounts.find(name)
    if account is None:
        raise Problem(400, "nobody_of_that_name")
    if account.user == asker:
        raise Problem(400, "challenge_oneself")
    return Player(account.user, account.name)


async def challenge_by_mail(site: Site, names: VariantNames, maker: Player, asked: AskedByMail, game_id: str) -> bool:
    """Stores the challenge of a registered person under that id. False: it was stored before.

    Raises NotDone, Problem, BadTerms, Unavailable.
    """
    if await site.rounds.get(game_id) is not None:
        return False
    variant, chess960 = names.find(asked.variant)
    TimeControl.correspondence(asked.days).validate()
    form = NewGame(
        variant=variant,
        chess960=chess960,
        clock=Correspondence(kind="correspondence", days=asked.days),
        rated=asked.rated,
    )
    terms = terms_of(form, site.variants)
    player = await _named(site, asked.name, maker.id)
    await require_room(site, maker.id)
    charge(site.limits.challenges, maker.id, site.now())
    color = COLORS.get(asked.color) or secrets.choice(tuple(Color))
    await site.rounds.create(terms, maker, color, player, game_id)
    return True


async def challenges_to(site: Site, player: Player) -> list[Challenge]:
    """What waits for them, newest first. Notes of games that ask them no longer are thrown away. Raises Unavailable."""
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
        if asked is None or asked.id != player.id:
            await site.store.challenges.drop(game_id)
        else:
            found.append(challenge_of(game))
    return found


def challenge_of(game: Game) -> Challenge:
    maker, terms = game.white or game.black, game.terms
    return Challenge(
        game=game.id,
        by="" if maker is None else maker.name,
        variant=terms.variant.id,
        chess960=terms.chess960,
        clock=clock_text(terms.control),
        rated=terms.rated,
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
