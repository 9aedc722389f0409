"""Makes the README the description of the package, wherever that is read: it has no files beside it there.

Called by hatchling (see pyproject.toml), never by the server.
"""

import re
from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|mailto:)([^)\s]+)\)")
"""A picture or a link to a file of the source, or to a heading, which has no name elsewhere."""


def description(readme: str, files: str) -> str:
    """`readme` with links into `files`, the address of the folder of this release's source, with a slash at its end.
    Without one what was a link is plain words, and there is no picture.
    """

    def absolute(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if files:
            return f"{picture}[{words}]({files}{'README.md' if path.startswith('#') else ''}{path})"
        return "" if picture else words

    return LINK.sub(absolute, readme)


class DescriptionHook(MetadataHookInterface):
    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        files = metadata.get("urls", {}).get("Files", "")
        metadata["readme"] = {"content-type": "text/markdown", "text": description(readme, files)}
