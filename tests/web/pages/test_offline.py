"""What browsers keep for when they are offline: whole, the same whoever asks, and of one version."""

import re

from tests.support.rules.built_in import VARIANTS
from tests.support.web.in_process import InProcess
from tests.support.web.people import Person

LIST = "/computer/offline.json"
FORMS = [f"{one.id}{form}" for one in VARIANTS.values() for form in ("", "960")[: 1 + one.chess960]]
OWN = """
name = "Tiny"
tagline = "Like chess."
differences = ["There are no pawns.", "Nobody castles."]
parent = "chess"
chess960 = false
start = "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1"
"""


async def page(person, path, status=200):
    async with person.http.get(path) as answer:
        assert answer.status == status
        return await answer.text()


async def test_the_list_names_every_board_and_the_rules_of_every_variant(anna):
    kept = await anna.get(LIST)
    assert kept["pages"] == ["/computer/offline", *(f"/computer/offline/{form}" for form in FORMS)]
    assert kept["rules"] == [f"/api/variants/{one}" for one in VARIANTS]
    for path in kept["pages"]:
        text = await page(anna, path)
        assert 'id="offline-note"' in text or "data-offline" in text
    await page(anna, "/computer/offline/ludo", 404)


async def test_nobody_is_named_on_what_may_be_read_by_others_later(anna):
    async with anna.http.post("/register", data={"name": "Annabel", "password": "a long password"}) as answer:
        assert answer.status == 200
    assert "Annabel" in await page(anna, "/computer")
    for path in ("/computer/offline", "/computer/offline/grand"):
        text = await page(anna, path)
        assert "Annabel" not in text
        assert "notifications-" not in text


async def test_all_files_that_a_board_needs_are_named_on_it(anna):
    text = await page(anna, "/computer/offline/crazyhouse")
    named = set(re.findall(r"/static/([a-z_]+)-[\w.-]+", text))
    assert {"round", "offline_game", "computer_opponent", "worker", "site", "words"} <= named
    for path in set(re.findall(r"/static/[\w.-]+\.\w+", text)):
        async with anna.http.get(path) as answer:
            assert answer.status == 200, path


async def test_the_version_is_that_of_the_language_and_of_the_hosts_variants(anna, ben, tmp_path, monkeypatch):
    first, again = await anna.get(LIST), await ben.get(LIST)
    assert first == again
    ben.http.headers["Accept-Language"] = "es"
    assert (await ben.get(LIST))["version"] != first["version"]
    folder = tmp_path / "variants"
    folder.mkdir()
    (folder / "tiny.toml").write_text(OWN)
    async with InProcess(folder, monkeypatch, variants_dir=folder) as host, Person(host.site) as guest:
        other = await guest.get(LIST)
    assert other["version"] != first["version"]
    assert "/computer/offline/tiny" in other["pages"]
