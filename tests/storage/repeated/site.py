"""A whole site in this process without sockets, timers and mail server, so that a test may let one die at any moment
and start the next on the same store within a hundredth of a second.
"""

import asyncio
import json
import re
import sys
from contextlib import asynccontextmanager
from functools import partial
from http.cookies import SimpleCookie
from importlib import import_module
from unittest import mock
from urllib.parse import urlencode

from aiohttp import StreamReader, web
from aiohttp.test_utils import make_mocked_request

from server import app as building
from server.games.game_id import OWN_IDS, own_id
from server.mail.delivery import DeliveryOutcome
from server.mail.inbound import lmtp
from server.mail.sender import OutboxSender
from server.realtime import live
from server.realtime.cluster.bus import Bus
from server.realtime.play import game_writer
from server.realtime.runtime.background import every, running
from server.realtime.runtime.ids import digest
from server.realtime.runtime.timers import Now
from server.realtime.services.explorer_index import ExplorerIndex
from server.realtime.services.recovery import StallWatchdog
from server.web.accounts import accounts
from server.web.assets import find_assets
from server.web.bots.token_pages import LENGTH, PREFIX
from server.web.budgets.buckets import RateLimit
from server.web.budgets.limits import Limits
from server.web.operation import housekeeping, puzzle_filling, site_check
from server.web.operation.housekeeping import invite_first_host
from server.web.site import SITE
from tests.support.mail.bounced import report
from tests.support.patience import PATIENCE_S
from tests.support.realtime.hand_clock import START, HandClock
from tests.support.web.in_process import default_settings

ADDRESS = "https://chess.example"
MAIL = {
    "smtp_url": "smtp://127.0.0.1:25",
    "mail_from": "chess@mail.example.com",
    "mail_lmtp_port": 2525,
    "public_url": ADDRESS,
    "shipped_puzzles": True,
    "fill_puzzles": 3,
}


GIVEN_UP_MS = 15_000
"""Instead of a day."""
FOUND = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 30\tg7g8\ta1a8"
"""What the engine finds when it makes puzzles."""


class Deaf(Bus):
    """There are other processes, and nothing that any of them tells arrives."""

    alone = False


SOMEBODY_WAITS = "waits"
"""The topic of a push."""


class Random:
    """What is drawn at random while a site is tested, so that it can be told from what was there before."""

    def __init__(self):
        self.drawn = set()

    def patch(self, monkeypatch):
        import secrets

        below, choice, urlsafe, hexed = secrets.randbelow, secrets.choice, secrets.token_urlsafe, secrets.token_hex

        def randbelow(most):
            if most != OWN_IDS:
                return 0
            number = below(most)
            self.drawn.add(own_id(number))
            return number

        def noted(draw):
            def token(*size):
                text = draw(*size)
                self.drawn |= {text, digest(text)}
                return text

            return token

        signs = []

        def choose(among):
            if not isinstance(among, str):
                return among[0]
            signs.append(choice(among))
            self.drawn.add(digest(PREFIX + "".join(signs[-LENGTH:])))
            return signs[-1]

        monkeypatch.setattr(secrets, "randbelow", randbelow)
        monkeypatch.setattr(secrets, "choice", choose)
        monkeypatch.setattr(secrets, "token_urlsafe", noted(urlsafe))
        monkeypatch.setattr(secrets, "token_hex", noted(hexed))


class PlainHashing:
    """Passwords that can be read, at no cost."""

    def __init__(self, *_):
        pass

    async def hash(self, password, *_, **__):
        return f"hash of {password}"

    async def matches(self, password, stored, *_, **__):
        return stored == f"hash of {password}"

    def outdated(self, stored):
        return False

    def close(self):
        pass


class Pushes:
    """Web push without a push service."""

    public_key = "key"

    def __init__(self, sent):
        self._sent = sent

    async def send(self, device, message, topic, stale_s):
        self._sent.append((device.endpoint, topic))
        return True

    async def close(self):
        pass


class MailServer:
    """What it was handed, and what it says of each mail."""

    def __init__(self):
        self.sent = []
        self.says = DeliveryOutcome.TAKEN

    @asynccontextmanager
    async def connect(self):
        async def deliver(address, return_path, message):
            self.sent.append((address, message))
            return self.says

        yield deliver


