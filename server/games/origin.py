"""Where a game comes from that was not played here: what the file it was read from says of it. Knows no files."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """`event`, `site` and `date` as that file writes them, "" where it does not say."""

    event: str = ""
    site: str = ""
    date: str = ""
