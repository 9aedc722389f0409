"""Which passwords are allowed. Pure; knows no hash and no account.

Length is what protects, so any characters are welcome and none is required. What an attacker tries first is refused:
the name, one character over and over, a run along the keyboard, and the most common passwords.
"""

import secrets
from unicodedata import normalize

from server.refusal import Refusal

SHORTEST = 8
LONGEST = 128
FEWEST_SIGNS = 4
REST = 4
"""How many other characters a password that contains the name must have."""
RUNS = (
    "0123456789" * 2,
    "9876543210" * 2,
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "1qaz2wsx3edc4rfv",
)
CLEAR_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
# fmt: off
COMMON = frozenset((
    "11223344", "12341234", "1234qwer", "123qweasd", "1q2w3e4r", "1q2w3e4r5t", "a1b2c3d4", "abc12345", "abcd1234",
    "admin123", "asdf1234", "baseball", "butterfly", "changeme", "charlie1", "checkmate", "chess123", "chessmaster",
    "computer", "corvette", "dragon123", "einstein", "fairyhouse", "football", "football1", "grandmaster", "hello123",
    "iloveyou", "iloveyou1", "internet", "jennifer", "letmein1", "letmein123", "liverpool", "magnus123", "master123",
    "michelle", "monkey123", "mustang1", "p@ssw0rd", "p@ssword", "passw0rd", "password", "password!", "password1",
    "password12", "password123", "princess", "princess1", "q1w2e3r4", "qazwsxedc", "qwer1234", "qwerty12", "qwerty123",
    "samantha", "secret123", "shadow123", "starwars", "sunshine", "sunshine1", "superman", "test1234", "trustno1",
    "victoria", "welcome1", "welcome123", "whatever", "zaq12wsx",
))
# fmt: on


class BadPassword(Refusal):
    """This is not allowed as a password."""

    area = "problems"


def normal(password: str) -> str:
    """The same password however a keyboard composes its characters (Unicode NFKC)."""
    return normalize("NFKC", password)


def check_password(password: str, name: str) -> None:
    """Raises BadPassword if somebody called `name` may not have this password."""
    plain = normal(password).lower()
    if len(plain) < SHORTEST:
        raise BadPassword("password_short", n=SHORTEST)
    if len(password) > LONGEST:
        raise BadPassword("password_long", n=LONGEST)
    for one in (name.lower(), name.lower()[::-1]):
        if one in plain and len(plain.replace(one, "")) < REST:
            raise BadPassword("password_name")
    if plain in COMMON or len(set(plain)) < FEWEST_SIGNS or any(plain in run for run in RUNS):
        raise BadPassword("password_common")


def one_time_password() -> str:
    """A password to read out on the telephone: 59 bits in groups of four, without characters that look alike."""
    signs = "".join(secrets.choice(CLEAR_SIGNS) for _ in range(12))
    return "-".join(signs[start : start + 4] for start in range(0, 12, 4))