class Sites:
    """Starts sites on one store."""

    def __init__(self, content, folder, monkeypatch):
        self.content = content
        self.settings = default_settings(folder, monkeypatch, **MAIL)
        self.clock = HandClock(START)
        self.random = Random()
        self.random.patch(monkeypatch)
        self.mail_server = MailServer()
        self._chores, self._once, self._inboxes, self._stores = [], [], [], []
        self._tasks = []
        monkeypatch.setattr(Now, "__call__", lambda _: self.clock())
        monkeypatch.setattr(building, "LivePlay", partial(live.LivePlay, sleep=lambda _: asyncio.sleep(0)))
        # How long something takes says how busy the machine is.
        monkeypatch.setattr(game_writer, "ATTEMPT_S", PATIENCE_S)
        monkeypatch.setattr(accounts, "FOLLOW_S", PATIENCE_S)
        monkeypatch.setattr(housekeeping, "ExplorerIndex", partial(ExplorerIndex, pause_s=0))
        monkeypatch.setattr(housekeeping, "running", self._running)
        monkeypatch.setattr(puzzle_filling, "GIVEN_UP_MS", GIVEN_UP_MS)
        monkeypatch.setattr(puzzle_filling, "puzzle_lines", _found)
        monkeypatch.setattr(building, "Hashing", PlainHashing)
        monkeypatch.setattr(site_check, "COMMAND", ("true",))
        monkeypatch.setattr(building, "add_image_cache", lambda app, assets: None)
        monkeypatch.setattr(building, "open_store_of_site", self._store)
        monkeypatch.setattr(building, "mail_server_of", lambda settings: self.mail_server.connect)
        monkeypatch.setattr(building, "open_push", lambda settings, now: Pushes(self.mail_server.sent))
        # The clock jumps, and nobody was kept waiting.
        monkeypatch.setattr(StallWatchdog, "start", lambda _: None)
        monkeypatch.setattr(lmtp, "lmtp_port", self._lmtp_port)
        monkeypatch.setattr(OutboxSender, "run", lambda sender: self._every(0, sender.send_due))
        import_module("server.web.mailing")  # as late as at the start of a site that has mail
        for name, module in tuple(sys.modules.items()):
            if name.startswith("server.") and getattr(module, "every", None) is every:
                monkeypatch.setattr(module, "every", self._every)

    async def _store(self, settings, variants):
        return self._stores[-1]

    @asynccontextmanager
    async def _lmtp_port(self, inbox, *_):
        self._inboxes.append(inbox)
        yield

    def _every(self, seconds, work, *, at_once=False):
        self._chores.append(work)
        return asyncio.Event().wait()

    @asynccontextmanager
    async def _running(self, *loops):
        """What a process does once is noted, and only done as an action; but the first thing a site does is done."""
        waits = []
        for loop in loops:
            name = loop.__qualname__
            if name == "Event.wait":
                waits.append(loop)
                continue
            self._once.append(name)
            if name == invite_first_host.__name__:
                await loop
            else:
                loop.close()
        async with running(*waits):
            yield

    async def start(self, bus=None):
        """A new process."""
        process, store = self.content.process()
        if bus is not None:
            store.shared = True
        await self.content.prepare(store)
        self._stores.append(store)
        self._chores, self._once = [], []
        app = building.build_app(self.settings, find_assets())
        with mock.patch.object(building, "open_bus", _opens(bus or Bus())):
            runner = web.AppRunner(app)
            tasks = self._noted_tasks()
            await runner.setup()
        for name in Limits.__slots__:
            # Whoever repeats is not to be slowed down here.
            setattr(app[SITE].limits, name, RateLimit(10**9, 1))
        site = OneSite(self, app, runner, process, tasks)
        await site.quiet()
        return site

    def _noted_tasks(self):
        """The tasks that are begun from now on until the next process starts. `asyncio.all_tasks` looks through all of
        all processes.
        """
        tasks = self._tasks = []
        loop = asyncio.get_running_loop()

        def noted(loop, work, **more):
            task = asyncio.Task(work, loop=loop, **more)
            self._tasks.append(task)
            return task

        loop.set_task_factory(noted)
        return tasks


