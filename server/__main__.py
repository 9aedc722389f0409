"""`python -m server`: read the settings, run the site. Exit code 78: the host must change a setting first."""

import logging
import sys

from server.app import CannotStart, serve
from server.settings import InvalidSettings, read_settings

EX_CONFIG = 78


def main() -> int:
    """Serves until SIGTERM or Ctrl-C. Returns the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        serve(read_settings())
    except (InvalidSettings, CannotStart) as error:
        sys.stderr.write(f"{error}\n")
        return EX_CONFIG
    return 0


if __name__ == "__main__":
    sys.exit(main())
