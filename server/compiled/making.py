"""`python -m server.compiled.making [FOLDER]`: compiles the rules with mypyc, into the folder where `finding` looks.

Needs mypy, setuptools and a C compiler. Nothing of this runs in a server.
"""

import shutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.errors import CCompilerError, ExecError

from server.compiled.finding import BUILT, PACKAGE, write_made_of

RULES: Final = PACKAGE / "rules"
COMPILED: Final = (
    "variant/board", "variant/movement", "variant/pieces", "variant/variant", "variant/piece_codes",
    "movegen/moves", "movegen/rays", "movegen/tables", "movegen/position", "movegen/attacks", "movegen/castling",
    "movegen/setup_drops", "movegen/generation", "movegen/making", "movegen/legal",
    "notation/fen_rights", "notation/fen", "notation/san", "notation/uci",
    "endings", "perft",
)  # fmt: skip
"""All that a move needs. What reads files, or is asked once a game, is as quick in Python."""


def compile_rules(folder: Path) -> None:
    """Makes `folder` anew with the compiled rules; what is there stays until they are complete.

    Raises SystemExit if that cannot be done; the type checker and the C compiler have printed why.
    """
    with TemporaryDirectory(prefix="compiling-") as temporary:
        work = Path(temporary)
        # No settings of the checkout: they ask for plugins, and the wheel is built where there are none.
        options = ["--strict", "--config-file=", f"--cache-dir={work / 'cache'}"]
        files = [str((RULES / name).with_suffix(".py").relative_to(PACKAGE.parent)) for name in COMPILED]
        extensions = mypycify(
            [*options, *files], target_dir=str(work / "c"), group_name="fairyhouse", opt_level="3", debug_level="0"
        )
        build = Distribution({"name": "fairyhouse-rules", "ext_modules": extensions}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(work / "made"), str(work / "objects")
        build.ensure_finalized()
        try:
            build.run()
        except (CCompilerError, ExecError) as error:
            raise SystemExit(f"The rules cannot be compiled: it takes a C compiler. {error}") from None
        replace_folder(work / "made", folder)


def replace_folder(made: Path, folder: Path) -> None:
    """Puts what was made in the place of `folder`."""
    found = [file.relative_to(made) for file in made.rglob(f"*{EXTENSION_SUFFIXES[0]}")]
    modules = [".".join(file.with_name(file.name.partition(".")[0]).parts) for file in found]
    write_made_of(made, RULES, modules)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made, folder)


if __name__ == "__main__":
    compile_rules(Path(sys.argv[1]).resolve() if sys.argv[1:] else BUILT)
