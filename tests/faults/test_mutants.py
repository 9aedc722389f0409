"""Every mutant still finds the defence that it switches off, so that `make mutants` can run at any time."""

import re

import pytest

from tests.faults.mutant_list import MUTANTS
from tests.faults.mutants import CHECKOUT, mutated


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_text_of_each_mutant_is_there_exactly_once(mutant):
    text = (CHECKOUT / mutant.file).read_text()
    assert mutated(text, mutant) != text


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_test_that_must_catch_each_mutant_is_there(mutant):
    path, *names = mutant.test.split("::")
    assert (CHECKOUT / path).exists()
    for name in names:
        assert re.search(rf"(def|class) {name.partition('[')[0]}\b", (CHECKOUT / path).read_text()), name
