"""The drawings of the site's build. Without a build there is nothing to test, and `make test` has built it."""

import pytest

from server.pictures.drawings import read_drawings
from server.web.assets import find_assets


@pytest.fixture(scope="session")
def drawings():
    found = read_drawings(find_assets().static)
    assert found is not None, "The client has not been built: make client"
    return found
