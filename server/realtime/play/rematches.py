"""Whether two people may agree on a rematch: two who are kept apart finish their game, and begin no other."""

from server.games.command import Command, PlayerCommand
from server.games.commands import seeks_rematch
from server.games.errors import NotAllowed
from server.games.state import Game
from server.realtime.play.game_writer import StorageDown
from server.realtime.process.meeting import check_may_meet
from server.realtime.process.services import Services
from server.storage.errors import Unavailable


async def check_rematch(services: Services, game: Game, command: Command) -> None:
    """Raises NotAllowed if `command` would bring two such players closer to another game, and StorageDown."""
    if not (isinstance(command, PlayerCommand) and seeks_rematch(game, command)):
        return
    asking, other = game.player(command.color), game.player(command.color.other)
    if asking is None or other is None:
        return
    try:
        await check_may_meet(services, asking.id, other, NotAllowed("no_rematch"))
    except Unavailable as error:
        raise StorageDown("not_saved") from error
