"""One site for all tests that only read its rules pages."""

import pytest

from tests.web.rules_pages.reading import opened_pages


@pytest.fixture(scope="package")
def pages(tmp_path_factory):
    yield from opened_pages(tmp_path_factory.mktemp("rules"))
