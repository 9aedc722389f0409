"""What every test of the rules needs: the variants."""

from collections.abc import Mapping

import pytest

from server.rules.variant.variant import Variant
from tests.support.rules.built_in import VARIANTS


@pytest.fixture(scope="session")
def variants() -> Mapping[str, Variant]:
    return VARIANTS
