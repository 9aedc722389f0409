"""Studies and their chapters, on every engine: whatever is done, the store has what a plain table would have."""

import asyncio
from copy import copy
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.games import studies as limits
from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.studies import Chapter, Member, Role, Study, WrittenChapter
from server.storage.errors import Duplicate
from tests.support.storage.write_steps import Steps, Stopped, watch_tables

NOW = 1_700_000_000_000


def chapter(id, study, owner="anna", **changes):
    return WrittenChapter(
        Chapter(id, study, owner, f"Chapter «{id}»", "chess", False), f"1. e4 {{ {id} ♞ }} *\n", **changes
    )


def study(id, chapters=("c1",), owner="anna", **changes):
    return Study(id, owner, f"<b>{id}</b>", tuple(chapters), NOW, NOW, **changes)


async def test_a_study_is_found_with_all_that_is_in_it(place):
    store = await place.open()
    studies = store.studies
    assert await studies.find_study("s1") is None
    first = study("s1", ("c1", "c2"))
    await studies.add_study(first, [chapter("c1", "s1"), chapter("c2", "s1")])
    await studies.add_study(study("s2", ("c3",), "ben"), [chapter("c3", "s2", "ben")])
    with pytest.raises(Duplicate):
        await studies.add_study(study("s1", ("c4",), "ben"), [chapter("c4", "s1", "ben")])
    await store.close()
    studies = (await place.open()).studies
    assert await studies.find_study("s1") == first
    assert await studies.studies_of("anna") == [first]
    assert sorted(one.id for one in await studies.chapters_of("s1") if one.owner == "anna") == ["c1", "c2"]
    assert await studies.find_chapter("c2") == chapter("c2", "s1")
    assert await studies.size_of("anna") == 2 * chapter("c1", "s1").size


async def test_the_last_changed_comes_first(place):
    studies = (await place.open()).studies
    for number, id in enumerate(("s1", "s2")):
        await studies.add_study(replace(study(id, (f"c{number}",)), changed=NOW + number), [chapter(f"c{number}", id)])
    assert [one.id for one in await studies.studies_of("anna")] == ["s2", "s1"]
    later = replace(chapter("c0", "s1"), chapter=replace(chapter("c0", "s1").chapter, rev=2))
    assert await studies.save_chapter(later, NOW + 9)
    assert [one.id for one in await studies.studies_of("anna")] == ["s1", "s2"]


async def test_who_leaves_takes_along_what_is_theirs(place):
    studies = (await place.open()).studies
    await studies.add_study(study("s1"), [chapter("c1", "s1")])
    await studies.add_study(study("s2", ("c2",), "ben"), [chapter("c2", "s2", "ben")])
    await studies.forget("anna")
    assert await studies.find_study("s1") is None
    assert await studies.find_chapter("c1") is None
    assert await studies.written_chapters_of("s2") == [chapter("c2", "s2", "ben")]


def member(study, person, role=Role.WRITE, at=NOW, owner="anna"):
    return Member(study, owner, Player(person, person.title()), role, at)


async def test_a_member_has_one_role_until_they_or_the_study_are_gone(place):
    studies = (await place.open()).studies
    for id, chapter_id in (("s1", "c1"), ("s2", "c2")):
        await studies.add_study(study(id, (chapter_id,)), [chapter(chapter_id, id)])
    await studies.keep_member(member("s1", "ben"))
    await studies.keep_member(member("s2", "ben", at=NOW + 1))
    await studies.keep_member(member("s1", "carla", Role.READ, NOW + 2))
    assert await studies.members_of("s1") == [member("s1", "ben"), member("s1", "carla", Role.READ, NOW + 2)]
    assert [(one.id, role) for one, role in await studies.memberships_of("ben")] == [
        ("s2", Role.WRITE),
        ("s1", Role.WRITE),
    ]
    # Another role keeps the place in the order.
    await studies.keep_member(member("s1", "ben", Role.READ, NOW + 9))
    assert await studies.role_of("s1", "ben") is Role.READ
    assert [one.person.id for one in await studies.members_of("s1")] == ["ben", "carla"]
    await studies.remove_member("s1", "ben")
    await studies.remove_member("s1", "ben")
    assert await studies.role_of("s1", "ben") is None
    await studies.remove_study(study("s2", ("c2",)))
    assert await studies.memberships_of("ben") == []
    # Who leaves the site leaves the studies of others.
    await studies.forget("carla")
    assert await studies.members_of("s1") == []


