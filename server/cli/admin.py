"""The host's short commands: `account`, `host`, `invite`, `delete`, `notice`, `reports` and `mail test`.

Those about the site work whether or not the server is running: one that has the SQLite file carries them out itself,
and its answer is printed. With MongoDB the servers are told through Redis; without Redis they notice within a few
seconds.
"""

import asyncio
import getpass
import secrets
import sys

from server.backends import mail_server_of
from server.cli.site_access import CommandRefused, carried_out
from server.games.clocks.time_control import DAY_MS
from server.games.joining import LONGEST_INVITATION_NOTE, LONGEST_QUESTION, LONGEST_REASON, new_code, read_code
from server.games.sanctions import MINUTE_MS
from server.language import english
from server.mail.composing import test_message
from server.mail.delivery import Connect, DeliveryOutcome, ServerAway
from server.realtime.play.chat import LETTER, clean
from server.realtime.runtime.ids import digest
from server.realtime.runtime.timers import Now
from server.settings import Settings, parse_mailbox
from server.storage.admin_commands import (
    AdmitAddress,
    AnswerRequest,
    ChooseJoining,
    ClaimHost,
    CloseReport,
    Deletion,
    EndInvitation,
    ExportPerson,
    GiveRole,
    ImposeSanction,
    Invite,
    ListInvitations,
    ListJoining,
    ListReports,
    ListRoles,
    ListSanctions,
    Pardon,
    PostNotice,
    RemoveNotice,
    ResetPassword,
)
from server.storage.tables.notices import LATE_MS
from server.web.accounts.accounts import ONCE
from server.web.accounts.credentials import BadPassword, check_password, hash_password, one_time_password


def reset_password(name: str, settings: Settings, ask: bool) -> None:
    """Gives `name` a new password and prints it. Raises CommandRefused."""
    password = prompt_for_password(name) if ask else one_time_password()
    owner = asyncio.run(carried_out(settings, ResetPassword(name, hash_password(password))))
    if not owner:
        raise CommandRefused(f"There is no account called {name}.")
    if not ask:
        sys.stdout.write(f"{password}\n")
    sys.stderr.write(
        f"This password lets {owner} sign in once, within {ONCE // 3_600_000} hours."
        f" {owner} is signed out everywhere.\n"
    )


def prompt_for_password(name: str) -> str:
    """Asks for a new password twice. Raises CommandRefused if they differ or it is not good enough."""
    password = getpass.getpass("New password: ")
    if getpass.getpass("Once more: ") != password:
        raise CommandRefused("The two passwords differ. Nothing was changed.")
    try:
        check_password(password, name)
    except BadPassword as error:
        raise CommandRefused(f"{english().said(error)} Nothing was changed.") from None
    return password


def delete(settings: Settings, command: Deletion) -> None:
    """Deletes it if `sure`; otherwise only prints what would be deleted. Raises CommandRefused."""
    sys.stdout.write(f"{asyncio.run(carried_out(settings, command))}\n")
    if not command.sure:
        sys.stdout.write("Nothing was deleted. Add --yes to do it.\n")


def print_claim_link(settings: Settings) -> None:
    """Prints the link by which somebody becomes host. Raises CommandRefused."""
    code = secrets.token_urlsafe(24)
    asyncio.run(carried_out(settings, ClaimHost(digest(code))))
    sys.stdout.write(f"{settings.address}/host/claim#{code}\n")
    sys.stderr.write("Who opens this link within an hour, signed in, becomes a host of this site. It is good once.\n")


def give_role(settings: Settings, name: str, role: str) -> None:
    """Gives `name` that role at the desk, or "none". Raises CommandRefused."""
    owner = asyncio.run(carried_out(settings, GiveRole(name, "" if role == "none" else role)))
    sys.stderr.write(f"{owner} has no role now.\n" if role == "none" else f"The role of {owner} is now: {role}.\n")


def list_roles(settings: Settings) -> None:
    """Prints who has which role. Raises CommandRefused."""
    sys.stdout.write(asyncio.run(carried_out(settings, ListRoles())))


def choose_joining(settings: Settings, sign_up: str, guests: str, question: str | None) -> None:
    """Says who may join, and prints it and who asks to; "" and None: as it is. Raises CommandRefused."""
    if sign_up or guests or question is not None:
        asked = None if question is None else clean(question, LETTER)[:LONGEST_QUESTION].replace("\n", " ")
        asyncio.run(carried_out(settings, ChooseJoining(sign_up, guests, asked)))
    sys.stdout.write(asyncio.run(carried_out(settings, ListJoining())))


def answer_request(settings: Settings, name: str, *, accept: bool, reason: str = "") -> None:
    """Lets who asked to join as `name` in, or not. Raises CommandRefused."""
    written = clean(reason, LETTER)
    if len(written) > LONGEST_REASON:
        raise CommandRefused(f"A reason has at most {LONGEST_REASON} characters. Nothing was changed.")
    asyncio.run(carried_out(settings, AnswerRequest(name, accept, written)))
    sys.stderr.write(f"{name} can sign in now.\n" if accept else f"{name} reads that at the next try to sign in.\n")


def invite(settings: Settings, uses: int, days: int, note: str) -> None:
    """Prints the link of a new invitation. Raises CommandRefused."""
    now = Now()()
    named = clean(note)[:LONGEST_INVITATION_NOTE]
    order = Invite(new_code(), named, uses, now, now + days * DAY_MS)
    sys.stdout.write(f"{asyncio.run(carried_out(settings, order))}\n")


