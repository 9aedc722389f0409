"""Switches security defences off, one at a time, and names the test that fails. `mutants.toml` lists them.

Each mutant replaces one piece of text in one file. It runs in a temporary copy of the checkout; for a browser test the
client is rebuilt there. A mutant whose text is missing or ambiguous stops the run: update it together with the code.

    python -m tests.faults.mutants [word ...]    only the mutants whose names hold one of the words
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
TOO_LONG_S = 300


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` stands exactly once in `file`; with `new` in its place `test` must fail: a pytest node id or a `.mjs` file.

    `full`: the test needs the option --full.
    """

    name: str
    file: str
    old: str
    new: str
    test: str
    full: bool = False


MUTANTS = tuple(
    Mutant(**fields) for fields in tomllib.loads((Path(__file__).parent / "mutants.toml").read_text())["mutant"]
)


def copy_checkout(folder: Path) -> None:
    """The files that git knows as they are now, beside the built client and the installed packages."""
    known = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    for name in known.split("\0"):
        if name and (CHECKOUT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((CHECKOUT / name).read_bytes())
    for built in ("node_modules", ".venv", ".secantus"):
        if (CHECKOUT / built).exists() and not (folder / built).exists():
            (folder / built).symlink_to((CHECKOUT / built).resolve())
    if (CHECKOUT / "static/dist").exists():
        shutil.copytree(CHECKOUT / "static/dist", folder / "static/dist")


def mutated(text: str, mutant: Mutant) -> str:
    """Raises LookupError when the text to be replaced is not there exactly once."""
    if (found := text.count(mutant.old)) != 1:
        raise LookupError(f"{mutant.name}: its text is {found} times in {mutant.file}")
    return text.replace(mutant.old, mutant.new)


def build(folder: Path) -> None:
    subprocess.run(["node", "static/build.mjs"], cwd=folder, check=True, capture_output=True)


def asked(mutant: Mutant) -> list[str]:
    """The program that runs the test."""
    if mutant.test.endswith(".mjs"):
        return ["node", "--test", "--test-reporter=tap", mutant.test]
    options = ("-q", "-x", "-p", "no:cacheprovider", "--timeout", str(TOO_LONG_S))
    return [sys.executable, "-m", "pytest", mutant.test, *options, *(["--full"] if mutant.full else [])]


def caught(folder: Path, mutant: Mutant) -> str | None:
    """The test that failed, or None. Puts the file back."""
    file = folder / mutant.file
    original = file.read_text()
    file.write_text(mutated(original, mutant))
    seen = mutant.file.startswith("static/") and mutant.test.startswith("tests/browser/")
    if seen:
        build(folder)
    done = subprocess.run(asked(mutant), cwd=folder, capture_output=True, text=True, check=False)
    file.write_text(original)
    if seen:
        build(folder)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{mutant.name}: the tests did not run\n{done.stdout}{done.stderr}")
    lines = [line.strip() for line in done.stdout.splitlines()]
    failed = [line.split(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR ", "not ok "))]
    return failed[0] if failed else None


def main(words: list[str]) -> int:
    """0 when every mutant was caught."""
    survived = 0
    chosen = [mutant for mutant in MUTANTS if not words or any(word in mutant.name for word in words)]
    for mutant in chosen:
        mutated((CHECKOUT / mutant.file).read_text(), mutant)
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        copy_checkout(Path(folder))
        for mutant in chosen:
            found = caught(Path(folder), mutant)
            survived += found is None
            print(f"{mutant.name:48} -> {found or 'NOBODY'}", flush=True)
    print(f"{len(chosen)} mutants, {len(chosen) - survived} caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
