"""Defences of mail that comes back, switched off."""

from tests.faults.mutant import Mutant

BOUNCES = "server/mail/inbound/bounces.py"
PATHS = "server/mail/inbound/addresses/return_path.py"
FAILURES = "server/mail/failures.py"
TEST_BOUNCES = "tests/mail/inbound/test_bounces.py"
TEST_FAILURES = "tests/mail/test_failures.py"
TEST_SITE = "tests/web/mail/test_bounced_mail.py"

OF_BOUNCES: tuple[Mutant, ...] = (
    Mutant(
        "a flood of reports keeps replies waiting",
        "server/web/mail/replying.py",
        "worker, site.limits.bounces_in_all\n",
        "worker, site.limits.replies_in_all\n",
        f"{TEST_SITE}::test_a_flood_of_reports_keeps_no_reply_waiting",
    ),
    Mutant(
        "nobody hears of a mail that came back",
        "server/web/mail/mailing.py",
        "None if settings.mail_lmtp_port is None else",
        "None if settings.mail_lmtp_port else",
        f"{TEST_SITE}::test_an_address_whose_mail_comes_back_is_given_up_until_it_is_confirmed_again",
    ),
    Mutant(
        "what came back long ago gives an address up",
        PATHS,
        "        return token if self._now() // DAY_MS <= token.last_day else None\n",
        "        return token\n",
        f"{TEST_BOUNCES}::test_a_report_that_comes_too_late_changes_nothing",
    ),
    Mutant(
        "what came back before an address was confirmed anew gives it up",
        "server/mail/inbound/addresses/personal_address.py",
        'f"{address.owner} {address.address} {address.confirmed}"',
        'f"{address.owner} {address.address}"',
        f"{TEST_BOUNCES}::test_a_report_about_another_or_an_older_address_changes_nothing",
    ),
    Mutant(
        "a report gives up all addresses of somebody",
        BOUNCES,
        "                if token.is_of(one):\n",
        "                if True:\n",
        f"{TEST_BOUNCES}::test_a_report_about_another_or_an_older_address_changes_nothing",
    ),
    Mutant(
        "a mail that is late gives its address up",
        BOUNCES,
        '        if value_of(recipient, "Action").strip().lower() == FAILED\n        and (',
        "        if (",
        f"{TEST_BOUNCES}::test_what_says_nothing_of_a_permanent_failure_says_nothing",
    ),
    Mutant(
        "a mailbox that is unreachable for now gives its address up",
        BOUNCES,
        "5\\.\\d{1,3}",
        "[45]\\.\\d{1,3}",
        f"{TEST_BOUNCES}::test_what_says_nothing_of_a_permanent_failure_says_nothing",
    ),
    Mutant(
        "any mail with the words of a report gives an address up",
        BOUNCES,
        '.startswith("multipart/report"):',
        '.startswith("multipart/"):',
        f"{TEST_BOUNCES}::test_what_says_nothing_of_a_permanent_failure_says_nothing",
    ),
    Mutant(
        "one full mailbox is enough to give an address up",
        FAILURES,
        "    again = address.bounced != NEVER and at - address.bounced <= TWICE_WITHIN_MS\n",
        "    again = True\n",
        f"{TEST_FAILURES}::test_it_is_given_up_at_the_second_mail_within_a_week_and_not_before",
    ),
    Mutant(
        "a report that arrives twice counts for two mails",
        FAILURES,
        "(again and address.bounced_mail != mail)",
        "again",
        f"{TEST_FAILURES}::test_it_is_given_up_at_the_second_mail_within_a_week_and_not_before",
    ),
    Mutant(
        "mail goes on to a mailbox that does not exist",
        FAILURES,
        "    if no_mailbox or (",
        "    if (",
        f"{TEST_FAILURES}::test_an_address_without_a_mailbox_is_given_up_at_once",
    ),
)
