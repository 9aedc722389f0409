"""Challenges to somebody by name: whom a form asks, what waits for them, and the refusal. Knows no link and no secret.

Only registered people can be asked, and only they can ask: a name must mean somebody, and pestering must have one.
"""

from collections.abc import Mapping
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
from server.games.clocks.time_control import TimeControl
from server.games.errors import WrongInvitation
from server.games.player import Player
from server.games.state import Game
from server.language import Language
from server.realtime.lobby.views import clock_text
from server.realtime.protocol.wire import Side, side
from server.rules.notation.fen import format_fen, start_position
from server.rules.variant.pieces import Color
from server.storage.errors import Unreadable
from server.web.clock_words import clock_words
from server.web.languages import language_of, variant_names
from server.web.lookup import find_round
from server.web.openapi.operation import Nothing, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site


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


def words_of(challenge: WaitingChallenge, language: Language, called: Mapping[str, str]) -> str:
    """What the game would be: "Chess 960 · 5+3 · rated · you have Black". `called`: what variants are called, by id."""
    name = called.get(challenge.variant, challenge.variant)
    words = [f"{name} 960" if challenge.chess960 else name, clock_words(challenge.control, language)]
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
async def mine_json(request: web.Request) -> web.Response:
    """GET /api/me/challenges: those to the reader by name, newest first; `words` are in the reader's language."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    found = [] if visitor is None else await challenges_to(site, visitor.player)
    language, called = language_of(request), variant_names(request)
    return as_json({"challenges": [_as_json(one, words_of(one, language, called)) for one in found]})


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
async def refuse(request: web.Request) -> web.Response:
    """POST /api/games/{game}/refuse: who was asked by name does not want to play."""
    site = request.app[SITE]
    round_ = await find_round(request)
    visitor = await site.sessions.find(request)
    if visitor is None:
        raise WrongInvitation("challenge_of_another")
    await round_.submit(RefuseChallenge(visitor.player), site.now())
    await site.store.challenges.drop(round_.game.id)
    return as_json({})
