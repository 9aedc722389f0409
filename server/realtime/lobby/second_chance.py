"""Puts back the seek of somebody who waited in vain: the opponent whom the lobby had found never came to the board."""

from contextlib import suppress

from server.games.errors import Refused
from server.games.seeks.seek import Seek
from server.realtime.lobby.lobby import Lobby
from server.realtime.play.command_queue import Busy
from server.realtime.process.bus import WaitedInVain
from server.realtime.process.services import Services
from server.storage.errors import StoreError


def put_back(lobby: Lobby, services: Services, waited: WaitedInVain) -> None:
    """Their seek stands again soon, if it was paired in this process and they play nothing else."""
    seek = services.unstarted.put_back(waited.game, waited.player)
    if seek is not None:
        services.background.spawn(_seek_again(lobby, services, seek))


async def _seek_again(lobby: Lobby, services: Services, seek: Seek) -> None:
    with suppress(Refused, Busy, StoreError):
        games = await services.store.running_of(seek.maker.player.id)
        if not any(game.by_the_minute for game in games):
            await lobby.seek(seek)
