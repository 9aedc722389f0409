"""One fuzz target under atheris: `python -m tests.fuzz.atheris_run TARGET [libFuzzer's options] [corpus or inputs]`."""

import sys

import atheris

# What is imported in this block has its branches followed.
with atheris.instrument_imports(include=["server"]):
    from server.rules.movegen.tables import tables_of
    from tests.fuzz.every_target import TARGETS

MAX_TABLES = 200
"""A server knows a handful of variants for good, a fuzzer meets thousands."""


def main() -> None:
    name, *options = sys.argv[1:]
    target = TARGETS[name]
    # What is built once must not count as the time of the first input.
    for seed in target.seeds():
        target.run(seed)

    def run(data: bytes) -> None:
        target.run(data)
        if tables_of.cache_info().currsize > MAX_TABLES:
            tables_of.cache_clear()

    atheris.Setup([sys.argv[0], *options], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
