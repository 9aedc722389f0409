"""Games for tests, made in one line: who plays, on what clock, and what was played. Nothing here sleeps."""

from dataclasses import replace

from server.games.changes.beginning import BothHere, Join, new_game
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import TimeControl
from server.games.game import play
from server.games.player import Player, computer_at
from server.games.terms import Terms
from server.rules.variant.pieces import Color
from tests.support.rules.built_in import VARIANTS

WHITE, BLACK = Color.WHITE, Color.BLACK
WANDA, BORIS, CARLA = Player("w", "Wanda"), Player("b", "Boris"), Player("c", "Carla")
INVITE = "ab" * 32
START = 1_700_000_000_000
FIVE_MINUTES = TimeControl.realtime(300_000, 3_000)
SECOND = 1_000


def terms(control=FIVE_MINUTES, variant="chess", fen=None):
    chosen = VARIANTS[variant]
    return Terms(chosen, False, chosen.start_fen if fen is None else fen, control, rated=False)


def open_game(creator=WHITE, **changes):
    """A game that waits for the second player; `INVITE` opens it."""
    if creator is WHITE:
        return new_game("game", terms(**changes), START, white=WANDA, invites=(None, INVITE))
    return new_game("game", terms(**changes), START, black=BORIS, invites=(INVITE, None))


def proposed_game(**changes):
    """A game that Carla proposes to Wanda and Boris."""
    return new_game("game", terms(**changes), START, invites=(WANDA, BORIS), proposer=CARLA)


def live_game(**changes):
    """Both sit, nobody has moved."""
    return new_game("game", terms(**changes), START, white=WANDA, black=BORIS)


def computer_game(level=3, person=WHITE, **changes):
    """Wanda or Boris, on the side of `person`, against the computer; nobody has moved."""
    changes = {"control": TimeControl.unlimited(), **changes}
    seats = {"white": WANDA, "black": BORIS}
    seats[person.other.name.lower()] = computer_at(level)
    return new_game("game", terms(**changes), START, **seats)


def moved(game, ucis, now=START, lag=0):
    """`game` after those moves, played by whoever is to move, all at `now`."""
    for uci in ucis.split():
        game, _ = play(game, PlayMove(game.to_move, uci, len(game.plies), lag), now)
    return game


def running_game(**changes):
    """Both have moved at START: White's clock runs."""
    return moved(live_game(**changes), "e2e4 e7e5")


def over_game(**changes):
    """Fool's mate: Black has won."""
    return moved(live_game(**changes), "f2f3 e7e5 g2g4 d8h4")


def joined(game, player=BORIS, now=START):
    return play(game, Join(player, INVITE), now)[0]


def met(game, now=START):
    return play(game, BothHere(), now)[0]


def after(game, *commands, now=START):
    for command in commands:
        game, _ = play(game, command, now)
    return game


def at_position(fen, variant="chess", control=FIVE_MINUTES, clock_turn=None):
    """A game that stands at `fen` with its clock running for the side to move, as after many moves."""
    game = live_game(fen=fen, variant=variant, control=control)
    return replace(game, clock=game.clock.start(clock_turn or game.to_move, START), expires=None)


def kinds(events):
    """The names of the events, in order."""
    return [type(event).__name__ for event in events]
