"""`python -m server.compiled.making [FOLDER]`: compiles the path of a move with mypyc, to where `finding` looks.

Needs mypy, setuptools and a C compiler. None of this runs in a server.
"""

import shutil
import sys
from contextlib import chdir
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.errors import CCompilerError, ExecError

from server.compiled.adapting import adapted
from server.compiled.finding import BUILT, PACKAGE, write_made_of

COMPILED: Final = {
    "rules/variant": "board movement pieces variant piece_codes",
    "rules/movegen": "moves rays tables position attacks castling setup_drops generation making legal",
    "rules/notation": "fen_rights fen san uci",
    "rules": "endings perft",
    "games/changes": "moving takeback",
    "games/clocks": "clock lag speed time_control vacations",
    "games": "computer conditional errors frozen game game_id import_source news player state status terms",
    "games/seeks": "seek seek_alert",
    "storage": "documents fields write_tokens",
    "storage/sqlite": "saves",
    "realtime/play": "announcements connection game_writer meetings presence_feed reply round round_feed round_presence"
    " round_subscribers round_timers stalls views",
    "realtime/play/history": "event_history snapshot_cache",
    "realtime/process": "lag_meter loop_throttle now presence stats timers",
    "realtime/process/limits": "token_bucket",
    "realtime/protocol": "codec command_reply",
    "realtime/your_games": "running_games",
    "web/websocket": "frames",
}
"""By folder: all modules that a move passes through, but those of which mypyc makes no working code.

These are classes with a ClassVar that are dataclasses, generic ones, and those that make values by `__new__`.
"""


def compile_server(folder: Path) -> None:
    """Fills `folder` with the compiled modules; what is there stays until they are complete.

    Raises SystemExit if that fails; the type checker or the C compiler has printed why.
    """
    with TemporaryDirectory(prefix="compiling-") as temporary:
        work = Path(temporary)
        files = write_adapted(work)
        # No settings of the checkout: they ask for plugins, and the wheel is built where there are none.
        options = ["--strict", "--config-file=", "--disable-error-code=import-untyped", f"--cache-dir={work / 'cache'}"]
        with chdir(work):
            extensions = mypycify(
                [*options, *files], target_dir=str(work / "c"), group_name="fairyhouse", opt_level="3", debug_level="0"
            )
            build = Distribution({"name": "fairyhouse", "ext_modules": extensions}).get_command_obj("build_ext")
            build.build_lib, build.build_temp = str(work / "made"), str(work / "objects")
            build.ensure_finalized()
            try:
                build.run()
            except (CCompilerError, ExecError) as error:
                raise SystemExit(f"Nothing can be compiled here: it takes a C compiler. {error}") from None
        replace_folder(work / "made", folder)


def write_adapted(work: Path) -> list[str]:
    """Copies the sources to `work`, those to be compiled as mypyc wants them, and returns the names of these."""
    shutil.copytree(PACKAGE, work / "server", ignore=shutil.ignore_patterns("__pycache__", "_assets"))
    files = [f"server/{folder}/{name}.py" for folder, names in COMPILED.items() for name in names.split()]
    for file in files:
        (work / file).write_text(adapted((work / file).read_text(encoding="utf-8")), encoding="utf-8")
    return files


def replace_folder(made: Path, folder: Path) -> None:
    """Puts what was made in the place of `folder`."""
    found = [file.relative_to(made) for file in made.rglob(f"*{EXTENSION_SUFFIXES[0]}")]
    modules = [".".join(file.with_name(file.name.partition(".")[0]).parts) for file in found]
    write_made_of(made, PACKAGE, modules)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made, folder)


if __name__ == "__main__":
    compile_server(Path(sys.argv[1]).resolve() if sys.argv[1:] else BUILT)
