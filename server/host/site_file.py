"""Reads and writes a whole site as one self-describing file. Knows no store.

Gzip; inside, one JSON array per line. The first is `["fairyhouse", {"format": 1, "at": ms}]`; then come records,
`[kind, {...}]` (`storage.record_kinds`), and last `["end", {"counts": {kind: n}, "sha256": hex}]`, with the digest of
all lines before it. Anything cut off, changed or added is found before it is acted on.
"""

import gzip
import zlib
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Self

import orjson

from server.storage.fields import Fields

FORMAT = 1
HEAD, END = "fairyhouse", "end"
LONGEST_LINE = 4_000_000
"""Bytes; no record of a site comes near."""
LEVEL = 6


class BrokenFile(Exception):
    """The file is incomplete or was changed; the message says how."""


class SiteWriter:
    """Writes records to an open binary file, which is complete only after `finish`. `at`: now, ms since the epoch."""

    def __init__(self, file: IO[bytes], at: int) -> None:
        self._packed = gzip.GzipFile(fileobj=file, mode="wb", compresslevel=LEVEL, mtime=0, filename="")
        self._digest = sha256()
        self.counts: Counter[str] = Counter()
        self._line(HEAD, {"format": FORMAT, "at": at})

    def write(self, kind: str, record: Fields) -> None:
        """Writes one record, flat and JSON-able. Raises OSError if the disk is full."""
        self.counts[kind] += 1
        self._line(kind, record)

    def finish(self) -> None:
        """Writes the counts and the digest, by which a file that was cut short is known."""
        self._line(END, {"counts": self.counts, "sha256": self._digest.hexdigest()})
        self._packed.close()

    def _line(self, name: str, fields: Fields) -> None:
        line = orjson.dumps([name, fields]) + b"\n"
        self._digest.update(line)
        self._packed.write(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._packed.close()


def read_site(path: Path) -> Iterator[tuple[str, Fields]]:
    """Yields the kind and the fields of each record, in order. Raises BrokenFile, possibly only at the end."""
    try:
        with gzip.open(path, "rb") as file:
            yield from _records(_lines(file, path), path)
    except FileNotFoundError:
        raise BrokenFile(f"There is no file {path}.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error, OSError) as error:
        raise BrokenFile(f"{path} cannot be read to its end ({error}).") from None


def _lines(file: gzip.GzipFile, path: Path) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise BrokenFile(f"{path} has a line that no site has.")
        yield line


def _records(lines: Iterator[bytes], path: Path) -> Iterator[tuple[str, Fields]]:
    head = next(lines, b"")
    _check_head(head, path)
    digest, counts = sha256(head), Counter[str]()
    for line in lines:
        name, fields = _parsed(line, path)
        if name == END:
            if fields != {"counts": counts, "sha256": digest.hexdigest()} or next(lines, b""):
                raise BrokenFile(f"{path} is not as it was written.")
            return
        digest.update(line)
        counts[name] += 1
        yield name, fields
    raise BrokenFile(f"{path} ends too early.")


def _check_head(line: bytes, path: Path) -> None:
    name, fields = _parsed(line, path)
    if name != HEAD:
        raise BrokenFile(f"{path} is not the export of a site.")
    if fields.get("format") != FORMAT:
        raise BrokenFile(f"{path} is of another format than this release reads ({FORMAT}).")


def _parsed(line: bytes, path: Path) -> tuple[str, Fields]:
    try:
        name, fields = orjson.loads(line)
    except (ValueError, TypeError):
        raise BrokenFile(f"{path} is not the export of a site.") from None
    if not isinstance(name, str) or not isinstance(fields, dict):
        raise BrokenFile(f"{path} is not the export of a site.")
    return name, fields
