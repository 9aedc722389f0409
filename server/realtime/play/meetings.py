"""Whether two people may meet in a game: not if either has blocked the other. Those who are blocked are not told why.
Two who are kept apart may finish their game, but not begin another.

A command is checked when its turn has come, as somebody else may take a seat while it waits. What would be refused
anyway is not checked: by the answer, a blocked person could tell that they are.
"""

from collections.abc import Sequence
from typing import Final

from server.games.changes.beginning import Join, is_invited, people_of
from server.games.changes.offers import seeks_rematch
from server.games.command import Command, PlayerCommand
from server.games.errors import NotAllowed, Refused, WrongInvitation
from server.games.joining import Way
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.game_writer import StorageDown
from server.realtime.shared import Services
from server.storage.errors import Unavailable
from server.storage.tables.quotas import Places, Quota

MAX_OF_ONE: Final = 5
"""Challenges of one person that wait for another, who is shown only so many."""
MAKING_MS: Final = 60_000
"""A challenge that is not stored after that was given up by a process that died: no write takes so long."""


async def check_meeting(services: Services, game: Game, command: Command) -> None:
    """Raises Refused if `command` would bring people closer to another game who are kept apart, or are guests where
    guests only watch; StorageDown.
    """
    # The computer is nobody.
    welcome = all(services.guests.may(player, Way.LINK) for player in people_of(game) if player.id)
    if not welcome and seeks_rematch(game, command):
        raise NotAllowed("no_rematch")
    asking, others, otherwise = _brought_together(game, command)
    try:
        for other in others:
            if not await hears_of(services, asking, other):
                raise otherwise
    except Unavailable as error:
        raise StorageDown("not_saved") from error


def _brought_together(game: Game, command: Command) -> tuple[str, Sequence[Player], Refused]:
    """The id of the person who gives the command, the players it brings to them, and the refusal that tells nothing."""
    match command:
        case Join(player, secret) if game.status is Status.OPEN and is_invited(game, player, secret):
            # They may ask again for the seat that they have.
            others = () if game.color_of(player.id) is not None else people_of(game)
            return player.id, others, WrongInvitation("cannot_join")
        case PlayerCommand(color) if seeks_rematch(game, command) and game.computer is None:
            asking, other = game.player(color), game.player(color.other)
            if asking is not None and other is not None:
                return asking.id, (other,), NotAllowed("no_rematch")
    return "", (), NotAllowed("no_rematch")


async def are_apart(services: Services, one: str, other: str) -> bool:
    """Has either blocked the other, as the store says now? Raises Unavailable."""
    if services.alone:
        return services.blocks.are_apart(one, other)
    return await services.store.ties.are_apart(one, other)


async def hears_of(services: Services, asking: str, other: Player) -> bool:
    """Does `other` learn what the person `asking` (an id) wants of them? Not if they have blocked that person.

    It is made all the same, as something that is never answered: a refusal would show that they are blocked. Raises
    NotAllowed, which says so, if `asking` has blocked `other`; Unavailable.
    """
    if other.id == asking or not await are_apart(services, asking, other.id):
        return True
    if other.id in services.blocks.unheard_by(asking):
        raise NotAllowed("blocked_by_you", name=other.name)
    return False


async def check_challenges(services: Services, asking: str, asked: Player, game_id: str) -> None:
    """Raises NotAllowed if MAX_OF_ONE challenges of the person `asking` (an id) wait for `asked`, or are being made;
    Unavailable.

    The next game has that id. It gets its place before it is stored, so that `asked` sees none too many. Challenges of
    others do not count, so nobody can make a person unreachable for everybody.
    """
    store, now = services.store, services.now()

    async def standing(places: Places) -> Sequence[str]:
        lately = places.taken if now - places.at < MAKING_MS else ()
        # First: what is stored after this is found among the running games.
        made = (await store.progress(lately, now)).revs
        running = await store.running_of(asking)
        waiting = [one.id for one in running if one.status == Status.OPEN and one.asked == asked.name]
        return list(dict.fromkeys([*waiting, *(one for one in (*lately, game_id) if one not in made)]))

    if not await store.quotas.admit(Quota(asking, f"challenges {asked.id}", MAX_OF_ONE), game_id, now, standing):
        raise NotAllowed("challenges_wait", name=asked.name)
