"""Defences of what reads mails from people, switched off."""

from tests.faults.mutant import Mutant

REPLIES = "server/mail/inbound/replies.py"
CARRYING_OUT = "server/mail/inbound/carrying_out.py"
READING = "server/mail/inbound/reading/received_mail.py"
LINES = "server/mail/inbound/reading/written_lines.py"
GRAMMAR = "server/mail/inbound/reading/grammar.py"
LMTP = "server/mail/inbound/lmtp.py"
TEST_REPLIES = "tests/mail/inbound/test_replies.py"
TEST_GRAMMAR = "tests/mail/inbound/test_grammar.py"
TEST_READING = "tests/mail/inbound/test_received_mail.py"
TEST_CORPUS = "tests/mail/inbound/test_corpus.py"
TEST_PORT = "tests/web/mail/inbound/test_handing_over.py"

OF_READING: tuple[Mutant, ...] = (
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
        "moves_meant(game, color, wanted, report, self.letters)",
        "moves_meant(game, color, wanted, report)",
        f"{TEST_REPLIES}::test_letters_are_those_that_each_player_has_chosen",
    ),
    Mutant(
        "a rule across a mail is looked at again from each of its signs",
        LINES,
        'r"-{2,}+.{3,60}',
        'r"-{2,}.{3,60}',
        f"{TEST_READING}::test_a_strange_mail_is_read_or_refused_soon",
    ),
    Mutant(
        "any number of conditional moves is read from a mail",
        "server/mail/inbound/reading/conditional_lines.py",
        "    check_size(typed)\n",
        "",
        "tests/mail/inbound/test_conditional_by_mail.py::test_of_too_many_none_is_looked_at",
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
)
