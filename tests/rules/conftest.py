"""What every test of the rules needs: the variants."""

from collections.abc import Mapping

import pytest

from server.rules.catalogue import load_catalogue
from server.rules.variant.variant import Variant


@pytest.fixture(scope="session")
def variants() -> Mapping[str, Variant]:
    return load_catalogue()
