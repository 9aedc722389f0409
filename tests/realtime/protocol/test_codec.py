"""Whatever arrives becomes a message or BadMessage, and what goes out holds nothing empty."""

import json
import random
import string
from collections import Counter

import pytest

from server.games.errors import BadMove
from server.realtime.protocol import outbound
from server.realtime.protocol.codec import MAX_CHARACTERS, BadMessage, decode, encode, encode_ok, encode_refusal
from server.realtime.protocol.schema import protocol_schema
from tests.support.realtime.messages import GOOD


@pytest.mark.parametrize("fields", GOOD, ids=lambda fields: fields["t"])
def test_every_kind_of_message_is_read(fields):
    assert decode(json.dumps(fields)).model_dump() == fields


@pytest.mark.row("I4")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '"move"',
        "{",
        "{}",
        '{"t":"nothing","v":1}',
        '{"t":["move"]}',
        '{"t":"ping","x":1}',
        '{"t":"ping","t":"ping"}',
        '{"t":"move","id":1,"id":2,"ply":0,"uci":"e2e4"}',
        '{"t":"move","id":1,"ply":0,"uci":"e2e4","clock":5}',
        '{"t":"move","id":true,"ply":0,"uci":"e2e4"}',
        '{"t":"move","id":1.0,"ply":0,"uci":"e2e4"}',
        '{"t":"move","id":"1","ply":0,"uci":"e2e4"}',
        '{"t":"move","id":NaN,"ply":0,"uci":"e2e4"}',
        '{"t":"move","id":Infinity,"ply":0,"uci":"e2e4"}',
        '{"t":"move","id":1e999,"ply":0,"uci":"e2e4"}',
        '{"t":"move","id":-1,"ply":0,"uci":"e2e4"}',
        '{"t":"move","id":1,"ply":' + "9" * 3_000 + ',"uci":"e2e4"}',
        '{"t":"move","id":1,"ply":0,"uci":"' + "e" * 13 + '"}',
        '{"t":"move","id":1,"ply":0,"uci":{"$gt":""}}',
        '{"t":"chat","id":1,"text":"' + "x" * MAX_CHARACTERS + '"}',
        '{"t":"chat","id":1,"text":"\\ud800"}',
        '{"t":"hi","proto":1,"game":"../../etc/p"}',
        '{"t":"hi","proto":1,"game":"abcdefghij\\n"}',
        "[" * 4_000,
        '{"t":' * 700,
        '{"t":"ping"}' + " " * MAX_CHARACTERS,
        '{"t":"ping"}\x00',
        '\ufeff{"t":"ping"}',
        '{"t":"chat","id":1,"text":"\udcff"}',
    ],
)
def test_everything_else_is_a_bad_message(text):
    with pytest.raises(BadMessage) as refused:
        decode(text)
    assert 5 < len(refused.value.detail) < 200


def mutations(rng):
    """Messages that have been damaged in one of many ways."""
    junk = ["NaN", "-0", "1e400", "null", "true", "[[]]", '{"a":{"b":{}}}', '"\\u0000"', "9" * 400, '"__proto__"']
    while True:
        fields = dict(rng.choice(GOOD))
        text = json.dumps(fields)
        match rng.randrange(7):
            case 0:
                at = rng.randrange(len(text))
                yield text[:at] + rng.choice(string.printable) + text[at + 1 :]
            case 1:
                yield text[: rng.randrange(len(text))]
            case 2:
                key = rng.choice(list(fields))
                yield text.replace(json.dumps(fields[key]), rng.choice(junk), 1)
            case 3:
                yield text[:-1] + f', "{rng.choice(["id", "ply", "t", "$where", "lag"])}": {rng.choice(junk)}' + "}"
            case 4:
                yield "[" * rng.randrange(1, 2_000) + text
            case 5:
                yield "".join(chr(rng.randrange(0x11_0000)) for _ in range(rng.randrange(40)))
            case _:
                yield text + rng.choice(["}", ",", text, "\x00"])


@pytest.mark.row("I4")
@pytest.mark.row("S2")
def test_ten_thousand_damaged_messages_are_read_or_refused(seed):
    outcomes = Counter()
    rng = random.Random(seed)
    for text, _ in zip(mutations(rng), range(10_000), strict=False):
        try:
            decode(text)
        except BadMessage:
            outcomes["refused"] += 1
        else:
            outcomes["read"] += 1
    assert outcomes["refused"] > 7_000
    assert outcomes["read"] > 10


def test_none_is_left_out_and_false_is_not():
    text = encode(outbound.Error(code="rate", message="Slow down.", refusal="rate"))
    assert json.loads(text) == {"t": "error", "code": "rate", "message": "Slow down.", "refusal": "rate"}
    assert json.loads(encode(outbound.Ok(id=0, v=0))) == {"t": "ok", "id": 0, "v": 0}


@pytest.mark.parametrize("dup", [True, False])
def test_an_ok_is_written_as_its_model_is(dup):
    assert encode_ok(12, 345, dup) == encode(outbound.Ok(id=12, v=345, dup=dup or None))


def test_a_refusal_has_its_id_and_an_english_sentence():
    told = json.loads(encode_refusal(BadMove("illegal", move="e2e5"), 7, v=3))
    assert told == {
        "t": "error",
        "id": 7,
        "code": "illegal",
        "message": "e2e5 is not legal here.",
        "refusal": "illegal",
        "params": {"move": "e2e5"},
        "v": 3,
    }


def test_a_client_that_sends_no_valid_message_is_told_what_is_wrong():
    told = json.loads(encode_refusal(BadMessage("That is not JSON.")))
    assert told == {"t": "error", "code": "bad_message", "message": "That is not JSON.", "refusal": "bad_message"}


def test_the_schema_names_every_message_of_both_directions():
    shape = protocol_schema()
    inbound = set(shape["inbound"]["discriminator"]["mapping"])
    assert inbound == {fields["t"] for fields in GOOD}
    assert {"snapshot", "moved", "resumed", "crowd"} <= set(shape["outbound"]["discriminator"]["mapping"])


@pytest.mark.parametrize("socket", [protocol_schema(), protocol_schema()["lobby"], protocol_schema()["watch"]])
def test_the_schema_of_each_socket_has_the_common_messages(socket):
    assert {"hi", "ping", "bye"} <= set(socket["inbound"]["discriminator"]["mapping"])
    assert {"error", "pong", "reload", "restart"} <= set(socket["outbound"]["discriminator"]["mapping"])
