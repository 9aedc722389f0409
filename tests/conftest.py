"""Options of the whole test run."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--deep", action="store_true", help="count every recorded perft depth, for some minutes")
    parser.addoption("--seed", type=int, default=1, help="seed of the tests that play or mutate at random")
    parser.addoption("--plies", type=int, default=40, help="plies of each random game against another program")


@pytest.fixture(scope="session")
def deep(request):
    return request.config.getoption("--deep")


@pytest.fixture(scope="session")
def seed(request):
    return request.config.getoption("--seed")


@pytest.fixture(scope="session")
def plies(request):
    return request.config.getoption("--plies")
