"""Defences of mail on its way out, switched off: how it is written, sent and kept, and whom it tells what."""

from tests.faults.mutant import Mutant

COMPOSING = "server/mail/composing.py"
SENDER = "server/mail/sender.py"
SMTP = "server/mail/smtp.py"
TURNS = "server/web/notifications/teller.py"
OUTBOX = "server/storage/sqlite/mail/outbox.py"
TEST_COMPOSING = "tests/mail/test_composing.py"
TEST_SENDER = "tests/mail/test_sender.py"
TEST_SMTP = "tests/mail/test_smtp.py"
TEST_OUTBOX = "tests/storage/every_store/mail/test_outbox_kept.py"
TEST_TURNS = "tests/web/mail/test_game_mails.py"

OF_MAIL: tuple[Mutant, ...] = (
    Mutant(
        "a mail waits for a picture that cannot be drawn",
        "server/web/mail/mailing.py",
        '    except Problem:\n        return b""\n',
        "    except Problem:\n        raise\n",
        "tests/web/mail/test_pictures_in_mails.py",
    ),
    Mutant(
        "the id of a mail tells how often the game has changed",
        "server/web/notifications/letter_writer.py",
        "hmac.digest(self.mailer.key, f'{LETTER} {news}'.encode(), 'sha256').hex()[:24]",
        "rev:024x",
        "tests/web/mail/told_later/test_reminders.py"
        "::test_their_ids_do_not_tell_whether_the_opponent_has_prepared_moves",
    ),
    Mutant(
        "a line break in a name begins a line of a mail",
        "server/rules/notation/printable.py",
        '"".join(letter if letter.isprintable() else " " for letter in text)',
        "text",
        f"{TEST_COMPOSING}::test_no_text_becomes_a_header_or_a_line_of_its_own",
    ),
    Mutant(
        "an encoded word in a name writes headers",
        COMPOSING,
        '.replace("=?", "= ?")',
        "",
        f"{TEST_COMPOSING}::test_no_text_becomes_a_header_or_a_line_of_its_own",
    ),
    Mutant(
        "a text ends a part of a mail",
        COMPOSING,
        'ENCODING: Final = "quoted-printable"',
        'ENCODING: Final = "7bit"',
        f"{TEST_COMPOSING}::test_no_text_ends_a_part",
    ),
    Mutant(
        "a mail is deleted before the mail server has taken it",
        SENDER,
        "        match await deliver(mail.address, return_path, mail.message):\n",
        "        await self._outbox.drop(mail.id)\n"
        "        match await deliver(mail.address, return_path, mail.message):\n",
        f"{TEST_SENDER}::test_what_a_dying_node_had_in_hand_is_sent_again_with_the_same_id",
    ),
    Mutant(
        "several nodes send the same mail",
        OUTBOX,
        " WHERE _id = ? AND next_try = ? AND tries = ?",
        " WHERE _id = ? AND ? + ? > 0",
        f"{TEST_SENDER}::test_of_several_nodes_one_sends_each_mail",
    ),
    Mutant(
        "a mail server that is away is asked all the time",
        SENDER,
        "        if now < self._away_until:\n",
        "        if False:\n",
        f"{TEST_SENDER}::test_while_the_server_is_away_it_is_tried_at_growing_intervals",
    ),
    Mutant(
        "a mail that is refused for good is tried for ever",
        SMTP,
        "    return DeliveryOutcome.NO_MAILBOX if NO_MAILBOX.match(refused.message) else DeliveryOutcome.REFUSED\n",
        "    return DeliveryOutcome.LATER\n",
        f"{TEST_SENDER}::test_an_address_is_given_up_when_two_mails_were_refused_for_good",
    ),
    Mutant(
        "a mail server that does not know this host spoils every address",
        SMTP,
        " or refused.code == 530 or NOT_ALLOWED.match(refused.message):",
        ":",
        f"{TEST_SENDER}::test_a_server_that_does_not_know_this_host_spoils_no_address",
    ),
    Mutant(
        "mail goes on to an address that is gone or refused",
        SENDER,
        "    return not mail.topic or (",
        "    return True or (",
        f"{TEST_SENDER}::test_mail_about_games_goes_only_where_it_is_still_wanted",
    ),
    Mutant(
        "the password goes to a mail server without encryption",
        SMTP,
        'start_tls=parts.scheme == "smtp+starttls",',
        "start_tls=None,",
        f"{TEST_SMTP}::test_starttls_is_not_optional",
    ),
    Mutant(
        "a sender that is busy cannot be stopped",
        SENDER,
        "        while not self._stopping:\n",
        "        while True:\n",
        f"{TEST_SENDER}::test_a_sender_stops_even_if_its_cancelling_is_lost_in_the_library",
    ),
    Mutant(
        "a turn is marked by a write of its own, or not at all",
        "server/storage/sqlite/saves.py",
        "for save in steps if save.news])\n",
        "for save in steps if not save.news])\n",
        f"{TEST_OUTBOX}::TestTurns::test_each_turn_is_marked_by_the_write_that_begins_it",
    ),
    Mutant(
        "the outbox grows without end",
        OUTBOX,
        "    room = _count(connection) < MAX_WAITING\n",
        "    room = True\n",
        f"{TEST_OUTBOX}::TestMails::test_the_outbox_is_bounded",
    ),
    Mutant(
        "somebody is told of what is over",
        OUTBOX,
        "    if connection.execute(marked, (news.game, news.rev)).fetchone() is None:\n",
        "    if False:\n",
        f"{TEST_OUTBOX}::TestTelling::test_nobody_is_told_of_news_twice_or_of_what_is_over",
    ),
    Mutant(
        "whoever has the board open is mailed",
        TURNS,
        "                self._soon(game, (player,) if away else (), ",
        "                self._soon(game, (player,), ",
        f"{TEST_TURNS}::test_who_saw_it_at_the_board_is_not_mailed_though_they_have_left_before_anybody_is_told",
    ),
    Mutant(
        "people are mailed who never asked for it",
        TURNS,
        "            if often is not Often.NEVER\n",
        "",
        f"{TEST_TURNS}::test_only_who_asked_for_it_is_told_and_at_the_addresses_they_chose",
    ),
    Mutant(
        "the end of a game is never told",
        "server/games/news.py",
        "    return after.status is Status.OVER and before.status is not Status.OVER\n",
        "    return False\n",
        "tests/games/test_news.py::test_the_end_concerns_both_and_a_rematch_who_is_asked",
    ),
    Mutant(
        "a draw offer is told before the move that it goes with",
        "server/games/news.py",
        " if not (offer.kind is OfferKind.DRAW and offer.by is after.to_move)",
        "",
        "tests/web/mail/test_offers_in_mails.py::test_a_takeback_that_is_asked_for_is_told_at_once_and_a_draw_with_the_move",
    ),
    Mutant(
        "a letter that cannot be written holds up all others",
        TURNS,
        "                except Exception:\n                    # The other news does not wait for it.\n",
        "                except ZeroDivisionError:\n",
        "tests/web/mail/test_untold.py::test_a_letter_that_cannot_be_written_holds_up_no_other",
    ),
    Mutant(
        "what a crash left untold is never told",
        TURNS,
        "            if news in self._left:\n",
        "            if False:\n",
        "tests/web/mail/test_untold.py::test_what_a_crash_left_untold_is_told_at_the_second_look",
    ),
)
