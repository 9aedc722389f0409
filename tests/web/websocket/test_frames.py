"""WebSocket frames against RFC 6455: what is read, in whatever pieces it comes, and what closes the socket."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web.websocket.frames import (
    MAX_PARTS,
    MOST,
    NO_CODE,
    BadFrame,
    Control,
    FrameReader,
    Opcode,
    close_code,
    close_frame,
    text_frame,
)
from tests.web.websocket.client_frames import sent


def messages(*pieces):
    reader, found = FrameReader(), []
    for piece in pieces:
        reader.feed(piece)
        while (message := reader.next()) is not None:
            found.append(message)
    return found


def test_the_examples_of_the_rfc():
    """Section 5.7."""
    hello = b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
    assert messages(hello) == ["Hello"]
    assert text_frame("Hello") == b"\x81\x05Hello"
    assert messages(sent(0x01, b"Hel") + sent(0x80, b"lo")) == ["Hello"]
    assert messages(b"\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58") == [Control(Opcode.PING, b"Hello")]


HEADS = {
    125: b"\x81\x7d",
    126: b"\x81\x7e\x00\x7e",
    65_535: b"\x81\x7e\xff\xff",
    65_536: b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00",
}


@pytest.mark.parametrize(("size", "head"), HEADS.items())
def test_lengths_are_written_in_the_shortest_form(size, head):
    assert text_frame("x" * size) == head + b"x" * size


def test_a_close_is_written_with_its_code():
    assert close_frame(1012) == b"\x88\x02" + (1012).to_bytes(2)


PART = st.one_of(
    st.text(max_size=300).map(lambda text: ([text], sent(0x81, text.encode()))),
    st.tuples(st.text(max_size=90), st.integers(0, 90)).map(
        lambda made: ([made[0]], sent(0x01, made[0].encode()[: made[1]]) + sent(0x80, made[0].encode()[made[1] :]))
    ),
    st.binary(max_size=125).map(lambda data: ([Control(Opcode.PING, data)], sent(0x89, data))),
)


@given(st.lists(PART, max_size=8), st.lists(st.integers(0, 4_000), max_size=12))
def test_messages_are_the_same_in_whatever_pieces_they_come(parts, cuts):
    stream = b"".join(data for _, data in parts)
    ends = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[start:end] for start, end in pairwise(ends)]
    assert messages(*pieces) == [message for wanted, _ in parts for message in wanted]


def test_a_ping_may_come_between_the_parts_of_a_text():
    stream = sent(0x01, b"a") + sent(0x89, b"!") + sent(0x00, b"b") + sent(0x80, b"c")
    assert messages(stream) == [Control(Opcode.PING, b"!"), "abc"]


def test_the_largest_text_is_read():
    assert messages(sent(0x81, b"x" * MOST)) == ["x" * MOST]


@pytest.mark.parametrize(
    ("stream", "code"),
    {
        "a reserved bit": (sent(0xC1, b"x"), 1002),
        "a reserved opcode": (sent(0x83, b"x"), 1002),
        "not masked": (b"\x81\x01x", 1002),
        "a long ping": (sent(0x89, b"x" * 126), 1002),
        "a ping in parts": (sent(0x09, b"x"), 1002),
        "a continuation of nothing": (sent(0x80, b"x"), 1002),
        "a text within a text": (sent(0x01, b"x") + sent(0x81, b"y"), 1002),
        "binary": (sent(0x82, b"x"), 1003),
        "not UTF-8": (sent(0x81, b"\xff"), 1007),
        "too large": (sent(0x81, b"x" * (MOST + 1)), 1009),
        "said to be huge": (b"\x81\xff" + (2**63).to_bytes(8), 1009),
        "too large in parts": (sent(0x01, b"x" * MOST) + sent(0x80, b"x"), 1009),
        "in too many parts": (sent(0x01, b"") + sent(0x00, b"") * MAX_PARTS, 1009),
    }.values(),
)
def test_what_closes_the_socket(stream, code):
    with pytest.raises(BadFrame) as bad:
        messages(stream)
    assert bad.value.code == code


def test_it_ends_before_a_frame_too_large_has_come():
    with pytest.raises(BadFrame):
        messages(sent(0x81, b"x" * (MOST + 1))[:4])


@pytest.mark.parametrize(
    ("payload", "code"),
    [(b"", NO_CODE), (b"\x03\xe8", 1000), (b"\x03\xe8bye", 1000), (b"\x0b\xb8", 3000), (b"\x13\x87", 4999)],
)
def test_close_codes(payload, code):
    assert close_code(payload) == code


NEVER_SENT = (0, 999, 1004, 1005, 1006, 1015, 2999, 5000)


@pytest.mark.parametrize("payload", [b"\x03", b"\x03\xe8\xff", *(code.to_bytes(2) for code in NEVER_SENT)])
def test_forbidden_close_frames_are_refused(payload):
    with pytest.raises(BadFrame):
        close_code(payload)
