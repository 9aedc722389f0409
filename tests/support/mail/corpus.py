"""The corpus of replies, as mail programs write them: `tests.mail.inbound.test_corpus` says what is in it."""

from pathlib import Path

REPLIES = sorted((Path(__file__).parents[2] / "mail" / "inbound" / "replies").glob("*.eml"))
