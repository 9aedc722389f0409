"""Files with tags, comments, glyphs, variations and null moves in random disorder are read as python-chess reads them.

Where the two differ, a mend says so. Three differences are meant, and python-chess is given the file without them: we
skip lines that begin with `%`, as the PGN standard says, keep comments to the end of the line, which it drops, and read
an escaped quote in a tag as a quote.
"""

import io
import random

import chess
import chess.pgn
import pytest

from server.rules.notation.pgn_file import split_games
from server.rules.notation.pgn_tags import unescape_value
from server.rules.sliced_work import run_at_once
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn

FILES = 4_000
BATCHES = 4
NAMES = ("Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "Annotator", "Opening", "X_y1")
VALUES = (
    "",
    "?",
    "a b",
    'the \\"best\\"',
    "C:\\\\x",
    "[in] brackets",
    "{in} braces",
    "; half",
    "ñandú",
    "1. e4",
    "1-0",
)
SAID = ("good", "1. e4 e5", "(or so)", "[%eval 0.3]", "1-0", "$1", "a\nb", "-- ;", '[White "no"]', "N", "")
GLYPHS = ("$1", "$2", "$14", "$146", "$255", "!", "?", "!!", "??", "!?", "?!")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SPACES = (" ", " ", " ", "\n", "  ", "\t")


def written_files(rng):
    """A file, and the same one as python-chess is to read it."""
    names = rng.sample(NAMES, rng.randrange(1, len(NAMES)))
    tags = [f'[{name} "{rng.choice(VALUES)}"]' for name in names]
    head = "".join(f"% skipped\n{tag}\n" if rng.random() < 0.05 else f"{tag}\n" for tag in tags)
    tokens = [*noise(rng, False), *line_tokens(rng, chess.Board(), rng.randrange(1, 14), 0), rng.choice(RESULTS)]
    plain = "\n".join(tags) + "\n\n" + " ".join(map(for_python_chess, tokens))
    return head + "\n" + joined_tokens(rng, tokens), plain


def for_python_chess(token):
    return "" if token.startswith("%") else f"{{{token[1:]}}}" if token.startswith(";") else token


def joined_tokens(rng, tokens):
    text = ""
    for token in tokens:
        alone = token.startswith(("%", ";"))
        text += ("\n" if token.startswith("%") and not text.endswith("\n") else "") + token
        text += "\n" if alone else rng.choice(SPACES)
    return text


def line_tokens(rng, board, plies, depth):
    """The tokens of a line from `board` on, which it leaves at the line's end."""
    for ply in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            return
        if ply == 0 or rng.random() < 0.5:
            yield f"{board.fullmove_number}{'.' if board.turn else '...'}"
        move, before = rng.choice(legal), board.copy()
        if rng.random() < 0.02 and not board.is_check():
            move = chess.Move.null()
            yield rng.choice(("--", "Z0"))
        else:
            yield board.san(move)
        board.push(move)
        yield from noise(rng, True)
        while depth < 3 and rng.random() < 0.12:
            yield "("
            yield from noise(rng, False)
            yield from line_tokens(rng, before.copy(), rng.randrange(1, 5), depth + 1)
            yield ")"
            yield from noise(rng, False)


def noise(rng, glyphs):
    while rng.random() < 0.35:
        said = rng.choice(SAID)
        kinds = [f"{{{said}}}", f"{{ {said} }}", ";" + said.replace("\n", " "), "% 1. h4 {"]
        yield rng.choice([*kinds, *(rng.choice(GLYPHS) for _ in range(4 * glyphs))])


def theirs(node):
    """The moves behind a node: SAN, glyphs, words said, and the moves of its variations."""
    moves = []
    while node.variations:
        child = node.variations[0]
        others = [[move_of(other), *theirs(other)] for other in node.variations[1:]]
        moves.append((*move_of(child), others))
        node = child
    return moves


def move_of(node):
    return node.san(), {*node.nags}, said_in(node.starting_comment), said_in(node.comment)


def said_in(comment):
    return " ".join([comment] if isinstance(comment, str) else comment).split()


def ours(line):
    return [(*said_of(move), [side for variation in move.variations for side in sides(variation)]) for move in line]


def sides(variation):
    """For python-chess what replaces the first move of a variation is one more variation beside it."""
    first, *rest = variation
    yield [said_of(first), *ours(rest)]
    for other in first.variations:
        yield from sides(other)


def said_of(move):
    return move.san, {*move.nags}, " ".join(move.before).split(), " ".join(move.comments).split()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_disorderly_file_is_read_as_python_chess_reads_it(request, scale, batch):
    rng, alike = random.Random(f"{request.config.getoption('--seed')} {batch}"), 0
    for _ in range(scale(FILES) // BATCHES):
        text, plain = written_files(rng)
        game = chess.pgn.read_game(io.StringIO(plain))
        assert not game.errors, text
        pieces = run_at_once(split_games(text, 10))
        assert len(pieces) == 1, text
        read = read_pgn(pieces[0].text, VARIANTS)
        assert {**read.tags} == {name: unescape_value(game.headers[name]) for name in read.tags}, text
        assert {name for name, value in game.headers.items() if value not in ("?", "????.??.??", "*")} <= {
            *read.tags,
            "Result",
        }, text
        assert game.headers["Result"] == read.result, text
        if not read.mends:
            assert ours(read.line) == theirs(game), text
            assert " ".join(read.comments).split() == said_in(game.comment), text
            alike += 1
        else:
            assert {mend.id for mend in read.mends} == {"null"}, text
            kept = [move.san for move in read.line]
            assert kept == [move[0] for move in theirs(game)][: len(kept)], text
    assert alike > scale(FILES) // BATCHES // 2
