"""The log: one line per event, whatever is in it, and none for what is not even HTTP."""

import json
import logging
import sys

import pytest
from aiohttp.http_exceptions import BadStatusLine

from server.web.logs import OneLine, not_a_strangers_noise


def record(message, *arguments, error=None):
    caught = None
    if error is not None:
        try:
            raise error
        except type(error):
            caught = sys.exc_info()
    return logging.LogRecord("server.web", logging.ERROR, "x.py", 1, message, arguments, caught)


@pytest.mark.parametrize("text", ['a\nlevel="info"', "\r\n\x1b[31mred", '"}\n{"ts": 1', "\x0b\x0c\x85"])
def test_no_text_makes_a_second_line(text):
    line = OneLine().format(record("asked for %s", text))
    assert not set(line) & set("\n\r\x1b")
    assert json.loads(line)["message"] == f"asked for {text}"


def test_a_traceback_is_in_the_same_line():
    line = json.loads(OneLine().format(record("it failed", error=ValueError("why"))))
    assert line["error"].endswith("ValueError: why")
    assert line["level"] == "error"


def test_mistakes_of_ours_are_kept_and_strangers_noise_is_not():
    assert not_a_strangers_noise(record("it failed", error=ValueError("why")))
    assert not_a_strangers_noise(record("it failed"))
    assert not not_a_strangers_noise(record("Error handling request", error=BadStatusLine("x")))
