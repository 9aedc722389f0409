"""The drawings of the site's build. Without a build the tests are skipped, as those in the browser are."""

import pytest

from server.pictures.drawings import read_drawings
from server.web.assets import find_assets


@pytest.fixture(scope="session")
def drawings():
    found = read_drawings(find_assets().static)
    if found is None:
        pytest.skip("the client has not been built: npm run build")
    return found
