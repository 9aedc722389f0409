"""Studies as a browser asks for them: judged, kept, shared by link, and changed by nobody but their owner."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings

from server.games import studies as limits
from server.rules.notation.pgn_file import split_games
from server.rules.sliced_work import run_at_once
from server.web import studies as handlers
from server.web.budgets.buckets import RateLimit
from server.web.site import SITE
from tests.support.rules.annotated_trees import trees
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn, write_pgn
from tests.support.web.accounts import PASSWORD, go, register

PGN = '[Event "Café"]\n[White "Anna"]\n\n1. e4 $1 { [%clk 0:05:00] best } (1. d4 { calm } d5) 1... e5 *\n'


@pytest.fixture
async def author(anna):
    await register(anna, "Anna")
    return anna


async def make(person, **changes):
    return await person.post("/api/studies", **{"name": "Traps", "chapter": "First", "pgn": PGN, **changes})


async def share(person, study):
    return await person.post(f"/api/studies/{study['id']}", rev=study["rev"], shared=True)


def chapter_at(study, number=0):
    return f"/api/studies/{study['id']}/chapters/{study['chapters'][number]['id']}"


async def text_of(person, path):
    async with person.http.get(path) as answer:
        assert answer.status == 200
        assert "attachment" in answer.headers["Content-Disposition"]
        return await answer.text()


async def test_a_study_keeps_what_was_said_and_lists_it(author):
    made = await make(author, name=" My <b>traps</b>\u202e ")
    assert (made["name"], made["shared"], made["mine"]) == ("My <b>traps</b>", False, True)
    game = (await author.get(chapter_at(made)))["game"]
    assert game["steps"] == ["e2e4", "e7e5", 2, "d2d4", "d7d5"]
    assert game["plies"][0]["notes"] == {"nags": [1], "clock": 300_000, "comments": ["best"]}
    assert game["tags"]["Event"] == "Café"
    (listed,) = (await author.get("/api/studies"))["studies"]
    assert (listed["id"], listed["chapters"]) == (made["id"], 1)


async def test_only_people_with_an_account_keep_studies(anna):
    await anna.post("/api/guest")
    refused = await anna.post("/api/studies", 403, name="Traps", chapter="First", pgn=PGN)
    assert refused["refusal"] == "study_sign_in"
    assert (await anna.get("/api/studies"))["studies"] == []


@pytest.mark.parametrize(
    "pgn", ["1. e5 e4 *", '[Variant "Nonesuch"]\n\n*', "1. e4 e5 " + "2. Ke2 Ke7 3. Ke1 Ke8 " * 151 + "*"]
)
async def test_what_the_rules_do_not_allow_is_not_kept(author, pgn):
    made = await make(author)
    for path, body in (("/api/studies", {"name": "No", "chapter": "No"}), (chapter_at(made), {"rev": 1})):
        async with author.http.post(path, json={**body, "pgn": pgn}) as answer:
            assert answer.status == 400
    assert len((await author.get("/api/studies"))["studies"]) == 1


SEVERAL = """[White "Ann"]
[Black "Bo"]

1. e4 e5 2. Ke3 Nc6 1-0

[Event "Cup"]

1. Ke3 *

[Event "Cup"]

1. d4 *

