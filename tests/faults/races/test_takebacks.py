"""Takebacks, moves and draws against a model that keeps whole games, and takes moves off a list (R7)."""

import random

import pytest

from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.playing import PlayMove
from server.games.errors import Refused
from server.games.game import play
from server.games.state import OfferKind
from server.rules.movegen.legal import legal_moves
from server.rules.variant.pieces import Color
from tests.support.games import START, running_game

INCREMENT, BANK = 3_000, 300_000


class Score:
    """What a patient arbiter would write down: the moves, both clocks, since when one runs, how many coming moves of
    each side stand for ones taken back, which earn nothing, and what stands open.
    """

    def __init__(self, now):
        self.moves = ["e2e4", "e7e5"]
        self.clocks = [BANK, BANK]
        self.replaced = [0, 0]
        self.since = now
        self.open = {}
        self.drawn = False

    @property
    def turn(self):
        return len(self.moves) % 2

    def spend(self, now):
        self.clocks[self.turn] -= now - self.since
        self.since = now

    def move(self, uci, now):
        mover = self.turn
        self.spend(now)
        if self.replaced[mover]:
            self.replaced[mover] -= 1
        else:
            self.clocks[mover] += INCREMENT
        self.moves.append(uci)
        self.open = {number: one for number, one in self.open.items() if one == ("draw", mover)}

    def agree(self, number, now):
        kind, by = self.open.pop(number)
        self.spend(now)
        if kind == "draw":
            self.drawn = True
            return
        undone = 2 if self.turn == by else 1
        for side in (0, 1) if undone > 1 else (by,):
            self.replaced[side] += 1
        del self.moves[-undone:]
        self.open = {}


def follow(score, command, game, now):
    """Writes down what the game has accepted, but for the numbers of offers, which the game gives."""
    match command:
        case PlayMove():
            score.move(command.uci, now)
        case MakeOffer():
            crossing = [n for n, (kind, by) in score.open.items() if kind == "draw" == command.kind.value]
            if crossing:
                score.agree(crossing[0], now)
            else:
                score.open[game.offers[-1].id] = (command.kind.value, list(Color).index(command.color))
        case AcceptOffer():
            score.agree(command.offer, now)
        case DeclineOffer():
            del score.open[command.offer]


def some_command(game, rng):
    color = rng.choice(list(Color))
    offer = rng.choice([*(offer.id for offer in game.offers), game.next_offer - 1])
    uci = rng.choice(legal_moves(game.position)).uci
    return rng.choices(
        [
            PlayMove(game.to_move, uci, len(game.plies)),
            PlayMove(game.to_move, uci, len(game.plies) - 1),
            MakeOffer(color, OfferKind.TAKEBACK),
            MakeOffer(color, OfferKind.DRAW),
            AcceptOffer(color, offer),
            DeclineOffer(color, offer),
        ],
        weights=[40, 5, 25, 2, 22, 6],
    )[0]


@pytest.mark.row("R7")
def test_takebacks_moves_and_draws_match_the_stored_game(scale, seed, counted):
    rng, steps, taken_back, drawn = random.Random(f"{seed} R7"), 0, 0, 0
    while steps < scale(10_000):
        game, now = running_game(), START
        score = Score(now)
        for _ in range(40):
            now += rng.choice((0, 0, 1, 700, 2_500))
            command, plies = some_command(game, rng), len(game.plies)
            steps += 1
            try:
                game, _ = play(game, command, now)
            except Refused:
                continue
            follow(score, command, game, now)
            taken_back += len(game.plies) < plies
            assert [ply.uci for ply in game.plies] == score.moves
            if game.outcome is not None:
                drawn += score.drawn
                assert score.drawn == (game.outcome.reason == "agreement")
                break
            assert {offer.id: offer.kind.value for offer in game.offers} == {n: k for n, (k, _) in score.open.items()}
            assert [game.clock.remaining(color, now) for color in Color] == [
                score.clocks[side] - (now - score.since if side == score.turn else 0) for side in (0, 1)
            ]
    assert taken_back > steps // 100
    assert drawn > 0
    counted("steps", steps)
