"""Games that somebody proposes to two other people by name: who may, how often, and to whom.

Both must accept before it begins, and the second is asked only once the first has. Each of them reads who proposes it.
Until then nobody else reads their names; the proposer is told them once, in the answer, and otherwise learns only what
everybody sees.
"""

from collections.abc import Sequence

from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.state import Game
from server.games.terms import Terms
from server.realtime.play.creation import propose_game
from server.realtime.process.meeting import check_may_meet
from server.rules.variant.pieces import Color
from server.web.budgets.limits import charge
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import Site


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
    first, second = [await _named(site, name) for name in names]
    if first == second:
        raise Problem(400, "pair_alike")
    if by.id in (first.id, second.id):
        raise Problem(400, "pair_oneself")
    now, limits = site.now(), site.limits
    charge(limits.proposals, by.id, now)
    charge(limits.proposals_to_two, " ".join(sorted((first.id, second.id))), now)
    for asked in (first, second):
        charge(limits.proposals_to_one, asked.id, now)
        refusal = NotAllowed("takes_no_challenges", name=asked.name)
        await check_may_meet(site.live.services, by.id, asked, refusal)
    white, black = (first, second) if color is Color.WHITE else (second, first)
    return await propose_game(site.rounds.services, terms, white, black, by, game_id)


async def _named(site: Site, name: str) -> Player:
    account = await site.store.accounts.find(name)
    if account is None:
        raise Problem(400, "nobody_called", name=name)
    return Player(account.user, account.name)
