"""One person's socket of the lobby."""

import json
from contextlib import asynccontextmanager

from tests.support.patience import PATIENCE_S


class Lobby:
    """The lobby's socket of one person's browser."""

    def __init__(self, socket):
        self.websocket = socket

    async def next(self):
        return json.loads((await self.websocket.receive(timeout=PATIENCE_S)).data)


@asynccontextmanager
async def lobby_of(person):
    async with person.http.ws_connect("/ws/lobby") as socket:
        await socket.send_str('{"t":"hi","proto":1}')
        yield Lobby(socket)
