"""What tests of the client's engine need: its rules, in a process of their own."""

import pytest

from tests.support.engine.rules import EngineRules
from tests.support.engine.uci import Engine
from tests.support.rules.built_in import EVERY_VARIANT


@pytest.fixture(scope="session")
def engine_rules():
    with EngineRules(EVERY_VARIANT.values()) as rules:
        yield rules


@pytest.fixture(scope="module")
def engine():
    with Engine() as running:
        yield running
