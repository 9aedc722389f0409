"""Shapes from many addresses at once, with people beside them whom nobody may turn away; and ids taken beforehand.

The crowd has a few networks, as those have that can be rented. Each newcomer comes from a network of their own, and the
owner of an account from where they are known: in a browser of theirs, wherever it is now, or in their network.
"""

import asyncio
import json
from collections.abc import Callable
from itertools import count

from server.web.accounts.accounts import BROWSER
from tests.faults.abuse.bodies import CHESS, FIELDS, fields, ordinary
from tests.faults.abuse.many_games import NETWORK, PASSWORD, PLAYER
from tests.faults.abuse.shape import END_OF_ATTACK, Shape, on_connections
from tests.faults.abuse.targets import Target
from tests.faults.abuse.wire import Attack, Connection, Spent, json_of
from tests.support.rules.built_in import VARIANTS

EVERYBODYS = ("POST /api/guest", "GET /", "GET /rules/{variant}", "GET /api/games", "GET /{game}/board.png")
"""What anybody may ask who comes for the first time, and what the whole site shares."""
OF_GAME = ("board.png", "board.svg", "card.png", "replay.svg")
"""The pictures of which there are as many as somebody asks for: a film of a long game takes seconds."""
REFUSED = 400
"""From this status on."""
APART_S = 0.05
TRIES = 3
"""Of an owner in each way: who signs in more often than ten times in ten minutes has to wait."""
PLIES = 300


def of_crowd(number: int) -> str:
    """The address of one of the crowd: of four /16, each time another."""
    return f"198.{20 + number % 4}.{number // 4 % 256}.{number // 1024 % 256}"


def of_newcomer(number: int) -> str:
    return f"{100 + number % 50}.{number // 50 % 256}.1.1"


Request = Callable[[int], bytes]
"""The request with that number."""


async def crowd(attack: Attack, asked: Request, *beside: Request, most: int = 1_000) -> None:
    """On 49 connections each request is another one's; on one more for each of `beside`, people ask as long as that.

    They ask at most `most` times, at least once, and wait for every answer; who refuses them is counted.
    """
    numbers = count()

    async def one(attack: Attack, line: Connection) -> None:
        while attack.goes_on:
            await line.send(asked(next(numbers)))
            await line.answer()

    async def person(request: Request) -> None:
        line = await attack.connect()
        try:
            for number in range(most):
                await line.send(request(number))
                attack.sent.turned_away += await line.answer() >= REFUSED
                await asyncio.sleep(APART_S)
                if not attack.goes_on:
                    break
        except Spent:
            return
        except END_OF_ATTACK:
            attack.sent.turned_away += 1
        finally:
            line.close()

    attack.begin()
    await asyncio.gather(on_connections(attack, one, count=49), *map(person, beside))


async def from_many_addresses(attack: Attack) -> None:
    body, kind = ordinary(attack.target)
    size = {"Content-Type": kind, "Content-Length": str(len(body))} if body else {}

    def asked(address: str) -> bytes:
        return attack.head({"X-Forwarded-For": address, **size}) + b"\r\n" + body

    await crowd(attack, lambda number: asked(of_crowd(number)), lambda number: asked(of_newcomer(number)))


async def new_pictures(attack: Attack) -> None:
    """Each another one of the longest game; people beside want one of a variant, and one of that game."""
    known = sorted(VARIANTS)

    def asked(address: str, path: str) -> bytes:
        return attack.head({"X-Forwarded-For": address}, path) + b"\r\n"

    def flood(number: int) -> bytes:
        how = {
            "board": f"?ply={number % PLIES}&size={200 + number // PLIES % 200}",
            "replay": f"?size={200 + number % 400}",
        }
        return asked(of_crowd(number), attack.target.path + how.get(attack.target.path.split("/")[-1][:-4], ""))

    def variants(number: int) -> bytes:
        return asked(of_newcomer(2 * number), f"/api/variants/{known[number % len(known)]}/card.png")

    def games(number: int) -> bytes:
        return asked(of_newcomer(2 * number + 1), f"/{attack.game}/board.png?ply={PLIES - number % PLIES}")

    await crowd(attack, flood, variants, games)


async def sign_ins(attack: Attack) -> None:
    """Passwords tried for an account and for names that nobody has, while its owner signs in and others register."""

    def asked(address: str, path: str, cookie: str = "", **values: str) -> bytes:
        body = fields(**{name: value.replace(" ", "+") for name, value in values.items()})
        cookies = {"Cookie": cookie} if cookie else {}
        size = {"Content-Type": FIELDS, "Content-Length": str(len(body))}
        return attack.head({"X-Forwarded-For": address, **size, **cookies}, path, "POST") + b"\r\n" + body

    def guess(number: int) -> bytes:
        name = PLAYER.name if number % 2 else f"nobody{number}"
        return asked(of_crowd(number), "/sign-in", name=name, password=f"a wrong password {number}")

    def known_browser(number: int) -> bytes:
        cookie = f"{BROWSER}={attack.owner.browser}"
        return asked(of_newcomer(2 * number), "/sign-in", cookie, name=PLAYER.name, password=PASSWORD)

    def known_network(_: int) -> bytes:
        return asked(NETWORK, "/sign-in", name=PLAYER.name, password=PASSWORD)

    def newcomer(number: int) -> bytes:
        return asked(of_newcomer(2 * number + 1), "/register", name=f"newcomer{number}", password=PASSWORD)

    await crowd(attack, guess, known_browser, known_network, newcomer, most=TRIES)


async def ids_taken(attack: Attack) -> None:
    """Whatever stands in the lobby gets a game of the attacker's under its id."""
    game = json_of(
        {"variant": "chess", "fen": CHESS, "color": "white", "computer": 3, "begun": 0, "played": 0, "moves": ["e2e4"]}
    )
    size = {"Content-Type": "application/json", "Content-Length": str(len(game))}
    seek = json_of({"variants": ["chess"], "clock": {"kind": "realtime", "initial": 300, "increment": 0}})
    sought = {"Content-Type": "application/json", "Content-Length": str(len(seek))}

    async def one(attack: Attack, line: Connection) -> None:
        await line.send(attack.head(sought, "/api/seeks", "POST") + b"\r\n" + seek)
        await line.answer()
        await line.send(attack.head(path="/api/seeks", method="GET") + b"\r\n")
        head = await line.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        listed = json.loads(await line.reader.readexactly(length))
        for found in listed.get("seeks", []):
            await line.send(attack.head(size, f"/api/games/{found['id']}/offline", "POST") + b"\r\n" + game)
            await line.answer()

    await on_connections(attack, one, count=10)


def is_everybodys(target: Target) -> bool:
    return target.name in EVERYBODYS


def is_picture_of_game(target: Target) -> bool:
    return target.route.removeprefix("/{game}/") in OF_GAME


CROWDS = (
    Shape("flood from many addresses", from_many_addresses, is_everybodys),
    Shape("pictures never drawn before", new_pictures, is_picture_of_game),
    Shape("sign-ins from many addresses", sign_ins, lambda target: target.name == "POST /sign-in"),
    Shape("ids taken beforehand", ids_taken, lambda target: target.name == "POST /api/games/{game}/offline"),
)
