"""Whether a command may bring two people to one game: two who are kept apart may finish theirs, but not begin another.

It is asked within the turn of the command, as somebody else may take a seat while it waits. What would be refused
anyway is not asked about: by the answer, whoever is blocked could tell.
"""

from collections.abc import Sequence

from server.games.changes.beginning import Join, is_invited, people_of
from server.games.changes.offers import seeks_rematch
from server.games.command import Command, PlayerCommand
from server.games.errors import NotAllowed, Refused, WrongInvitation
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.game_writer import StorageDown
from server.realtime.process.meeting import check_may_meet
from server.realtime.process.services import Services
from server.storage.errors import Unavailable


async def check_meeting(services: Services, game: Game, command: Command) -> None:
    """Raises Refused if `command` would bring two such people closer to another game, and StorageDown."""
    asking, others, otherwise = _brought_together(game, command)
    try:
        for other in others:
            await check_may_meet(services, asking, other, otherwise)
    except Unavailable as error:
        raise StorageDown("not_saved") from error


def _brought_together(game: Game, command: Command) -> tuple[str, Sequence[Player], Refused]:
    """Whoever asks (an id), those whom the command would bring to them, and how it is refused without saying why."""
    match command:
        case Join(player, secret) if _could_join(game, player, secret):
            return player.id, people_of(game), WrongInvitation("cannot_join")
        case PlayerCommand(color) if seeks_rematch(game, command) and game.computer is None:
            asking, other = game.player(color), game.player(color.other)
            if asking is not None and other is not None:
                return asking.id, (other,), NotAllowed("no_rematch")
    return "", (), NotAllowed("no_rematch")


def _could_join(game: Game, player: Player, secret: str) -> bool:
    return game.status is Status.OPEN and game.color_of(player.id) is None and is_invited(game, player, secret)
