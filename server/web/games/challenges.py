"""Challenges to somebody by name, and games proposed to two others, on the site or by mail: who may make them, how
often, what waits for whom, and the refusal. Knows no link and no secret.

Only registered people can be asked, and only they can ask: a name must mean somebody, and pestering must have one. Both
of a proposed game must accept before it begins, and the second is asked only once the first has. Each of them reads who
proposes it. Until then nobody else reads their names; the proposer is told them once, in the answer, and otherwise
learns only what everybody sees.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiohttp import web
from typing_extensions import TypedDict

from server.games.changes.beginning import (
    RefuseChallenge,
    challenged_player,
    challenged_players,
    is_proposed,
    named_in,
    player_for,
)
from server.games.clocks.time_control import BANK_DAYS, TimeControl
from server.games.errors import WrongInvitation
from server.games.player import Player
from server.games.state import Game
from server.games.terms import Terms
from server.language import Language, name_in_form
from server.mail.inbound.enquiries import VariantNames
from server.mail.inbound.mail_commands import Challenge
from server.realtime.play.creation import create_open_game, propose_game
from server.realtime.protocol.wire import Side, clock_text, side
from server.realtime.runtime.ids import game_of_mail
from server.rules.notation.fen import format_fen, start_position
from server.rules.variant.pieces import Color
from server.storage.errors import Duplicate, Unreadable
from server.web.budgets.limits import charge
from server.web.clock_words import clock_words
from server.web.forms import COLORS
from server.web.games.new_games import Bank, Correspondence, NewGame, terms_of
from server.web.games.your_games import room_for_game
from server.web.languages import language_of, variant_names
from server.web.openapi.operation import Nothing, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site, find_round


async def person_asked(site: Site, name: str, asker: Visitor | None) -> Player:
    """The registered person of that name. Raises Problem: the asker is a guest, there is nobody, or it is the asker."""
    if asker is None or asker.user.guest:
        raise Problem(403, "challenge_registered")
    return await person_named(site, name, asker.user.id)


async def person_named(site: Site, name: str, asker: str) -> Player:
    """The registered person of that name. Raises Problem: there is nobody, or it is the asker (an id)."""
    person = await _find_person(site, name, Problem(400, "nobody_of_that_name"))
    if person.id == asker:
        raise Problem(400, "challenge_oneself")
    return person


async def _find_person(site: Site, name: str, refusal: Problem) -> Player:
    """The registered person of that name. Raises `refusal` if there is none."""
    account = await site.store.accounts.find(name.strip())
    if account is None:
        raise refusal
    return Player(account.user, account.name)


async def propose(site: Site, terms: Terms, names: Sequence[str], color: Color, by: Visitor | None) -> Game:
    """A game between the two people of those `names`, of whom the first has `color`.

    Raises Problem, NotAllowed, Unavailable.
    """
    if by is None or by.user.guest:
        raise Problem(403, "challenge_registered")
    return await propose_to(site, terms, names, color, by.player)


async def propose_to(
    site: Site, terms: Terms, names: Sequence[str], color: Color, by: Player, game_id: str = ""
) -> Game:
    """The same by the registered person `by`; `game_id`: the id of the game, "" for any."""
    first, second = [await _find_person(site, name, Problem(400, "nobody_called", name=name)) for name in names]
    if first == second:
        raise Problem(400, "pair_alike")
    if by.id in (first.id, second.id):
        raise Problem(400, "pair_oneself")
    now, limits = site.now(), site.limits
    charge(limits.proposals, by.id, now)
    charge(limits.proposals_to_two, " ".join(sorted((first.id, second.id))), now)
    for asked in (first, second):
        charge(limits.proposals, "", now, shared_by=asked.id)
    white, black = (first, second) if color is Color.WHITE else (second, first)
    return await propose_game(site.rounds.services, terms, white, black, by, game_id)


async def challenge_by_mail(
    site: Site, names: VariantNames, maker: Player, asked: Challenge, mail: bytes
) -> tuple[Game, bool]:
    """Stores the challenge of a registered person, and returns the game; False: it was stored before. `mail` is the
    mail itself, by which it is recognised if it comes again.

    Raises NotDone, Problem, BadTerms, Unavailable, Duplicate.
    """
    game_id = game_of_mail(await site.store.addresses.signing_key(), mail)
    if (before := await site.rounds.get(game_id)) is not None:
        if not asked.other and before.game.color_of(maker.id) is None:
            raise Duplicate(f"the game {game_id} is of others")
        return before.game, False
    variant, chess960 = names.find_variant(asked.variant)
    form = NewGame(
        variant=variant,
        chess960=chess960,
        clock=_clock(asked),
        rated=asked.rated,
    )
    terms = terms_of(form, site.offered)
    color = COLORS.get(asked.color) or secrets.choice(tuple(Color))
    if asked.other:
        return await propose_to(site, terms, (asked.name, asked.other), color, maker, game_id), True
    player = await person_named(site, asked.name, maker.id)
    async with room_for_game(site, maker.id):
        charge(site.limits.challenges, maker.id, site.now())
        return (await create_open_game(site.rounds.services, terms, maker, color, player, game_id)).game, True


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


@dataclass(frozen=True, slots=True)
class WaitingChallenge:
    """A game that waits for the reader. `by`: against whom. `color`: the reader's.

    `proposer`: who else proposes it, "" if nobody does. `own_start`: it begins from another position.
    """

    game: str
    by: str
    variant: str
    chess960: bool
    control: TimeControl
    rated: bool
    color: Color
    own_start: bool
    proposer: str = ""


async def challenges_to(site: Site, player: Player) -> list[WaitingChallenge]:
    """What waits for them, newest first, but for challenges of people from whom they are kept apart.

    Notes of those, and of games that ask them no longer, are thrown away: as only so many are shown, they would keep
    others out of sight. Raises Unavailable.
    """
    notes = await site.store.challenges.of(player.id)
    while True:
        found = [one for game in notes if (one := await _waiting(site, player, game)) is not None]
        if len(found) == len(notes):
            return found
        before, notes = notes, await site.store.challenges.of(player.id)
        if notes == before:
            return found


async def _waiting(site: Site, player: Player, game_id: str) -> WaitingChallenge | None:
    """What the note of that game stands for; None: nothing that `player` is to read, and perhaps it was thrown away."""
    try:
        game = await site.game(game_id)
    except Unreadable:
        return None
    if game is None:
        # It is just being made, or never was: that note goes by its age.
        return None
    asked = challenged_player(game)
    if asked is not None and asked.id != player.id:
        # The first of two has accepted, and the server stopped before it could note the second.
        await site.store.challenges.pass_on(game_id, asked.id, site.now())
        return None
    if asked is None or any(site.live.services.blocks.are_apart(player.id, one.id) for one in named_in(game)):
        await site.store.challenges.drop(game_id)
        return None
    return challenge_of(game, asked)


def challenge_of(game: Game, asked: Player) -> WaitingChallenge:
    """What `asked` reads of it, who has been challenged."""
    maker = challenged_players(game)[1] if is_proposed(game) else game.white or game.black
    terms = game.terms
    return WaitingChallenge(
        game=game.id,
        by="" if maker is None else maker.name,
        variant=terms.variant.id,
        chess960=terms.chess960,
        control=terms.control,
        rated=terms.rated,
        color=next(color for color in Color if player_for(game, color) == asked),
        own_start=not terms.chess960 and terms.start_fen != format_fen(start_position(terms.variant)),
        proposer="" if game.proposer is None else game.proposer.name,
    )


def challenge_in_words(challenge: WaitingChallenge, language: Language, called: Mapping[str, str]) -> str:
    """What the game would be: "Chess960 · 5+3 · rated · you have Black". `called`: what variants are called, by id."""
    name = called.get(challenge.variant, challenge.variant)
    words = [name_in_form(name, challenge.chess960), clock_words(challenge.control, language)]
    if challenge.rated:
        words.append(language.plain("terms.rated"))
    words.append(language.plain(f"challenge.you_have_{challenge.color.name.lower()}"))
    if challenge.own_start:
        words.append(language.plain("challenge.own_start"))
    if challenge.proposer:
        words.append(language.plain("challenge.proposed_short", by=challenge.proposer))
    return " · ".join(words)


class ChallengeJson(TypedDict):
    """A game that waits for the reader. `clock`: as in the lobby, "" without one.

    `by`: against whom; `proposer`: who else proposes it. `color`: the reader's. `words`: the same as a sentence.
    """

    game: str
    by: str
    proposer: str | None
    variant: str
    chess960: bool
    clock: str
    rated: bool
    color: Side
    words: str


class Challenges(TypedDict):
    challenges: list[ChallengeJson]


@described(answers={200: Challenges})
async def read_own_challenges(request: web.Request) -> web.Response:
    """GET /api/me/challenges: those to the reader by name, newest first; `words` are in the reader's language."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    found = [] if visitor is None else await challenges_to(site, visitor.player)
    language, called = language_of(request), variant_names(request)
    return as_json({"challenges": [_as_json(one, challenge_in_words(one, language, called)) for one in found]})


def _as_json(one: WaitingChallenge, words: str) -> ChallengeJson:
    return {
        "game": one.game,
        "by": one.by,
        "proposer": one.proposer or None,
        "variant": one.variant,
        "chess960": one.chess960,
        "clock": clock_text(one.control),
        "rated": one.rated,
        "color": side(one.color),
        "words": words,
    }


@described(answers={200: Nothing}, refused=(409, 410))
async def refuse_challenge(request: web.Request) -> web.Response:
    """POST /api/games/{game}/refuse: who was asked by name does not want to play."""
    site = request.app[SITE]
    round_ = await find_round(request)
    visitor = await site.sessions.find(request)
    if visitor is None:
        raise WrongInvitation("challenge_of_another")
    await round_.submit(RefuseChallenge(visitor.player), site.now())
    await site.store.challenges.drop(round_.game.id)
    return as_json({})
