"""Runs the host's commands. `command_line` parses them."""

import argparse
import sys
from collections.abc import Sequence

from server.cli.admin import (
    admit_address,
    answer_request,
    choose_joining,
    close_report,
    delete,
    end_invitation,
    export_person,
    give_role,
    impose_sanction,
    invite,
    list_invitations,
    list_reports,
    list_roles,
    list_sanctions,
    pardon,
    post_notice,
    print_claim_link,
    remove_notice,
    reset_password,
    send_test_mail,
)
from server.cli.audit import record_command
from server.cli.backup import back_up, restore
from server.cli.bot import BotOptions, play
from server.cli.checking import check_all, check_upgrade
from server.cli.puzzles import NODES, Wanted, list_puzzles, make_puzzles, remove_puzzles
from server.cli.site_access import CommandRefused
from server.cli.suspicions import list_suspicions
from server.cli.transfer import export_site, import_site
from server.setting_sources import shown_settings
from server.settings import Settings
from server.storage.admin_commands import (
    DeleteGame,
    DeleteImports,
    DeletePlayer,
    DeleteProfileText,
    Deletion,
    ImposeSanction,
)


def run_recorded(arguments: argparse.Namespace, settings: Settings, typed: Sequence[str]) -> None:
    """Runs the command, and records what was typed and how it ended. Raises CannotStart, CommandRefused."""
    outcome = "failed"
    try:
        run(arguments, settings)
        outcome = "done"
    except CommandRefused:
        outcome = "refused"
        raise
    finally:
        record_command(settings, typed, outcome)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Runs the command. Raises CannotStart, CommandRefused."""
    match arguments.command:
        case "account":
            run_account(arguments, settings)
        case "host":
            run_host(arguments, settings)
        case "invite" if arguments.list:
            list_invitations(settings)
        case "invite" if arguments.end:
            end_invitation(settings, arguments.end)
        case "invite":
            invite(settings, arguments.uses, arguments.days, arguments.note)
        case "notice" if arguments.remove:
            remove_notice(settings)
        case "notice":
            post_notice(settings, arguments.text, arguments.days, arguments.restart)
        case "reports" if arguments.close:
            close_report(settings, arguments.close)
        case "reports":
            list_reports(settings)
        case "backup":
            back_up(settings, arguments.file, arguments.replace)
        case "restore":
            restore(settings, arguments.file, arguments.replace)
        case "delete":
            delete(settings, deletion_of(arguments))
        case "check":
            check_all(settings)
        case "upgrade":
            check_upgrade(settings)
        case "settings":
            sys.stdout.write(shown_settings(settings))
        case _:
            run_more(arguments, settings)


def run_more(arguments: argparse.Namespace, settings: Settings) -> None:
    """Runs a command that is used less often or takes long. Raises CannotStart, CommandRefused."""
    match arguments.command:
        case "puzzles":
            run_puzzles(arguments, settings)
        case "suspicions":
            list_suspicions(settings)
        case "export":
            export_site(settings, arguments.file, arguments.replace)
        case "mail":
            send_test_mail(settings, arguments.address)
        case "bot":
            play(settings, bot_options_of(arguments))
        case _:
            import_site(settings, arguments.file, replace=arguments.replace)


def run_account(arguments: argparse.Namespace, settings: Settings) -> None:
    """Carries out a command about accounts. Raises CommandRefused."""
    one = arguments
    match one.action:
        case "reset":
            reset_password(one.name, settings, ask=one.ask)
        case "decide":
            impose_sanction(settings, ImposeSanction(one.name, one.measure, one.reason, one.length, one.words))
        case "pardon":
            pardon(settings, one.name)
        case "admit":
            admit_address(settings, one.address)
        case "export":
            export_person(settings, one.name)
        case _:
            list_sanctions(settings)


def run_host(arguments: argparse.Namespace, settings: Settings) -> None:
    """Carries out a command about roles, and who may join. Raises CommandRefused."""
    match arguments.action:
        case "claim":
            print_claim_link(settings)
        case "joining":
            choose_joining(settings, arguments.sign_up or "", arguments.guests or "", arguments.question)
        case "accept":
            answer_request(settings, arguments.name, accept=True)
        case "refuse":
            answer_request(settings, arguments.name, accept=False, reason=arguments.reason)
        case "role":
            give_role(settings, arguments.name, arguments.role)
        case _:
            list_roles(settings)


def run_puzzles(arguments: argparse.Namespace, settings: Settings) -> None:
    """Runs a command about puzzles. Raises CommandRefused."""
    match arguments.action:
        case "make":
            limit, nodes, imported = arguments.limit, arguments.nodes or NODES, arguments.imported
            wanted = Wanted(arguments.variant, limit, nodes, imported, arguments.suspicious, arguments.again)
            make_puzzles(settings, wanted)
        case "list":
            list_puzzles(settings, arguments.variant)
        case _:
            if bool(arguments.ids) == arguments.all:
                raise CommandRefused("Name the puzzles to be removed, or give --all, perhaps with --variant.")
            remove_puzzles(settings, arguments.ids, arguments.variant, arguments.yes)


def deletion_of(arguments: argparse.Namespace) -> Deletion:
    """The deletion that was typed."""
    match arguments.what:
        case "game":
            return DeleteGame(arguments.name, arguments.yes)
        case "player":
            return DeletePlayer(arguments.name, arguments.yes)
        case "text":
            return DeleteProfileText(arguments.name, arguments.yes)
        case _:
            return DeleteImports(arguments.older, arguments.of, arguments.yes)


def bot_options_of(arguments: argparse.Namespace) -> BotOptions:
    """The options that were typed."""
    variants = [one for one in arguments.variants.split(",") if one]
    one = arguments
    return BotOptions(one.engine, one.level, variants, one.site, one.wait, one.games)
