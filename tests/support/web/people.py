"""People at browsers, for tests: each has a cookie jar and sockets, and speaks the protocol as it is published."""

import asyncio
import json
from contextlib import asynccontextmanager

import aiohttp

from tests.support.patience import PATIENCE_S

BLITZ = {"kind": "realtime", "initial": 300, "increment": 2}


class Socket:
    """One WebSocket that follows one game."""

    def __init__(self, socket):
        self.websocket = socket
        self.seen = []
        self.requests = 0

    async def next(self, seconds=PATIENCE_S):
        """The next message that is neither a ping nor about who is here."""
        while True:
            frame = await asyncio.wait_for(self.websocket.receive(), seconds)
            assert frame.type is aiohttp.WSMsgType.TEXT, (frame, self.websocket.close_code)
            message = json.loads(frame.data)
            if message["t"] == "ping":
                await self.send({"t": "pong", "p": message["p"]})
            elif message["t"] != "crowd":
                self.seen.append(message)
                return message

    async def until(self, tag, seconds=PATIENCE_S):
        while (message := await self.next(seconds))["t"] != tag:
            pass
        return message

    async def closing(self, seconds=PATIENCE_S):
        """The code with which the server closes, whatever it says before."""
        while True:
            frame = await asyncio.wait_for(self.websocket.receive(), seconds)
            if frame.type is aiohttp.WSMsgType.CLOSE:
                return frame.data
            assert frame.type is aiohttp.WSMsgType.TEXT, frame

    async def send(self, message):
        await self.websocket.send_str(json.dumps(message))

    async def send_unescaped(self, message):
        """As browsers do."""
        await self.websocket.send_str(json.dumps(message, ensure_ascii=False))

    async def hello(self, game, **known):
        await self.send({"t": "hi", "proto": 1, "game": game, **known})

    async def move(self, ply, uci):
        """Plays, and returns the answer."""
        return await self.command(t="move", ply=ply, uci=uci)

    async def command(self, **command):
        """Sends a command, and returns the answer to this very one, not a word that the answer takes time."""
        self.requests += 1
        await self.send({**command, "id": self.requests})
        while (message := await self.next()).get("id") != self.requests or message["t"] == "wait":
            pass
        return message


class Person:
    """Somebody with a browser at `site`, whose pages call themselves `origin`; `address` is that of their network."""

    def __init__(self, site, origin=None, address="127.0.0.1"):
        self.site = str(site).rstrip("/")
        self.origin = origin or self.site
        self.http = aiohttp.ClientSession(
            self.site + "/",
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            headers={"Origin": self.origin},
            connector=aiohttp.TCPConnector(local_addr=(address, 0)),
        )

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.http.close()

    async def post(self, path, status=200, **body):
        async with self.http.post(path, json=body) as answer:
            text = await answer.text()
            assert answer.status == status, text
            return json.loads(text)

    async def get(self, path, status=200):
        async with self.http.get(path) as answer:
            text = await answer.text()
            assert answer.status == status, text
            return json.loads(text)

    async def challenge(self, **asked):
        return await self.post("/api/games", 201, **{"variant": "chess", "color": "white", "clock": BLITZ, **asked})

    async def join(self, game):
        return await self.post(f"/api/games/{game['id']}/join", secret=game["secret"])

    @asynccontextmanager
    async def open_socket(self, **headers):
        async with self.http.ws_connect("/ws", headers=headers) as socket:
            yield Socket(socket)

    @asynccontextmanager
    async def follow(self, game, **known):
        """A socket that has said hi."""
        async with self.open_socket() as socket:
            await socket.hello(game["id"], **known)
            yield socket


FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


async def play(sockets, plies, first=0):
    """Plays the moves in turn; each mover waits until the move before has reached them."""
    for ply, uci in enumerate(plies, first):
        answer = await sockets[ply % 2].move(ply, uci)
        assert answer["t"] == "ok", answer
        for socket in sockets:
            if not any(one["t"] == "moved" and one["ply"] == ply for one in socket.seen):
                await socket.until("moved")
