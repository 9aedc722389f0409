"""Games change hands one account after the other; a game that cannot be written now holds up no other account."""

from types import SimpleNamespace

import pytest

from server.games.player import Player
from server.realtime.services.account_merges import AccountMerges
from server.storage.errors import Conflict, Unreadable
from server.storage.tables.accounts import AccountMerge
from tests.support.realtime.lobby_page import DAYS, seek
from tests.support.realtime.node import WHITE


class Accounts:
    def __init__(self, *merges):
        self.noted = list(merges)

    async def merges(self):
        return tuple(self.noted)

    async def end_merge(self, merge):
        self.noted.remove(merge)


async def nothing(*_):
    return ()


@pytest.fixture
def seated(store, monkeypatch):
    """A store that knows who has seats in its games, and has nothing else of anybody."""

    async def by_player(player, limit):
        return [game for game in store.games.values() if any(one.id == player for one in game.players)]

    kept = SimpleNamespace(hand_over=nothing)
    monkeypatch.setattr(store, "by_player", by_player, raising=False)
    for name in ("uncounted", "hand_over"):
        monkeypatch.setattr(store.ratings, name, nothing, raising=False)
    monkeypatch.setattr(store, "alerts", kept, raising=False)
    monkeypatch.setattr(store, "push", kept, raising=False)
    monkeypatch.setattr(store.ties, "hand_over", nothing, raising=False)
    return store


async def test_a_game_that_cannot_be_read_changes_hands_as_soon_as_it_can(node, seated, variants, monkeypatch):
    """The file of its variant was missing: with the file the name of whoever had left came back. Until it has gone to
    the last heir, it may go through the hands of somebody who has left meanwhile.
    """
    game, _, _ = await node.opened(variants)
    first, then = AccountMerge(WHITE.id, "w", "Wanda"), AccountMerge("w", "v", "Vera")
    accounts = Accounts(first)
    merges = AccountMerges(node.rounds, node.live.lobby, node.live.ties, node.live.studies, accounts)

    async def get(_, game_id):
        raise Unreadable("no such variant")

    with monkeypatch.context() as patch:
        patch.setattr(type(node.rounds), "get", get)
        await merges.carry_out_all()
        accounts.noted.append(then)
        await merges.carry_out_all()
    assert accounts.noted == [first, then]
    for _ in range(2):
        await merges.carry_out_all()
    assert accounts.noted == []
    assert seated.games[game].white.name == "Vera"


async def test_a_game_that_others_write_all_the_time_holds_up_no_other_account(node, seated, variants, monkeypatch):
    await node.opened(variants)

    async def conflict(before, after):
        raise Conflict(before.id)

    monkeypatch.setattr(seated, "save", conflict)
    stuck, free = AccountMerge(WHITE.id, "w", "Wanda"), AccountMerge("somebody", "b", "Boris")
    accounts = Accounts(stuck, free)
    await AccountMerges(node.rounds, node.live.lobby, node.live.ties, node.live.studies, accounts).carry_out_all()
    assert accounts.noted == [stuck]


async def test_whoever_has_a_game_that_cannot_be_read_keeps_seeking_others(node, seated, variants, monkeypatch):
    """Their registration stays noted, maybe for ever, and is looked at again every half minute."""
    stuck, _, _ = await node.opened(variants)
    await node.opened(variants)
    member = Player(WHITE.id, "Member")
    as_guest, later = seek(node, WHITE, control=DAYS), seek(node, member, True, control=DAYS)
    accounts = Accounts(AccountMerge(WHITE.id, WHITE.id, "Member"))
    merges = AccountMerges(node.rounds, node.live.lobby, node.live.ties, node.live.studies, accounts)
    get, asked = type(node.rounds).get, []

    async def get_all_but_one(rounds, game_id):
        asked.append(game_id)
        if game_id == stuck:
            raise Unreadable("no such variant")
        return await get(rounds, game_id)

    monkeypatch.setattr(type(node.rounds), "get", get_all_but_one)
    await node.live.lobby.post_seek(as_guest)
    await merges.carry_out_all()
    assert len(asked) == 2
    assert list(node.live.lobby.seeks) == []
    await node.live.lobby.post_seek(later)
    await merges.carry_out_all()
    assert list(node.live.lobby.seeks) == [later]
    # The games that have changed hands are not read again each time.
    assert asked[2:] == [stuck]
    assert len(accounts.noted) == 1
