"""A bot that is written with berserk, the Python client of lichess: only its base URL is ours.

It blocks, so each of its calls runs in a thread of its own, while the site runs in the loop of the test.
"""

import asyncio
import threading

import berserk

from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import go, register
from tests.support.web.tokens import TOKEN

EVERYTHING = {"bot_play": "yes", "read": "yes", "write": "yes"}


class BerserkBot:
    """Somebody whose program speaks to `site` by `token`."""

    def __init__(self, site, name, token):
        self.name = name
        self.token = token
        self.site = str(site).rstrip("/")
        self.session = berserk.TokenSession(token)
        self.client = berserk.Client(self.session, base_url=self.site)
        self.streams = []

    async def do(self, call, *given, **named):
        """What `call`, a method of the client's, returns. Raises what it raises."""
        return await asyncio.to_thread(call, *given, **named)

    async def post(self, path, **sent):
        """The status and the answer of a request for which berserk has no method."""

        def send():
            answer = self.session.post(self.site + path, timeout=10, **sent)
            return answer.status_code, answer.json()

        return await asyncio.to_thread(send)

    def listen(self, lines):
        """Reads a stream in a thread, for as long as it lasts."""
        stream = Stream(lines)
        self.streams.append(stream)
        return stream


class Stream:
    """What a stream of the client's has said so far. `begun`: it has said something; `ended`: it says no more."""

    def __init__(self, lines):
        self._lines = lines
        self._loop = asyncio.get_running_loop()
        self._queue = asyncio.Queue()
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for line in self._lines:
                self._loop.call_soon_threadsafe(self._queue.put_nowait, line)
                self._loop.call_soon_threadsafe(self.begun.set)
        except Exception as error:
            self._say(self._queue.put_nowait, {"type": "broken", "error": error})
        self._say(self.ended.set)

    def _say(self, what, *given):
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what, *given)

    async def next(self, seconds=PATIENCE_S):
        return await asyncio.wait_for(self._queue.get(), seconds)

    async def until(self, kind, seconds=PATIENCE_S):
        """The next line of that type."""
        while (line := await self.next(seconds))["type"] != kind:
            assert line["type"] != "broken", line
        return line

    @property
    def silent(self):
        return self._queue.empty()


async def challenge(one, other, **terms):
    """What comes of the challenge of `one` to `other`."""
    asked = {"rated": False, "clock_limit": 300, "clock_increment": 3, "color": "white", **terms}
    return await one.do(one.client.challenges.create, other.name, **asked)


async def begun(one, other, **terms):
    """The id of a game in which `one` has White, and the streams of both, which show whatever happens from now on."""
    game = (await challenge(one, other, **terms))["id"]
    await other.do(other.client.bots.accept_challenge, game)
    streams = [bot.listen(bot.client.bots.stream_game_state(game)) for bot in (one, other)]
    for stream in streams:
        await asyncio.wait_for(stream.begun.wait(), PATIENCE_S)
    return game, streams


async def with_token(person, name, **scopes):
    """A token of a new account of that name."""
    assert await register(person, name) == "/?registered"
    _, page = await go(person, "/account/tokens", name="test", **(scopes or EVERYTHING))
    return TOKEN.search(page)[0]


async def become_bot(person, name, site):
    """A bot of a new account of that name."""
    bot = BerserkBot(site, name, await with_token(person, name))
    await bot.do(bot.client.account.upgrade_to_bot)
    return bot
