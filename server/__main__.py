"""`python -m server`, also installed as `fairyhouse`. Does nothing itself but see that it starts quickly."""

import gc
import os
import sys
from importlib import import_module


def main() -> int:
    """Carries out the command line and returns the exit code."""
    # While modules are loaded hardly anything is garbage, and looking for it would add a tenth.
    gc.disable()
    # It would read the metadata of every installed package to look for some.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    command_line = import_module("server.command_line")
    code: int = command_line.carry_out(sys.argv[1:])
    return code


if __name__ == "__main__":
    sys.exit(main())
