"""Every bench can be started: they are run by hand, so nobody else would see that one has fallen behind."""

from importlib import import_module
from pathlib import Path

import pytest

BENCHES = sorted(path.stem for path in Path(__file__).parent.glob("*_bench.py"))


@pytest.mark.parametrize("bench", BENCHES)
def test_each_bench_finds_what_it_needs(bench):
    assert callable(import_module(f"tests.bench.{bench}").main)
