"""Every mutant still fits the code and names a test that exists, so that `make mutants` can run at any time."""

import re

from tests.faults.mutants import CHECKOUT, MUTANTS, mutated


def test_each_mutant_still_fits_the_code():
    failures = {}
    for mutant in MUTANTS:
        try:
            assert mutated((CHECKOUT / mutant.file).read_text(), mutant)
        except (LookupError, OSError) as error:
            failures[mutant.name] = str(error)
    assert failures == {}


def test_the_test_that_must_catch_each_mutant_exists():
    missing = []
    for mutant in MUTANTS:
        path, *names = mutant.test.split("::")
        text = (CHECKOUT / path).read_text() if (CHECKOUT / path).exists() else ""
        if not text or any(not re.search(rf"(def|class) {name.partition('[')[0]}\b", text) for name in names):
            missing.append(mutant.test)
    assert missing == []
