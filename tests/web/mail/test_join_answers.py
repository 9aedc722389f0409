"""Who asked to join and gave an address is mailed the answer once, wherever it was given, also if mail failed first."""

import pytest

from server.games.joining import Answer, JoinRequest
from server.games.player import Player
from server.realtime.services.joining import answer_request, ask_to_join
from server.storage.admin_commands import AnswerRequest
from server.storage.errors import Unavailable
from server.storage.tables.accounts import fold
from server.web.joining import mail_answers
from server.web.operation.host_commands import carry_out_command
from tests.support.mail.mail_server import text_of

ROOT = Player("", "root")


async def asks(site, name, language="en"):
    box = f"{name.lower()}@example.org"
    request = JoinRequest(fold(name), name, "hash", "Hello.", site.now(), box, language)
    assert await ask_to_join(site.store, request)


async def test_answers_by_command_and_at_the_desk_are_mailed_once(server, site, post_office):
    for name, language in (("Nuri", "en"), ("Olga", "es")):
        await asks(site, name, language)
    await carry_out_command(site.store, AnswerRequest("Nuri", accept=True, reason=""), site.now(), "", print, "root")
    await answer_request(site.store, "olga", Answer.REFUSED, ROOT, site.now() + 1, "Full.")
    for _ in range(2):
        await mail_answers(server.app)
    mails = await post_office.delivered(2)
    told = {mail["To"]: text_of(mail) for mail in mails}
    assert "has accepted your request" in told["nuri@example.org"]
    assert "Full." in told["olga@example.org"]
    assert await site.store.joining.untold(9) == []


async def test_an_outbox_that_fails_at_one_answer_tells_the_rest_the_next_time(server, site, post_office, monkeypatch):
    for name in ("Nuri", "Olga", "Paul"):
        await asks(site, name)
        await answer_request(site.store, fold(name), Answer.ACCEPTED, ROOT, site.now())
    put, failing = site.store.outbox.put, ["first"]

    async def fail(mail):
        if failing:
            failing.pop()
            raise Unavailable("The store is away.")
        return await put(mail)

    monkeypatch.setattr(site.store.outbox, "put", fail)
    with pytest.raises(Unavailable):
        await mail_answers(server.app)
    assert len(await site.store.joining.untold(9)) == 3
    for _ in range(2):
        await mail_answers(server.app)
    assert len(await post_office.delivered(3)) == 3
