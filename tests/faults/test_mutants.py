"""Every mutant still finds the defence that it switches off, so that `make mutants` can run at any time."""

import pytest

from tests.faults.mutant_list import MUTANTS
from tests.faults.mutants import CHECKOUT, mutated


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_its_text_is_there_exactly_once(mutant):
    text = (CHECKOUT / mutant.file).read_text()
    assert mutated(text, mutant) != text
    assert (CHECKOUT / mutant.test.partition("::")[0]).exists()
