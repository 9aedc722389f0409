"""`export` and `import`: from SQLite to MongoDB and back it is the same site, and half a file is no site."""

import asyncio
import gzip
import json
import stat
from hashlib import sha256

import pytest

from server.backends import sqlite_path
from server.cli import transfer
from server.cli.site_access import CommandRefused
from server.cli.transfer import export_site, import_site, read_site
from server.realtime.runtime.timers import Now
from server.settings import Settings
from server.storage.mongo import records as mongo_records
from server.storage.mongo.store import MongoStore
from server.storage.protocols.archive import Search
from server.storage.sqlite import records as sqlite_records
from server.storage.sqlite.records import SqliteRecords
from server.storage.tables.stores import KINDS
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import MongoPlace
from tests.support.storage.filled_site import contents, fill_site
from tests.support.web.host import QuickHost, command
from tests.support.web.people import Person

pytestmark = pytest.mark.slow


def settings_in(folder, **changes):
    folder.mkdir(exist_ok=True)
    return Settings(**{"data_dir": folder, "mongodb_uri": None, "redis_url": None, **changes})


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A site with something of everything, its contents, and its export."""
    folder = tmp_path_factory.mktemp("full")
    settings = settings_in(folder)
    asyncio.run(fill_site(sqlite_path(settings)))
    before = contents(sqlite_path(settings))
    export_site(settings, folder / "export", replace=False)
    return settings, before, folder / "export"


@pytest.fixture
def small_bites(monkeypatch):
    for module in (sqlite_records, mongo_records, transfer):
        monkeypatch.setattr(module, "AT_ONCE", 3)


@pytest.fixture
def mongo(tmp_path, secantus):
    """A site in a database of its own."""
    return settings_in(tmp_path / "mongo", mongodb_uri=MongoPlace(secantus.uri).uri)


def records(file):
    return sorted(json.dumps(one, sort_keys=True) for one in read_site(file))


def lines(file):
    with gzip.open(file) as opened:
        return opened.read().splitlines()


def written(file, texts):
    with gzip.open(file, "wb") as opened:
        opened.write(b"".join(text + b"\n" for text in texts))
    return file


def test_every_table_is_a_record_kind_or_derived_from_one(full):
    _, before, file = full
    assert set(before) == {*KINDS, "games", "moves", "archive", "uncounted", "explorer", "unexplored"}
    assert all(before[name] for name in set(before) - {"uncounted", "explorer", "unexplored"})
    assert {kind for kind, _ in read_site(file)} == {*KINDS, "games"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(one.name for one in file.parent.iterdir()) == ["export", "fairyhouse.sqlite3"]


def test_a_site_survives_the_way_to_mongodb_and_back(full, mongo, tmp_path, small_bites):
    _, before, file = full
    import_site(mongo, file, replace=False)
    export_site(mongo, tmp_path / "again", replace=False)
    assert records(tmp_path / "again") == records(file)
    back = settings_in(tmp_path / "back")
    import_site(back, tmp_path / "again", replace=False)
    assert contents(sqlite_path(back)) == before
    assert stat.S_IMODE(sqlite_path(back).stat().st_mode) == 0o600
    assert [one.name for one in back.data_dir.iterdir()] == ["fairyhouse.sqlite3"]


def test_the_games_of_an_imported_site_are_not_counted_again(full, mongo):
    import_site(mongo, full[2], replace=False)

    async def look():
        store = await MongoStore.connect(mongo.mongodb_uri, VARIANTS)
        assert await store.ratings.uncounted(10) == []
        wins = {one.opponent: one.tally.won for one in await store.ratings.scores("id-anna", 10)}
        page = await store.archive.page(Search(), 100)
        await store.close()
        return wins, page

    wins, page = asyncio.run(look())
    assert wins == {"id-berta": 1, "id-carl": 1}
    assert {"rated0", "casual"} <= {game.id for game in page.games}


def test_no_existing_site_is_overwritten_by_an_import(full, mongo, tmp_path):
    settings, before, file = full
    with pytest.raises(CommandRefused, match="--replace"):
        import_site(settings, file, replace=False)
    assert contents(sqlite_path(settings)) == before
    import_site(mongo, file, replace=False)
    with pytest.raises(CommandRefused, match="already has a site"):
        import_site(mongo, file, replace=True)
    again = settings_in(tmp_path / "again")
    import_site(again, file, replace=False)
    import_site(again, file, replace=True)
    assert len(list(again.data_dir.glob("*.until-*"))) == 1


def test_a_database_in_use_is_neither_exported_nor_filled(full, mongo, tmp_path):
    async def mark():
        store = await MongoStore.connect(mongo.mongodb_uri, VARIANTS)
        await store.mark_alive("node", Now()())
        await store.close()

    asyncio.run(mark())
    for deed in (export_site, import_site):
        with pytest.raises(CommandRefused, match="Stop every server"):
            deed(mongo, full[2], replace=True)


def cut_bytes(file, target):
    target.write_bytes(file.read_bytes()[:-20])


def cut_lines(file, target):
    written(target, lines(file)[:-5])


def flipped(file, target):
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0x10
    target.write_bytes(content)


def swapped(file, target):
    texts = lines(file)
    texts[3], texts[4] = texts[4], texts[3]
    written(target, texts)


def added(file, target):
    texts = lines(file)
    written(target, [*texts, texts[-1]])


def of_tomorrow(file, target):
    written(target, [b'["fairyhouse",{"format":2,"at":1}]', *lines(file)[1:]])


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (cut_bytes, "to its end"),
        (cut_lines, "ends too early"),
        (flipped, "."),
        (swapped, "not as it was written"),
        (added, "not as it was written"),
        (of_tomorrow, "another format"),
        (lambda _, target: target.write_text("hello"), "to its end"),
        (lambda _, target: target.write_bytes(b""), "not the export"),
        (lambda _, target: None, "no file"),
        (lambda _, target: written(target, [b"[" * 5_000_000]), "a line that no site has"),
    ],
)
def test_a_truncated_or_altered_file_is_refused(full, tmp_path, spoil, why):
    spoil(full[2], tmp_path / "file")
    settings = settings_in(tmp_path / "new")
    with pytest.raises(CommandRefused, match=f"{why}.*Nothing was imported"):
        import_site(settings, tmp_path / "file", replace=False)
    assert list(settings.data_dir.iterdir()) == []


def forged(file, target, change):
    """The export with some of its records changed, and with a trailer that fits again."""
    head, *texts = map(json.loads, lines(file)[:-1])
    changed = [json.dumps(one).encode() for one in (head, *change([tuple(text) for text in texts]))]
    digest = sha256(b"".join(text + b"\n" for text in changed)).hexdigest()
    counts = {}
    for text in changed[1:]:
        kind = json.loads(text)[0]
        counts[kind] = counts.get(kind, 0) + 1
    written(target, [*changed, json.dumps(["end", {"counts": counts, "sha256": digest}]).encode()])


def each(kind, change):
    return lambda texts: [(name, change(dict(fields)) if name == kind else fields) for name, fields in texts]


def with_illegal_move(fields):
    if fields["_id"] == "running":
        fields["moves"] = ["e2e4 300000 0 e4", "e7e4 300000 0 e4"]
    return fields


def with_other_end(fields):
    if fields["_id"] == "rated0":
        fields["reason"] = "checkmate"
    return fields


def as_before_there_were_places(fields):
    return {name: value for name, value in fields.items() if name != "places"}


def test_an_export_of_an_earlier_release_is_imported(full, mongo, tmp_path):
    forged(full[2], tmp_path / "file", each("accounts", as_before_there_were_places))
    import_site(mongo, tmp_path / "file", replace=False)
    export_site(mongo, tmp_path / "again", replace=False)
    back = settings_in(tmp_path / "back")
    for file, settings in (("file", settings_in(tmp_path / "new")), ("again", back)):
        import_site(settings, tmp_path / file, replace=False)
        assert contents(sqlite_path(settings))["games"] == full[1]["games"]
    accounts = [fields for kind, fields in read_site(tmp_path / "again") if kind == "accounts"]
    assert accounts
    assert all(fields["places"] == "" for fields in accounts)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (each("games", with_illegal_move), "running cannot be read .*half-move 2 is none: e7e4 is not legal here"),
        (each("games", with_other_end), "rated0 ends by checkmate"),
        (each("games", lambda fields: {**fields, "variant": "nonesuch"}), "cannot be read"),
        (each("games", lambda fields: {**fields, "moves": [1]}), "list of moves"),
        (each("users", lambda fields: {**fields, "guest": "no"}), "guest is no number"),
        (each("users", lambda fields: {**fields, "admin": 1}), "'admin' is amiss"),
        (each("calls", lambda fields: {**fields, "at": 2**63}), "too large"),
        (lambda texts: [("spells", {}), *texts], "spells"),
        (lambda texts: [texts[0], *texts], "are the same"),
    ],
)
def test_impossible_records_are_refused_even_if_the_digest_matches(full, mongo, tmp_path, change, why):
    forged(full[2], tmp_path / "file", change)
    for settings in (settings_in(tmp_path / "new"), mongo):
        with pytest.raises(CommandRefused, match=why):
            import_site(settings, tmp_path / "file", replace=False)
    assert list((tmp_path / "new").iterdir()) == []
    import_site(mongo, full[2], replace=False)


def test_a_store_that_alters_a_record_is_found_out(full, tmp_path, monkeypatch):
    real = SqliteRecords.add_games

    async def forgetful(self, games):
        await real(self, games[1:])

    monkeypatch.setattr(SqliteRecords, "add_games", forgetful)
    settings = settings_in(tmp_path / "new")
    with pytest.raises(CommandRefused, match=r"The store has \d+ of \d+ games"):
        import_site(settings, full[2], replace=False)
    assert list(settings.data_dir.iterdir()) == []


def test_a_site_is_exported_beside_the_server_that_keeps_it(tmp_path):
    async def run():
        host = QuickHost(tmp_path)
        await host.start()
        try:
            async with Person(host.site) as anna:
                game = await anna.challenge()
                code, _, said = await command(host, "export", str(tmp_path / "file"))
            assert code == 0, said
            return game["id"]
        finally:
            await host.kill()

    game = asyncio.run(run())
    assert [fields["_id"] for kind, fields in read_site(tmp_path / "file") if kind == "games"] == [game]
    assert list((tmp_path / "data" / "orders").iterdir()) == []
