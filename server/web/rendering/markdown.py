"""Makes HTML of a Markdown page of the documentation. Imported at the first such page, because the library takes 30 ms.

HTML in a page is shown as text. Headings get the anchors that GitHub gives them.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

MARK: Final = re.compile(r"^<!-- .* -->\n", re.MULTILINE)
"""Where a part that is made from the code begins or ends."""
FOCUSABLE: Final = {"tabindex": "0"}
"""What may be wider than the screen can be scrolled with the keyboard."""


@dataclass(frozen=True, slots=True)
class Document:
    """`body` is what comes after the `title`."""

    title: str
    body: Markup


class Renderer(RendererHTML):
    """HTML as the site's pages have it."""

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<pre tabindex="0"><code>{escape(tokens[idx].content)}</code></pre>\n'


def make_document(text: str, addresses: Mapping[str, str]) -> Document:
    """The page. `addresses`: of the files that it may link, by their names; a link to any other file is dropped."""
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
    tokens = markdown.parse(MARK.sub("", text))
    anchors: Counter[str] = Counter()
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            name = anchor(_words(tokens[number + 1]))
            token.attrSet("id", f"{name}-{anchors[name]}" if anchors[name] else name)
            anchors[name] += 1
        elif token.type == "table_open":
            token.attrs |= FOCUSABLE
        _turn_links(token.children or (), addresses)
    title, rest = _words(tokens[1]), tokens[3:]
    return Document(title, Markup(markdown.renderer.render(rest, markdown.options, {})))


def anchor(heading: str) -> str:
    """The name by which the first such heading of a page is linked; the next ones have `-1`, `-2`… behind it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _words(inline: Token) -> str:
    return "".join(each.content for each in inline.children or ())


def _turn_links(tokens: Sequence[Token], addresses: Mapping[str, str]) -> None:
    """Has links to files lead to where these are read."""
    for token in tokens:
        link = str(token.attrs.get("href", ""))
        path, mark, heading = link.partition("#")
        if "://" in path:
            token.attrSet("rel", "noopener")
        elif path:
            address = addresses.get(path.rpartition("/")[2])
            token.attrs = {} if address is None else {"href": address + mark + heading}
