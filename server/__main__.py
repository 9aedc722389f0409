"""`python -m server`, also installed as `fairyhouse`. Only makes sure that it starts quickly."""

import gc
import os
import sys
from importlib import import_module


def main() -> int:
    """Carries out the command line and returns the exit code."""
    # Loading modules makes hardly any garbage, and collecting it would add a tenth to the start.
    gc.disable()
    # It would read the metadata of every installed package to look for some.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    command_line = import_module("server.command_line")
    code: int = command_line.carry_out(sys.argv[1:])
    return code


if __name__ == "__main__":
    sys.exit(main())
