"""Defences against replies by mail that must do nothing, or must do something once, switched off."""

from tests.faults.mutant import Mutant

REPLIES = "server/mail/inbound/replies.py"
ADDRESS = "server/mail/inbound/addresses/reply_address.py"
SIGNING = "server/mail/inbound/addresses/signed_address.py"
CARRYING_OUT = "server/mail/inbound/carrying_out.py"
TEST_REPLIES = "tests/mail/inbound/test_replies.py"
PROPERTY = (
    "tests/mail/inbound/test_no_mail_makes_two_moves.py"
    "::test_no_mail_makes_two_moves_and_none_that_is_forged_or_late_makes_one"
)
TEST_CONDITIONAL = "tests/mail/inbound/test_conditional_by_mail.py"

OF_REPLIES: tuple[Mutant, ...] = (
    Mutant(
        "conditional moves are prepared by late mails",
        "server/mail/inbound/reading/mail_commands.py",
        "OF_A_TURN: Final = (Move, Conditional, ",
        "OF_A_TURN: Final = (Move, ",
        f"{TEST_CONDITIONAL}::test_a_mail_that_comes_late_or_again_prepares_nothing",
    ),
    Mutant(
        "a mail replaces conditional moves that it did not show",
        CARRYING_OUT,
        "self.token.is_about_prepared(self.game)",
        "True",
        f"{TEST_CONDITIONAL}::test_a_mail_that_comes_late_or_again_prepares_nothing",
    ),
    Mutant(
        "conditional moves by mail have no limit",
        CARRYING_OUT,
        "            self._charge(wanted, now)\n",
        "",
        f"{TEST_CONDITIONAL}::test_they_count_as_those_entered_on_the_board",
    ),
    Mutant(
        "conditional moves are shown to the opponent",
        "server/mail/inbound/answer_text.py",
        "tree = for_color(game.conditional, color)",
        "tree = for_color(game.conditional, color) or for_color(game.conditional, color.other)",
        f"{TEST_CONDITIONAL}::test_the_answer_shows_them_to_their_owner_only",
    ),
    Mutant(
        "conditional moves follow another move than they were judged for",
        "server/games/changes/playing.py",
        "    if game.position != position:\n        raise Stale\n",
        "",
        "tests/games/test_conditional.py::test_a_move_takes_what_follows_it_along_in_one_change",
    ),
    Mutant(
        "an address for replies need not be signed",
        SIGNING,
        "return content if hmac.compare_digest(written.encode(), local.lower().encode()) else None",
        "return content",
        PROPERTY,
    ),
    Mutant(
        "a mail moves in later turns too",
        CARRYING_OUT,
        "isinstance(command, OF_A_TURN) and not self.token.is_about_turn(self.game)",
        "isinstance(command, OF_A_TURN) and False",
        f"{TEST_REPLIES}::test_a_late_reply_plays_nothing_and_says_so",
    ),
    Mutant(
        "a move that was taken back is made again by its mail",
        ADDRESS,
        " and made_since == still_open",
        "",
        f"{TEST_REPLIES}::test_a_move_that_was_taken_back_is_not_made_again_by_its_mail",
    ),
    Mutant(
        "an offer that the mail did not show is accepted",
        CARRYING_OUT,
        "isinstance(command, OF_OFFERS) and not self.token.is_about_offers(self.game)",
        "isinstance(command, OF_OFFERS) and not self.token.is_about_turn(self.game)",
        "tests/mail/inbound/test_offers_by_mail.py::test_an_offer_that_the_mail_did_not_show_is_not_accepted",
    ),
    Mutant(
        "a mail that comes twice is carried out twice",
        REPLIES,
        " or key in self._done:",
        ":",
        f"{TEST_REPLIES}::test_the_move_of_a_mail_that_comes_twice_is_made_once",
    ),
    Mutant(
        "a move that was made is denied when its mail comes again",
        CARRYING_OUT,
        "isinstance(command, Move) and await self._was_played(command.text, plies)",
        "isinstance(command, Move) and False",
        f"{TEST_REPLIES}::test_a_move_that_was_made_but_not_acknowledged_is_confirmed_when_the_mail_comes_again",
    ),
    Mutant(
        "a mail is acknowledged whose answer was not kept",
        REPLIES,
        "return SmtpStatus.DONE if sent else SmtpStatus.LATER",
        "return SmtpStatus.DONE",
        f"{TEST_REPLIES}::test_a_move_that_was_made_but_not_acknowledged_is_confirmed_when_the_mail_comes_again",
    ),
    Mutant(
        "a mail is lost while the store is away",
        REPLIES,
        "            return SmtpStatus.LATER\n        if status is",
        "            return SmtpStatus.DONE\n        if status is",
        "tests/mail/inbound/test_not_carried_out.py::test_while_the_store_is_away_mails_are_put_off",
    ),
    Mutant(
        "an address outlives the mailbox that it was sent to",
        REPLIES,
        "if one.in_effect and mark_of(one.address) == token.mark:",
        "if one.in_effect:",
        f"{TEST_REPLIES}::test_an_address_dies_with_the_mailbox_that_it_was_sent_to",
    ),
    Mutant(
        "programs are obeyed",
        REPLIES,
        " or mail.automatic",
        "",
        "tests/mail/inbound/test_not_carried_out.py::test_programs_are_neither_obeyed_nor_answered",
    ),
    Mutant(
        "a mail without a return path is obeyed",
        REPLIES,
        'if sender == "" or ',
        "if ",
        "tests/mail/inbound/test_not_carried_out.py::test_a_mail_without_a_return_path_is_neither_obeyed_nor_answered",
    ),
    Mutant(
        "a program that answers our answers is answered for ever",
        REPLIES,
        "if self._limits.refused.take(",
        "if False and (",
        "tests/mail/inbound/test_not_carried_out.py::test_a_conversation_with_a_program_that_does_not_say_so_ends",
    ),
    Mutant(
        "replies have no limit in all",
        REPLIES,
        ' or self._limits.here.take("", now)',
        "",
        "tests/mail/inbound/test_not_carried_out.py::test_too_many_mails_are_put_off_and_none_is_lost",
    ),
    Mutant(
        "replies have no limit by seat",
        REPLIES,
        "self._limits.by_seat.take(about, now) or ",
        "",
        "tests/mail/inbound/test_not_carried_out.py::test_too_many_mails_are_put_off_and_none_is_lost",
    ),
    Mutant(
        "a flood to one address uses up what all share",
        REPLIES,
        'self._limits.by_seat.take(about, now) or self._limits.here.take("", now)',
        'self._limits.here.take("", now) or self._limits.by_seat.take(about, now)',
        "tests/mail/inbound/test_not_carried_out.py::test_a_flood_to_one_address_uses_up_nothing_of_what_all_share",
    ),
    Mutant(
        "mails are no longer answered without a word",
        REPLIES,
        "report.is_last = self._limits.refused.wait(about, now) > 0",
        "pass",
        "tests/mail/inbound/test_not_carried_out.py::test_the_last_answer_before_there_are_none_says_so",
    ),
    Mutant(
        "an opponent's rubbish keeps a player's own mails waiting",
        REPLIES,
        ', to {token.color.name.lower()}"',
        '"',
        "tests/mail/inbound/test_not_carried_out.py::test_an_opponent_s_rubbish_keeps_nobody_waiting_and_silences_nobody",
    ),
    Mutant(
        "replies have no limit by player",
        REPLIES,
        "if self._limits.by_player.take(writer.player.id, now):",
        "if False:",
        "tests/mail/inbound/test_not_carried_out.py::test_too_many_mails_are_put_off_and_none_is_lost",
    ),
    Mutant(
        "one reply resigns",
        CARRYING_OUT,
        "if not self.token.confirms:",
        "if False:",
        "tests/mail/inbound/test_offers_by_mail.py::test_resigning_takes_a_second_reply",
    ),
    Mutant(
        "any game is resigned by the address of another",
        CARRYING_OUT,
        "if game != self.game.id:",
        "if False:",
        "tests/mail/inbound/test_offers_by_mail.py::test_another_game_is_not_resigned",
    ),
    Mutant(
        "what comes before an illegal move is done",
        CARRYING_OUT,
        "            moves = await self.worker.run(lambda: moves_meant(game, color, wanted, report, self.letters))\n",
        "            moves = IntendedMoves()\n",
        f"{TEST_REPLIES}::test_an_illegal_move_lets_nothing_before_it_happen",
    ),
    Mutant(
        "of two offers one is accepted by guess",
        CARRYING_OUT,
        "if len(meant) > 1:",
        "if False:",
        "tests/mail/inbound/test_offers_by_mail.py::test_of_two_offers_neither_is_accepted_by_guess",
    ),
)
