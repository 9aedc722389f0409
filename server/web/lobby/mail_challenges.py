"""Challenges, and games proposed to two others, that somebody writes by mail: the same as those made on the site."""

import secrets

from server.games.clocks.time_control import BANK_DAYS, TimeControl
from server.games.player import Player
from server.mail.inbound.reading.mail_commands import Challenge
from server.mail.inbound.reading.variants_named import VariantNames
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from server.web.budgets.limits import charge
from server.web.forms.forms import COLORS, Bank, Correspondence, NewGame
from server.web.forms.new_games import terms_of
from server.web.lobby.challenges import person_named
from server.web.lobby.proposals import propose_to
from server.web.lobby.your_games import require_room
from server.web.site import Site


async def challenge_by_mail(site: Site, names: VariantNames, maker: Player, asked: Challenge, game_id: str) -> bool:
    """Stores the challenge of a registered person under that id. False: it was stored before.

    Raises NotDone, Problem, BadTerms, Unavailable.
    """
    if await site.rounds.get(game_id) is not None:
        return False
    variant, chess960 = names.find(asked.variant)
    form = NewGame(
        variant=variant,
        chess960=chess960,
        clock=_clock(asked),
        rated=asked.rated,
    )
    terms = terms_of(form, site.variants)
    color = COLORS.get(asked.color) or secrets.choice(tuple(Color))
    if asked.other:
        await propose_to(site, terms, (asked.name, asked.other), color, maker, game_id)
        return True
    player = await person_named(site, asked.name, maker.id)
    await require_room(site, maker.id)
    charge(site.limits.challenges, maker.id, site.now())
    await create_open_game(site.rounds.services, terms, maker, color, player, game_id)
    return True


def _clock(asked: Challenge) -> Correspondence | Bank:
    """The days that were asked for. Raises BadClock if nobody may ask for them."""
    if asked.bank is None:
        TimeControl.correspondence(asked.days).validate()
        return Correspondence(kind="correspondence", days=asked.days)
    initial, increment, cap = asked.bank
    # A bank may be named by what people write first.
    cap = cap or next((days[2] for days in BANK_DAYS if days[:2] == (initial, increment)), 1)
    TimeControl.bank(initial, increment, cap).validate()
    return Bank(kind="bank", initial=initial, increment=increment, cap=cap)
