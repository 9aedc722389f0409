"""PGN and FEN from strangers: tags that break out, texts without end, boards for an engine's pipe (I6, I7)."""

import random
import re

import pytest

from server.rules.errors import InvalidFen, RulesError
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.pgn_line import PgnMove
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.hostile_texts import BOMBS, timed
from tests.support.rules.pgn_texts import read_pgn, write_pgn

LINE = [PgnMove("e2e4", "e4"), PgnMove("e7e5", "e5")]
BREAKOUTS = (
    *('"]', '"]\n[Result "1-0', "\\", '\\"', '\\\\"]', "]", "[", "{", "}", ";", "%", "\n", "\r\n", "\n\n1. e4 *", "\t"),
    *(
        "\x00",
        "\u2028",
        "\x85",
        "1-0",
        "*",
        '"',
        "'",
        "é",
        "王",
        "\U0001f642",
        '[FEN "8/8"]',
        "$1",
        "(",
        ")",
        "<b>",
        " ",
    ),
)
WRITTEN = re.compile(r"[0-9A-Za-z/\[\]+~*|@-]+ [wb] [0-9A-Za-z|-]+ [0-9a-z-]+(?: [0-9+]+)* \d+ \d+")


@pytest.mark.row("I6")
def test_no_text_breaks_out_of_a_tag(scale, seed, counted):
    rng, texts, chess = random.Random(f"{seed} I6"), scale(20_000), VARIANTS["chess"]
    for _ in range(texts):
        value = "".join(rng.choices(BREAKOUTS, k=rng.randrange(1, 8)))
        tags = {"White": value, "Black": value[::-1], "Event": f"a {value}", "Annotator": value}
        pgn = write_pgn(tags, chess, False, chess.start_fen, LINE, "*")
        read = read_pgn(pgn, VARIANTS)
        assert len(read.moves) == 2, pgn
        assert read.result == "*"
        for name, written in tags.items():
            shown = "".join(sign if sign.isprintable() else " " for sign in written)
            assert read.tags[name].split() == shown.split(), pgn
    counted("texts", texts)


@pytest.mark.row("I6")
def test_a_position_is_one_line_of_known_signs_however_it_was_sent(scale, seed, counted):
    rng, texts, accepted = random.Random(f"{seed} I6 fens"), scale(20_000), 0
    commands = ("\nquit", "\ngo depth 99", "\rucinewgame", " moves e2e4", "\x00", "\u2028stop", "; rm", "\n", " ")
    variants = list(VARIANTS.values())
    for _ in range(texts):
        variant = rng.choice(variants)
        fen = variant.start_fen
        at = rng.choice((len(fen), rng.randrange(len(fen)), 0))
        try:
            position = parse_fen(variant, fen[:at] + rng.choice(commands) + fen[at:], chess960=False)
        except InvalidFen:
            continue
        accepted += 1
        # What goes on from here to an engine, a file or a page is written anew, never the stranger's own text.
        assert WRITTEN.fullmatch(format_fen(position))
    assert accepted < texts // 2
    counted("positions", texts)


@pytest.mark.row("I7")
def test_long_texts_of_one_kind_take_no_time(scale, seed, counted):
    rng, texts = random.Random(f"{seed} I7"), scale(2_000)
    for _ in range(texts):
        bombs = rng.choices(BOMBS, k=rng.choice((1, 2, 3)))
        text = "".join(bomb * (4_000 // len(bombs) // len(bomb)) for bomb in bombs)
        answer = timed(read_pgn, text, VARIANTS)
        assert isinstance(answer, RulesError) or not answer.moves
    counted("texts", texts)


@pytest.mark.row("I7")
@pytest.mark.usefixtures("unlimited")
async def test_a_megabyte_of_anything_is_answered_and_the_server_goes_on(server, anna, counted):
    endless = "1. Nf3 Nf6 2. Ng1 Ng8 " * 1_250
    for text in ("{" * 999_000, "(" * 999_000, '[A "b"]\n' * 120_000, f"{endless}*", "\n" * 999_000):
        async with anna.http.post("/api/import", data=text, headers={"Content-Type": "text/plain"}) as answer:
            assert answer.status in (200, 400, 413, 415), (text[:9], await answer.text())
        async with anna.http.post("/api/analysis/pgn", json={"pgn": text[:49_000]}) as answer:
            assert answer.status in (200, 400, 413), await answer.text()
    game = await anna.challenge()
    async with anna.follow(game) as socket:
        assert (await socket.next())["t"] == "snapshot"
    counted("texts", 10)
