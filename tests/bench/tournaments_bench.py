"""How long it takes to decide whom a wave pairs, and to make a table of what was played."""

from random import Random
from time import perf_counter

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.arena import ARENA
from server.games.tournaments.tournament import (
    MINUTE_MS,
    Candidate,
    Entrant,
    Field,
    GameResult,
    Pairing,
    TournamentTerms,
    announced,
    standings,
)
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color

TERMS = TournamentTerms("Cup", "arena", "chess", False, TimeControl.realtime(180_000, 2_000), True, 0, 60)
CUP = announced("cup", Player("o", "Olga"), TERMS, 0)
NOW = 10 * MINUTE_MS
WAVES = ((50, 20), (200, 150), (1_000, 1_500))
"""People who wait, and the milliseconds that pairing them may take."""


def waiting(people, random):
    """So many who have each played somebody near them in the table."""
    colors = tuple(Color)
    for place in range(1, people + 1):
        met = [(f"p{max(1, place + random.randint(-3, 3))}", random.choice(colors)) for _ in range(6)]
        yield Candidate(f"p{place}", place, 2_200 - place, NOW - 20_000 - place, tuple(met))


def results(people, each, random):
    """So many games of each of them."""
    for wave in range(1, each + 1):
        order = random.sample(range(people), people)
        for board in range(people // 2):
            pairing = Pairing(f"{wave}-{board}", wave, board, f"p{order[2 * board]}", f"p{order[2 * board + 1]}", NOW)
            yield GameResult(pairing, random.choice((Color.WHITE, Color.BLACK, None)), 40, NOW)


def best_of(times, work):
    """The least of so many times, in ms."""
    taken = []
    for _ in range(times):
        begun = perf_counter()
        work()
        taken.append((perf_counter() - begun) * 1_000)
    return min(taken)


def main():
    for people, most in WAVES:
        field = Field(tuple(waiting(people, Random(people))))
        ms = best_of(3, lambda field=field: run_at_once(ARENA.pair(CUP, field, NOW)))
        print(f"a wave of {people:5,}: {ms:7.1f} ms of {most:5,} ms")
    entrants = {f"p{n}": Entrant(Player(f"p{n}", f"P{n}"), 1_500, False, n) for n in range(1_000)}
    played = list(results(1_000, 8, Random(8)))
    print(
        f"a table of 1,000 people and 4,000 games: {best_of(3, lambda: standings(ARENA, CUP, entrants, played)):.1f} ms"
    )


if __name__ == "__main__":
    main()
