"""One fuzz target under atheris: `python -m tests.fuzz.atheris_run TARGET [libFuzzer's options] [corpus or inputs]`."""

import sys

import atheris

# What is imported in this block has its branches followed.
with atheris.instrument_imports(include=["server"]):
    from tests.fuzz.every_target import TARGETS


def main() -> None:
    name, *options = sys.argv[1:]
    target = TARGETS[name]
    # What is built once must not count as the time of the first input.
    for seed in target.seeds():
        target.run(seed)
    atheris.Setup([sys.argv[0], *options], target.run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
