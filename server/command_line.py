"""The command line: `fairyhouse` serves the site, `fairyhouse account reset NAME` resets a password, and so on.

Parses the command, reads the settings, and serves the site or runs a command of the host, which `server.cli` has. Exit
codes: 0 done, 1 command refused, 2 command not understood, 70 a defect, 78 a setting must be changed first.
"""

import argparse
import gc
import logging
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from server.backends import CannotStart
from server.cli.site_access import CommandRefused
from server.games.desk import Role
from server.games.joining import MOST_HOURS, MOST_USES, Guests, SignUp
from server.games.sanctions import LENGTHS, Measure, Reason
from server.release import release
from server.serving import serve
from server.setting_sources import PREFIX, old_names, read_settings, shown_value
from server.settings import InvalidSettings, Settings
from server.web.operation.logs import start_logging

log = logging.getLogger(__name__)

EX_REFUSED = 1
EX_DEFECT = 70
EX_CONFIG = 78


def carry_out(typed: Sequence[str]) -> int:
    """Runs what was typed and returns the exit code."""
    arguments = parse_command(typed)
    try:
        settings = read_settings()
        start_logging(settings.log_level, settings.log_format)
        run(arguments, settings, typed)
    except (InvalidSettings, CannotStart) as error:
        with held() if arguments.hold else nullcontext():
            sys.stderr.write(f"{error}\n")
            sys.stderr.flush()
        return EX_CONFIG
    except CommandRefused as error:
        sys.stderr.write(f"{error}\n")
        return EX_REFUSED
    except Exception:
        # Python would end with 1, as a command does that was refused, or a check that has come to its end.
        traceback.print_exc()
        return EX_DEFECT
    return 0


@contextmanager
def held() -> Iterator[None]:
    """Runs the block, then waits for SIGTERM or SIGINT.

    They are blocked from the start, as the kernel would discard them for process 1 of a container.
    """
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    yield
    signal.sigwait(signals)


def run(arguments: argparse.Namespace, settings: Settings, typed: Sequence[str]) -> None:
    """Serves, or imports the commands, which no server needs, and runs one. Raises CannotStart, CommandRefused."""
    if arguments.command is None:
        old = old_names()
        if old.read:
            log.warning("settings are called FAIRYHOUSE_… now; the old names are still read: %s", ", ".join(old.read))
        if old.unread:
            told = ", ".join(f"{name} (for this program: {PREFIX}{name})" for name in old.unread)
            log.warning("what may be meant for another program is not read: %s", told)
        serve(settings)
    else:
        gc.enable()
        import_module("server.cli.commands").run_recorded(arguments, settings, typed)


def parse_command(arguments: Sequence[str]) -> argparse.Namespace:
    """Returns the parsed command. Raises SystemExit after --help, or with a sentence about what it cannot parse."""
    return command_parser().parse_args(arguments)


class Commands(Protocol):
    """What argparse's `add_subparsers` returns, which has no public name."""

    def add_parser(self, name: str, **options: Any) -> argparse.ArgumentParser: ...


