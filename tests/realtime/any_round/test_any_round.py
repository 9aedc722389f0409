"""One game as it may go: whatever people and the server do, in whatever order, the invariants hold after each step."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.realtime.any_round.invariants import AnyRound

pytestmark = pytest.mark.slow


@pytest.mark.timeout(900)
def test_any_round_keeps_its_promises(full):
    run_state_machine_as_test(
        AnyRound,
        settings=settings(
            max_examples=1_500 if full else 60,
            stateful_step_count=60,
            derandomize=not full,
            report_multiple_bugs=False,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
