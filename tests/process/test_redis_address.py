"""What an address of Redis says, and what is none."""

import pytest

from server.settings import RedisAddress, parse_redis_url


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("redis://:pw@one:6379/0", RedisAddress("redis://:pw@one:6379/0")),
        (
            "redis+sentinel://:p%40w@one:5000,two/mymaster/3",
            RedisAddress("redis://:p%40w@localhost/3", (("one", 5000), ("two", 26379)), "mymaster"),
        ),
        (
            "rediss+sentinel://anna:pw@[::1]/games?ssl_ca_certs=/etc/ca.pem",
            RedisAddress("rediss://anna:pw@localhost/?ssl_ca_certs=/etc/ca.pem", (("::1", 26379),), "games"),
        ),
    ],
)
def test_an_address_says_where_redis_is_or_who_knows(text, meant):
    assert parse_redis_url(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "redis+sentinel://:secret@one,two",
        "redis+sentinel://:secret@one,two/",
        "redis+sentinel://:secret@one,,two/mymaster",
        "redis+sentinel://:secret@one:99999/mymaster",
        "redis+sentinel://:secret@one:port/mymaster",
        "redis+sentinel://:secret@one/mymaster/zero",
        "redis+sentinel:///mymaster",
    ],
)
def test_an_address_of_sentinels_without_hosts_or_name_is_refused_and_not_repeated(text):
    with pytest.raises(ValueError, match="give") as refused:
        parse_redis_url(text)
    assert "secret" not in str(refused.value)
