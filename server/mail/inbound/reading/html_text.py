"""What a piece of HTML says, as lines of plain text; what it quotes is marked with `>` as in plain mails.

Made for replies: it keeps the words and where lines end, and nothing else.
"""

import re
from html.parser import HTMLParser
from typing import Final

UNSEEN: Final = frozenset({"head", "script", "style", "template", "title"})
BLOCKS: Final = frozenset(
    (
        *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3"),
        *("h4", "h5", "h6", "header", "hr", "html", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    )
)
VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
QUOTING: Final = re.compile(
    r"gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote|zmail_extra|reply-intro", re.ASCII
)
"""In the class of an element: how mail programs mark what they quote, including the line above it."""
REST_IS_QUOTED: Final = frozenset({"appendonsend", "divrplyfwdmsg", "mail-editor-reference-message-container"})
"""Ids of elements after which Outlook puts the mail that is answered."""
MAX_DEPTH: Final = 100
"""Elements within elements. What is deeper than any mail program writes counts as quoted."""


def text_of_html(html: str) -> str:
    """The text of `html`, with a `>` before each line that is quoted. Never raises."""
    parser = _Parser()
    parser.feed(_complete(html))
    parser.close()
    return parser.text()


def _complete(html: str) -> str:
    """`html` without comments and without a tag that does not end: the library looks for each end again and again."""
    kept, at = [], 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        at = html.find("-->", start) + len("-->")
        if at < len("-->"):
            return _complete("".join(kept))
    kept.append(html[at:])
    tags, end, rest = "".join(kept).rpartition(">")
    return tags + end + rest.replace("<", "&lt;")


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[tuple[str, bool, bool]] = []
        """Elements that are open: the tag, whether what is in it is quoted, and whether it is seen."""
        self._lines: list[str] = []
        self._line: list[str] = []
        self._rest_is_quoted = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self._end_line()
        if tag == "br":
            self._end_line(even_empty=True)
        said = dict(attrs)
        self._rest_is_quoted |= (said.get("id") or "").lower() in REST_IS_QUOTED
        if tag in VOID:
            return
        if len(self._open) >= MAX_DEPTH:
            self._rest_is_quoted = True
            return
        quoted, seen = (self._open[-1][1], self._open[-1][2]) if self._open else (False, True)
        quoted = quoted or tag == "blockquote" or QUOTING.search(said.get("class") or "") is not None
        self._open.append((tag, quoted, seen and tag not in UNSEEN))

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self._end_line()
        for nth in range(len(self._open) - 1, -1, -1):
            if self._open[nth][0] == tag:
                del self._open[nth:]
                break

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1][2]:
            self._line.append(re.sub(r"[ \t\r\n\f]+", " ", data))

    def text(self) -> str:
        self._end_line()
        return "\n".join(self._lines)

    def _end_line(self, *, even_empty: bool = False) -> None:
        line = "".join(self._line).strip(" ")
        self._line.clear()
        if line or even_empty:
            quoted = self._rest_is_quoted or (bool(self._open) and self._open[-1][1])
            self._lines.append(f"> {line}" if quoted else line)
