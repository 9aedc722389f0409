"""Who follows and who has blocked whom, on every engine."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.cli.checking import flaws_of
from server.games.people import Tie, TieKind
from server.games.player import Player
from server.storage.tables.accounts import Session, User
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.rated_games import ANNA, BERTA, CARL, DORA, register

NOW = 1_700_000_000_000
PEOPLE = {player.id: player for player in (ANNA, BERTA, CARL, DORA)}
people = st.sampled_from(list(PEOPLE.values()))
kinds = st.sampled_from(list(TieKind))
changes = st.one_of(
    st.tuples(st.just("keep"), people, kinds, people),
    st.tuples(st.just("keep"), people, kinds, people),
    st.tuples(st.just("remove"), people, kinds, people),
    st.tuples(st.just("forget"), people),
    st.tuples(st.just("hand_over"), people, people),
)


class Model:
    """What the store has to remember: {(owner, kind, other): tie}."""

    def __init__(self):
        self.ties = {}

    def keep(self, tie):
        self.ties[tie.owner, tie.kind, tie.other.id] = tie

    def hand_over(self, user, heir):
        theirs = [tie for tie in self.ties.values() if user.id in (tie.owner, tie.other.id)]
        for tie in theirs:
            del self.ties[tie.owner, tie.kind, tie.other.id]
        for tie in theirs:
            owner = heir.id if tie.owner == user.id else tie.owner
            other = heir if tie.other.id == user.id else tie.other
            if owner != other.id:
                self.keep(replace(tie, owner=owner, other=other))

    def forget(self, person):
        self.ties = {key: tie for key, tie in self.ties.items() if person.id not in (tie.owner, tie.other.id)}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(changes, max_size=12))
async def test_ties_are_kept_changed_and_forgotten_as_was_said(store, story):
    model = Model()
    for person in PEOPLE.values():
        await store.ties.forget(person.id)
    for at, (what, *who) in enumerate(story):
        match what, who:
            case "keep", (owner, kind, other) if owner is not other:
                tie = Tie(owner.id, kind, other, NOW + at)
                await store.ties.keep(tie)
                model.keep(tie)
            case "remove", (owner, kind, other):
                await store.ties.remove(owner.id, kind, other.id)
                model.ties.pop((owner.id, kind, other.id), None)
            case "forget", (person,):
                await store.ties.forget(person.id)
                model.forget(person)
            case "hand_over", (user, heir):
                for _ in range(2):
                    await store.ties.hand_over(user.id, heir)
                model.hand_over(user, heir)
    await assert_same(store, model.ties)


async def assert_same(store, ties):
    blocks = {(owner, other) for owner, kind, other in ties if kind is TieKind.BLOCKS}
    assert set(await store.ties.blocks()) == blocks
    for one in PEOPLE:
        own = [tie for tie in ties.values() if tie.owner == one]
        # When several become one, which of them stays is left open.
        found = await store.ties.of(one)
        assert {(tie.kind, tie.other) for tie in found} == {(tie.kind, tie.other) for tie in own}
        assert [tie.at for tie in found] == sorted(tie.at for tie in found)
        assert set(await store.ties.blocks(one)) == {block for block in blocks if one in block}
        for other in PEOPLE:
            apart = (one, other) in blocks or (other, one) in blocks
            assert await store.ties.are_apart(one, other) == apart


async def test_ties_come_back_unchanged_after_a_restart(place):
    store = await place.open()
    await register(store, ANNA, BERTA)
    tie = Tie(ANNA.id, TieKind.BLOCKS, BERTA, NOW)
    await store.ties.keep(tie)
    await store.close()
    store = await place.open()
    assert list(await store.ties.of(ANNA.id)) == [tie]
    assert [flaw async for flaw in flaws_of(store.records, VARIANTS)] == []


async def test_with_a_guest_who_is_forgotten_go_their_ties_and_those_to_them(store):
    await register(store, ANNA)
    await store.add_guest(User("guest", "SwiftOwl42", True, NOW), Session("guest's", "guest", NOW, NOW))
    await store.ties.keep(Tie("guest", TieKind.BLOCKS, ANNA, NOW))
    await store.ties.keep(Tie(ANNA.id, TieKind.BLOCKS, Player("guest", "SwiftOwl42"), NOW))
    assert await store.accounts.purge(NOW + 1, 0, NOW + 1, 10)
    assert list(await store.ties.blocks()) == []
