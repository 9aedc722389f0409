"""Reads the command and the settings, and serves the site or carries out a command of the host.

Exit codes: 0 done, 1 command refused, 2 command not understood, 78 a setting must be changed first.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from server import gc_tuning
from server.backends import CannotStart
from server.command_syntax import parse
from server.host.site_access import CommandRefused
from server.serving import serve
from server.settings import InvalidSettings, Settings, read_settings
from server.web.operation.logs import start_logging

EX_REFUSED = 1
EX_CONFIG = 78


def carry_out(typed: Sequence[str]) -> int:
    """Does what was typed and returns the exit code."""
    arguments = parse(typed)
    start_logging()
    try:
        run(arguments, read_settings())
    except (InvalidSettings, CannotStart) as error:
        sys.stderr.write(f"{error}\n")
        return EX_CONFIG
    except CommandRefused as error:
        sys.stderr.write(f"{error}\n")
        return EX_REFUSED
    return 0


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Carries out the command, with what it needs, which no server does. Raises CannotStart, CommandRefused."""
    if arguments.command is None:
        serve(settings)
    else:
        gc_tuning.resume()
        import_module("server.host.commands").run(arguments, settings)
