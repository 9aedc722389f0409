"""Replies as mail programs write them, in `replies`: the first header of each says what must come of it.

`X-Expected`: the lines that its writer added, which are commands; `X-Refused`: lines that are not; `X-Automatic`: it
was sent by a program. Lines are divided by " | ".
"""

import pytest

from server.mail.inbound.command_words import NotACommand
from server.mail.inbound.grammar import read_commands
from server.mail.inbound.received_mail import read_mail
from tests.support.mail.corpus import REPLIES


def test_the_corpus_is_as_large_as_it_should_be():
    assert len(REPLIES) >= 60


@pytest.mark.parametrize("path", REPLIES, ids=lambda path: path.stem)
def test_what_a_mail_program_adds_is_told_from_what_its_user_wrote(path):
    content = path.read_bytes()
    kind, _, wanted = content.partition(b"\n")[0].decode().removeprefix("X-").partition(":")
    mail = read_mail(content)
    assert mail.automatic == (kind == "Automatic")
    assert " | ".join(mail.lines) == wanted.strip()
    if kind == "Expected":
        assert read_commands(mail.lines)
    else:
        with pytest.raises(NotACommand):
            read_commands(mail.lines)