async def test_members_beyond_the_last_place_are_refused_and_leave_nothing_behind(place, monkeypatch):
    monkeypatch.setattr("server.storage.tables.studies.MAX_MEMBERS", 2)
    studies = (await place.open()).studies
    await studies.add_study(study("s1"), [chapter("c1", "s1")])
    asked = (studies.keep_member(member("s1", person, at=NOW + at)) for at, person in enumerate("vwxyz"))
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(one) for one in answers].count(NotAllowed) == 3
    assert len(await studies.members_of("s1")) == 2


DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["change", "save", "add", "drop", "remove"]),
        st.sampled_from(["s1", "s2"]),
        st.integers(0, 3),
        st.integers(-1, 1),
    ),
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(deeds=DEEDS, number=st.uuids())
async def test_only_the_next_revision_is_stored(place, deeds, number):
    """Against a model: `off` is how far the writer's revision is from the one after the stored."""
    studies = (await one_store(place)).studies
    model, texts = {}, {}
    for id in ("s1", "s2"):
        key, first = f"{number}{id}", f"{number}{id}c"
        model[key], texts[first] = study(key, (first,)), chapter(first, key)
        await studies.add_study(model[key], [texts[first]])
    for step, (deed, id, pick, off) in enumerate(deeds):
        key = f"{number}{id}"
        stored = model.get(key)
        base = stored or study(key)
        after = replace(base, name=f"{step}", rev=base.rev + 1 + off)
        fits = stored is not None and off == 0
        own = [one for one in texts.values() if one.chapter.study == key]
        match deed:
            case "change":
                assert await studies.change_study(after) == fits
                model |= {key: after} if fits else {}
            case "add":
                new = chapter(f"{key}{step}", key)
                after = replace(after, chapters=(*base.chapters, new.chapter.id))
                assert await studies.add_chapters(after, [new]) == fits
                if fits:
                    model[key], texts[new.chapter.id] = after, new
            case "drop" if own:
                gone = own[pick % len(own)].chapter.id
                after = replace(after, chapters=tuple(one for one in base.chapters if one != gone))
                assert await studies.remove_chapter(after, gone) == fits
                if fits:
                    model[key] = after
                    del texts[gone]
            case "save" if own:
                one = own[pick % len(own)]
                heading = replace(one.chapter, name=f"{step}", rev=one.chapter.rev + 1 + off)
                assert await studies.save_chapter(WrittenChapter(heading, f"{step} *\n"), NOW) == (off == 0)
                if off == 0:
                    texts[heading.id] = WrittenChapter(heading, f"{step} *\n")
            case "remove":
                await studies.remove_study(base)
                model.pop(key, None)
                texts = {id: one for id, one in texts.items() if one.chapter.study != key}
        for id in ("s1", "s2"):
            key = f"{number}{id}"
            assert await studies.find_study(key) == model.get(key)
            found = {one.chapter.id: one for one in await studies.written_chapters_of(key)}
            assert found == {id: one for id, one in texts.items() if one.chapter.study == key}
    await studies.forget("anna")


async def one_store(place, opened={}):  # noqa: B006 - one for all examples of a test
    if id(place) not in opened:
        opened.clear()
        opened[id(place)] = await place.open()
    return opened[id(place)]


