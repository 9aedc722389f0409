"""The form of a file, as browsers send it and as nobody does."""

import pytest

from server.web.archive.import_pages import BadUpload, TooLarge, Upload, field_of

TYPE = "multipart/form-data; boundary=x"
MOST = 1_000
TEXT = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
FILE = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pgn"\r\nContent-Type: text/plain\r\n\r\n'
END = b"\r\n--x--\r\n"


def test_the_file_counts_before_the_text():
    assert field_of(FILE + b"1. e4" + END, TYPE, MOST) == Upload(b"1. e4", "a.pgn")
    assert field_of(TEXT + b"1. d4" + END, TYPE, MOST) == Upload(b"1. d4")
    assert field_of(FILE + b"1. e4\r\n" + TEXT + b"1. d4" + END, TYPE, MOST) == Upload(b"1. e4", "a.pgn")
    assert field_of(FILE + b"\r\n" + TEXT + b"1. d4" + END, TYPE, MOST) == Upload(b"1. d4")
    assert field_of(FILE + b"\r\n" + TEXT + END, TYPE, MOST) == Upload(b"")


def test_the_name_of_a_file_is_the_end_of_one_line():
    named = FILE.replace(b"a.pgn", b"x" * 70 + "\u202e ñ.pgn".encode())
    assert field_of(named + b"1. e4" + END, TYPE, MOST).name == "x" * 54 + " ñ.pgn"


def test_what_looks_like_a_boundary_is_part_of_the_text():
    text = b"\r\n--\r\n--y\r\n\r\r\n-"
    assert field_of(TEXT + text + END, TYPE, MOST) == Upload(text)


def test_a_field_that_is_too_large_has_its_own_error():
    assert len(field_of(TEXT + b"a" * MOST + END, TYPE, MOST).content) == MOST
    with pytest.raises(TooLarge):
        field_of(TEXT + b"a" * (MOST + 1) + END, TYPE, MOST)


MALFORMED = {
    "nothing": b"",
    "only line breaks": b"\n" * 10_000,
    "text before the first boundary": b"\n" * 10_000 + TEXT + b"a" + END,
    "a line before the first boundary": b"\r\n" + TEXT + b"a" + END,
    "no end": TEXT + b"a",
    "cut in the head": TEXT[:30],
    "300 headers": TEXT[:-2] + b"A: b\r\n" * 300 + b"\r\na" + END,
    "a header without a colon": b"--x\r\nContent-Disposition\r\n\r\na" + END,
    "a header without an end": b"--x\r\nA: " + b"b" * 10_000,
    "no name": b"--x\r\nContent-Disposition: form-data\r\n\r\na" + END,
    "no disposition": b"--x\r\nContent-Type: text/plain\r\n\r\na" + END,
    "not UTF-8": b'--x\r\nContent-Disposition: form-data; name="\xff"\r\n\r\na' + END,
    "a field of another form": b'--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\nutf-8' + END,
    "a long _charset_": b'--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\n' + b"a" * 100 + END,
    "an unknown _charset_": b'--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\nnone\r\n' + TEXT + END,
    "the same field twice": TEXT + b"a\r\n" + TEXT + b"b" + END,
    "three fields": TEXT + b"a\r\n" + FILE + b"b\r\n" + TEXT + b"c" + END,
    "a length that is wrong": TEXT[:-2] + b"Content-Length: 9\r\n\r\na" + END,
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_form_is_refused(body):
    with pytest.raises(BadUpload):
        field_of(body, TYPE, MOST)


@pytest.mark.parametrize("boundary", ["", '""', "é", "a" * 71, '"a\nb"', "\x00", '"'])
def test_an_invalid_boundary_is_refused(boundary):
    with pytest.raises(BadUpload):
        field_of(TEXT + b"a" + END, f"multipart/form-data; boundary={boundary}", MOST)


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
async def test_it_is_answered_with_400_and_nothing_in_the_log(anna, body, caplog):
    async with anna.http.post("/import", data=body, headers={"Content-Type": TYPE}) as answer:
        assert answer.status == 400, await answer.text()
    assert "Traceback" not in caplog.text
