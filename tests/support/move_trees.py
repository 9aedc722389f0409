"""Conditional moves as plain lines of UCI moves: an independent account of what a tree says."""

from server.games.changes.playing import PrepareMoves
from server.games.conditional import judge_tree
from server.games.game import play
from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.sliced_work import run_at_once
from tests.support.games import START


def steps(lines):
    """`lines` ("e7e5 g1f3", …) one after the other, each taken back whole."""
    written = []
    for line in lines:
        moves = line.split() if isinstance(line, str) else line
        written += [*moves, len(moves)]
    return written[:-1]


def prepared(game, *lines, now=START):
    """`game` after the side that is not to move has prepared `lines`."""
    tree = run_at_once(judge_tree(game.position, steps(lines)))
    return play(game, PrepareMoves(game.to_move.other, game.position, tree), now)[0]


def random_lines(position, random, most=6, depth=8):
    """Up to `most` lines that begin with the opponent's moves in `position`, with one answer to each of their moves."""
    answers, lines = {}, []
    for _ in range(most):
        line, at = [], position
        while len(line) < depth and outcome(at) is None:
            move = random.choice(sorted(legal_moves(at), key=lambda move: move.uci)[: 2 if line else None])
            reached = play_trusted(at, move)
            if outcome(reached) is not None:
                break
            line.append(move.uci)
            answer = answers.setdefault(tuple(line), random.choice(legal_moves(reached)))
            line.append(answer.uci)
            at = play_trusted(reached, answer)
        if line:
            lines.append(line)
    return lines


def after_move(lines, uci):
    """The lines that go on after that move."""
    return [line[1:] for line in lines if line[:1] == [uci] and line[1:]]