def command_parser() -> argparse.ArgumentParser:
    """Returns the parser of all commands; `docs/operate.md` is generated from it."""
    parser = argparse.ArgumentParser(
        prog="fairyhouse",
        description="A server for chess variants. Without a command it serves the site until Ctrl-C, SIGTERM or"
        " SIGHUP.",
        epilog=settings_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fairyhouse {release()}")
    parser.add_argument(
        "--hold",
        action="store_true",
        help="if a setting cannot be used, say so and wait for SIGTERM, so that no container is restarted for ever",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    add_account(commands)
    add_host(commands)
    add_invite(commands)
    add_notice(commands)
    add_reports(commands)
    add_deleting(commands)
    add_puzzles(commands)
    add_reading(commands)
    add_copying(commands)
    add_settings(commands)
    add_bot(commands)
    return parser


def add_account(commands: Commands) -> None:
    """Adds the commands about accounts."""
    account = commands.add_parser("account", help="manage an account")
    actions = account.add_subparsers(dest="action", metavar="ACTION", required=True)
    reset = actions.add_parser(
        "reset",
        help="give somebody a new password",
        description="Prints a password that lets NAME sign in once, within a day; NAME then chooses a new one. The old"
        " password stops working, and NAME is signed out everywhere. Works while the server runs. Use the same"
        " settings (FAIRYHOUSE_DATA_DIR or FAIRYHOUSE_MONGODB_URI) as the server.",
    )
    reset.add_argument("name", metavar="NAME")
    reset.add_argument("--ask", action="store_true", help="ask for the password instead of making one up")
    add_sanctions(actions)


def add_sanctions(actions: Commands) -> None:
    """Adds the commands that decide about people."""
    decide = actions.add_parser(
        "decide",
        help="warn, mute, hide or suspend somebody, keep them from rated games, or close their account",
        description="Decides about NAME, who reads what, why and until when, and may answer once. It stands in the log"
        " of the desk and holds within five seconds, until its end or `account pardon`. docs/moderation.md says what"
        " each measure does. Works while the server runs.",
    )
    decide.add_argument("name", metavar="NAME", help="the name of the account")
    measures = [one.value for one in Measure if one is not Measure.MUTE_HERE]
    decide.add_argument("measure", metavar="MEASURE", choices=measures, help=", ".join(measures))
    reasons = [one.value for one in Reason]
    decide.add_argument(
        "--reason", metavar="REASON", choices=reasons, default="other", help=f"{', '.join(reasons)}; other if not given"
    )
    decide.add_argument(
        "--for", dest="length", metavar="TIME", choices=list(LENGTHS), default="", help=", ".join(LENGTHS)
    )
    decide.add_argument("--words", metavar="TEXT", default="", help="what NAME reads besides")
    pardon = actions.add_parser(
        "pardon",
        help="lift what was decided about somebody",
        description="Lifts all that was decided about NAME and holds. Works while the server runs.",
    )
    pardon.add_argument("name", metavar="NAME", help="the name of the account")
    admit = actions.add_parser(
        "admit",
        help="let accounts use the address of somebody who was shut out",
        description="Lets accounts confirm ADDRESS again, which one had that was suspended or closed when it was"
        " deleted. It stands in the log of the desk, without the address. Works while the server runs.",
    )
    admit.add_argument("address", metavar="ADDRESS", help="the email address")
    export = actions.add_parser(
        "export",
        help="print all that is kept about somebody",
        description="Prints all that is kept about NAME, who asked for it and cannot sign in, as JSON. It stands in the"
        " log of the desk. Works while the server runs.",
    )
    export.add_argument("name", metavar="NAME", help="the name of the account")
    actions.add_parser(
        "list",
        help="list what was decided about people",
        description="Lists what was decided about people and holds now. Works while the server runs.",
    )


def add_notice(commands: Commands) -> None:
    """Adds the command that shows a notice to everybody."""
    parser = commands.add_parser(
        "notice",
        help="show a notice on every page",
        description="Shows TEXT at the top of every page, at once on open ones, in place of the present notice."
        " If TEXT is -, it is read from standard input. Works while the server runs.",
    )
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("text", metavar="TEXT", nargs="?", help="at most 2,000 characters")
    text.add_argument("--remove", action="store_true", help="remove the present notice")
    parser.add_argument("--days", metavar="DAYS", type=days, default=1, help="how long it is shown; 1 if not given")
    parser.add_argument(
        "--restart",
        metavar="MINUTES",
        type=minutes_to_restart,
        default=0,
        help="it announces a restart in 1 to 60 minutes: pages count down, and nobody new is paired until then",
    )


def add_host(commands: Commands) -> None:
    """Adds the commands about who has a role at the host's desk, and who may join."""
    host = commands.add_parser("host", help="say who has a role at the host's desk, and who may join")
    actions = host.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser(
        "claim",
        help="make a link by which somebody becomes host",
        description="Prints a link. Who opens it within an hour, signed in, becomes a host of this site. It is good"
        " once, and the link before it is good no longer. Works while the server runs.",
    )
    role = actions.add_parser(
        "role",
        help="give or take a role",
        description="Gives an account a role, or takes it away. A host may do everything at the desk, a moderator"
        " reads and closes reports and lets people in, an organiser posts notices. The last host keeps the role."
        " Works while the server runs.",
    )
    role.add_argument("name", metavar="NAME", help="the name of the account")
    role.add_argument("role", metavar="ROLE", choices=[*Role, "none"], help="host, moderator, organiser or none")
    actions.add_parser(
        "list", help="list who has a role", description="Lists who has which role. Works while the server runs."
    )
    joining = actions.add_parser(
        "joining",
        help="say who may join",
        description="Says who may make an account (open: everybody, asked: who asks and is accepted, invited: who has"
        " an invitation, closed: nobody), and what guests may do. Prints it, and who asks to join."
        " Works while the server runs.",
    )
    joining.add_argument(
        "sign_up", metavar="WHO", nargs="?", choices=list(SignUp), help="open, asked, invited or closed"
    )
    joining.add_argument(
        "--guests",
        metavar="WHAT",
        choices=list(Guests),
        help="all: they play with everybody; link: by the link of somebody else, and the computer; none: they watch",
    )
    joining.add_argument("--question", metavar="TEXT", help="what who asks to join is asked")
    accept = actions.add_parser(
        "accept",
        help="let in somebody who asked to join",
        description="Lets in who asked to join by that name: they sign in with the password that they chose. Works"
        " while the server runs.",
    )
    accept.add_argument("name", metavar="NAME")
    refuse = actions.add_parser(
        "refuse",
        help="do not let in somebody who asked to join",
        description="Refuses the request to join by that name. The name is free again after 30 days. Works while the"
        " server runs.",
    )
    refuse.add_argument("name", metavar="NAME")
    refuse.add_argument("--reason", metavar="TEXT", default="", help="what they read at their next try to sign in")


def add_invite(commands: Commands) -> None:
    """Adds the command about invitations."""
    parser = commands.add_parser(
        "invite",
        help="make an invitation to the site, list them, or end one",
        description="Prints a link by which people make an account, unless nobody may. Works while the server runs.",
    )
    parser.add_argument(
        "--uses",
        metavar="N",
        type=uses,
        default=1,
        help="for how many people, at most 100; 0: any number; 1 if not given",
    )
    parser.add_argument("--days", metavar="DAYS", type=days_of_invitation, default=7, help="how long; 7 if not given")
    parser.add_argument("--note", metavar="TEXT", default="", help="a note for those at the desk")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--list", action="store_true", help="list the invitations that are good")
    other.add_argument("--end", metavar="CODE", help="end this invitation")


def add_reports(commands: Commands) -> None:
    """Adds the command about players' reports."""
    parser = commands.add_parser(
        "reports",
        help="list what players have reported, or close a report",
        description="Lists the open reports, oldest first: when, about whom and by whom, of which kind, in which game,"
        " and what was written. A closed report is no longer listed, and is deleted after 90 days. Works while the"
        " server runs.",
    )
    parser.add_argument("--close", metavar="ID", help="close this report")


def add_deleting(commands: Commands) -> None:
    """Adds the commands that delete something."""
    deleting = commands.add_parser(
        "delete",
        help="delete a game, a player, the text on a player's page, or imported games",
        description="Prints what would be deleted; with --yes it is deleted. A game is deleted with its chat. A player"
        " is deleted with their account, sessions, ratings, alerts, push addresses, reports, and whom they follow or"
        " have blocked; their games stay, without the name. A text is what they say on their page. Imported games are"
        " deleted all, or as --older and --of select them. Works while the server runs.",
    )
    things = deleting.add_subparsers(dest="what", metavar="WHAT", required=True)
    game = things.add_parser("game", help="one game")
    game.add_argument("name", metavar="ID")
    player = things.add_parser("player", help="somebody's account")
    player.add_argument("name", metavar="NAME")
    said = things.add_parser("text", help="what somebody says about themselves on their page")
    said.add_argument("name", metavar="NAME")
    imports = things.add_parser("imports", help="imported games")
    imports.add_argument(
        "--older", metavar="DAYS", type=days, default=0, help="only those imported more than so many days ago"
    )
    imports.add_argument("--of", metavar="NAME", default="", help="only those that NAME imported")
    for each in (game, player, said, imports):
        each.add_argument("--yes", action="store_true", help="delete it")


def add_puzzles(commands: Commands) -> None:
    """Adds the commands about puzzles."""
    parser = commands.add_parser("puzzles", help="make puzzles from the site's games, list or remove them")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    make = actions.add_parser(
        "make",
        help="search finished games for puzzles",
        description="Searches finished games, the newest first, for positions in which a mistake lets exactly one move"
        " win. Each move is verified by a deeper search of the site's own engine, which needs Node, and by the rules."
        " It can be stopped at any time and run again: games that were searched are left out. Works while the server"
        " runs; with SQLite it needs room for a copy in FAIRYHOUSE_DATA_DIR.",
    )
    make.add_argument("--limit", metavar="N", type=positive, default=0, help="stop after N puzzles")
    make.add_argument("--nodes", metavar="N", type=positive, default=0, help="how deep to search; 40,000 if not given")
    make.add_argument("--imported", action="store_true", help="search imported games, too")
    make.add_argument(
        "--suspicious", action="store_true", help="search rated games that `fairyhouse suspicions` lists, too"
    )
    make.add_argument("--again", action="store_true", help="search games that were searched before, too")
    listing = actions.add_parser("list", help="list all puzzles")
    remove = actions.add_parser(
        "remove",
        help="remove puzzles, with everybody's tries at them",
        description="Prints what would be removed; with --yes it is removed. After --all, `make`"
        " searches the games that the puzzles came from again.",
    )
    remove.add_argument("ids", metavar="ID", nargs="*", help="as `fairyhouse puzzles list` shows it")
    remove.add_argument("--all", action="store_true", help="all of them, or all of --variant")
    remove.add_argument("--yes", action="store_true", help="remove them")
    for each in (make, listing, remove):
        each.add_argument("--variant", metavar="ID", default="", help="only those of this variant")


def add_reading(commands: Commands) -> None:
    """Adds the commands that read everything a site has stored, and change nothing."""
    commands.add_parser(
        "check",
        help="check everything that the site has stored",
        description="Reads every record, has the rules judge every game, and looks up every person and game that a"
        " record names. Prints what is wrong and how to mend it, and exits with 1 if anything is. Changes nothing, and"
        " works while the server runs; with SQLite it needs room for a copy in FAIRYHOUSE_DATA_DIR.",
    )
    upgrade = commands.add_parser(
        "upgrade",
        help="say what an upgrade to this release would do",
        description="Prints the schema version of what is stored, what this release would do to it when it starts, and"
        " whether this release can open it; exits with 1 if it cannot. Tries it on a copy, so it changes nothing, and"
        " works while the server of the previous release runs; with SQLite it needs room for a copy in"
        " FAIRYHOUSE_DATA_DIR.",
    )
    upgrade.add_argument(
        "--check",
        action="store_true",
        required=True,
        help="required: the upgrade itself is done by the server when it starts",
    )
    commands.add_parser(
        "suspicions",
        help="list rated results that look farmed",
        description="Lists pairs of players with many rated games of which one side wins nearly all, quickly or with"
        " a large gain, and players who beat several accounts that do little but lose to them: how many games, the"
        " points, and some of the games. This is no proof: look at the games. Changes nothing, and works while the"
        " server runs; with SQLite it needs room for a copy in FAIRYHOUSE_DATA_DIR.",
    )


def positive(text: str) -> int:
    """A number, at least one. Raises ValueError."""
    if not 1 <= (number := int(text)) <= 10**9:
        raise ValueError
    return number


def days(text: str) -> int:
    """A number of days, at least one. Raises ValueError."""
    if (number := positive(text)) > 36_500:
        raise ValueError
    return number


def minutes_to_restart(text: str) -> int:
    """A number of minutes, at most an hour. Raises ValueError."""
    if (number := positive(text)) > 60:
        raise ValueError
    return number


def days_of_invitation(text: str) -> int:
    """A number of days, at most a year. Raises ValueError."""
    if (number := positive(text)) > MOST_HOURS // 24:
        raise ValueError
    return number


def uses(text: str) -> int:
    """How many people an invitation is for, 0: any number. Raises ValueError."""
    if not 0 <= (number := int(text)) <= MOST_USES:
        raise ValueError
    return number


def add_copying(commands: Commands) -> None:
    """Adds the commands that copy everything a site has stored."""
    backup = commands.add_parser(
        "backup",
        help="back up the site's file, even while it is in use",
        description="Copies everything that the site has stored in its SQLite file to FILE, and checks the copy. Works"
        " while the server runs, and no move has to wait for it. For MongoDB, use mongodump.",
    )
    restore = commands.add_parser(
        "restore",
        help="put a backup in place",
        description="Checks FILE, then puts it in the place of the site's own file. Stop the server first.",
    )
    export = commands.add_parser(
        "export",
        help="export a whole site to a file",
        description="Writes everything that the site has stored to FILE, in a format that is tied to no database, and"
        " checks it. With SQLite it works while the server runs; with MongoDB, stop every server first.",
    )
    imports = commands.add_parser(
        "import",
        help="fill a new site from an exported file",
        description="Fills an empty site, in SQLite or MongoDB as the settings say, from FILE. Every record is counted"
        " and every game judged again; a file that is incomplete or was changed is refused.",
    )
    over, away = "overwrite FILE", "keep what the site has stored now under another name (SQLite only)"
    for command, what in ((backup, over), (restore, away), (export, over), (imports, away)):
        command.add_argument("file", metavar="FILE", type=Path)
        command.add_argument("--replace", action="store_true", help=what)


def add_settings(commands: Commands) -> None:
    """Adds the commands that show the settings and try them."""
    commands.add_parser(
        "settings",
        help="show all settings",
        description="Prints every setting in the form of an environment file, with those that are not set as comments"
        " that give their default. Passwords and keys are left out.",
    )
    mail = commands.add_parser("mail", help="test the mail server")
    actions = mail.add_subparsers(dest="action", metavar="ACTION", required=True)
    test = actions.add_parser(
        "test",
        help="send a test mail",
        description="Sends a short mail to ADDRESS through the mail server of the settings, and prints what that says.",
    )
    test.add_argument("address", metavar="ADDRESS")


def add_bot(commands: Commands) -> None:
    """Adds the command that lets an engine play."""
    parser = commands.add_parser(
        "bot",
        help="let an engine play on the site",
        description="Runs an opponent who is always there, accepts casual challenges and joins whoever has waited for a"
        " while. It needs an account of its own that has played no game, and BOT_TOKEN in the environment, a token of"
        " that account with bot:play (/account/tokens). Stop it and start it again at any time.",
    )
    parser.add_argument("--engine", metavar="PATH", type=Path, help="a UCI engine; the site's own if not given")
    parser.add_argument(
        "--level", metavar="LEVEL", type=int, choices=range(1, 9), default=3, help="1 to 8; 3 if not given"
    )
    parser.add_argument(
        "--variants",
        metavar="IDS",
        default="",
        help="such as chess,crazyhouse; all that site and engine play if not given",
    )
    parser.add_argument(
        "--site", metavar="URL", default="", help="its address; the server on this machine if not given"
    )
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=int,
        default=30,
        help="how long a player waits before it joins them; 30 if not given",
    )
    parser.add_argument(
        "--games", metavar="NUMBER", type=int, default=8, help="how many it plays at once; 8 if not given"
    )


def settings_help() -> str:
    """Every setting by its environment variable, with its default."""
    lines = [
        f"  FAIRYHOUSE_{name.upper():<20} {'not set' if field.default in (None, ()) else shown_value(field.default)}"
        for name, field in Settings.model_fields.items()
    ]
    return "\n".join(
        [
            "settings, from the environment or the TOML file that FAIRYHOUSE_CONFIG names, and their defaults:",
            *lines,
            "",
            "docs/settings.md of the source explains each.",
        ]
    )
