"""The open pages of a study: they hear what changes in it, on every node, until it is closed to them."""

import json

import pytest

from server.games.player import Player
from server.games.studies import Chapter, Member, Role, Study, WrittenChapter, changed
from server.realtime.cluster.bus import ChapterStored, Missed, PeopleInStudy, StudyTopic
from server.realtime.play.connection import TRY_LATER, FeedConnection
from server.realtime.studies import HEARSAY_MS, READS, READS_WITHIN_MS
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.manual_outbox import ManualOutbox
from tests.support.realtime.node import Deaf, Node

ANNA, BEN, CARLA = Player("anna-id-00", "Anna"), Player("ben-id-000", "Ben"), Player("carla-id-0", "Carla")
ID, OTHER = "s" * 22, "o" * 22
NOW = 1_700_000_000_000


class Page:
    """The page of a study; `got` is everything it was told."""

    def __init__(self, node, player, study=ID):
        self.got = []
        self.outbox = ManualOutbox()
        services = node.live.services
        self.connection = FeedConnection(node.live.studies, services.timers, player, self.outbox, services.now())
        self.connection.receive(json.dumps({"t": "hi", "proto": 1, "study": study}), 0)

    async def told(self):
        """What it was told since the last time."""
        await settle()
        found = [json.loads(text) for text in self.outbox.read_all()]
        self.got += found
        return found

    async def kinds(self):
        return [message["t"] for message in await self.told()]

    @property
    def here(self):
        return next(message["here"] for message in reversed(self.got) if "here" in message)

    def close(self):
        self.connection.closed(0)


class Line(Deaf):
    """What is told on it arrives at the other nodes at once, whatever they follow."""

    def __init__(self):
        self.others, self.topics = [], set()

    def tell(self, notice):
        for node in self.others:
            node.live.others.hear_notice(notice)

    def follow(self, topic):
        self.topics.add(topic)

    def unfollow(self, topic):
        self.topics.discard(topic)


@pytest.fixture
async def together(store, clock):
    """Two nodes that hear each other."""
    both = [Node(store, clock, Line()) for _ in range(2)]
    for node, other in (both, reversed(both)):
        node.live.services.bus.others.append(other)
    yield both
    for node in both:
        await node.live.services.background.finish(0)


@pytest.fixture
async def studies(store):
    """Anna's study, in which Ben may write."""
    chapter = WrittenChapter(Chapter("c1", ID, ANNA.id, "One", "chess", False), "1. e4 *\n")
    await store.studies.add_study(Study(ID, ANNA.id, "Ideas", ("c1",), NOW, NOW), [chapter])
    await store.studies.keep_member(Member(ID, ANNA.id, BEN, Role.WRITE, NOW))
    return store.studies


async def test_a_page_is_shown_the_study_and_what_its_reader_may(node, studies):
    anna, ben = Page(node, ANNA), Page(node, BEN)
    (shown,) = await ben.told()
    assert shown["chapters"] == [{"id": "c1", "name": "One", "variant": "chess", "rev": 1}]
    assert (shown["name"], shown["writes"], shown["here"]) == ("Ideas", 1, ["Anna", "Ben"])
    await studies.keep_member(Member(ID, ANNA.id, BEN, Role.READ, NOW))
    node.live.studies.tell_study(ID)
    (shown,) = await ben.told()
    assert "writes" not in shown
    assert (await anna.told())[-1]["writes"] == 1


async def test_strangers_and_whoever_has_no_business_there_learn_nothing(node, studies):
    for person, study in ((CARLA, ID), (None, ID), (ANNA, OTHER)):
        page = Page(node, person, study)
        assert await page.told() == [{"t": "study_gone"}]
        assert page.outbox.closed
        node.live.studies.tell_chapter(ID, "c1", 2, "Anna")
        assert await page.told() == []
    await studies.change_study(changed(await studies.find_study(ID), NOW, shared=True))
    stranger, anna = Page(node, CARLA), Page(node, ANNA)
    (shown,) = await stranger.told()
    # Whoever has the link reads, and is not told who else does, nor are the others told of them.
    assert "here" not in shown
    await anna.told()
    assert anna.here == ["Anna"]


async def test_a_member_who_is_taken_out_is_sent_away_at_once_on_every_node(together, studies):
    here, there = together
    anna, ben = Page(here, ANNA), Page(there, BEN)
    await ben.told()
    await anna.told()
    await studies.remove_member(ID, BEN.id)
    here.live.studies.tell_study(ID)
    assert await ben.told() == [{"t": "study_gone"}]
    assert ben.outbox.closed
    await anna.told()
    assert anna.here == ["Anna"]
    assert StudyTopic(ID) not in there.live.services.bus.topics
    here.live.studies.tell_chapter(ID, "c1", 2, "Anna")
    assert await ben.told() == []


async def test_a_study_that_is_no_longer_shared_or_is_gone_is_closed_to_its_readers(node, studies):
    shared = changed(await studies.find_study(ID), NOW, shared=True)
    await studies.change_study(shared)
    stranger, ben = Page(node, None), Page(node, BEN)
    assert await stranger.kinds() == ["study"]
    await ben.told()
    await studies.change_study(changed(shared, NOW, shared=False))
    node.live.studies.tell_study(ID)
    assert await stranger.kinds() == ["study_gone"]
    assert "study" in await ben.kinds()
    await studies.remove_study(shared)
    node.live.studies.tell_study(ID)
    assert await ben.kinds() == ["study_gone"]