async def _found(settings, batch):
    return [FOUND]


def _opens(bus):
    async def open_bus(settings):
        return bus

    return open_bus


CONNECTION = mock.Mock(_reading_paused=False, peername=None, sockname=("127.0.0.1", 80))
OF_CONNECTION = dict.fromkeys(("protocol", "transport", "writer"), CONNECTION)
"""One for all requests, none of which is answered through it: to make one takes longer than to answer the request."""


def name_of(chore):
    """What a chore is called."""
    return re.sub(r"^(.*<locals>\.|Sqlite|Mongo)", "", getattr(chore, "func", chore).__qualname__)


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.location = response.headers.get("Location", "")
        body = getattr(response, "body", None)
        self.text = body.decode(errors="replace") if isinstance(body, bytes) else ""
        self.cookies = response.cookies

    def json(self):
        return json.loads(self.text)


class Browser:
    """Somebody's cookies, and the token of their program."""

    def __init__(self, cookies=None, token=""):
        self.cookies = dict(cookies or {})
        self.token = token

    def copy(self):
        return Browser(self.cookies, self.token)


class OneSite:
    """One process of the site."""

    def __init__(self, sites, app, runner, process, tasks):
        self.app, self.process, self.inbox = app, process, sites._inboxes[-1]
        self.mail_server, self.clock = sites.mail_server, sites.clock
        self.chores = {name_of(work): work for work in sites._chores}
        self.once = sites._once
        self._runner, self._tasks = runner, tasks

    @property
    def site(self):
        return self.app[SITE]

    @property
    def store(self):
        return self.site.store

    async def request(self, browser, method, path, *, form=None, json_body=None, body=b"", kind=""):
        """The answer to one request."""
        if form is not None:
            body, kind = urlencode(form).encode(), "application/x-www-form-urlencoded"
        elif json_body is not None:
            body, kind = json.dumps(json_body).encode(), "application/json"
        headers = {"Host": "chess.example", "Origin": ADDRESS}
        if browser.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        if browser.token:
            headers["Authorization"] = f"Bearer {browser.token}"
        if kind:
            headers["Content-Type"] = kind
        headers["Content-Length"] = str(len(body))
        loop = asyncio.get_running_loop()
        reader = StreamReader(CONNECTION, 2**16, loop=loop)
        reader.feed_data(body)
        reader.feed_eof()
        asked = make_mocked_request(method, path, headers, app=self.app, payload=reader, loop=loop, **OF_CONNECTION)
        asked = asked.clone(remote="192.0.2.1", scheme="https")
        try:
            response = await self.app._handle(asked)
        except web.HTTPException as answer:
            response = answer
        answer = Answer(response)
        for name, morsel in SimpleCookie(answer.cookies).items():
            if morsel["max-age"] in ("0", 0):
                browser.cookies.pop(name, None)
            else:
                browser.cookies[name] = morsel.value
        return answer

    async def mail(self, address, text, message_id):
        """What a mail server hears that hands over a reply."""
        content = f"Message-ID: <{message_id}>\r\nSubject: Re: your move\r\n\r\n{text}\r\n".encode()
        return await self.inbox.take_mail(address, "somebody@example.net", content)

    async def returned_mail(self, address):
        """What a mail server hears that hands over a report about a mail of ours."""
        return await self.inbox.take_mail(address, "", report(address, "5.2.2"))

    async def quiet(self):
        """Returns when nothing that was begun goes on."""
        begun = self.site.live.services.background
        async with asyncio.timeout(PATIENCE_S):
            while begun._tasks:
                await asyncio.wait(set(begun._tasks))

    async def do_chores(self, *names, but=()):
        """Does what its timers would: all chores, or these."""
        for name, work in self.chores.items():
            if name not in but and (not names or name in names):
                await work()
                await self.quiet()

    async def kill(self):
        """Nothing of it goes on, and nothing was said."""
        self.process.dead = True
        mine = [
            task
            for task in self._tasks
            if not task.done()
            and task is not asyncio.current_task()
            and not (self.process.shares_writes and "GroupCommit" in getattr(task.get_coro(), "__qualname__", ""))
        ]
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)
        await self._runner.cleanup()

    async def stop(self):
        await self._runner.cleanup()
