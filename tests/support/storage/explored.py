"""Games for the opening explorer, and what it should say of them, counted without it."""

from collections import Counter, defaultdict
from dataclasses import replace
from random import Random

from server.games.changes.beginning import new_game
from server.games.changes.ending import Abort, Resign
from server.games.game import play
from server.games.terms import Terms
from server.realtime.services.explorer_index import ExplorerIndex
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.legal import play as play_move
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color
from server.storage.protocols.explorer import DEPTH, position_key
from tests.support.games import BORIS, FIVE_MINUTES, START, WANDA, computer_game, live_game
from tests.support.imported_games import MATE, imported
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.rated_games import count_all
from tests.support.storage.stored_games import game_called, stepped

OUTCOMES = (Color.WHITE, Color.BLACK, None)


def over(game, winner=Color.WHITE, at=START):
    """`game`, ended at `at` with that winner, None for a draw; if it is over already, as it ended."""
    if game.outcome is not None:
        return replace(game, ended=at)
    ended = replace(play(game, Resign((winner or Color.WHITE).other), START)[0], ended=at)
    return ended if winner else replace(ended, outcome=replace(ended.outcome, winner=None, reason="agreement"))


def begun(game_id, variant, random, *, own_start=False):
    """A game of that variant, now and then of its 960 form."""
    chosen = VARIANTS[variant]
    chess960 = chosen.chess960 and not own_start and random.random() < 0.4
    fen = shuffled_fen(chosen, Random(random.randrange(2))) if chess960 else chosen.start_fen
    if own_start:
        start = parse_fen(chosen, fen)
        fen = format_fen(play_move(start, legal_moves(start)[0]))
    return new_game(game_id, Terms(chosen, chess960, fen, FIVE_MINUTES, rated=False), START, white=WANDA, black=BORIS)


def walked(game, plies, random, width=2):
    """The game after so many moves, each one of the first `width` legal ones, so that games meet."""
    while len(game.plies) < plies and game.outcome is None:
        game = stepped(game, random.randrange(width))
    return game


async def store_over(store, before, after):
    """Stores a game and its end, as a server does."""
    if before.outcome is not None:
        # It ended by its last move: what came before that was another state.
        before = replace(before, outcome=None, status=live_game().status, ended=None)
    await store.create(replace(before, rev=after.rev - 1))
    await store.save(replace(before, rev=after.rev - 1), after)
    return after


async def play_some(store, variant, count, seed):
    """Plays games of all kinds; returns those that count."""
    random, counted = Random(f"{variant} {seed}"), []
    for number in range(count):
        game = walked(begun(f"{variant[:4]}{seed}n{number}", variant, random), random.choice([2, 9, 40]), random)
        if game.outcome is None:
            after = over(game, random.choice(OUTCOMES), START + number)
            counted.append(await store_over(store, game, after))
    own = walked(begun(f"{variant[:4]}{seed}own", variant, random, own_start=True), 6, random)
    alone = walked(game_called(f"{variant[:4]}{seed}alone", computer_game(variant=variant)), 6, random)
    for one in (own, alone):
        await store_over(store, one, over(one))
    aborted = stepped(game_called(f"{variant[:4]}{seed}abort", live_game(variant=variant)))
    await store_over(store, aborted, play(aborted, Abort(Color.WHITE), START)[0])
    await store.create(walked(game_called(f"{variant[:4]}{seed}runs", live_game(variant=variant)), 6, random))
    await store.create(replace(imported(MATE), id=f"{variant[:4]}{seed}pgn"))
    return counted


def naive(games):
    """The counts by position and move, one game after the other: White, draws, Black; and the latest game."""
    counts, latest = defaultdict(Counter), {}
    for game in games:
        position, seen = parse_fen(game.terms.variant, game.terms.start_fen, game.terms.chess960), set()
        for ply in game.plies[:DEPTH]:
            place = (position_key(position), ply.uci)
            if place not in seen:
                seen.add(place)
                counts[place][game.outcome.winner] += 1
                latest[place] = max(latest.get(place, (0, "")), (game.ended, game.id))
            position = play_move(position, parse_uci(position, ply.uci))
    return {
        place: (found[Color.WHITE], found[None], found[Color.BLACK], latest[place][1])
        for place, found in counts.items()
    }


async def told(store, places):
    """The same as the explorer tells it, of the positions of `places`."""
    return {
        (position, one.move): (one.white, one.draws, one.black, one.last)
        for position in {position for position, _ in places}
        for one in await store.explorer.moves(position)
    }


async def index_all(store):
    """What the server does regularly: ratings come first, as the explorer waits for them."""
    await count_all(store)
    await ExplorerIndex(store, pause_s=0).step()
