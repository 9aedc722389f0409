"""What may be a password, and that checking one neither tells anything nor keeps anybody waiting."""

import asyncio

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type
from hypothesis import given
from hypothesis import strategies as st

from server.web.accounts.credentials import HASHER, MAX_WAITING, BadPassword, Hashing, check_password, one_time_password
from server.web.rendering.problems import Problem

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def hashing():
    hashing = Hashing(CHEAP)
    yield hashing
    hashing.close()


def refusal(password, name="Annabel"):
    try:
        check_password(password, name)
    except BadPassword as error:
        return error.code
    return None


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("1234567", "password_short"),
        ("", "password_short"),
        ("x" * 129, "password_long"),
        ("annabel1", "password_name"),
        ("ANNABEL!!", "password_name"),
        ("lebanna12", "password_name"),
        ("aaaaaaaaaaaa", "password_common"),
        ("abababab", "password_common"),
        ("12345678", "password_common"),
        ("QWERTYUIOP", "password_common"),
        ("Password1", "password_common"),
        ("ｐａｓｓｗｏｒｄ", "password_common"),
        ("correct horse battery", None),
        ("пароль из слов", None),
        ("🐎🔋📎✅ annabel", None),
        ("        1 2 a", None),
        ("annabel's secret garden", None),
    ],
)
def test_what_an_attacker_tries_first_is_refused_and_nothing_else(password, code):
    assert refusal(password) == code


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=16, max_size=60))
def test_long_passwords_of_any_characters_pass(password):
    assert refusal(password) in (None, "password_common", "password_short")


def test_a_password_for_one_time_is_hard_to_guess_and_easy_to_say():
    some = {one_time_password() for _ in range(200)}
    assert len(some) == 200
    for one in some:
        assert len(one) == 14
        assert not set(one) & set("01ilo ")
        assert refusal(one) is None


def test_the_parameters_are_those_that_were_measured():
    stored = HASHER.hash("a password")
    parameters = extract_parameters(stored)
    assert parameters.type is Type.ID
    assert (parameters.time_cost, parameters.memory_cost, parameters.parallelism) == (2, 19_456, 1)
    assert (parameters.salt_len, parameters.hash_len) == (16, 32)


async def test_the_right_password_matches_however_its_characters_are_composed(hashing):
    stored = await hashing.hash("p\u00e4ssword \ufb01ne")
    assert await hashing.matches("pa\u0308ssword fine", stored)
    assert not await hashing.matches("passwort fine", stored)
    assert stored != await hashing.hash("p\u00e4ssword \ufb01ne")


async def test_nothing_matches_an_account_that_is_not_there_or_has_no_password(hashing):
    for password in ("", "nobody's password"):
        assert not await hashing.matches(password, "")
    assert not await hashing.matches("x", "not a hash")


async def test_a_hash_of_other_parameters_is_outdated(hashing):
    assert not hashing.outdated(await hashing.hash("a password"))
    assert hashing.outdated(HASHER.hash("a password"))


async def test_a_flood_is_refused_at_once_and_the_loop_goes_on():
    hashing = Hashing()
    stored = await hashing.hash("a password")
    tries = [asyncio.create_task(hashing.matches(str(number), stored)) for number in range(100)]
    turns = 0
    while not all(one.done() for one in tries):
        await asyncio.sleep(0.001)
        turns += 1
    answers = await asyncio.gather(*tries, return_exceptions=True)
    hashing.close()
    assert sum(isinstance(answer, Problem) for answer in answers) == 100 - MAX_WAITING - 1
    assert answers.count(False) == MAX_WAITING + 1
    assert turns > 3 * (MAX_WAITING + 1), "a loop that took part in the work would turn about once for each"


class Watched(PasswordHasher):
    """Keeps the hashes that it compared a password with."""

    def __init__(self):
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.compared = []

    def verify(self, hash, password):
        self.compared.append(hash)
        return super().verify(hash, password)


async def test_an_unknown_name_costs_the_same_comparison_as_a_wrong_password():
    hasher = Watched()
    hashing = Hashing(hasher)
    stored = await hashing.hash("a password")
    for known in ("", stored):
        assert not await hashing.matches("wrong", known)
    hashing.close()
    unknown, wrong = map(extract_parameters, hasher.compared)
    assert unknown == wrong


async def test_whoever_waits_when_the_site_stops_is_told_to_come_back():
    hashing = Hashing(CHEAP)
    waiting = [asyncio.create_task(hashing.hash("a password")) for _ in range(5)]
    await asyncio.sleep(0)
    hashing.close()
    first, *others = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(first, str | asyncio.CancelledError), "it was being done, or was about to be"
    assert [getattr(one, "code", one) for one in others] == ["sign_in_busy"] * 4