1. c4 foo *
"""


async def test_each_game_of_a_text_becomes_a_chapter_and_a_bad_one_costs_no_other(author):
    refused = await author.post("/api/analysis/pgn", 400, pgn=SEVERAL)
    assert (refused["refusal"], refused["games"]) == ("several", 4)
    made = await author.post("/api/studies", name="Traps", chapter="Game", pgn=SEVERAL, games=True)
    assert [one["name"] for one in made["chapters"]] == ["Ann – Bo", "Cup", "Game 4"]
    assert [(one["number"], one["line"], one["code"], one["refused"]) for one in made["notices"]] == [
        (1, 4, "illegal", False),
        (2, 6, "illegal", True),
        (4, 14, "kept", False),
    ]
    assert made["notices"][0]["message"].startswith("not legal: 2. Ke3;")
    first = (await author.get(f"/api/studies/{made['id']}/chapters/{made['added'][0]}"))["game"]
    assert (first["steps"], first["result"]) == (["e2e4", "e7e5"], "1-0")
    assert first["plies"][1]["notes"] == {"comments": ["Ke3 Nc6"]}
    grown = await author.post(f"/api/studies/{made['id']}/chapters", name="Game", pgn=SEVERAL, games=True)
    assert (len(grown["chapters"]), grown["added"]) == (6, [one["id"] for one in grown["chapters"][3:]])
    full = "1. e4 *\n\n" * (limits.MAX_CHAPTERS - 5)
    assert await author.post(f"/api/studies/{made['id']}/chapters", 403, name="Game", pgn=full, games=True)
    assert len((await author.get(f"/api/studies/{made['id']}"))["chapters"]) == 6
    none = await author.post("/api/studies", 400, name="No", chapter="Game", pgn="1. Ke3 *\n\n1. Kd2 *", games=True)
    assert none["refusal"] == "illegal"


async def attempts(person, study):
    """Everything by which somebody could change the study: how the server answers each."""
    at, chapter = f"/api/studies/{study['id']}", chapter_at(study)
    asked = [
        ("POST", at, {"rev": study["rev"], "name": "Mine"}),
        ("POST", at, {"rev": study["rev"], "shared": False}),
        ("POST", f"{at}/chapters", {"name": "More", "pgn": "*"}),
        ("POST", chapter, {"rev": 1, "pgn": "1. d4 *"}),
        ("DELETE", chapter, None),
        ("DELETE", at, None),
    ]
    statuses = []
    for method, path, body in asked:
        async with person.http.request(method, path, json=body) as answer:
            statuses.append(answer.status)
    return statuses


async def readings(person, study):
    at, chapter = f"/api/studies/{study['id']}", chapter_at(study)
    statuses = set()
    for path in (at, f"{at}.pgn", chapter, f"{chapter}.pgn"):
        async with person.http.get(path) as answer:
            statuses.add(answer.status)
    return statuses


async def test_a_private_study_is_nobody_elses(author, ben):
    study = await make(author)
    for stranger in (ben, ben):
        assert await readings(stranger, study) == {404}
        assert set(await attempts(stranger, study)) <= {403, 404}
        await register(ben, "Ben")
    assert await ben.post(f"/api/studies/{study['id']}/copy", 404)
    assert {**study, **await author.get(f"/api/studies/{study['id']}")} == study


async def test_whoever_has_the_link_of_a_shared_study_reads_and_copies_it_but_changes_nothing(author, ben):
    study = await share(author, await make(author))
    assert await readings(ben, study) == {200}
    await register(ben, "Ben")
    told = await ben.get(f"/api/studies/{study['id']}")
    assert told == {**study, "mine": False, "own": False}
    assert await attempts(ben, study) == [403] * 6
    copy = await ben.post(f"/api/studies/{study['id']}/copy")
    assert (copy["mine"], copy["shared"], copy["rev"]) == (True, False, 1)
    assert copy["id"] != study["id"]
    await ben.post(chapter_at(copy), rev=1, pgn="1. d4 *")
    assert {**study, **await author.get(f"/api/studies/{study['id']}")} == study
    assert await text_of(ben, f"{chapter_at(study)}.pgn") == await text_of(author, f"{chapter_at(study)}.pgn")
    hidden = await author.post(f"/api/studies/{study['id']}", rev=study["rev"], shared=False)
    assert await readings(ben, hidden) == {404}


async def test_a_chapter_of_one_study_is_not_read_through_another(author, ben):
    secret = await make(author)
    await register(ben, "Ben")
    own = await make(ben)
    through = {**own, "chapters": secret["chapters"]}
    for path in (chapter_at(through), f"{chapter_at(through)}.pgn"):
        async with ben.http.get(path) as answer:
            assert answer.status == 404
    assert (await ben.post(chapter_at(through), 404, rev=1, pgn="*"))["refusal"] == "no_chapter"


async def test_of_two_tabs_the_second_is_told_and_overwrites_nothing(author):
    study = await make(author)
    at, chapter = f"/api/studies/{study['id']}", chapter_at(study)
    assert (await author.post(chapter, rev=1, pgn="1. c4 *"))["rev"] == 2
    refused = await author.post(chapter, 409, rev=1, pgn="1. f4 *")
    assert refused["refusal"] == "chapter_changed"
    assert (await author.get(chapter))["game"]["steps"] == ["c2c4"]
    assert (await author.post(chapter, rev=1, pgn="1. c4 *"))["rev"] == 2, "the same once more, its answer was lost"
    renamed = await author.post(at, rev=1, name="Gambits")
    assert (await author.post(at, 409, rev=1, shared=True))["refusal"] == "study_changed"
    assert await author.get(at) == {**renamed, "chapters": [{**study["chapters"][0], "rev": 2}]}


async def test_chapters_are_added_ordered_renamed_and_deleted(author):
    study = await make(author)
    at = f"/api/studies/{study['id']}"
    for name in ("Second", "Third"):
        study = await author.post(f"{at}/chapters", name=name, pgn='[Variant "Grand"]\n\n*')
    order = [one["id"] for one in reversed(study["chapters"])]
    study = await author.post(at, rev=study["rev"], chapters=order)
    assert [one["name"] for one in study["chapters"]] == ["Third", "Second", "First"]
    for wrong in (order[:2], [*order, order[0]], ["nonesuch"] * 3):
        assert (await author.post(at, 403, rev=study["rev"], chapters=wrong))["refusal"] == "chapters_differ"
    assert (await author.post(chapter_at(study), rev=1, name="Grand"))["name"] == "Grand"
    for left in (2, 1):
        async with author.http.delete(chapter_at(study)) as answer:
            study = await answer.json()
            assert len(study["chapters"]) == left
    async with author.http.delete(chapter_at(study)) as answer:
        assert (await answer.json())["refusal"] == "only_chapter"
    async with author.http.delete(at) as answer:
        assert answer.status == 200
    assert (await author.get(at, 404))["refusal"] == "no_study"


async def test_who_adds_from_two_tabs_at_once_has_both(author):
    study = await make(author)
    at = f"/api/studies/{study['id']}"
    await asyncio.gather(*(author.post(f"{at}/chapters", name=f"{number}", pgn="*") for number in range(3)))
    assert {one["name"] for one in (await author.get(at))["chapters"]} == {"First", "0", "1", "2"}


async def test_a_study_is_one_file_of_several_games_that_says_their_names(author):
    study = await make(author, name='Traps "é"')
    study = await author.post(f"/api/studies/{study['id']}/chapters", name="Grand", pgn='[Variant "Grand"]\n\n*')
    text = await text_of(author, f"/api/studies/{study['id']}.pgn")
    games = [read_pgn(one.text, VARIANTS) for one in run_at_once(split_games(text, 10))]
    assert [one.tags["ChapterName"] for one in games] == ["First", "Grand"]
    assert {one.tags["StudyName"] for one in games} == {'Traps "é"'}
    assert [one.variant.id for one in games] == ["chess", "grand"]
    again = await author.post(chapter_at(study), rev=1, pgn=await text_of(author, f"{chapter_at(study)}.pgn"))
    assert again["rev"] == 2
    assert (await text_of(author, f"/api/studies/{study['id']}.pgn")) == text


@pytest.mark.parametrize(
    ("limit", "value", "refusal"),
    [
        ("server.storage.tables.studies.MAX_STUDIES", 1, "too_many_studies"),
        ("server.games.studies.MAX_CHAPTERS", 1, "too_many_chapters"),
        ("server.games.studies.MAX_BYTES", 300, "studies_full"),
    ],
)
async def test_nobody_keeps_more_than_their_share(author, ben, monkeypatch, limit, value, refusal):
    monkeypatch.setattr(limit, value)
    study = await share(author, await make(author))
    if refusal == "too_many_chapters":
        refused = await author.post(f"/api/studies/{study['id']}/chapters", 403, name="More", pgn=PGN)
    else:
        refused = await author.post("/api/studies", 403, name="More", chapter="First", pgn=PGN)
    assert refused["refusal"] == refusal
    if refusal == "studies_full":
        await author.post(chapter_at(study), 403, rev=1, pgn=PGN.replace("best", "best " * 40))
        assert (await author.post(chapter_at(study), rev=1, pgn="*"))["rev"] == 2, "less is always kept"
    assert len((await author.get("/api/studies"))["studies"]) == 1


async def test_who_changes_too_much_at_once_waits(author, server):
    study = await make(author)
    server.app[SITE].limits.studies = RateLimit(1, 60)
    await author.post(chapter_at(study), rev=1, pgn="1. d4 *")
    assert (await author.post(chapter_at(study), 429, rev=2, pgn="*"))["code"] == "rate"


async def test_what_is_long_is_read_and_taken_away_less_often(author, ben, server, monkeypatch):
    study = await share(author, await make(author, pgn="1. e4 { " + "long " * 900 + "} *"))
    limits = server.app[SITE].limits
    limits.reads = RateLimit(2, 60)
    await ben.get(chapter_at(study))
    assert limits.reads.wait("127.0.0.1", server.app[SITE].now())
    limits.reads = RateLimit(1, 60)
    assert (await ben.get(chapter_at(study), 429))["code"] == "rate"
    limits.reads = RateLimit(2, 60)
    monkeypatch.setattr(handlers, "TAKEN_AWAY", 1_000)
    assert (await ben.get(f"/api/studies/{study['id']}.pgn", 429))["code"] == "rate"


async def test_studies_are_told_with_the_account_and_go_with_it(author, server):
    study = await make(author)
    (told,) = (await author.get("/account/export"))["studies"]
    assert (told["name"], [one["name"] for one in told["chapters"]]) == ("Traps", ["First"])
    assert "best" in told["chapters"][0]["pgn"]
    assert await go(author, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    store = server.app[SITE].store
    await server.app[SITE].live.services.background.finish(5)
    assert await store.studies.find_study(study["id"]) is None
    assert await store.studies.find_chapter(study["chapters"][0]["id"]) is None


@settings(suppress_health_check=list(HealthCheck), max_examples=40, deadline=None)
@given(tree=trees())
async def test_any_tree_of_any_variant_is_kept_without_loss(author, server, tree):
    """Through the store, and out again as a file."""
    variant, line, said = tree
    server.app[SITE].limits.studies = server.app[SITE].limits.long_tries = RateLimit(10**6, 1)
    server.app[SITE].limits.pages = RateLimit(10**6, 1)
    text = write_pgn({"White": "é"}, variant, False, variant.start_fen, line, "*", said)
    made = await make(author, pgn=text)
    read = read_pgn(await text_of(author, f"{chapter_at(made)}.pgn"), VARIANTS)
    assert (read.variant, read.line, read.comments, read.result) == (variant, line, said, "*")
    async with author.http.delete(f"/api/studies/{made['id']}") as answer:
        assert answer.status == 200
