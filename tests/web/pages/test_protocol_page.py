"""The page for those who write a client: its messages must be messages, and its limits the limits."""

import html
import json
import re

import pytest
from pydantic import TypeAdapter, ValidationError

from server.realtime.protocol import inbound, lobby_messages, outbound, study_messages, tv_messages
from server.realtime.protocol.codec import read_message
from server.realtime.protocol.schema import protocol_schema
from server.web.assets import find_assets
from server.web.games.api import Joining
from server.web.games.new_games import NewGame
from server.web.seeks import NewSeek
from server.web.websocket.open_sockets import PER_SESSION

PAGE = (find_assets().templates / "bots/protocol.html").read_text()
SOCKETS = {
    "": (inbound, outbound),
    "lobby-": (lobby_messages, lobby_messages),
    "study-": (study_messages, study_messages),
    "watch-": (tv_messages, tv_messages),
}
SCHEMAS = {"": protocol_schema()} | {f"{line}-": protocol_schema()[line] for line in ("lobby", "study", "watch")}


def shown(kind):
    """The text of every code element of that class."""
    found = [html.unescape(text) for text in re.findall(rf'<code class="{kind}">(.*?)</code>', PAGE, re.DOTALL)]
    assert found
    return found


def shown_of_all(direction):
    return [(socket, text) for socket in SOCKETS for text in shown(socket + direction)]


@pytest.mark.parametrize(("socket", "text"), shown_of_all("in"))
def test_what_is_sent_is_understood(socket, text):
    assert read_message(text.replace("\n", " "), TypeAdapter(SOCKETS[socket][0].Inbound))


@pytest.mark.parametrize(("socket", "text"), shown_of_all("out"))
def test_what_is_answered_is_what_the_server_says(socket, text):
    """What has no value is left out on the wire; with that put back the message must be whole."""
    message = json.loads(text)
    kinds = TypeAdapter(SOCKETS[socket][1].Outbound)
    try:
        kinds.validate_python(message, strict=False)
    except ValidationError as error:
        for fault in error.errors():
            assert fault["type"] == "missing", fault
            place = message
            for key in fault["loc"][1:-1]:
                place = place[key]
            place[fault["loc"][-1]] = None
    kinds.validate_python(message, strict=False)


@pytest.mark.parametrize(("socket", "text"), shown_of_all("out"))
def test_the_schema_asks_for_nothing_that_is_left_out(socket, text):
    message = json.loads(text)
    models = SCHEMAS[socket]["outbound"]["$defs"].values()
    model = next(one for one in models if one["properties"].get("t", {}).get("const") == message["t"])
    assert set(model["required"]) <= set(message) <= set(model["properties"])


def test_every_kind_of_message_that_a_player_sends_is_shown():
    tags = {json.loads(text)["t"] for text in shown("in")}
    assert {"hi", "move", "resign", "abort", "offer", "accept", "decline", "chat", "ping", "pong"} <= tags


def test_the_requests_are_forms():
    bodies = [text.split("\n\n")[1] for text in shown("request")]
    assert NewGame.model_validate_json(bodies[0])
    assert Joining.model_validate_json(bodies[1])


async def test_the_limits_are_the_limits(anna):
    async with anna.http.get("/protocol") as answer:
        page = await answer.text()
    assert f"{PER_SESSION} sockets open at a time" in page
    assert "<code>Retry-After</code>" in page
    assert "`" not in re.sub(r'<code id="bot">.*?</code>', "", page, flags=re.DOTALL)


def test_the_request_of_an_opponent_is_a_form():
    (request,) = shown("seek-request")
    assert NewSeek.model_validate_json(request.split("\n\n")[1])
