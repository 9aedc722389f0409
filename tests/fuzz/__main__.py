"""Looks for inputs that break a promise, guided by coverage (needs atheris: `make fuzz`).

    python -m tests.fuzz [--minutes 10] [--corpus FOLDER] [target ...]

Each target runs in a process of its own for so many minutes. What is found stays in the folder, and is printed with how
to play it again; it becomes a plain test. Exit code 1 when something was found.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz.every_target import TARGETS
from tests.fuzz.target import MAX_BYTES

HANGS_S = 20


def fuzz(name: str, minutes: float, folder: Path) -> bool:
    """Did the target bear it?"""
    corpus = folder / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS[name].seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    limits = (f"-max_total_time={round(minutes * 60)}", f"-max_len={MAX_BYTES}", f"-timeout={HANGS_S}")
    quiet = ("-verbosity=1", "-print_final_stats=1", "-close_fd_mask=0", f"-artifact_prefix={folder}/found-{name}-")
    print(f"== {name}", flush=True)
    return (
        subprocess.run([sys.executable, "-m", "tests.fuzz.atheris_run", name, *limits, *quiet, str(corpus)]).returncode
        == 0
    )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--corpus", type=Path, help="keep what was learnt here, for the next time")
    parser.add_argument("targets", nargs="*", help=", ".join(TARGETS))
    asked = parser.parse_args()
    if unknown := set(asked.targets) - TARGETS.keys():
        parser.error(f"there is no target {', '.join(unknown)}")
    folder = asked.corpus or Path(tempfile.mkdtemp(prefix="fuzz"))
    broken = [name for name in asked.targets or TARGETS if not fuzz(name, asked.minutes, folder)]
    for found in sorted(folder.glob("found-*")):
        name = found.name.split("-")[1]
        print(f"{found}: play it again by python -m tests.fuzz.atheris_run {name} {found}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
