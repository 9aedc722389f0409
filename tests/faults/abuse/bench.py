"""One shape of attack at many routes of one server, with the probe beside it, and what is wrong with what came of it.

The attacker, the server and the probe are a process each, and the attacker gives way to the others. Every route is
attacked from a network address of its own; behind the same address sits a player who then loads their game and comes
back to it. Times are ms, memory is MB.
"""

import asyncio
import json
import re
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from server.web.games.your_games import MAX_AT_ONCE
from tests.faults.abuse.bodies import pgn_of
from tests.faults.abuse.many_games import DOMAIN, Owner, somebody_with_many_games
from tests.faults.abuse.probe import NOTHING, Probe, TimedTable, Waits, probing
from tests.faults.abuse.targets import Target, at_game
from tests.faults.abuse.wire import Seats
from tests.support.free_port import free_port
from tests.support.live.play import play_at_once, seat_at
from tests.support.live.processes import SITE, Fairyhouse, Relay
from tests.support.live.recorded_games import scores
from tests.support.live.tables import Figures

P99_MS, WORST_MS = 100, 250
"""The promise: no client makes a move of somebody else's take longer."""
GROWS_MB, STAYS_MB, BACK_S = 100, 30, 60
"""Memory may grow by so much under an attack, and is down to so much more than before after a minute."""
BETWEEN_S = 0.1
LONGEST_GAMES = (5_000, 2_000, 1_000, 600, 300)
"""Half-moves; as long a game as the server takes is what the attacker asks for."""
HERE_S = 15
LONG, HURRY_S = 190, 1.5
NOWHERE = "smtp://127.0.0.1:1"
"""No mail is ever sent."""


@dataclass(frozen=True, slots=True)
class Window:
    """One shape at one target: the moves meanwhile, what was answered, and what the player behind the address met."""

    target: Target
    took: Waits
    computed: Waits
    sent: int
    answers: dict[str, int]
    victim: str
    turned_away: int

    def faults(self) -> list[str]:
        found = [f"{count} times 500" for status, count in self.answers.items() if status == "500"]
        found += [f"{self.turned_away} people beside it were turned away"] if self.turned_away else []
        return found + ([f"the player behind the same address: {self.victim}"] if self.victim else [])


@dataclass(slots=True)
class Memory:
    before: float = 0.0
    most: float = 0.0
    after: float = 0.0

    def __str__(self) -> str:
        return f"{self.before:.0f}, {self.most:.0f}, {self.after:.0f} MB"


@dataclass(slots=True)
class Report:
    """What one or more shapes did to one server. `control`: the moves while a bare relay was attacked instead."""

    windows: dict[tuple[str, str], Window] = field(default_factory=dict)
    took: Waits = NOTHING
    computed: Waits = NOTHING
    control: Waits = NOTHING
    memory: Memory = field(default_factory=Memory)
    holds: dict[str, float] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """All that is wrong but the times of the moves, whichever of the two is to be judged."""
        found = [f"{shape} at {target}: {fault}" for (shape, target), window in self.windows.items()
                 for fault in window.faults()]  # fmt: skip
        if self.memory.most > self.memory.before + GROWS_MB or self.memory.after > self.memory.before + STAYS_MB:
            found.append(f"memory before, under and after: {self.memory}")
        return found + self.errors

    def late(self, p99: float, worst: float, by_computed: bool = False) -> list[str]:
        """Nothing if the moves took no longer than that; else what they took, and where they took the longest."""
        found = self.computed if by_computed else self.took
        if found.p99 <= p99 and found.worst <= worst:
            return []
        return [f"moves took {found}", *self.slowest(by_computed)]

    def slowest(self, by_computed: bool) -> list[str]:
        """The windows whose moves took the longest, the worst first."""
        times = {name: window.computed if by_computed else window.took for name, window in self.windows.items()}
        ordered = sorted(times.items(), key=lambda each: -each[1].worst)
        return [f"{shape} at {target}: {waits}" for (shape, target), waits in ordered[:10]]


