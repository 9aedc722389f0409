"""What comes of replies to mails about games: which are carried out, which are refused, and who is answered."""

import threading
from dataclasses import replace

import pytest

from server.language import load_words
from server.mail.inbound import replies
from server.mail.inbound.addresses import ReplyAddresses
from server.mail.inbound.answer_text import AnswerContext, answer_lines
from server.mail.inbound.grammar import read_commands
from server.mail.inbound.replies import SmtpStatus
from server.rules.variant.pieces import Color
from tests.support.mail.post import DOMAIN, keys, sans

W, B = Color.WHITE, Color.BLACK


async def test_a_reply_plays_the_move_and_is_answered(post, game):
    report = await post.reply(game, W, "e2e4")
    assert sans(post.now(game)) == ["e4"]
    assert keys(report) == ["played"]
    assert post.answers[-1].address.address == "wanda@example.org"


async def test_commands_are_read_beside_the_event_loop(post, game, monkeypatch):
    readers = []

    def read(lines):
        readers.append(threading.current_thread())
        return read_commands(lines)

    monkeypatch.setattr(replies, "read_commands", read)
    await post.reply(game, W, "e2e4")
    assert readers
    assert threading.current_thread() not in readers


async def test_the_move_of_a_mail_that_comes_twice_is_made_once(post, game):
    address = post.address(game, W)
    for _ in range(2):
        assert await post.hand_over(address, "e4", "<1@x>") == SmtpStatus.DONE
    assert (sans(post.now(game)), len(post.answers)) == (["e4"], 1)


async def test_a_move_that_was_made_but_not_acknowledged_is_confirmed_when_the_mail_comes_again(post, game):
    address = post.address(game, W)
    post.room = False
    assert await post.hand_over(address, "e4", "<1@x>") == SmtpStatus.LATER
    post.room = True
    assert await post.hand_over(address, "e4", "<1@x>") == SmtpStatus.DONE
    assert sans(post.now(game)) == ["e4"]
    assert keys(post.answers[-1].report) == ["played_before"]


async def test_a_late_reply_plays_nothing_and_says_so(post, game):
    old = post.address(game, W)
    await post.reply(game, W, "e4")
    await post.reply(game, B, "e5")
    await post.hand_over(old, "d4")
    assert sans(post.now(game)) == ["e4", "e5"]
    assert post.answers[-1].report.refused.id == "outdated"


async def test_a_move_that_was_taken_back_is_not_made_again_by_its_mail(post, begun):
    old = post.address(post.now(begun), W)
    await post.hand_over(old, "Nf3", "<1@x>")
    await post.reply(begun, W, "takeback")
    await post.reply(begun, B, "accept")
    assert sans(post.now(begun)) == ["e4", "e5"]
    await post.hand_over(old, "Nf3", "<2@x>")
    assert sans(post.now(begun)) == ["e4", "e5"]
    assert post.answers[-1].report.refused.id == "outdated"
    await post.reply(begun, W, "Nc3")
    assert sans(post.now(begun)) == ["e4", "e5", "Nc3"]


async def test_an_address_plays_for_its_own_seat_only(post, game):
    report = await post.reply(game, B, "e5")
    assert (report.refused.id, sans(post.now(game))) == ("not_your_turn", [])


async def test_an_address_that_this_site_did_not_sign_is_unknown(post, game):
    forged = ReplyAddresses(DOMAIN, bytes(32)).write_address(post.addresses.read_address(post.address(game, W)))
    assert await post.hand_over(forged, "e4") == SmtpStatus.UNKNOWN
    assert (sans(post.now(game)), post.answers) == ([], [])


async def test_an_address_dies_with_the_mailbox_that_it_was_sent_to(post, game):
    address, known = post.address(game, W), post.node.store.addresses.known
    known["white-id"] = [replace(one, address="other@example.org") for one in known["white-id"]]
    assert await post.hand_over(address, "e4") == SmtpStatus.UNKNOWN
    known.clear()
    assert await post.hand_over(address, "e4") == SmtpStatus.UNKNOWN
    assert sans(post.now(game)) == []


async def test_mail_servers_may_write_an_address_in_capitals(post, game):
    assert await post.hand_over(post.address(game, W).upper(), "e4") == SmtpStatus.DONE
    assert sans(post.now(game)) == ["e4"]


@pytest.mark.parametrize(
    "typed", ["Nf4", "hello", "e4 e5 d4", "Nf3, please", "Q@e4", "exd5", "12"], ids=lambda typed: typed
)
async def test_what_is_no_move_plays_nothing_and_is_answered(post, game, typed):
    report = await post.reply(game, W, typed)
    assert sans(post.now(game)) == []
    assert report.refused is not None
    assert report.done == []


async def test_moves_that_look_like_the_one_that_was_typed_are_named(post, game):
    report = await post.reply(game, W, "Nf4")
    assert "Nf3" in report.near


