"""Which program is an engine: one that the host names, or the site's own, which needs Node. Starts nothing."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.host.site_access import CommandRefused
from server.web.assets import PACKAGE

INSTALLED: Final = PACKAGE / "_assets/engine/engine.mjs"
IN_CHECKOUT: Final = PACKAGE.parent / "static/engine.mjs"
NO_NODE: Final = (
    "The site's own engine needs Node 20 or newer, and there is no `node` here. Install it, or as a Python package:"
    " pip install 'fairyhouse[puzzles]'."
)


@dataclass(frozen=True, slots=True)
class EngineProgram:
    """`name`: for people. `environment`: None for that of this process."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] | None = None


def engine_at(path: Path) -> EngineProgram:
    """The host's own UCI engine. Nobody has tried yet whether it starts."""
    return EngineProgram(str(path), [str(path)])


def own_engine(variants_dir: Path | None) -> EngineProgram:
    """The site's own engine, which plays all its variants. Raises CommandRefused without Node."""
    known = os.environ | {"PYTHON": sys.executable}
    if variants_dir is not None:
        known["VARIANTS_DIR"] = str(variants_dir.absolute())
    return EngineProgram("Fairyhouse", [_find_node(), str(_find_engine())], known)


def _find_node() -> str:
    """The machine's Node, or the one that a Python package has put beside Python. Raises CommandRefused."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("node") or shutil.which("node", path=beside)
    if found is None:
        raise CommandRefused(NO_NODE)
    return found


def _find_engine() -> Path:
    """The engine's program inside the package, as in an installed wheel, or beside it, as in a checkout."""
    return INSTALLED if INSTALLED.is_file() else IN_CHECKOUT
