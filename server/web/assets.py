"""Where templates, documentation and the built client are, and the hashed name of each built file. Knows no page."""

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
    """`templates` and `static` are folders; `names` maps each file to its built name: round.js -> round-1a2b.js."""

    templates: Path
    static: Path
    names: Mapping[str, str]

    @property
    def docs(self) -> Path:
        """The folder with the documentation; what is not there is not served."""
        return self.templates.parent / "docs"

    def url(self, name: str) -> str:
        """The address of a built file; for a file that was not built, an address where nothing is found."""
        return f"/static/{self.names.get(name, name)}"


def find_assets() -> Assets:
    """The assets inside the package, as in an installed wheel, or beside it, as in a checkout."""
    installed = PACKAGE / "_assets"
    if installed.is_dir():
        return load_assets(installed / "templates", installed / "static")
    return load_assets(PACKAGE.parent / "templates", PACKAGE.parent / "static" / "dist")


def load_assets(templates: Path, static: Path) -> Assets:
    """The assets in these folders. Without a built client the server still serves the API, and logs a warning."""
    manifest = static / "manifest.json"
    if not manifest.is_file():
        log.warning("The browser client is not built, so pages have no board: run `make client`, then start again.")
        return Assets(templates, static, MappingProxyType({}))
    return Assets(templates, static, MappingProxyType(json.loads(manifest.read_text())))
