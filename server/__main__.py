"""`python -m server`: read the settings, run the site. Exit code 78: the host must change a setting first."""

import sys

from server.app import CannotStart, serve
from server.settings import InvalidSettings, read_settings
from server.web.logs import start_logging

EX_CONFIG = 78


def main() -> int:
    """Serves until SIGTERM or Ctrl-C. Returns the exit code."""
    start_logging()
    try:
        serve(read_settings())
    except (InvalidSettings, CannotStart) as error:
        sys.stderr.write(f"{error}\n")
        return EX_CONFIG
    return 0


if __name__ == "__main__":
    sys.exit(main())