async def test_an_ambiguous_move_is_not_guessed(post, variants):
    game = await post.game(variants, fen="4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
    report = await post.reply(game, W, "Rd1")
    assert (report.refused.id, sans(post.now(game))) == ("ambiguous", [])


async def test_one_unreadable_line_has_the_whole_mail_refused(post, game):
    report = await post.reply(game, W, "e4\nsee you tomorrow my friend")
    assert (report.refused.id, sans(post.now(game))) == ("not_understood", [])


async def test_an_illegal_move_lets_nothing_before_it_happen(post, begun):
    report = await post.reply(begun, W, "say take that\n\nNf6")
    assert (report.refused.id, report.done) == ("illegal", [])


async def test_a_message_that_is_too_long_lets_no_move_happen(post, begun):
    report = await post.reply(begun, W, "Nf3\nsay " + "x" * 2_001)
    assert (report.done, report.refused.id) == ([], "chat_too_long")
    assert sans(post.now(begun)) == ["e4", "e5"]


async def test_what_is_said_reaches_the_opponent(post, begun):
    await post.reply(begun, W, "say good luck,\nand have fun")
    (line,) = await post.node.store.chat(begun.id, 10)
    assert (line.room, line.name, line.text) == ("players", "Wanda", "good luck,\nand have fun")


async def test_a_preview_shows_the_moves_and_plays_none(post, begun):
    report = await post.reply(begun, W, "preview Nf3 Nc6 Bb5")
    ((sentence, position),) = report.boards
    assert sentence.params == {"moves": "Nf3 Nc6 Bb5"}
    assert position.side == 1
    assert sans(post.now(begun)) == ["e4", "e5"]


async def test_a_preview_that_goes_wrong_says_what_is_near(post, begun):
    report = await post.reply(begun, W, "preview Nf3 Nc6 Bb6")
    assert (report.refused.id, report.boards) == ("illegal", [])
    assert "Bb5" in report.near


async def test_earlier_positions_are_shown(post, begun):
    ((_, position),) = (await post.reply(begun, W, "show 1")).boards
    assert position.side == 1
    assert (await post.reply(begun, W, "show 3")).refused.id == "show_beyond"


async def test_games_are_listed(post, begun):
    (told,) = (await post.reply(begun, W, "games")).told
    assert [game.id for game in told.games] == [begun.id]


async def test_an_outdated_mail_may_still_ask(post, game):
    old = post.address(game, W)
    await post.reply(game, W, "e4")
    await post.hand_over(old, "games")
    assert post.answers[-1].report.told


@pytest.fixture
async def grand_game(post, variants):
    """Of Grand, in which White reads and writes pbmserv's letters and Black those of the site."""
    known = post.node.store.addresses.known
    known["white-id"] = [replace(one, letters="pbmserv") for one in known["white-id"]]
    return await post.game(variants, variant="grand")


async def test_letters_are_those_that_each_player_has_chosen(post, grand_game):
    report = await post.reply(grand_game, W, "Mg4\nif h7 then Ch4")
    assert keys(report) == ["played", "prepared"]
    assert sans(post.now(grand_game)) == ["Cg4"]
    report = await post.reply(grand_game, B, "Mg7")
    assert (report.refused.id, sans(post.now(grand_game))) == ("illegal", ["Cg4"])
    await post.reply(grand_game, B, "h7")
    assert sans(post.now(grand_game)) == ["Cg4", "h7", "Ah4"]


async def test_a_letter_is_never_taken_for_the_piece_that_it_names_elsewhere(post, grand_game):
    report = await post.reply(grand_game, W, "Cg4")
    assert (report.refused.id, sans(post.now(grand_game))) == ("illegal", [])
    assert "Mg4" in report.near


async def test_the_answer_has_the_chosen_letters_throughout(post, grand_game):
    report = await post.reply(grand_game, W, "Mg4\nif h7 then Ch4\npreview h7")
    reader = AnswerContext(
        load_words()["en"], {}, "https://x.org", lambda game, color: iter([]), lambda game: "", tradition="pbmserv"
    )
    lines = list(answer_lines(reader, post.now(grand_game), W, report))
    assert lines[0] == "You have played Mg4."
    assert "  if h7 then Ch4" in lines
    assert any("*M*" in line for line in lines)
    assert not any("*A*" in line for line in lines)


@pytest.mark.parametrize("subject", ["Nf3", "Re: Nf3", "draw", "AW: Re: e2e4"])
async def test_a_move_in_the_subject_gets_a_word(post, begun, subject):
    report = await post.reply(begun, W, "", headers=f"Subject: {subject}\r\n")
    assert report.refused.id == "only_subject"
    assert sans(post.now(begun)) == ["e4", "e5"]
    report = await post.reply(begun, W, "", headers="Subject: Re: Chess against Boris (0123456789)\r\n")
    assert report.refused.id == "says_nothing"
