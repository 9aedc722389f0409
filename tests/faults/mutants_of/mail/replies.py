"""Defences against replies by mail that must do nothing, or must do something once, switched off."""

from tests.faults.mutant import Mutant

REPLIES = "server/mail/inbound/replies.py"
ADDRESS = "server/mail/inbound/addresses/reply_address.py"
SIGNING = "server/mail/inbound/addresses/signed_address.py"
CARRYING_OUT = "server/mail/inbound/carrying_out.py"
READING = "server/mail/inbound/reading/received_mail.py"
LINES = "server/mail/inbound/reading/written_lines.py"
GRAMMAR = "server/mail/inbound/reading/grammar.py"
LMTP = "server/mail/inbound/lmtp.py"
TEST_REPLIES = "tests/mail/inbound/test_replies.py"
TEST_ADDRESS = "tests/mail/inbound/test_reply_address.py"
TEST_GRAMMAR = "tests/mail/inbound/test_grammar.py"
TEST_READING = "tests/mail/inbound/test_received_mail.py"
TEST_CORPUS = "tests/mail/inbound/test_corpus.py"
TEST_PORT = "tests/web/mail/test_handing_over.py"
PROPERTY = (
    "tests/mail/inbound/test_no_mail_makes_two_moves.py"
    "::test_no_mail_makes_two_moves_and_none_that_is_forged_or_late_makes_one"
)

TEST_CONDITIONAL = "tests/mail/inbound/test_conditional_by_mail.py"

TEST_PERSONAL = "tests/mail/inbound/test_personal_mail.py"
TEST_SITE = "tests/web/mail/test_writing_to_the_site.py"
PERSONAL = "server/mail/inbound/personal_mail.py"

TEST_PROPOSALS = "tests/web/lobby/test_proposals.py"
PROPOSALS = "server/web/lobby/proposals.py"

