"""What every test of the rules needs: the variants, those that no site offers yet too."""

from collections.abc import Mapping

import pytest

from server.rules.variant.variant import Variant
from tests.support.rules.built_in import EVERY_VARIANT


@pytest.fixture(scope="session")
def variants() -> Mapping[str, Variant]:
    return EVERY_VARIANT
