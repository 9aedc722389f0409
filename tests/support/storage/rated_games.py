"""Rated and casual games to count, and registered people to play them."""

from dataclasses import replace

from server.games.changes.ending import Resign
from server.games.game import play
from server.games.player import Player
from server.rules.variant.pieces import Color
from server.storage.protocols.ratings import Category
from server.storage.tables.accounts import Account, Session, User
from tests.support.games import FIVE_MINUTES, START, running_game
from tests.support.storage.stored_games import game_called, stepped

NAMES = ("Anna", "Berta", "Carl", "Dora")
ANNA, BERTA, CARL, DORA = (Player(f"id-{name.lower()}", name) for name in NAMES)
WIN, DRAW, LOSS = "1-0", "1/2-1/2", "0-1"


async def register(store, *players):
    for player in players:
        await store.add_guest(
            User(player.id, f"Guest{player.id}", guest=True, created=START), _session(f"guest {player.id}", player.id)
        )
        account = Account(player.name.lower(), player.id, player.name, "hash", START)
        await store.accounts.register(account, _session(player.id, player.id), f"guest {player.id}")


def _session(token_hash, user):
    return Session(token_hash, user, created=START, seen=START)


def game_between(game_id, white, black, rated=True, control=FIVE_MINUTES, variant="chess"):
    """A game in which both have moved twice."""
    game = stepped(stepped(game_called(game_id, running_game(control=control, variant=variant))))
    return replace(game, white=white, black=black, terms=replace(game.terms, rated=rated))


def ended(game, result=WIN, at=START):
    """The two last states of `game`: before, and after its end."""
    loser = {WIN: Color.BLACK, LOSS: Color.WHITE}.get(result)
    # At START the clocks have not run out yet.
    over = replace(play(game, Resign(loser or Color.WHITE), START)[0], ended=at)
    if loser is None:
        over = replace(over, outcome=replace(over.outcome, winner=None, reason="agreement"))
    return game, over


async def played(store, game_id, white, black, result=WIN, at=START, **terms):
    """A game that is over and stored, and not counted yet."""
    before, after = ended(game_between(game_id, white, black, **terms), result, at)
    await store.create(before)
    await store.save(before, after)
    return after


async def count_all(store):
    """What the server does regularly."""
    while finished := await store.ratings.uncounted(100):
        for one in finished:
            await store.ratings.count(one)


def category(control=FIVE_MINUTES, variant="chess"):
    return Category.of(game_between("x", ANNA, BERTA, control=control, variant=variant).terms)


async def farm(store, winner, loser, games, name="farm"):
    for number in range(games):
        white, black, result = (winner, loser, WIN) if number % 2 else (loser, winner, LOSS)
        await played(store, f"{name}{number:02}", white, black, result, START + number)
