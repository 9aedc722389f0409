"""Files in the manner of other programs are read whole, and of broken ones as much as can be.

Every move of the main line is read, or a mend names a line at or before it. What is broken in a game touches no other.
What was read is written so that it is read the same again.
"""

import random
import re

import pytest

from server.rules.errors import InvalidPgn
from server.rules.notation.fen import format_fen
from server.rules.notation.pgn_file import decode_pgn, split_games
from server.rules.notation.pgn_tags import FOLLOWING
from server.rules.sliced_work import run_at_once
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.peer_manners import ALONE, DAMAGES, MANNERS, first_move, pieces_of, play_game, scrambled
from tests.support.rules.pgn_texts import as_pgn, read_pgn, write_pgn
from tests.support.rules.vectors import GAME_FILES, records

FILES = 60
BROKEN = 2_000
SCRAMBLED = 600
WORDS = 400
AROUND_WORDS = (
    *("{} ", "{}\n", "\n{}", "\n\n{}\n\n", "\n\n\n{}\n\n\n", " {})", "\t{}\t", "{}: ", "> {}\n", "```\n{}\n```\n"),
    *('"{}"', "&quot;{}&quot; ", "&lt;{}&gt;", "&{}; ", "&amp;{} ", "<b>{}</b>", "<!-- {} -->", "<{}>", "<{}\n"),
    *("{{{}", "{}}}", "{{{}}}", "\n{{ {}\n\n", "{{{{{}}}}}", "{{{{{}}}", "{{[%clk 0:01:00] {}}}", ";{}\n", ";{{{}\n"),
    *("({})", "({}", "({{{})", "({{{}}})", "[{}]", "[{}", "{}]", '[{} "v"]', '[{} "v', "\n\n[{}\n", "[%clk {}]"),
    *('[Event "{}"]', '[Event "{}"', '\n[Site "{}"]\n', '\nEvent "{}"\n', "%{}\n", "${} ", "!{}", "-- {} ", "...{}"),
    *("1. {} ", "1... {} ", "{}+ ", "e4{} ", "1-0 {}\n", "{} 1-0\n", "* {} ", "\ufeff{} "),
)
"""How a word may stand in a file."""
PLAIN = {ord(mark): None for mark in "x+#"}
OTHER_MENDS = ("tag", "twice", "result", "letters", "markup", "entity")
"""Those that leave out no move."""


SIGNS = ("○", "±", "⟳²", "/–", "=", "--+", "+-", "!?", "□!", "??", "↑↑N", "$14", "∓*", "©", " D", "'")
NO_MOVE = re.compile(r"\d+\.+|\*|1-0|0-1|1/2-1/2")


def split(text):
    return run_at_once(split_games(text, 20))


def text_of(pieces):
    return "".join(text for text, _ in pieces)


def read_games(text):
    """The pieces of a file with what is read of each, or why nothing is."""
    found = []
    for piece in split(text):
        try:
            found.append((piece, read_pgn(piece.text, VARIANTS)))
        except InvalidPgn as error:
            found.append((piece, error))
    return found


def facts_of(game):
    if isinstance(game, InvalidPgn):
        return game.id
    return {**game.tags}, game.line, game.comments, game.result


def assert_survives_writing(game):
    written = write_pgn(
        game.tags, game.variant, game.chess960, format_fen(game.start), game.line, game.result, game.comments
    )
    pieces = split(written)
    assert len(pieces) == 1, written
    again = read_pgn(pieces[0].text, VARIANTS)
    assert (again.line, again.comments, again.result) == (game.line, game.comments, game.result), written
    for name, value in game.tags.items():
        assert name in FOLLOWING or again.tags[name] == value, written


@pytest.mark.parametrize("name", MANNERS)
def test_a_file_in_the_manner_of_a_program_is_read_whole(seed, scale, name):
    rng, manner = random.Random(f"{seed} {name}"), MANNERS[name]
    for _ in range(scale(FILES)):
        games = [play_game(rng, number, manner.opening) for number in range(3)]
        text = "".join(text_of(pieces_of(rng, game, manner)) for game in games)
        read = read_games(decode_pgn(text.replace("\n", manner.line_break).encode(manner.encoding)))
        assert len(read) == len(games), text
        for game, (_, found) in zip(games, read, strict=True):
            assert {mend.id for mend in found.mends} <= {"letters"}, text
            assert {**found.tags, **game.tags, "Result": game.result} == {**found.tags}, text
            assert found.result == game.result
            assert [move.san for move in found.line] == [ply.san for ply in game.plies], text
            for move, ply in zip(found.line, game.plies, strict=True):
                assert {*move.nags} == {*ply.nags}, text
                assert all(" ".join(said.split()) in " ".join(move.comments) for said in ply.said), text
                others = [[one.san for one in line] for line in move.variations]
                assert others == ([[san for _, _, san in ply.others]] if ply.others else []), text
            assert_survives_writing(found)


def test_a_broken_game_loses_no_move_in_silence_and_touches_no_other(seed, scale):
    rng = random.Random(seed)
    for _ in range(scale(BROKEN)):
        manner = MANNERS[rng.choice([name for name in MANNERS if name != "German"])]
        before, broken, after = ([*pieces_of(rng, play_game(rng, number), manner)] for number in range(3))
        for damages in rng.choice(((DAMAGES,), (DAMAGES,), (DAMAGES,) * 2, (DAMAGES,) * 3, (ALONE,))):
            if any(san for _, san in broken):
                broken = rng.choice(damages)(rng, broken)
        text = text_of(before) + text_of(broken) + text_of(after)
        first, *middle, last = read_games(text)
        assert facts_of(first[1]) == facts_of(read_games(text_of(before))[0][1]), text
        assert facts_of(last[1]) == facts_of(read_games(text_of(after))[0][1]), text
        assert len(middle) == 1, text
        piece, game = middle[0]
        if isinstance(game, InvalidPgn):
            assert game.ply == 0, text
            continue
        warned = [mend.line + piece.line - 1 for mend in game.mends if mend.id not in OTHER_MENDS]
        read = [move.san.translate(PLAIN) for move in game.line]
        for san, line in written_moves(broken, text_of(before).count("\n") + 1):
            if read and read[0] == san.translate(PLAIN):
                del read[0]
            else:
                assert any(mend <= line for mend in warned), f"{san} {text}"
        assert_survives_writing(game)


