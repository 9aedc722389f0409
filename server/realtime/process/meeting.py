"""May two people be brought together in a game? Not if one has blocked the other; the one blocked is not told why."""

from server.games.errors import NotAllowed, Refused
from server.games.player import Player
from server.realtime.process.services import Services


async def are_apart(services: Services, one: str, other: str) -> bool:
    """Has either blocked the other, as the store says now? Raises Unavailable."""
    if services.alone:
        return services.blocks.are_apart(one, other)
    return await services.store.ties.are_apart(one, other)


async def check_may_meet(services: Services, asking: str, other: Player, otherwise: Refused) -> None:
    """Raises NotAllowed if whoever asks (an id) has blocked `other` themselves, and says so.

    Raises `otherwise`, which must not tell, if they are blocked; Unavailable.
    """
    if other.id != asking and await are_apart(services, asking, other.id):
        if other.id in services.blocks.unheard_by(asking):
            raise NotAllowed("blocked_by_you", name=other.name)
        raise otherwise
