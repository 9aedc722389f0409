"""Recorded games: every move, list of legal moves, SAN, check, FEN and ending, for every variant."""

from collections import Counter

import pytest

from server.rules.endings import outcome
from server.rules.movegen.legal import in_check, legal_ucis, play, repetition_key
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from tests.support.rules.vectors import GAME_FILES, UNOFFERED_GAME_FILES, canonical, legal_digest, records

pytestmark = pytest.mark.slow


def replay(variants, game):
    """Plays one recorded game and compares everything that was recorded about it."""
    position = parse_fen(variants[game["variant"]], game["start_fen"], game.get("chess960", False))
    seen = Counter([repetition_key(position)])

    def where():
        return f"{game['variant']} ply {ply}: {format_fen(position)} after {' '.join(game['moves'][:ply])}"

    for ply, text in enumerate([*game["moves"], None]):
        ucis = legal_ucis(position)
        assert len(ucis) == len(set(ucis)) == game["legal_counts"][ply], where()
        assert legal_digest(ucis) == game["legal_hash"][ply], where()
        if text is None:
            break
        assert outcome(position, seen[repetition_key(position)]) is None, where()
        move = parse_uci(position, text)
        if "sans" in game:
            assert format_san(position, move) == game["sans"][ply], where()
        position = play(position, move)
        seen[repetition_key(position)] += 1
        assert in_check(position) == bool(game["checks"][ply]), where()
        if game["fens"][ply]:
            assert canonical(format_fen(position)) == canonical(game["fens"][ply]), where()
    return outcome(position, seen[repetition_key(position)])


@pytest.mark.parametrize("name", [*GAME_FILES, *UNOFFERED_GAME_FILES])
def test_recorded_games(variants, name):
    for game in records(name):
        end = replay(variants, game)
        assert (end.reason if end else "cut") == game["end"]
        assert (end.result if end else "*") == game["result"]
