"""The log: one line per event, whatever is in it, no secret, and nothing for what is not even HTTP."""

import asyncio
import io
import json
import logging
import sys

import aiohttp
import pytest
from aiohttp.http_exceptions import BadStatusLine

from server.storage.errors import Unavailable
from server.web.archive import search
from server.web.operation.logs import (
    ConsoleFormatter,
    JsonFormatter,
    RepeatFilter,
    not_a_strangers_noise,
    start_logging,
)
from server.web.session import Sessions
from server.web.site import SITE
from tests.support.patience import PATIENCE_S
from tests.support.web.importing import fill
from tests.support.web.people import BLITZ

HOSTILE = ['a\nlevel="info"', "\r\n\x1b[31mred", '"}\n{"ts": 1', "\x0b\x0c\x85", "\x7f\x9b2J", "\u2028\u202e", "\udc80"]


def record(message, *arguments, error=None):
    caught = None
    if error is not None:
        try:
            raise error
        except type(error):
            caught = sys.exc_info()
    return logging.LogRecord("server.web", logging.ERROR, "x.py", 1, message, arguments, caught)


@pytest.mark.row("I11")
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_starts_a_second_log_line_or_controls_the_terminal(text):
    line = JsonFormatter().format(record("asked for %s", text))
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["msg"] == f"asked for {text}"
    assert json.loads(line)["evt"] == "asked for %s"
    seen = ConsoleFormatter().format(record("asked for %s", text))
    assert seen.isprintable()


@pytest.mark.parametrize("text", HOSTILE)
def test_no_error_text_starts_a_second_log_line(text):
    one = record("it failed", error=ValueError(text))
    line = JsonFormatter().format(one)
    assert line.isascii()
    assert line.isprintable()
    assert text in json.loads(line)["error"]
    first, *rest = ConsoleFormatter().format(one).split("\n")
    assert all(line.isprintable() and line.startswith("  | ") for line in rest)
    assert first.endswith(" error   it failed")


@pytest.mark.row("I11")
def test_a_traceback_is_in_the_same_line():
    line = json.loads(JsonFormatter().format(record("it failed", error=ValueError("why"))))
    assert line["error"].endswith("ValueError: why")
    assert line["lvl"] == "error"


def test_our_own_errors_are_logged_and_strangers_noise_is_not():
    assert not_a_strangers_noise(record("it failed", error=ValueError("why")))
    assert not_a_strangers_noise(record("it failed"))
    assert not not_a_strangers_noise(record("Error handling request", error=BadStatusLine("x")))


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "form", "formatter"),
    [
        (io.StringIO(), "auto", JsonFormatter),
        (Terminal(), "auto", ConsoleFormatter),
        (io.StringIO(), "text", ConsoleFormatter),
        (Terminal(), "json", JsonFormatter),
    ],
)
def test_a_terminal_gets_readable_lines_unless_the_host_chose_another_form(stream, form, formatter, monkeypatch):
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr(logging, "captureWarnings", lambda _: None)
    monkeypatch.setattr(logging.getLogger("aiohttp.server"), "filters", [])
    start_logging("warning", form, stream)
    logging.getLogger("server.web").info("too unimportant")
    logging.getLogger("server.web").warning("hello")
    (handler,) = root.handlers
    assert isinstance(handler.formatter, formatter)
    assert "hello" in stream.getvalue()
    assert "unimportant" not in stream.getvalue()


