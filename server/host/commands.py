"""The host's commands: carries out what was typed. `command_syntax` knows what can be."""

import argparse

from server.host import notice
from server.host.account import reset
from server.host.backup import back_up, restore
from server.host.bot.command import BotOptions, play
from server.host.checking import check_all
from server.host.deletion import delete
from server.host.puzzles.commands import list_puzzles, remove_puzzles
from server.host.puzzles.making import make_puzzles
from server.host.puzzles.wanted import Wanted
from server.host.reports import close_report, list_reports
from server.host.site_access import CommandRefused
from server.host.suspicions import list_suspicions
from server.host.transfer import export_site, import_site
from server.host.upgrading import check_upgrade
from server.settings import Settings
from server.storage.admin_commands import DeleteGame, DeleteImports, DeletePlayer, Deletion


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Carries out the command. Raises CannotStart, CommandRefused."""
    match arguments.command:
        case "account":
            reset(arguments.name, settings, ask=arguments.ask)
        case "notice" if arguments.remove:
            notice.remove(settings)
        case "notice":
            notice.post(settings, arguments.text, arguments.days)
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
        case "puzzles":
            run_puzzles(arguments, settings)
        case "suspicions":
            list_suspicions(settings)
        case "export":
            export_site(settings, arguments.file, arguments.replace)
        case "bot":
            play(settings, bot_options_of(arguments))
        case _:
            import_site(settings, arguments.file, replace=arguments.replace)


def run_puzzles(arguments: argparse.Namespace, settings: Settings) -> None:
    """Carries out a command about puzzles. Raises CommandRefused."""
    match arguments.action:
        case "make":
            limit, nodes, imported = arguments.limit, arguments.nodes, arguments.imported
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
        case _:
            return DeleteImports(arguments.older, arguments.of, arguments.yes)


def bot_options_of(arguments: argparse.Namespace) -> BotOptions:
    """The options that were typed."""
    variants = [one for one in arguments.variants.split(",") if one]
    one = arguments
    return BotOptions(one.engine, one.level, variants, one.site, one.wait, one.games)