OF_REPLIES: tuple[Mutant, ...] = (
    Mutant(
        "a line that a mail program may have broken is guessed at",
        "server/mail/inbound/reading/if_lines.py",
        'if command_of(line) == "if" and len(last) > PERHAPS_BROKEN:',
        "if False:",
        f"{TEST_GRAMMAR}::test_where_a_line_may_have_been_broken_before_another_if_nothing_is_guessed",
    ),
    Mutant(
        "two pieces get the same letter",
        "server/rules/notation/letters.py",
        "    if len(set(shown)) < len(shown):\n        return OWN\n",
        "",
        "tests/rules/notation/test_letters.py::test_no_two_pieces_get_the_same_letter",
    ),
    Mutant(
        "a reply is read with other letters than its mail had",
        CARRYING_OUT,
        "turn_meant(game, color, wanted, report, self.letters)",
        "turn_meant(game, color, wanted, report)",
        f"{TEST_REPLIES}::test_letters_are_those_that_each_player_has_chosen",
    ),
    Mutant(
        "two others are proposed games without end",
        PROPOSALS,
        "    charge(limits.proposals, by, now)\n",
        "",
        f"{TEST_PROPOSALS}::test_nobody_is_pestered[proposals]",
    ),
    Mutant(
        "the same two are proposed games without end",
        PROPOSALS,
        '    charge(limits.proposals_to_two, " ".join(sorted((first.id, second.id))), now)\n',
        "",
        f"{TEST_PROPOSALS}::test_nobody_is_pestered[proposals_to_two]",
    ),
    Mutant(
        "one person is proposed games without end",
        PROPOSALS,
        "        charge(limits.proposals_to_one, asked.id, now)\n",
        "        pass\n",
        f"{TEST_PROPOSALS}::test_nobody_is_pestered[proposals_to_one]",
    ),
    Mutant(
        "who is asked second is not told",
        "server/realtime/process/domain_events.py",
        "                yield Challenged(after, asked, player)\n",
        "                pass\n",
        "tests/realtime/process/test_domain_events.py"
        "::test_of_two_who_are_asked_to_play_each_other_the_second_is_told_when_the_first_accepts",
    ),
    Mutant(
        "a crash hides the proposal from who is asked second",
        "server/web/lobby/challenges.py",
        "            await site.store.challenges.pass_on(game_id, asked.id, site.now())\n",
        "            await site.store.challenges.drop(game_id)\n",
        f"{TEST_PROPOSALS}::test_a_note_that_a_crash_left_with_the_first_goes_to_the_second",
    ),
    Mutant(
        "a personal address outlives the mailbox that it was made for",
        "server/mail/inbound/addresses/personal_address.py",
        "return address.in_effect and _mark(address) == self.mark",
        "return address.in_effect",
        f"{TEST_PERSONAL}::test_an_address_dies_with_the_mailbox_that_it_was_made_for",
    ),
    Mutant(
        "what comes before a command that needs a game is done",
        PERSONAL,
        "if not all(isinstance(command, OF_A_PERSON) for command in wanted):",
        "if not any(isinstance(command, OF_A_PERSON) for command in wanted):",
        f"{TEST_PERSONAL}::test_what_belongs_to_a_game_is_not_done_and_nothing_beside_it",
    ),
    Mutant(
        "a challenge whose mail comes again is made again",
        PERSONAL,
        'digest = sha256(self.mail + nth.to_bytes(1, "big")).digest()',
        'digest = sha256(self.mail + str(id(report)).encode() + nth.to_bytes(1, "big")).digest()',
        f"{TEST_PERSONAL}::test_a_challenge_that_comes_again_is_made_once",
    ),
    Mutant(
        "by mail people challenge without a limit",
        "server/web/lobby/mail_challenges.py",
        "    charge(site.limits.challenges, maker.id, site.now())\n",
        "",
        f"{TEST_SITE}::test_challenges_by_mail_count_as_those_on_the_site",
    ),
    Mutant(
        "vacations by mail have no limit",
        "server/web/people/vacations.py",
        "    charge(site.limits.vacations, owner, site.now())\n    await site.live.vacations.come_back(owner)",
        "    await site.live.vacations.come_back(owner)",
        f"{TEST_SITE}::test_a_vacation_by_mail_is_one_on_the_site",
    ),
    Mutant(
        "one mail gets the rules of all variants",
        "server/mail/inbound/answers.py",
        "            if rules:\n",
        "            if False:\n",
        f"{TEST_SITE}::test_a_mail_gets_the_rules_of_one_variant_and_where_the_others_are",
    ),
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
        "server/games/changes/answering.py",
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
        f"{TEST_REPLIES}::test_an_offer_that_the_mail_did_not_show_is_not_accepted",
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
        "return Status.DONE if sent else Status.LATER",
        "return Status.DONE",
        f"{TEST_REPLIES}::test_a_move_that_was_made_but_not_acknowledged_is_confirmed_when_the_mail_comes_again",
    ),
    Mutant(
        "a mail is lost while the store is away",
        REPLIES,
        "            return Status.LATER\n        if status is",
        "            return Status.DONE\n        if status is",
        f"{TEST_REPLIES}::test_while_the_store_is_away_mails_are_put_off",
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
        f"{TEST_REPLIES}::test_programs_are_neither_obeyed_nor_answered",
    ),
    Mutant(
        "a mail without a return path is obeyed",
        REPLIES,
        'if sender == "" or ',
        "if ",
        f"{TEST_REPLIES}::test_a_mail_without_a_return_path_is_neither_obeyed_nor_answered",
    ),
    Mutant(
        "a program that answers our answers is answered for ever",
        REPLIES,
        "if nothing_done and self._limits.refused.take(",
        "if nothing_done and False and (",
        f"{TEST_REPLIES}::test_a_conversation_with_a_program_that_does_not_say_so_ends",
    ),
    Mutant(
        "replies have no limit in all",
        REPLIES,
        'self._limits.here.take("", now / 1000) or ',
        "",
        f"{TEST_REPLIES}::test_too_many_mails_are_put_off_and_none_is_lost",
    ),
    Mutant(
        "replies have no limit by game",
        REPLIES,
        " or self._limits.by_game.take(about, now / 1000)",
        "",
        f"{TEST_REPLIES}::test_too_many_mails_are_put_off_and_none_is_lost",
    ),
    Mutant(
        "replies have no limit by player",
        REPLIES,
        "if self._limits.by_player.take(writer.player.id, now / 1000):",
        "if False:",
        f"{TEST_REPLIES}::test_too_many_mails_are_put_off_and_none_is_lost",
    ),
    Mutant(
        "one reply resigns",
        CARRYING_OUT,
        "if not self.token.confirms:",
        "if False:",
        f"{TEST_REPLIES}::test_resigning_takes_a_second_reply",
    ),
    Mutant(
        "any game is resigned by the address of another",
        CARRYING_OUT,
        "if game != self.game.id:",
        "if False:",
        f"{TEST_REPLIES}::test_another_game_is_not_resigned",
    ),
    Mutant(
        "what comes before an illegal move is done",
        CARRYING_OUT,
        "            turn = await self.worker.run(lambda: turn_meant(game, color, wanted, report, self.letters))\n",
        "            turn = Turn()\n",
        f"{TEST_REPLIES}::test_an_illegal_move_lets_nothing_before_it_happen",
    ),
    Mutant(
        "of two offers one is accepted by guess",
        CARRYING_OUT,
        "if len(meant) > 1:",
        "if False:",
        f"{TEST_REPLIES}::test_of_two_offers_neither_is_accepted_by_guess",
    ),
    Mutant(
        "a mail has two moves",
        GRAMMAR,
        "if sum(isinstance(one, Move) for one in commands) > 1:",
        "if False:",
        f"{TEST_GRAMMAR}::test_what_is_not_clear_is_refused_as_a_whole",
    ),
    Mutant(
        "a move after a message is taken for part of it",
        GRAMMAR,
        "                if is_command(line):\n",
        "                if False:\n",
        f"{TEST_GRAMMAR}::test_what_is_not_clear_is_refused_as_a_whole",
    ),
    Mutant(
        "quoted lines are read as commands",
        LINES,
        "        if QUOTE.match(line):\n",
        "        if False:\n",
        TEST_CORPUS,
    ),
    Mutant(
        "a quotation without marks is read as commands",
        LINES,
        "            if not QUOTE.match(following):\n",
        "            if False:\n",
        TEST_CORPUS,
    ),
    Mutant(
        "a mail of many parts is taken apart",
        READING,
        'content.count(b"\\n--") > 4 * MAX_PARTS',
        "False",
        f"{TEST_READING}::test_a_mail_in_very_many_parts_is_not_taken_apart",
    ),
    Mutant(
        "a long header is taken apart",
        READING,
        "if any(len(header[0]) > MAX_VALUE for header in LOOKED_INTO.finditer(content)):",
        "if False:",
        f"{TEST_READING}::test_a_strange_mail_is_read_or_refused_soon",
    ),
    Mutant(
        "the library's own errors come out of a mail",
        READING,
        "    except Exception as error:\n",
        "    except ZeroDivisionError as error:\n",
        TEST_READING,
    ),
    Mutant(
        "any number of connections may hand over mails",
        LMTP,
        "if len(self._others) >= CONNECTIONS:",
        "if False:",
        f"{TEST_PORT}::test_there_is_a_bound_to_the_connections",
    ),
    Mutant(
        "a mail has several recipients and one answer",
        LMTP,
        "        if envelope.rcpt_tos:\n            return ONE_RECIPIENT\n",
        "",
        f"{TEST_PORT}::test_each_mail_has_one_recipient",
    ),
    Mutant(
        "what the mail server says is logged",
        LMTP,
        "    conversation_log.setLevel(logging.CRITICAL)\n",
        "",
        f"{TEST_PORT}::test_nothing_of_a_conversation_is_logged",
    ),
    Mutant(
        "whoever is challenged plays before they have accepted",
        CARRYING_OUT,
        "if self.game.status is Status.OPEN and not all(",
        "if False and not all(",
        "tests/mail/inbound/test_challenges_by_mail.py::test_nothing_is_done_in_a_game_before_it_is_accepted",
    ),
    Mutant(
        "by mail people begin any number of games",
        CARRYING_OUT,
        "            await self.check_room(self.player.id)\n",
        "",
        "tests/mail/inbound/test_challenges_by_mail.py::test_who_has_too_many_games_is_told_and_begins_none",
    ),
    Mutant(
        "whatever is asked by mail is compared with all that was asked before",
        GRAMMAR,
        "    asked: set[MailCommand] = set()\n",
        '    asked = type("Asked", (list,), {"add": list.append})()\n',
        f"{TEST_GRAMMAR}::test_thousands_of_lines_are_refused_soon",
    ),
    Mutant(
        "a line of conditional moves goes on without end",
        "server/mail/inbound/reading/if_lines.py",
        "    if len(begun) > MAX_LINE:\n        return False\n",
        "",
        f"{TEST_GRAMMAR}::test_thousands_of_lines_are_refused_soon",
    ),
    Mutant(
        "moves wait while the commands of a mail are read",
        REPLIES,
        "await self._worker.run(lambda: read_commands(mail.lines))",
        "read_commands(mail.lines)",
        f"{TEST_REPLIES}::test_commands_are_read_beside_the_event_loop",
    ),
    Mutant(
        "somebody waits for a second who has left",
        "server/realtime/play/rounds.py",
        "        if account is None or account.user != asked.id:\n",
        "        if False:\n",
        f"{TEST_PROPOSALS}::test_nobody_waits_for_a_second_who_has_left",
    ),
)
