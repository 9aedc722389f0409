"""Fuzz targets of what clients send: frames and messages on a line, forms as JSON, as fields and as multipart."""

import json

from pydantic import BaseModel

from server.realtime.protocol.codec import BadMessage, decode, encode
from server.web.accounts.account_pages import Confirmation, Credentials, NewPassword
from server.web.analysis import AskedLine, AskedPgn
from server.web.archive.import_pages import BadUpload, TooLarge, field_of
from server.web.forms import Form, parse_fields, parse_json
from server.web.games.api import Joining
from server.web.games.invitations import Sending
from server.web.games.new_games import NewGame
from server.web.rendering.problems import Problem
from server.web.seeks import NewSeek, Taking
from server.web.websocket.frames import BadFrame, Control, FrameReader, close_code
from tests.fuzz.target import Target, answer, text_of
from tests.support.live.wire import frame

JSON_FORMS: tuple[type[Form], ...] = (NewGame, NewSeek, Taking, Joining, Sending, AskedLine, AskedPgn)
PAGE_FORMS: tuple[type[Form], ...] = (Credentials, NewPassword, Confirmation)
"""The first byte of an input chooses one."""
MAX_FILE = 2_000

SAID = (
    {"t": "hi", "proto": 1, "game": "0123456789", "epoch": "a", "v": 3},
    {"t": "move", "id": 1, "ply": 0, "uci": "e2e4"},
    {"t": "offer", "id": 2, "kind": "draw"},
    {"t": "accept", "id": 3, "offer": 0},
    {"t": "claim", "id": 4, "what": "win"},
    {"t": "chat", "id": 5, "room": "players", "text": "good luck é"},
    {"t": "pong", "p": 7},
    {"t": "resign", "id": 6},
)
WRITTEN = (
    (NewGame, {"variant": "chess", "clock": {"kind": "realtime", "initial": 300, "increment": 3}, "fen": "8/8 w"}),
    (NewGame, {"variant": "grand", "clock": {"kind": "correspondence", "days": 3}, "players": "others"}),
    (NewSeek, {"variants": ["chess", "grand"], "clock": {"kind": "realtime", "initial": 60, "increment": 0}}),
    (Taking, {"variants": []}),
    (Joining, {"secret": "A" * 22}),
    (Sending, {"fragment": "A" * 22 + ".white"}),
    (AskedLine, {"moves": ["e2e4", 1, "e7e5"], "chess960": True}),
    (AskedPgn, {"pgn": "1. e4 e5 *"}),
)
FIELDS = (
    (Credentials, b"name=Anna&password=a+long+one&next=/games"),
    (NewPassword, b"old=&new=%C3%A9%20x"),
    (Confirmation, b"password=x"),
)
UPLOAD = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pgn"\r\nContent-Type: text/plain\r\n\r\n'
    b"1. e4 *\r\n"
    b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\r\n--x--\r\n'
)


def heard(pieces: list[bytes]) -> list[object]:
    """What a reader makes of bytes that come in these pieces: messages, and the code by which it ends."""
    reader, found = FrameReader(), []
    try:
        for piece in pieces:
            reader.feed(piece)
            while (message := reader.next()) is not None:
                found.append(message)
    except BadFrame as bad:
        found.append(bad.code)
    return found


def frames(data: bytes) -> None:
    whole = answer((), heard, [data])
    assert heard([data[at : at + 1] for at in range(len(data))]) == whole
    for message in whole:
        if isinstance(message, Control):
            answer(BadFrame, close_code, message.payload)
        elif isinstance(message, str):
            answer(BadMessage, decode, message)


def frame_seeds() -> list[bytes]:
    texts = [json.dumps(one).encode() for one in SAID]
    cut = frame(1, texts[0])[1:]
    return [
        *(frame(1, text) for text in texts),
        frame(8, (1000).to_bytes(2)) + frame(9, b"x") + frame(10, b""),
        b"\x01" + cut + frame(0, b"more"),
        frame(1, b"x" * 300),
    ]


def messages(data: bytes) -> None:
    message = answer(BadMessage, decode, text_of(data))
    if not isinstance(message, BadMessage):
        assert decode(encode(message)) == message


def message_seeds() -> list[bytes]:
    return [json.dumps(one).encode() for one in SAID]


def json_forms(data: bytes) -> None:
    if data:
        form = JSON_FORMS[data[0] % len(JSON_FORMS)]
        asked = answer(Problem, parse_json, data[1:], form)
        if isinstance(asked, BaseModel):
            assert parse_json(asked.model_dump_json().encode(), form) == asked
        else:
            assert asked.status == 400


def json_form_seeds() -> list[bytes]:
    return [bytes([JSON_FORMS.index(form)]) + json.dumps(one).encode() for form, one in WRITTEN]


def page_forms(data: bytes) -> None:
    if data:
        asked = answer(Problem, parse_fields, data[1:], PAGE_FORMS[data[0] % len(PAGE_FORMS)])
        assert isinstance(asked, BaseModel) or asked.status == 400


def page_form_seeds() -> list[bytes]:
    return [bytes([PAGE_FORMS.index(form)]) + fields for form, fields in FIELDS]


def uploads(data: bytes) -> None:
    """The first line is the form's type."""
    kind, _, body = data.partition(b"\n")
    found = answer((BadUpload, TooLarge), field_of, body, kind.decode("latin-1"), MAX_FILE)
    assert isinstance(found, BadUpload | TooLarge) or (len(found.content) <= MAX_FILE and found.content in body)


def upload_seeds() -> list[bytes]:
    return [
        b"multipart/form-data; boundary=x\n" + UPLOAD,
        b'multipart/form-data; boundary="-y"\n' + UPLOAD.replace(b"--x", b"---y"),
    ]


MESSAGES = (
    Target("frames", frames, frame_seeds),
    Target("messages", messages, message_seeds),
    Target("json", json_forms, json_form_seeds),
    Target("fields", page_forms, page_form_seeds),
    Target("uploads", uploads, upload_seeds),
)