class Attacker:
    """The process that attacks."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def play(self, seconds: float, **order: object) -> dict:
        self._process.stdin.write(json.dumps({"seconds": seconds, **order}).encode() + b"\n")
        line = await asyncio.wait_for(self._process.stdout.readline(), seconds + 60)
        assert line, "the attacker ended"
        return json.loads(line)


@asynccontextmanager
async def an_attacker():
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.abuse.attacker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Attacker(process)
    finally:
        process.kill()
        await process.wait()


class Siege:
    """A server under attack. Use `besieged`."""

    def __init__(self, server: Fairyhouse, http: aiohttp.ClientSession, attacker: Attacker, probe: Probe, game: str):
        self.report = Report()
        self.seats = Seats()
        self.owner = Owner()
        self._server, self._http, self._attacker, self._probe, self._game = server, http, attacker, probe, game
        self._addresses = (f"198.18.{n >> 8}.{n & 255}" for n in range(65_536))
        self._began = time.monotonic()

    async def attack(self, shape: str, target: Target, seconds: float) -> None:
        """One shape at one target for so long; the report has a window more."""
        (target,) = at_game([target], self._game)
        address = next(self._addresses)
        did = await self._order(self._server.port, shape, target, seconds, address)
        await self._probe.answered()
        victim = await self._victim_comes_back(address)
        await asyncio.sleep(BETWEEN_S)
        took, computed = self._probe.waits(did["began"], time.monotonic())
        self.report.windows[shape, target.name] = Window(
            target, took, computed, did["sent"], did["answers"], victim, did["turned_away"]
        )

    async def attack_relay(self, relay: Relay, shape: str, target: Target, seconds: float) -> None:
        """The same at a server that nobody plays at: what the machine itself does to a move."""
        began = time.monotonic()
        await self._order(relay.port, shape, target, seconds, "198.19.0.1")
        await self._probe.answered()
        self.report.control, _ = self._probe.waits(began, time.monotonic())
        self._began = time.monotonic()

    async def _order(self, port: int, shape: str, target: Target, seconds: float, address: str) -> dict:
        caller = {"port": port, "address": address}
        owner = self.owner if port == self._server.port else replace(self.owner, mail_port=port)
        by = {"caller": caller, "seats": asdict(self.seats), "owner": asdict(owner)}
        return await self._attacker.play(seconds, shape=shape, target=target.as_json(), game=self._game, **by)

    async def _victim_comes_back(self, address: str) -> str:
        """A player who sits behind that address loads their game and opens a new line; what they met if not that."""
        table = self._probe.somebodys
        guest = table.guests[0]
        guest.move_to(address)
        heard = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(HERE_S):
                if (status := await guest.open_page(self._http, f"/{table.game}")) != 200:
                    return f"the page of their game answers {status}"
                line = await guest.follow(table.game, lambda _, text: heard.done() or heard.set_result(text))
                snapshot = await heard
                line.close()
        except (OSError, TimeoutError) as error:
            return f"{type(error).__name__} {str(error)[:80]}"
        return "" if snapshot.startswith(b'{"t":"snapshot"') else snapshot.decode()[:80]

    async def finish(self, back_s: float) -> None:
        """What is known at the end: all moves, memory after at most `back_s`, holds, health."""
        report, ended = self.report, time.monotonic()
        report.took, report.computed = self._probe.waits(self._began, ended)
        report.errors += self._probe.errors()
        memory = report.memory
        while (after := self._server.rss_mb) > memory.before + STAYS_MB and time.monotonic() < ended + back_s:  # noqa: ASYNC110
            await asyncio.sleep(0.5)
        memory.after = after
        async with self._http.get(f"http://127.0.0.1:{self._server.port}/health") as answer:
            if answer.status != 200:
                report.errors.append(f"/health answers {answer.status}")

    async def read_holds(self, port: int) -> None:
        """The longest time that the requests of each route held the loop."""
        async with self._http.get(f"http://127.0.0.1:{port}/metrics") as answer:
            families = text_string_to_metric_families(await answer.text())
        name = "fairyhouse_longest_handler_hold_seconds"
        samples = (sample for family in families if family.name == name for sample in family.samples)
        self.report.holds = {sample.labels["route"]: sample.value * 1000 for sample in samples}

    async def watch_memory(self) -> None:
        self.report.memory.before = self._server.rss_mb
        while True:
            self.report.memory.most = max(self.report.memory.most, self._server.rss_mb)
            await asyncio.sleep(0.05)


@asynccontextmanager
async def besieged(folder, warm: list[Target], seconds: float, back_s: float = BACK_S):
    """A server with games in play that last so long. When the block ends, `report` of what is yielded is complete."""
    metrics = free_port()
    owner = await somebody_with_many_games(folder / "data", free_port())
    mail = {"SMTP_URL": NOWHERE, "MAIL_FROM": f"games@{DOMAIN}", "MAIL_LMTP_PORT": str(owner.mail_port)}
    server = Fairyhouse(folder, METRICS_PORT=str(metrics), **mail)
    async with server, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http, an_attacker() as attacker:
        game = await longest_game(http, server.port)
        async with probing(server.port, server.host.process.pid, seconds) as probe:
            await load_once(http, server.port, at_game(warm, game))
            siege = Siege(server, http, attacker, probe, game)
            siege.seats = await seats_at_a_long_game(server.port)
            siege.owner = owner
            for cookie in owner.cookies:
                await check_games(http, server.port, cookie)
            watching = asyncio.create_task(siege.watch_memory())
            yield siege
            await siege.finish(back_s)
            watching.cancel()
            await siege.read_holds(metrics)
        code, log = await server.host.stop()
        siege.report.errors += [f"the server ended with {code}"] if code else []
        siege.report.errors += tracebacks(log)


async def longest_game(http: aiohttp.ClientSession, port: int) -> str:
    """The id of an imported game, the longest that the server takes."""
    headers = {"Origin": SITE, "X-Forwarded-For": "198.17.0.1", "Content-Type": "text/plain"}
    for plies in LONGEST_GAMES:
        url = f"http://127.0.0.1:{port}/api/import"
        async with http.post(url, data=pgn_of(plies), headers=headers) as answer:
            if answer.status == 200 and (games := (await answer.json())["games"]):
                return games[0]["id"]
    raise AssertionError("no game was taken")


async def seats_at_a_long_game(port: int) -> Seats:
    """A game in play of so many moves as its players may send in a hurry."""
    score = max(scores(LONG), key=lambda score: len(score.moves))
    (table,) = tables = await seat_at(port, port, [score], Figures(), TimedTable)
    await play_at_once(tables, HURRY_S)
    for socket in table.sockets:
        socket.close()
    return Seats(table.game, [guest.cookie for guest in table.guests])


async def check_games(http: aiohttp.ClientSession, port: int, cookie: str) -> None:
    """Fails unless whoever has this cookie has as many games as anybody may have."""
    async with http.get(f"http://127.0.0.1:{port}/api/me/games", headers={"Cookie": cookie}) as answer:
        assert len((await answer.json())["games"]) == MAX_AT_ONCE


async def load_once(http: aiohttp.ClientSession, port: int, found: list[Target]) -> None:
    """What a server keeps after it was asked for is no growth under an attack."""
    for number, target in enumerate(found):
        if target.method == "GET" and not target.socket:
            headers = {"X-Forwarded-For": f"198.16.0.{number}"}
            async with http.get(f"http://127.0.0.1:{port}{target.path}", headers=headers) as answer:
                await answer.read()


def tracebacks(log: str) -> list[str]:
    """The last line of each traceback in a server's log, each once."""
    errors = [json.loads(line).get("error", "") for line in log.splitlines() if line.startswith("{")]
    last = {error.strip().splitlines()[-1] for error in errors if error}
    return [f"in the log: {line}" for line in sorted(last)] + re.findall(r"^Traceback .*", log, re.MULTILINE)
