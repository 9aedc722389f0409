"""Whole games by mail alone: two people who are told of their moves by mail, and answer these mails."""

import random
import re

import pytest

from server.rules.catalogue import load_catalogue
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Castle, Drop, NormalMove
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import format_san
from tests.support.mail.handing_over import reply
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import told_by_mail
from tests.support.web.accounts import go

VARIANTS = load_catalogue()
DAYS = {"kind": "correspondence", "days": 3}
PLIES = 20
OTHER = {"anna": "Ben", "ben": "Anna"}


@pytest.fixture
async def members(anna, ben, post_office):
    """Anna and Ben, who are told by mail of all that concerns them."""
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await told_by_mail(person, post_office, name, f"{name.lower()}@example.org")
    return anna, ben


async def latest(post_office, name, seen):
    """The next mail to that player."""
    seen[name] += 1
    return await post_office.mail_to(f"{name}@example.org", seen[name] - 1)


def is_special(move):
    """Is it a move that only some variants have?"""
    return (
        isinstance(move, Drop)
        or (isinstance(move, NormalMove | Castle) and bool(move.gate))
        or (isinstance(move, NormalMove) and bool(move.promotion))
    )


def scripted(variant):
    """A game, as SAN: moves that only some variants have where there are any."""
    draw, position = random.Random(variant.id), parse_fen(variant, variant.start_fen)
    for _ in range(PLIES):
        moves = sorted(legal_moves(position), key=lambda move: move.uci)
        if not moves:
            return
        special = [move for move in moves if is_special(move)]
        captures = [move for move in moves if isinstance(move, NormalMove) and position.board[move.target]]
        move = draw.choice(special or captures or moves)
        yield format_san(position, move), is_special(move)
        position = play_trusted(position, move)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["grand", "crazyhouse", "seirawan", "acedrex"])
async def test_two_people_who_never_open_the_site_play_a_game_to_its_end(members, post_office, port, variant):
    anna, _ = members
    seen = {name: len(post_office.to(f"{name}@example.org")) for name in ("anna", "ben")}
    game = await anna.challenge(variant=variant, clock=DAYS, rated=True, to="Ben")
    asked = await latest(post_office, "ben", seen)
    assert (await reply(port, asked, "accept")).startswith("250")
    assert "the game has begun" in text_of(await latest(post_office, "ben", seen))
    names, played = ("anna", "ben"), []
    script = [san for san, _ in scripted(VARIANTS[variant])]
    for ply, san in enumerate(script):
        mail = await latest(post_office, names[ply % 2], seen)
        assert (await reply(port, mail, san)).startswith("250")
        answer = await latest(post_office, names[ply % 2], seen)
        assert f"You have played {san}." in text_of(answer)
        played.append(san)
    mail = await latest(post_office, names[len(script) % 2], seen)
    assert (await reply(port, mail, f"resign {game['id']}")).startswith("250")
    sure = await latest(post_office, names[len(script) % 2], seen)
    assert (await reply(port, sure, f"resign {game['id']}")).startswith("250")
    ended = await latest(post_office, names[1 - len(script) % 2], seen)
    assert "resigned. You won." in text_of(ended)
    assert script[-1] in text_of(ended)
    for name in names:
        # Many mail programs begin another conversation with another subject.
        about = [mail for mail in post_office.to(f"{name}@example.org") if game["id"] in mail["References"]]
        assert {mail["Subject"].removeprefix("Re: ") for mail in about} == {
            asked["Subject"].replace("Anna", OTHER[name])
        }
    record = await anna.get(f"/api/games/{game['id']}")
    assert [move["san"] for move in record["moves"]] == played
    assert record["result"] == ("0-1" if len(script) % 2 == 0 else "1-0")
    if variant in ("crazyhouse", "seirawan"):
        assert any(re.search("[@/]", san) for san in played)


# Letters of the play-by-mail servers in mails, for whom has chosen them at an address; and for nobody else.


NOTE = "Letters in this email: C = archbishop, M = chancellor."


async def test_the_board_the_moves_and_the_replies_have_the_letters_that_were_chosen(anna, ben, post_office, port):
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await told_by_mail(person, post_office, name, f"{name.lower()}@example.org")
    often = dict.fromkeys(("turns", "results", "challenges"), "at_once")
    await go(anna, "/account/mail/wishes", address="anna@example.org", letters="pbmserv", **often)
    async with anna.http.get(f"{anna.site}/account") as page:
        assert 'value="pbmserv" checked' in await page.text()
    game = await anna.challenge(variant="grand", color="white", clock=DAYS, to="Ben")
    asked = text_of(await post_office.mail_to("ben@example.org", 0))
    assert "Letters in this email: A = archbishop, C = chancellor." in asked
    assert "Rules of Grand Chess: http" in asked
    assert (await ben.post(f"/api/games/{game['id']}/join"))["color"] == "black"
    turn = await post_office.mail_to("anna@example.org", 0)
    assert NOTE in text_of(turn)
    assert "|*K*|*M*|*C*|" in text_of(turn)
    assert (await reply(port, turn, "Mg4\nif h7 then Ch4")).startswith("250")
    answer = text_of(await post_office.mail_to("anna@example.org", 1))
    assert "You have played Mg4." in answer
    assert "if h7 then Ch4" in answer
    assert "Rules of Grand Chess: http" in answer
    told = await post_office.mail_to("ben@example.org", 1)
    assert "Anna has played 1. Cg4." in text_of(told)
    assert "|*A*|*C*|*K*|" in text_of(told)
    assert (await reply(port, told, "h7")).startswith("250")
    record = await ben.get(f"/api/games/{game['id']}")
    assert [move["san"] for move in record["moves"]] == ["Cg4", "h7", "Ah4"]
    async with anna.http.get(f"{anna.site}/{game['id']}.txt") as page:
        assert "Letters in this email" not in await page.text(), "only mails have them"
