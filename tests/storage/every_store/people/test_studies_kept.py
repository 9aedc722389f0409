"""Studies and their chapters, on every engine: whatever is done, the store has what a plain table would have."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.games.studies.study import Chapter, Study, WrittenChapter
from server.storage.errors import Duplicate

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
    assert await studies.find("s1") is None
    first = study("s1", ("c1", "c2"))
    await studies.add(first, [chapter("c1", "s1"), chapter("c2", "s1")])
    await studies.add(study("s2", ("c3",), "ben"), [chapter("c3", "s2", "ben")])
    with pytest.raises(Duplicate):
        await studies.add(study("s1", ("c4",), "ben"), [chapter("c4", "s1", "ben")])
    await store.close()
    studies = (await place.open()).studies
    assert await studies.find("s1") == first
    assert await studies.of("anna") == [first]
    assert sorted(one.id for one in await studies.chapters("s1") if one.owner == "anna") == ["c1", "c2"]
    assert await studies.chapter("c2") == chapter("c2", "s1")
    assert await studies.size_of("anna") == 2 * chapter("c1", "s1").size


async def test_the_last_changed_comes_first(place):
    studies = (await place.open()).studies
    for number, id in enumerate(("s1", "s2")):
        await studies.add(replace(study(id, (f"c{number}",)), changed=NOW + number), [chapter(f"c{number}", id)])
    assert [one.id for one in await studies.of("anna")] == ["s2", "s1"]
    later = replace(chapter("c0", "s1"), chapter=replace(chapter("c0", "s1").chapter, rev=2))
    assert await studies.save(later, NOW + 9)
    assert [one.id for one in await studies.of("anna")] == ["s1", "s2"]


async def test_who_leaves_takes_along_what_is_theirs(place):
    studies = (await place.open()).studies
    await studies.add(study("s1"), [chapter("c1", "s1")])
    await studies.add(study("s2", ("c2",), "ben"), [chapter("c2", "s2", "ben")])
    await studies.forget("anna")
    assert await studies.find("s1") is None
    assert await studies.chapter("c1") is None
    assert await studies.written("s2") == [chapter("c2", "s2", "ben")]


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
        await studies.add(model[key], [texts[first]])
    for step, (deed, id, pick, off) in enumerate(deeds):
        key = f"{number}{id}"
        stored = model.get(key)
        base = stored or study(key)
        after = replace(base, name=f"{step}", rev=base.rev + 1 + off)
        fits = stored is not None and off == 0
        own = [one for one in texts.values() if one.chapter.study == key]
        match deed:
            case "change":
                assert await studies.change(after) == fits
                model |= {key: after} if fits else {}
            case "add":
                new = chapter(f"{key}{step}", key)
                after = replace(after, chapters=(*base.chapters, new.chapter.id))
                assert await studies.add_chapter(after, new) == fits
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
                assert await studies.save(WrittenChapter(heading, f"{step} *\n"), NOW) == (off == 0)
                if off == 0:
                    texts[heading.id] = WrittenChapter(heading, f"{step} *\n")
            case "remove":
                await studies.remove(base)
                model.pop(key, None)
                texts = {id: one for id, one in texts.items() if one.chapter.study != key}
        for id in ("s1", "s2"):
            key = f"{number}{id}"
            assert await studies.find(key) == model.get(key)
            found = {one.chapter.id: one for one in await studies.written(key)}
            assert found == {id: one for id, one in texts.items() if one.chapter.study == key}
    await studies.forget("anna")


async def one_store(place, opened={}):  # noqa: B006 - one for all examples of a test
    if id(place) not in opened:
        opened.clear()
        opened[id(place)] = await place.open()
    return opened[id(place)]
