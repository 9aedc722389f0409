"""Every route has a budget: none can be forgotten, and what it says is charged before anything else is done."""

import asyncio

import pytest

from server.app import build_app
from server.web.assets import find_assets
from server.web.budgets.buckets import RateLimit
from server.web.budgets.limits import BUILT, OF_ROUTES, Limits
from server.web.site import SITE
from tests.support.failures import failures
from tests.support.patience import PATIENCE_S
from tests.support.web.budgets import BUDGETS, name_of
from tests.support.web.origins import CROSS_SITE, ORIGIN


def test_every_route_has_a_budget(settings):
    with_mail = settings.model_copy(update={"smtp_url": "smtp://localhost", "mail_from": "games@example.org"})
    app = build_app(with_mail, find_assets())
    assert set(app[OF_ROUTES]) == set(app.router.routes())
    assert {name_of(route) for route in app[OF_ROUTES]} == {*BUDGETS, "GET /static/{filename}"}
    for route, budget in app[OF_ROUTES].items():
        assert budget == BUDGETS.get(name_of(route), BUILT)


def test_every_budget_names_limits_that_exist_and_leaves_room_for_one_request():
    limits = Limits()

    def check(route, budget):
        for name in filter(None, (budget.address, budget.session)):
            limit = getattr(limits, name)
            assert isinstance(limit, RateLimit)
            assert budget.cost <= limit.amount
        assert budget.body == 0 or not route.startswith("GET ")

    assert failures(check, {route: (route, budget) for route, budget in BUDGETS.items()}) == {}


async def test_a_request_over_its_limit_is_refused_before_its_body_is_read(server, connect):
    limits = server.app[SITE].limits
    limits.imports = RateLimit(1, 600)
    limits.imports.take("127.0.0.1", server.app[SITE].now())
    reader, _ = await connect(
        f"POST /api/import HTTP/1.1\r\nHost: localhost:8080\r\nOrigin: {ORIGIN}\r\n"
        "Content-Type: text/plain\r\nContent-Length: 900000\r\n\r\n".encode()
    )
    assert b" 429 " in await asyncio.wait_for(reader.readline(), PATIENCE_S), "none of the body was sent"


async def test_unknown_addresses_are_limited_too(anna, server):
    server.app[SITE].limits.pages = RateLimit(2, 600)
    answers = []
    for path in ("/nosuch", "/nosuch/either", "/nor/this"):
        async with anna.http.get(path) as answer:
            answers.append(answer.status)
    assert answers == [404, 404, 429]


async def test_each_session_has_a_limit_beside_its_address(anna, ben, server):
    await anna.post("/api/guest")
    await ben.post("/api/guest")
    server.app[SITE].limits.session = RateLimit(2, 600)
    for _ in range(2):
        await anna.get("/api/me")
    await anna.get("/api/me", 429)
    await ben.get("/api/me")


@pytest.mark.row("A7")
@pytest.mark.usefixtures("clock")
async def test_what_another_site_loads_costs_the_visitor_nothing_and_is_limited_by_itself(anna, server):
    site = server.app[SITE]
    game = await anna.challenge()
    statuses = []
    for number in range(site.limits.cross_site.amount + 1):
        async with anna.http.get(f"/AAAAAAAA{number % 100:02}", headers=CROSS_SITE) as answer:
            statuses.append(answer.status)
    assert statuses == [403] * site.limits.cross_site.amount + [429]
    assert not site.limits.misses.whole
    assert not site.limits.reads.whole
    await anna.get(f"/api/games/{game['id']}")


async def test_a_link_from_another_site_is_followed_and_a_picture_of_a_game_is_shown_there(anna):
    game = await anna.challenge()
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    async with anna.http.get(f"/{game['id']}", headers=followed) as answer:
        assert answer.status == 200
    async with anna.http.get(f"/{game['id']}/board.svg", headers=CROSS_SITE) as answer:
        assert answer.status == 200


@pytest.mark.row("A7")
async def test_a_game_that_exists_is_found_however_many_were_missed(anna, server):
    game = await anna.challenge()
    server.app[SITE].limits.misses = RateLimit(1, 3600)
    await anna.get("/api/games/0000000000", 404)
    await anna.get("/api/games/0000000001", 429)
    await anna.get(f"/api/games/{game['id']}")
    await anna.get("/api/games/0000000002", 429)
