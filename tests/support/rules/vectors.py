"""Reads the recorded answers of vectors/ (see its README) and compares texts the way they must be compared."""

import json
import lzma
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from server.rules.catalogue import UNOFFERED

FOLDER = Path(__file__).parents[2] / "rules" / "vectors"
Record = dict[str, Any]

GAME_FILES = sorted(
    path.name.removesuffix(".jsonl.xz")
    for path in FOLDER.glob("*.jsonl.xz")
    if path.name not in ("positions.jsonl.xz", "perft.jsonl.xz")
)

UNOFFERED_GAME_FILES = [
    f"unoffered/{name}{form}"
    for name in sorted(variant.stem for variant in UNOFFERED.glob("*.toml"))
    for form in ("", "960")
    if not form or (FOLDER / "unoffered" / f"{name}960.jsonl.xz").exists()
]
"""The games of the variants that no site offers; their positions and perfts are `unoffered/positions` and so on."""


@cache
def records(name: str) -> tuple[Record, ...]:
    """All records of one file, by its name without endings."""
    with lzma.open(FOLDER / f"{name}.jsonl.xz", "rt") as lines:
        return tuple(json.loads(line) for line in lines)


def legal_digest(ucis: list[str]) -> str:
    """The `legal_hash` of a list of UCI moves."""
    return sha256(" ".join(sorted(ucis)).encode()).hexdigest()[:4]


def canonical(fen: str) -> str:
    """A FEN with the pieces in hand sorted: their order means nothing. The oracle leaves one field of rights empty."""
    return re.sub(r"\[(\w*)\]", lambda hand: f"[{''.join(sorted(hand[1]))}]", fen.replace("  ", " - "))
