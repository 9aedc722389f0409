"""Makes a game, prints the link for the opponent, and plays any legal move. Needs Python 3.11 and aiohttp."""

import asyncio
import random
import sys

import aiohttp


async def play(site: str, variant: str) -> None:
    jar = aiohttp.CookieJar(unsafe=True)  # keep the seat's cookie also when the site is named by its IP address
    async with aiohttp.ClientSession(site, cookie_jar=jar, headers={"Origin": site}) as web:
        clock = {"kind": "realtime", "initial": 180, "increment": 2}
        async with web.post("/api/games", json={"variant": variant, "clock": clock}) as answer:
            game = await answer.json()
        print("Play me:", game["link"], flush=True)
        async with web.ws_connect("/ws") as socket:
            await socket.send_json({"t": "hi", "proto": 1, "game": game["id"]})
            ply = 0
            async for frame in socket:
                message = frame.json()
                match message["t"]:
                    case "ping":  # the server measures how slow the connection is
                        await socket.send_json({"t": "pong", "p": message["p"]})
                    case "snapshot":
                        ply = len(message["moves"])
                    case "moved":
                        ply = message["ply"] + 1
                    case "over":
                        print(message["ended"]["result"], message["ended"]["reason"])
                        return
                if message.get("legal"):  # only the side to move is told what it may play
                    uci = random.choice(message["legal"].split())
                    await socket.send_json({"t": "move", "id": ply, "ply": ply, "uci": uci})


asyncio.run(play(sys.argv[1], sys.argv[2]))