@pytest.mark.parametrize("way", ["add", "add_chapters", "save"])
async def test_several_at_once_do_not_keep_more_than_one_person_may(place, monkeypatch, way):
    """Each looked first whether there was room, and then wrote: two chapters at once overshot it."""
    store, size = await place.open(), chapter("c1", "s1").size
    studies = store.studies
    names = [f"s{n}" for n in range(1, 5)]
    for name in names:
        await studies.add_study(study(name, (f"c{name[1:]}",)), [chapter(f"c{name[1:]}", name)])
    most = 4 * size + 30
    monkeypatch.setattr(limits, "MAX_BYTES", most)

    async def grow(number):
        name = names[number]
        match way:
            case "add":
                await studies.add_study(
                    study(f"n{name}", (f"n{number}",)), [longer(f"n{number}", f"n{name}", 25, of=0)]
                )
            case "add_chapters":
                after = study(name, (f"c{name[1:]}", f"n{number}"), rev=2)
                assert await studies.add_chapters(after, [longer(f"n{number}", name, 25, of=0)])
            case _:
                assert await studies.save_chapter(longer(f"c{name[1:]}", name, 25, rev=2), NOW)

    ends = await asyncio.gather(*(grow(number) for number in range(4)), return_exceptions=True)
    assert await studies.size_of("anna") <= most
    kept = sum(end is None for end in ends)
    assert kept <= 1
    assert all(end is None or isinstance(end, NotAllowed) for end in ends), ends
    assert await studies.size_of("anna") == 4 * size + 25 * kept
    shown = [one for owned in await studies.studies_of("anna") for one in owned.chapters]
    there = [one.id for owned in await studies.studies_of("anna") for one in await studies.chapters_of(owned.id)]
    assert sorted(shown) == sorted(there)
    if not kept:
        await grow(0)


@pytest.mark.parametrize("way", ["add", "add_chapters", "remove_chapter"])
async def test_what_a_crash_leaves_behind_takes_up_no_room_for_long(place, monkeypatch, way):
    """Nobody is shown such a chapter, so nobody could delete it; and one that is just being added stays."""
    store, size = await place.open(), chapter("c1", "s1").size
    studies = store.studies
    first = study("s1", ("c1", "c2"))
    await studies.add_study(first, [chapter("c1", "s1"), chapter("c2", "s1")])
    dies = copy(studies)
    watch_tables(dies, Steps(0, after=True))
    cut_short = {
        "add": lambda: dies.add_study(study("s2", ("c3",)), [chapter("c3", "s2")]),
        "add_chapters": lambda: dies.add_chapters(study("s1", ("c1", "c2", "c3"), rev=2), [chapter("c3", "s1")]),
        "remove_chapter": lambda: dies.remove_chapter(study("s1", ("c1",), rev=2), "c2"),
    }
    with pytest.raises(Stopped):
        await cut_short[way]()
    shown = [id for one in await studies.studies_of("anna") for id in one.chapters]
    left = await studies.size_of("anna") - len(shown) * size
    monkeypatch.setattr(limits, "MAX_BYTES", (len(shown) + 1) * size)
    before = await studies.find_study("s1")

    async def add(now):
        after = replace(before, chapters=(*before.chapters, "c4"), changed=now, rev=before.rev + 1)
        assert await studies.add_chapters(after, [chapter("c4", "s1")])

    if left and store.shared:  # else no other process can be adding it
        with pytest.raises(NotAllowed):
            await add(NOW + 59_999)
    await add(NOW + 60_000)
    assert await studies.size_of("anna") == (len(shown) + 1) * size
    assert sorted(one.id for one in await studies.chapters_of("s1")) == sorted([*before.chapters, "c4"])


def longer(id, study, by, rev=1, of=None):
    """That chapter with `by` more bytes than usual, or than `of`."""
    usual = chapter(id, study)
    text = "x" * by if of == 0 else usual.pgn + "x" * by
    return replace(usual, pgn=text, chapter=replace(usual.chapter, rev=rev))


async def test_how_many_studies_one_person_may_have_is_kept_to_however_they_are_made(place, monkeypatch):
    studies = (await place.open()).studies
    monkeypatch.setattr("server.storage.tables.studies.MAX_STUDIES", 2)
    made = [studies.add_study(study(f"s{n}", (f"c{n}",)), [chapter(f"c{n}", f"s{n}")]) for n in range(5)]
    ends = await asyncio.gather(*made, return_exceptions=True)
    assert len(await studies.studies_of("anna")) == sum(end is None for end in ends) == 2
    assert all(end is None or isinstance(end, NotAllowed) for end in ends)
    assert await studies.size_of("anna") == chapter("c1", "s1").size * len(await studies.studies_of("anna"))