def list_invitations(settings: Settings) -> None:
    """Prints the invitations that are good. Raises CommandRefused."""
    sys.stdout.write(asyncio.run(carried_out(settings, ListInvitations())))


def end_invitation(settings: Settings, typed: str) -> None:
    """Ends the invitation with that code. Raises CommandRefused."""
    code = read_code(typed)
    if not code:
        raise CommandRefused(f"{typed} is no code. `fairyhouse invite --list` lists them.")
    asyncio.run(carried_out(settings, EndInvitation(code)))
    sys.stderr.write("Nobody can join by this invitation any more.\n")


def impose_sanction(settings: Settings, command: ImposeSanction) -> None:
    """Decides about somebody, and prints what holds now. Raises CommandRefused."""
    sys.stdout.write(asyncio.run(carried_out(settings, command)))


def pardon(settings: Settings, name: str) -> None:
    """Lifts all that was decided about somebody. Raises CommandRefused, also if there is nothing to lift."""
    told = asyncio.run(carried_out(settings, Pardon(name)))
    if not told:
        raise CommandRefused(f"Nothing was decided about {name} that holds now.")
    sys.stdout.write(told)


def admit_address(settings: Settings, address: str) -> None:
    """Lets accounts use a mail address again. Raises CommandRefused, also if none was kept from it."""
    try:
        box = parse_mailbox(address)
    except ValueError as error:
        raise CommandRefused(f"{address} cannot be used: {error}.") from None
    if not asyncio.run(carried_out(settings, AdmitAddress(box))):
        raise CommandRefused(f"No account is kept from using {box}.")
    sys.stderr.write(f"Accounts can confirm {box} again.\n")


def export_person(settings: Settings, name: str) -> None:
    """Prints all that is kept about somebody, as JSON. Raises CommandRefused."""
    sys.stdout.write(f"{asyncio.run(carried_out(settings, ExportPerson(name)))}\n")


def list_sanctions(settings: Settings) -> None:
    """Prints what was decided about people and holds. Raises CommandRefused."""
    sys.stdout.write(asyncio.run(carried_out(settings, ListSanctions())))


def list_reports(settings: Settings) -> None:
    """Prints the open reports, the oldest first. Raises CommandRefused."""
    sys.stdout.write(asyncio.run(carried_out(settings, ListReports())))


def close_report(settings: Settings, report_id: str) -> None:
    """Closes a report, so that it is no longer listed. Raises CommandRefused, also if there is no such open report."""
    if not asyncio.run(carried_out(settings, CloseReport(report_id))):
        raise CommandRefused(f"There is no open report {report_id}. `fairyhouse reports` lists them.")
    sys.stderr.write(f"The report {report_id} is closed.\n")


def post_notice(settings: Settings, text: str, days: int, restart: int = 0) -> None:
    """Posts `text` for that many days, in place of the present notice. "-": reads it from standard input. `restart`: it
    announces that the site is restarted in so many minutes, 0 for never.

    Raises CommandRefused.
    """
    written = sys.stdin.read() if text == "-" else text
    notice = clean(written, LETTER)
    if not notice:
        raise CommandRefused("The notice has no text. Nothing was changed.")
    if len(written.strip()) > LETTER.longest:
        raise CommandRefused(f"A notice has at most {LETTER.longest} characters. Nothing was changed.")
    now = Now()()
    if restart:
        at = now + restart * MINUTE_MS
        asyncio.run(carried_out(settings, PostNotice(notice, now, at + LATE_MS, at)))
        sys.stderr.write("Every page counts down to the restart, and nobody new is paired until then.\n")
        return
    asyncio.run(carried_out(settings, PostNotice(notice, now, now + days * DAY_MS)))
    sys.stderr.write(f"Every page shows this for {days} day{'s' if days > 1 else ''}, unless it is removed before.\n")


def remove_notice(settings: Settings) -> None:
    """Removes the notice. Raises CommandRefused, also if there is none."""
    if not asyncio.run(carried_out(settings, RemoveNotice())):
        raise CommandRefused("There is no notice.")
    sys.stderr.write("The notice is removed.\n")


def send_test_mail(settings: Settings, address: str) -> None:
    """Sends a short mail to `address`, and prints what the mail server says. Raises CommandRefused."""
    connect = mail_server_of(settings)
    if connect is None:
        raise CommandRefused("No mail server is set: FAIRYHOUSE_SMTP_URL and FAIRYHOUSE_MAIL_FROM.")
    try:
        outcome = asyncio.run(deliver_test_mail(connect, str(settings.mail_from), parse_mailbox(address)))
    except ValueError as error:
        raise CommandRefused(f"{address} cannot be used: {error}.") from None
    except ServerAway as error:
        raise CommandRefused(f"The mail server cannot be reached or refuses this site: {error}.") from None
    if outcome is not DeliveryOutcome.TAKEN:
        raise CommandRefused(f"The mail server did not take the mail: {outcome.name.lower().replace('_', ' ')}.")
    sys.stderr.write(f"The mail server has taken the mail to {address}.\n")


async def deliver_test_mail(connect: Connect, sender: str, address: str) -> DeliveryOutcome:
    """Delivers a mail that says only that it is a test, and returns what became of it. Raises ServerAway."""
    message = test_message(sender, address)
    async with connect() as deliver:
        return await deliver(address, "", message)
