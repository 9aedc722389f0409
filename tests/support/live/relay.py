"""The control: a bare aiohttp server that hands every text on to all sockets of its room. It checks and stores nothing.

    python -m tests.support.live.relay PORT

What Fairyhouse does costs what it costs above this. Same library, same event loop, one process.
"""

import sys
from collections import defaultdict

import uvloop
from aiohttp import WSMsgType, web

ROOMS: defaultdict[str, set[web.WebSocketResponse]] = defaultdict(set)


async def room(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(compress=False)
    await socket.prepare(request)
    others = ROOMS[request.match_info["room"]]
    others.add(socket)
    try:
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                for other in others:
                    await other.send_str(message.data)
    finally:
        others.discard(socket)
    return socket


def main() -> None:
    app = web.Application()
    app.router.add_get("/{room}", room)
    web.run_app(
        app, host="127.0.0.1", port=int(sys.argv[1]), access_log=None, loop=uvloop.new_event_loop(),
        print=lambda *_: print("open", flush=True),
    )  # fmt: skip


if __name__ == "__main__":
    main()