@pytest.mark.usefixtures("studies")
async def test_a_change_of_a_chapter_is_heard_on_every_node(together):
    here, there = together
    pages = [Page(here, ANNA), Page(there, BEN)]
    for page in pages:
        await page.told()
        await page.told()
    here.live.studies.tell_chapter(ID, "c1", 2, "Anna")
    for page in pages:
        assert (await page.told())[-1] == {"t": "chapter_changed", "chapter": "c1", "rev": 2, "by": "Anna"}


async def test_many_who_write_make_many_who_read_load_no_more_than_the_server_bears(node, studies):
    await studies.change_study(changed(await studies.find_study(ID), NOW, shared=True))
    pages = [Page(node, None) for _ in range(40)]
    first = pages[0]
    await first.told()
    moves, seconds, heard = 50, 8, []
    for second in range(seconds):
        for move in range(moves):
            node.live.studies.tell_chapter(ID, f"c{move % 2}", second * moves + move, "Anna")
            node.live.studies.tell_study(ID)
            await node.tick(1_000 // moves)
            heard += await first.told()
    most = READS // len(pages) * (1 + seconds * 1_000 / READS_WITHIN_MS)
    kinds = [message["t"] for message in heard]
    assert 0 < kinds.count("study") <= most
    assert 0 < kinds.count("chapter_changed") <= 2 * most
    # However much is told, that one of them has to go is not delayed by it.
    await studies.change_study(changed(await studies.find_study(ID), NOW, shared=False))
    node.live.studies.tell_study(ID)
    for _ in range(len(pages) * READS_WITHIN_MS // READS // 100 + 1):
        node.live.studies.tell_chapter(ID, "c1", 10_000, "Anna")
        await node.tick(100)
    assert (await first.told())[-1] == {"t": "study_gone"}


@pytest.mark.usefixtures("studies")
async def test_the_last_of_many_changes_is_told(node):
    pages = [Page(node, ANNA) for _ in range(150)]
    await pages[0].told()
    for rev in range(2, 9):
        node.live.studies.tell_chapter(ID, "c1", rev, "Ben")
    assert [one["rev"] for one in await pages[0].told() if one["t"] == "chapter_changed"] == [2]
    await node.tick(READS_WITHIN_MS)
    assert [one["rev"] for one in await pages[0].told() if one["t"] == "chapter_changed"] == [8]


@pytest.mark.usefixtures("studies")
async def test_members_see_who_is_there_until_they_go_or_their_node_falls_silent(together, clock):
    here, there = together
    anna, ben = Page(here, ANNA), Page(there, BEN)
    for page in (anna, ben, anna):
        await page.told()
    assert anna.here == ben.here == ["Anna", "Ben"]
    second = Page(there, BEN)
    ben.close()
    await anna.told()
    assert anna.here == ["Anna", "Ben"]
    second.close()
    await anna.told()
    assert anna.here == ["Anna"]
    here.live.studies.hear(PeopleInStudy(ID, "elsewhere", ("Ben",)))
    await anna.told()
    assert anna.here == ["Anna", "Ben"]
    clock.turn(HEARSAY_MS)
    here.live.studies.catch_up()
    await anna.told()
    assert anna.here == ["Anna"]


async def test_what_a_lost_notice_told_is_made_up_for(nodes, studies):
    here, there = nodes
    ben = Page(there, BEN)
    await ben.told()
    await studies.change_study(changed(await studies.find_study(ID), NOW, name="Better"))
    here.live.studies.tell_study(ID)
    assert await ben.told() == []
    there.live.others.resync(Missed(studies=frozenset({ID, OTHER})))
    assert (await ben.told())[-1]["name"] == "Better"


@pytest.mark.usefixtures("studies")
async def test_a_chapter_stored_while_the_study_is_read_is_not_missed(node, monkeypatch):
    read = node.store.studies.chapters_of

    async def read_slowly(study):
        found = await read(study)
        monkeypatch.undo()
        node.live.studies.hear(ChapterStored(ID, "c1", 2, "Ben"))
        return found

    monkeypatch.setattr(node.store.studies, "chapters_of", read_slowly)
    assert await Page(node, ANNA).kinds() == ["study", "study"]


@pytest.mark.usefixtures("studies")
async def test_whose_right_cannot_be_read_is_to_come_again(node, monkeypatch):
    ben = Page(node, BEN)
    await ben.told()

    async def away(*_):
        raise Unavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr(node.store.studies, "look_at", away)
        node.live.studies.tell_study(ID)
        assert await ben.told() == []
        assert ben.outbox.close_code == TRY_LATER
    assert await Page(node, BEN).kinds() == ["study"]


@pytest.mark.usefixtures("studies")
async def test_a_page_that_goes_elsewhere_is_followed_there_alone(store, clock):
    node = Node(store, clock, Line())
    await store.studies.add_study(Study(OTHER, ANNA.id, "More", (), NOW, NOW), [])
    page = Page(node, ANNA)
    await page.told()
    page.connection.receive(json.dumps({"t": "hi", "proto": 1, "study": OTHER}), 0)
    assert [shown["name"] for shown in await page.told()] == ["More"]
    assert node.live.services.bus.topics == {StudyTopic(OTHER)}
    page.close()
    assert node.live.services.bus.topics == set()
    await node.live.services.background.finish(0)


@pytest.mark.usefixtures("studies")
async def test_a_restart_is_said(node):
    anna = Page(node, ANNA)
    await anna.told()
    node.live.studies.dismiss('{"t":"restart"}', 1012)
    assert await anna.kinds() == ["restart"]
    assert anna.outbox.close_code == 1012
