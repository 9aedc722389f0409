"""The command line of the rules: `python -m server.rules judge | perft | variants | ini`.

It parses arguments and prints; json_lines.py, movegen and the catalogue do the work.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from server.rules import json_lines
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidVariant, RulesError
from server.rules.fairy_stockfish import Inexpressible, variants_ini
from server.rules.movegen.legal import divide
from server.rules.notation.fen import parse_fen
from server.rules.variant.rule_data import rule_data
from server.rules.variant.variant import Variant


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns the exit status: 0, or 2 if the command cannot be carried out."""
    options = parser().parse_args(arguments)
    try:
        variants = load_catalogue(options.variants, unoffered=True)
        match options.command:
            case "judge":
                json_lines.serve_lines(sys.stdin.buffer, sys.stdout.buffer, variants)
            case "perft":
                print_perft(options, variants)
            case "ini":
                print_ini(variants)
            case _:
                print_variants(options, variants)
    except (RulesError, InvalidVariant, json_lines.Unanswerable) as error:
        print(error, file=sys.stderr)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        # The reader is gone or the user pressed Ctrl-C: there is nobody to tell. What is still buffered goes
        # nowhere, or the interpreter would complain about the pipe again on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--variants", type=Path, metavar="DIR", help="a folder with further variant files")
    root = argparse.ArgumentParser(prog="python -m server.rules", description="The rules of every variant.")
    commands = root.add_subparsers(dest="command", required=True)
    commands.add_parser(
        "judge",
        parents=[shared],
        help="answer JSON Lines on standard input",
        description=json_lines.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    count = commands.add_parser("perft", parents=[shared], help="count the leaves of the move tree")
    count.add_argument("variant", help="the id of a variant")
    count.add_argument("depth", type=depth, help="how many plies deep")
    count.add_argument("--fen", help="the first position; default: the start position")
    count.add_argument("--chess960", action="store_true", help="use the shuffled form of the variant")
    count.add_argument("--divide", action="store_true", help="also print the count below each first move")
    listing = commands.add_parser("variants", parents=[shared], help="list the variants")
    listing.add_argument("--json", action="store_true", help="everything about them, for a program that plays them")
    commands.add_parser("ini", parents=[shared], help="write the variants.ini with which Fairy-Stockfish plays them")
    return root


def depth(text: str) -> int:
    """A perft depth: 1 or more plies."""
    plies = int(text)
    if plies < 1:
        raise ValueError(text)
    return plies


def print_perft(options: argparse.Namespace, variants: Mapping[str, Variant]) -> None:
    """Prints the number of leaves. Raises InvalidFen, Unanswerable."""
    variant = json_lines.find_variant(options.variant, options.chess960, variants)
    position = parse_fen(variant, variant.start_fen if options.fen is None else options.fen, options.chess960)
    counts = divide(position, options.depth)
    if options.divide:
        for uci, leaves in counts.items():
            print(f"{uci}: {leaves}")
    print(sum(counts.values()))


def print_variants(options: argparse.Namespace, variants: Mapping[str, Variant]) -> None:
    """Prints one line for each variant: id, name, board, if it has a chess960 form, start FEN; or one JSON list."""
    if options.json:
        print(json.dumps([rule_data(variant) for variant in variants.values()]))
        return
    for variant in variants.values():
        board = f"{variant.files}x{variant.ranks}"
        shuffled = "+960" if variant.chess960 else ""
        print(f"{variant.id:12} {variant.name:16} {board:6} {shuffled:5} {variant.start_fen}")


def print_ini(variants: Mapping[str, Variant]) -> None:
    """Prints a section for each variant that can be expressed, and a comment for each that cannot."""
    for variant in variants.values():
        try:
            print(variants_ini(variant))
        except Inexpressible as error:
            print(f"# {variant.id} cannot be said here: {error}\n")


if __name__ == "__main__":
    sys.exit(main())