def test_no_word_is_lost_in_silence_wherever_it_stands(seed, scale):
    rng = random.Random(seed)
    for _ in range(scale(WORDS)):
        manner = MANNERS[rng.choice([name for name in MANNERS if name != "German"])]
        pieces = [piece for number in range(2) for piece in pieces_of(rng, play_game(rng, number), manner)]
        words = [f"Zq{number}z" for number in range(rng.choice((1, 1, 2, 3)))]
        for word in words:
            at = rng.choice((0, 0, len(pieces), rng.randrange(len(pieces) + 1)))
            pieces.insert(at, (rng.choice(AROUND_WORDS).format(word), None))
        text = text_of(pieces)
        read = read_games(text)
        for word in words:
            line = text[: text.index(word)].split("\n")
            if not line[-1].startswith("%"):
                assert any(tells_of(word, len(line), *one) for one in read), f"{word} {text}"


def tells_of(word, line, piece, game):
    """Is the word told with that game: read, kept, left out with a warning, or refused with all of it?"""
    if isinstance(game, InvalidPgn):
        return word in piece.text
    left_out = {at + piece.line - 1 for mend in game.mends if mend.id == "markup" for at in mend.lines}
    texts = [*game.tags, *game.tags.values(), *game.comments, *comments_of(game.line)]
    return line in left_out or any(word in text for text in texts)


def comments_of(line):
    for move in line:
        yield from (*move.before, *move.comments)
        for variation in move.variations:
            yield from comments_of(variation)


@pytest.mark.parametrize(
    ("text", "comments", "moves"),
    [
        ("&quot;Best game&quot;\n{}1. e4 e5 1-0", ['"Best game"'], 2),
        ("&quot;Best game&quot; {}1. e4 e5 1-0", ['"Best game"'], 2),
        ("<!-- 1. d4 --><html>\n{}1. e4 e5 1-0</html>", [], 2),
        ("{{\n{}1. e4 e5 1-0", [], 2),
        ("}}\n{}1. e4 e5 1-0", ["}"], 2),
        ("( {}1. e4 e5 1-0", ["("], 2),
    ],
)
@pytest.mark.parametrize("tags", ['[Event "a"]\n[White "b"]\n\n', ""])
def test_what_stands_before_a_game_costs_it_nothing(text, comments, moves, tags):
    read = read_games(f'\n{text.format(tags)}\n\n[Event "n"]\n\n1. d4 d5 0-1\n')
    assert [len(game.line) for _, game in read] == [moves, 2]
    (piece, game), (further, _) = read
    assert [*game.comments] == comments
    assert [*game.tags] == (["Event", "White"] if tags else [])
    assert game.mends
    assert (piece.line, further.line) == (2, 2 + piece.text.count("\n"))


def test_each_place_of_what_was_mended_is_told():
    text = "\n1. e4 foo e5\n2. Nf3 bar baz Nc6\n3. Bb5\nqux a6 quux 1-0\n"
    ((_, game),) = read_games(text)
    (kept,) = game.mends
    assert (kept.id, kept.number, kept.lines, kept.quoted) == ("kept", 5, (1, 2, 4), "foo, bar, baz, …")
    assert kept.moved_down(1).lines == (2, 3, 5)


def written_moves(pieces, line):
    for text, san in pieces:
        if san:
            yield san, line + len(text) - len(text.lstrip("\n"))
        line += text.count("\n")


@pytest.mark.parametrize("name", GAME_FILES)
def test_a_sign_behind_each_move_of_any_variant_hides_none(seed, name):
    rng = random.Random(f"{seed} {name}")
    game = records(name)[0]
    tags, _, moves = as_pgn(VARIANTS, game).partition("\n\n")
    words = [word if NO_MOVE.fullmatch(word) else word + rng.choice(SIGNS) for word in moves.split()]
    read = read_pgn(f"{tags}\n\n{' '.join(words)}\n", VARIANTS)
    assert [move.uci for move in read.moves] == game["moves"]
    assert_survives_writing(read)


def test_a_scrambled_game_costs_no_other_and_is_read_as_it_is_written(seed, scale):
    rng = random.Random(seed)
    for _ in range(scale(SCRAMBLED)):
        manner = MANNERS[rng.choice([name for name in MANNERS if name != "German"])]
        before, broken, after = ([*pieces_of(rng, play_game(rng, number), manner)] for number in range(3))
        begins = first_move(broken)
        text = text_of(before) + text_of(broken[:begins]) + scrambled(rng, text_of(broken[begins:])) + "\n\n"
        first, *middle, last = read_games(text + text_of(after))
        assert facts_of(first[1]) == facts_of(read_games(text_of(before))[0][1]), text
        alone = read_games(text_of(after))[0][1]  # a word on a line before it may be said of it
        assert (last[1].tags, last[1].line, last[1].result) == (alone.tags, alone.line, alone.result), text
        for _, game in middle:
            if isinstance(game, InvalidPgn):
                assert game.id != "several", text
            else:
                assert_survives_writing(game)
