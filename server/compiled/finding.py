"""Finds the compiled modules, and has Python import them if they were made of the very sources that are here.

They lie beside the code, never in it: what was compiled once must not run in place of a file that was edited since.
"""

import logging
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

log = logging.getLogger(__name__)

PACKAGE: Final = Path(__file__).parents[1]
INSTALLED: Final = PACKAGE / "_assets" / "compiled"
"""Where a wheel has them; a checkout in BUILT."""
BUILT: Final = PACKAGE.parent / "build" / "compiled"
MADE_OF: Final = "made_of.txt"
"""In their folder: the digest of the sources, then the modules, one a line."""
PLAIN: Final = "PLAIN_PYTHON"
"""The variable that has the sources run in any case, to compare or to look for a fault."""


class Build(StrEnum):
    """What runs."""

    PLAIN = "plain"
    """Python, as everywhere by default."""
    COMPILED = "compiled"
    OUTDATED = "outdated"
    """Python: what was compiled is not of these sources, or of another Python."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What lies in a folder of compiled modules."""

    folder: Path
    digest: str
    """That of the sources they were made of."""
    modules: frozenset[str]

    def file(self, module: str) -> Path:
        """Where this Python looks for a module; another version of it looks elsewhere."""
        return self.folder / (module.replace(".", "/") + EXTENSION_SUFFIXES[0])


def digest_of(sources: Path) -> str:
    """A digest of all Python files in a folder and those below, by name and content."""
    digest = blake2b(digest_size=16)
    for file in sorted(sources.rglob("*.py")):
        digest.update(b"%s\0%d\0" % (str(file.relative_to(sources)).encode(), file.stat().st_size))
        digest.update(file.read_bytes())
    return digest.hexdigest()


def read_compiled(folder: Path) -> Compiled | None:
    """What was compiled into a folder; None if nothing was."""
    try:
        digest, *modules = (folder / MADE_OF).read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return None
    return Compiled(folder, digest, frozenset(modules))


def write_made_of(folder: Path, sources: Path, modules: Iterable[str]) -> None:
    """Says in the folder what the modules compiled into it were made of."""
    (folder / MADE_OF).write_text("\n".join([digest_of(sources), *sorted(modules)]) + "\n", encoding="utf-8")


def judge(compiled: Compiled | None, sources: Path) -> Build:
    """What is to run."""
    if compiled is None:
        return Build.PLAIN
    here = all(compiled.file(module).is_file() for module in compiled.modules)
    return Build.COMPILED if here and compiled.digest == digest_of(sources) else Build.OUTDATED


class CompiledFinder(MetaPathFinder):
    """Has Python import compiled modules before it looks for their sources."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._compiled.modules:
            return None
        file = str(self._compiled.file(fullname))
        return spec_from_file_location(fullname, file, loader=ExtensionFileLoader(fullname, file))


@cache
def build_in_use() -> Build:
    """What this process runs. The first call, which is the package's own, decides it."""
    compiled = None if os.environ.get(PLAIN) else read_compiled(INSTALLED) or read_compiled(BUILT)
    build = judge(compiled, PACKAGE)
    if compiled is not None and build is Build.COMPILED:
        sys.meta_path.insert(0, CompiledFinder(compiled))
    return build


def log_build() -> None:
    """Says what runs, unless that is plain Python and nothing else was asked for."""
    match build_in_use():
        case Build.COMPILED:
            log.info("compiled code runs")
        case Build.OUTDATED:
            log.warning(
                "the compiled code is not of these sources or not for this Python, so plain Python runs, which is"
                " slower: run `make fast` again, or install the wheel anew"
            )
        case Build.PLAIN:
            pass
