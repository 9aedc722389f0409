"""`python -m server`, also installed as `fairyhouse`: reads the command and the settings, and carries the command out.

Exit codes: 0 done, 1 command refused, 2 command not understood, 78 a setting must be changed first.
"""

import sys

from server.backends import CannotStart
from server.command_line import run
from server.command_syntax import parse
from server.host.site_access import CommandRefused
from server.settings import InvalidSettings, read_settings
from server.web.operation.logs import start_logging

EX_REFUSED = 1
EX_CONFIG = 78


def main() -> int:
    """Carries out the command line and returns the exit code."""
    arguments = parse(sys.argv[1:])
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


if __name__ == "__main__":
    sys.exit(main())
