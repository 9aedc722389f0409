"""Names that people choose: two that can be taken for each other are one, and nobody speaks for the site."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.people import has_account
from server.games.player import DELETED_NAME, LEVELS, Player, computer_at
from server.storage.tables.accounts import account_keys, fold, folded_prefixes, has_prefix
from server.web.accounts.credentials import BadName, check_name
from server.web.session import guest_name

SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
SHAPED = st.builds(str.__add__, st.sampled_from(SIGNS), st.text(SIGNS + "_-", min_size=1, max_size=19))


def refusal(name):
    """Why nobody may have it; None: somebody may."""
    try:
        check_name(name)
    except BadName as error:
        return error.code
    return None


@pytest.mark.row("I2")
@given(st.text(max_size=30))
def test_only_short_plain_names_pass_whatever_is_typed(name):
    if refusal(name) is None:
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_\-]{1,19}", name)
        assert name.isascii()


@given(SHAPED)
def test_a_name_of_the_right_shape_is_refused_only_for_what_it_says(name):
    assert refusal(name) in (None, "name_guest", "name_reserved")


@pytest.mark.row("I2")
@given(SHAPED, st.data())
def test_look_alikes_are_one_name(name, data):
    alike = {"0": "oO", "o": "0O", "O": "0o", "1": "lIiL", "l": "1Ii", "I": "l1i", "i": "Il1", "L": "1il"}
    alike |= {"s": "5", "5": "sS", "S": "5", "_": "-"}
    other = "".join(data.draw(st.sampled_from(alike.get(sign, "") + sign.lower() + sign.upper())) for sign in name)
    assert fold(other) == fold(name)


@given(SHAPED, SHAPED)
def test_names_that_differ_in_more_than_look_alikes_stay_two(one, other):
    plain = [re.sub("[o0]", "o", re.sub("[l1i]", "l", re.sub("[-_]", "", name.lower()))) for name in (one, other)]
    plain = [name.replace("5", "s").replace("rn", "m").replace("vv", "w").replace("cl", "d") for name in plain]
    assert (fold(one) == fold(other)) == (plain[0] == plain[1])


@pytest.mark.row("I2")
@pytest.mark.parametrize(
    "name",
    [
        *("\u0430nna", "\uff21nna", "ann\u0131", "an\u200bna", "anna\n", "\nanna", "an na", "anna ", "", "a", "_anna"),
        *("-anna", "a" * 21, "änna", "anna\u202e", "an\x00na", "anna!", "anna@home", "a.b", "<b>anna", "王王王"),
        *("a\u0301nna", unicodedata.normalize("NFKD", "ñandu"), "anna\r", "anna\u2028", "🙂🙂", "(deleted)"),
    ],
)
def test_tricky_names_are_refused_for_their_shape(name):
    assert refusal(name) == "name_shape"


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "ADMIN", "adm1n", "Admin-", "ad-min", "admin2", "fairyh0use", "guest7", "admin-team", "TheAdmin"),
        *("Fairyhouse-Staff", "moderators", "5erver", "rnoderator", "Site-5upport", "ModTeam", "admins", "sy5tem"),
    ],
)
def test_no_name_speaks_for_the_site(name):
    assert refusal(name) == "name_reserved"


@pytest.mark.parametrize("name", ["F4iry", "Falstaff", "Badminton", "Observer", "Modena", "Steamboat"])
def test_a_name_that_only_has_the_letters_of_an_office_can_be_had(name):
    assert refusal(name) is None


@pytest.mark.parametrize(
    "names", [("Alice", "Alice_", "Al-ice"), ("magnus", "rnagnus"), ("Walter", "VValter"), ("Daisy", "clai5y")]
)
def test_names_that_look_alike_are_one(names):
    assert len({fold(name) for name in names}) == 1


def test_a_name_is_looked_for_first_as_earlier_releases_kept_it():
    assert account_keys("Rnagnus_5") == ("rnagnus_5", "magnuss")


def test_names_of_guests_cannot_be_registered_even_in_disguise():
    for _ in range(500):
        name = guest_name()
        for disguise in (name, name.lower(), name.replace("o", "0"), name[:-2] + "-" + name[-2:], name[:-2]):
            assert refusal(disguise) == "name_guest"


@given(SHAPED)
def test_the_name_alone_says_who_has_an_account(name):
    guest = guest_name()
    assert not has_account(Player("id", guest))
    assert not has_account(Player("id", DELETED_NAME))
    assert not any(has_account(computer_at(level)) for level in range(1, LEVELS + 1))
    assert not has_account(Player("", name)), "a name of an imported game"
    if refusal(name) is None:
        assert has_account(Player("id", name))


@pytest.mark.parametrize("name", ["Anna", "anna-lena", "x_X", "99problems", "Magnus2", "Capablanca", "ab", "z" * 20])
def test_common_names_can_be_had(name):
    assert refusal(name) is None


@given(st.text("arnvwcldm1I_", min_size=1, max_size=8), st.integers(1, 8))
def test_typing_the_beginning_of_a_name_finds_it(name, letters):
    beginning = name[:letters]
    assert has_prefix(name, beginning)
    assert any(fold(name).startswith(folded) for folded in folded_prefixes(beginning))


def test_a_name_that_begins_otherwise_is_not_found():
    assert not has_prefix("Amelie", "Ar")
    assert has_prefix("Arnold", "Am"), "it looks so"