@pytest.fixture
def log():
    """Everything that anybody says, as the server would write it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before)


def hang_up(server):
    for connection in server.handler.connections:
        if connection.transport is not None:
            connection.transport.abort()


async def served(server):
    async with asyncio.timeout(PATIENCE_S):
        while server.handler.connections:  # noqa: ASYNC110 - what is waited for happens inside the server
            await asyncio.sleep(0)


async def test_a_browser_that_leaves_during_the_handshake_is_not_logged_as_an_error(anna, server, log, monkeypatch):
    async def find(*_):
        hang_up(server)

    monkeypatch.setattr(Sessions, "find", find)
    with pytest.raises(aiohttp.ClientError):
        await anna.http.ws_connect("/ws")
    await served(server)
    assert '"lvl": "error"' not in log.getvalue()
    assert len(server.app[SITE].open_sockets) == 0


async def test_an_aborted_download_is_not_logged_as_an_error(anna, server, log, monkeypatch):
    written = []

    def writing_pgn(*_, **__):
        hang_up(server)
        written.append("all that there was time for")
        yield
        return written[-1]

    await fill(anna)
    monkeypatch.setattr(search, "writing_pgn", writing_pgn)
    with pytest.raises(aiohttp.ClientError):
        await (await anna.http.get("/api/games.pgn")).read()
    await served(server)
    assert '"lvl": "error"' not in log.getvalue()
    assert len(written) == 1


async def test_an_error_is_logged_even_if_nobody_waits_for_the_answer(anna, server, log, monkeypatch):
    async def find(*_):
        hang_up(server)
        raise ConnectionAbortedError("something in the server")

    monkeypatch.setattr(Sessions, "find", find)
    with pytest.raises(aiohttp.ClientError):
        await anna.http.ws_connect("/ws")
    await served(server)
    assert "something in the server" in log.getvalue()


async def test_no_secret_is_in_the_log_even_when_everything_fails(anna, ben, server, log, monkeypatch):
    store, password, wrong = server.app[SITE].store, "canary-password-1", "canary-wrong-word"
    register, fields = {"name": "Anna", "password": password}, {"allow_redirects": False}
    async with anna.http.post("/register", data=register, **fields) as answer:
        assert answer.status == 303
    secrets = {password, wrong, "canary said in chat"}
    game = await anna.challenge()
    secrets |= {game["secret"], *(cookie.value for cookie in anna.http.cookie_jar)}
    await ben.join(game)
    secrets |= {cookie.value for cookie in ben.http.cookie_jar}
    async with anna.follow(game) as line:
        await line.next()
        await line.send({"t": "chat", "id": 9, "text": "canary said in chat"})
        await line.send({"t": "canary-wrong-word", "password": password})
        await line.until("error")

    async def away(*_):
        raise Unavailable("The store is away.")

    async def broken(*_):
        raise RuntimeError("something in the server")

    for failure, status in ((away, 503), (broken, 500)):
        with monkeypatch.context() as patched:
            patched.setattr(store.accounts, "sign_in", failure)
            patched.setattr(store, "create", failure)
            patched.setattr(store, "save", failure)
            async with ben.http.post("/sign-in", data=register, **fields) as answer:
                assert answer.status == status
            await anna.post("/api/games", status, variant="chess", color="white", clock=BLITZ)
    async with ben.http.post("/sign-in", data={**register, "password": wrong}, **fields) as answer:
        assert answer.status == 403
    written = log.getvalue()
    assert written.count('"lvl": "error"') == 2
    assert written.count("the store did not serve") >= 2
    assert not [secret for secret in secrets if secret in written]


def test_a_repeated_event_does_not_fill_the_disk():
    repeats, written = RepeatFilter(), []
    for number in range(1_000):
        one = record("error %s at %s", number, "/")
        one.created = 5_000 + number / 100
        written += [one] if repeats.filter(one) else []
    assert len(written) == RepeatFilter.AT_MOST
    other = record("something else")
    other.created = 5_010
    assert repeats.filter(other)
    later = record("error %s at %s", 1_000, "/")
    later.created = 5_000 + RepeatFilter.PERIOD_S
    assert repeats.filter(later)
    line = json.loads(JsonFormatter().format(later))
    assert (line["evt"], line["left_out"]) == ("error %s at %s", 980)


def test_events_of_one_address_do_not_hide_those_of_another():
    repeats = RepeatFilter()
    for address in ("192.0.2.1", "192.0.2.2"):
        written = 0
        for number in range(100):
            one = record("sign-in refused from %s", address)
            one.created, one.apart = 5_000 + number / 100, address
            written += repeats.filter(one)
        assert written == RepeatFilter.AT_MOST


@pytest.mark.parametrize("addresses", [1_000, 50_000])
def test_many_addresses_together_do_not_fill_the_disk_either(addresses):
    repeats, written = RepeatFilter(), []

    def refuse(number, at):
        one = record("sign-in refused from %s", number)
        one.created, one.apart = at, str(number % addresses)
        written.extend([one] if repeats.filter(one) else [])

    for number in range(100_000):
        refuse(number, 5_000 + number / 10_000)
    assert len(written) == RepeatFilter.AT_MOST_IN_ALL
    refuse(0, 5_000 + RepeatFilter.PERIOD_S)
    assert written[-1].left_out >= 100_000 - addresses * RepeatFilter.AT_MOST - RepeatFilter.AT_MOST_IN_ALL
