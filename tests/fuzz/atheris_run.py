"""One fuzz target under atheris: `python -m tests.fuzz.atheris_run TARGET [libFuzzer's options] [corpus or inputs]`."""

import sys

import atheris

# What is imported in this block has its branches followed.
with atheris.instrument_imports(include=["server"]):
    from tests.fuzz.every_target import TARGETS


def main() -> None:
    name, *options = sys.argv[1:]
    atheris.Setup([sys.argv[0], *options], TARGETS[name].run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
