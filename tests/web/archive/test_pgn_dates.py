"""Dates in PGN: whole ones, half-known ones, and those that cannot be."""

import pytest

from server.web.archive.imports import date_of
from tests.support.games import START


@pytest.mark.parametrize(
    ("tags", "ended"),
    [
        ({"Date": "1970.01.02"}, 86_400_000),
        ({"Date": "1851.06.21"}, -3_740_515_200_000),
        ({"Date": "1970.??.??"}, 0),
        ({"Date": "1999.01.01", "UTCDate": "1970.01.01", "UTCTime": "00:00:05"}, 5_000),
        ({"Date": "2999.01.01"}, START),
        ({"Date": "1970.02.31"}, START),
        ({"Date": "0000.01.01"}, START),
        ({"Date": "????.??.??"}, START),
        ({"UTCDate": "1970.01.01", "UTCTime": "25:00:00"}, START),
        ({}, START),
    ],
)
def test_dates(tags, ended):
    assert date_of(tags, START) == ended
