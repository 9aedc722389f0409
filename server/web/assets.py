"""Where templates and the built client lie, and the hashed name of each built file. Knows no page."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

log = logging.getLogger(__name__)

PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Assets:
    """`templates` and `static` are folders; `names` says what a built file is called: round.js -> round-1a2b.js."""

    templates: Path
    static: Path
    names: Mapping[str, str]

    def url(self, name: str) -> str:
        """The address of a built file. A file that was not built gets the address where nothing is found."""
        return f"/static/{self.names.get(name, name)}"


def find_assets() -> Assets:
    """An installed wheel carries the client inside the package; a checkout has it beside the package."""
    installed = PACKAGE / "_assets"
    if installed.is_dir():
        return load_assets(installed / "templates", installed / "static")
    return load_assets(PACKAGE.parent / "templates", PACKAGE.parent / "static" / "dist")


def load_assets(templates: Path, static: Path) -> Assets:
    """The assets in these folders. Without a build the server still serves bots and the API, and says so."""
    manifest = static / "manifest.json"
    if not manifest.is_file():
        log.warning("The browser client is not built, so pages have no board: run `make client`, then start again.")
        return Assets(templates, static, MappingProxyType({}))
    return Assets(templates, static, MappingProxyType(json.loads(manifest.read_text())))
