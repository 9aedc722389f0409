"""The README and the pages of docs/ as tests read them: their prose, and the examples that people paste."""

import re
from itertools import groupby
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted(DOCS.glob("*.md"))
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
UNIT = re.compile(r"`/etc/systemd/system/(\S+)`:\n\n```ini\n(.*?)```", re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def text_of(page):
    """A page by its name."""
    (path,) = (path for path in PAGES if path.name == page)
    return path.read_text()


def prose(text):
    """The page without its examples."""
    return BLOCK.sub("", text)


def examples(page):
    """The examples of a page in order, under each heading: {heading: [(language, text)]}."""
    text = text_of(page)
    found = [(HEADING.findall(prose(text[: one.start()]))[-1], one[2], dedent(one[3])) for one in BLOCK.finditer(text)]
    return {heading: [one[1:] for one in group] for heading, group in groupby(found, key=lambda one: one[0])}


def example(page, heading, number=0):
    """The text of one of them."""
    return examples(page)[heading][number][1]


def blocks(page, language):
    """The examples of a page in that language."""
    return [dedent(text) for _, kind, text in BLOCK.findall(text_of(page)) if kind == language]


def units_of_page():
    """The units that docs/systemd.md has: their names and texts."""
    return UNIT.findall(text_of("systemd.md"))
