"""Games change hands one account after the other; a game that cannot be written now holds up no other account."""

from types import SimpleNamespace

from server.realtime.account_merges import AccountMerges
from server.storage.errors import Conflict
from server.storage.protocols.accounts import AccountMerge
from tests.support.realtime.node import BLACK, WHITE


class Accounts:
    def __init__(self, *merges):
        self.noted = list(merges)

    async def merges(self):
        return tuple(self.noted)

    async def end_merge(self, merge):
        self.noted.remove(merge)


async def nothing(*_):
    return ()


async def test_a_game_that_others_write_all_the_time_holds_up_no_other_account(node, store, variants, monkeypatch):
    game, _, _ = await node.opened(variants)
    heads = {WHITE.id: [store.games[game]], BLACK.id: []}

    async def by_player(player, limit):
        return heads[player]

    async def conflict(before, after):
        raise Conflict(before.id)

    ratings = SimpleNamespace(uncounted=nothing, hand_over=nothing)
    kept = SimpleNamespace(hand_over=nothing)
    monkeypatch.setattr(store, "by_player", by_player, raising=False)
    monkeypatch.setattr(store, "ratings", ratings, raising=False)
    monkeypatch.setattr(store, "alerts", kept, raising=False)
    monkeypatch.setattr(store, "push", kept, raising=False)
    monkeypatch.setattr(store.ties, "hand_over", nothing, raising=False)
    monkeypatch.setattr(store, "save", conflict)
    stuck, free = AccountMerge(WHITE.id, "w", "Wanda"), AccountMerge(BLACK.id, "b", "Boris")
    accounts = Accounts(stuck, free)
    await AccountMerges(node.rounds, node.live.lobby, node.live.ties, accounts).carry_out_all()
    assert accounts.noted == [stuck]
