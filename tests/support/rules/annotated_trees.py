"""Random annotated games of every variant: moves with variations inside each other, and what can be said of them."""

from hypothesis import strategies as st

from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import start_position
from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.san import format_san
from tests.support.rules.built_in import VARIANTS

WORDS = st.sampled_from(
    ["good", "{", "}", "(", ")", '[Event "x"]', "%", ";", "1-0", "*", "$5", "[%eval 0.3]", "♔é", '"']
)
comments = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), max_size=2).map(tuple)


@st.composite
def trees(draw, depth=2, variants=tuple(VARIANTS), said=comments):
    """A variant, a line from its first position with all that can be said of it, and what stands before it."""
    variant = VARIANTS[draw(st.sampled_from(variants))]
    return variant, draw(lines(start_position(variant, False), depth, said, main=True)), draw(said)


@st.composite
def lines(draw, position, depth, said, main=False):
    moves = []
    for number in range(draw(st.integers(0 if main else 1, 4 if main else 2))):
        legal = sorted(legal_moves(position), key=lambda move: move.uci)
        if not legal:
            break
        move = draw(st.sampled_from(legal))
        variations = draw(st.lists(lines(position, depth - 1, said), max_size=2)) if depth else []
        moves.append(
            PgnMove(
                move.uci,
                format_san(position, move),
                tuple(draw(st.lists(st.integers(0, 255), max_size=2, unique=True))),
                draw(st.none() | st.integers(0, 360_000_000)),
                draw(said),
                draw(said) if number == 0 and not main else (),
                tuple(variation for variation in variations if variation),
            )
        )
        position = play(position, move)
    return tuple(moves)
