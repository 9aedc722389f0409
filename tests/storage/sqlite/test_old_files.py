"""A file of every earlier version of the embedded store is upgraded, with every row and game that was in it."""

import hashlib

import pytest

from server.storage.sqlite.scripts import SCRIPTS
from server.storage.sqlite.store import SqliteStore
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.old_files import make_old_file, old_games
from tests.support.storage.sqlite_file import pragma

RELEASED = [
    "87a532f25ed0",
    "30b49bd98e82",
    "65c0592f1a01",
    "a26f4f55c6dc",
    "d77148594cb6",
    "b43cf148d239",
    "74311b910427",
    "d2ff1ccb0ff8",
    "b325e9e91bd5",
    "e4eaef037084",
    "d08486921e8d",
    "f4b8c3df457b",
    "43b2bbd4d984",
    "2f27b1899598",
    "0beb26dc96b8",
    "f1f9441dc515",
    "7a66d30d9070",
    "119dc8823cff",
    "43437ed57dac",
    "22eeb68a00e9",
    "851164586bb5",
    "fbc245389183",
    "81dfec824b23",
    "e6a3f143f5d5",
    "7e480be079c2",
    "97d1da00d495",
    "1d9a059db243",
    "878108923a85",
    "5eed57e24800",
    "77395dc89222",
    "e62204f905d8",
    "ba9cd1a8ff23",
    "8de130de19b3",
    "eff8675ee832",
    "5fa88e77fa7e",
    "64d385e008ac",
    "bdb966ad49b0",
    "f35fee61c216",
    "8d95ead0b2d6",
    "75ec2bc34fb2",
    "0eb5eb038850",
    "b8b381a51432",
    "92672a44cf1c",
    "65c16377e24b",
    "806fd3d1b598",
    "e4740fa4acd5",
    "5502c248df6a",
    "48b8c3c4f40c",
    "54ae5ab77c1c",
]
"""Of each script as it was released: hosts have files that were made by it, so it never changes. Add new ones."""


def test_no_script_that_hosts_have_run_was_changed():
    """White space counts for nothing: the files would differ by it only in how they spell themselves."""
    digests = [hashlib.sha256(" ".join(script.split()).encode()).hexdigest()[:12] for script in SCRIPTS]
    assert digests == RELEASED


@pytest.mark.row("F17")
@pytest.mark.parametrize("version", range(1, len(SCRIPTS) + 1))
async def test_a_file_of_each_version_is_upgraded_and_keeps_what_it_held(path, version):
    filled = make_old_file(path, version)
    store = await SqliteStore.open(path, VARIANTS)
    assert await pragma(store, "user_version") == (len(SCRIPTS),)
    assert await pragma(store, "integrity_check") == ("ok",)
    for table in filled:
        assert await store._file.rows(f"SELECT 1 FROM {table} LIMIT 1"), table
    for head, moves in old_games():
        game = await store.load(head["_id"])
        assert [ply.uci for ply in game.plies] == [move.split(" ")[0] for move in moves]
    await store.close()
