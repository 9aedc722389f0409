"""Charges each request to the budget of its route, before a byte of its body is read.

Whatever a page of another site makes a browser load (pictures, frames, sockets; browsers say so in Sec-Fetch-Site) is
not charged to the person at that browser, who did not ask for it. It has a limit of its own, and is refused unless the
budget allows others to embed it.
"""

from contextlib import suppress

from aiohttp import web
from aiohttp.typedefs import Handler

from server.web.budgets.buckets import RateLimit
from server.web.budgets.callers import address_key
from server.web.budgets.limits import BUDGET, UNKNOWN, Budget, charge
from server.web.budgets.routes import OF_ROUTES
from server.web.rendering.problems import Problem
from server.web.session import VISITOR, Visitor
from server.web.site import SITE
from server.web.template_context import recognised


@web.middleware
async def within_budget(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Charges the request and keeps its budget with it. Raises Problem (403, 429)."""
    budget = request.app[OF_ROUTES].get(request.match_info.route, UNKNOWN)
    request[BUDGET] = budget
    if from_another_site(request):
        charge_address(request, request.app[SITE].limits.cross_site)
        if not budget.embedded:
            raise Problem(403, "cross_site")
    else:
        await charge_caller(request, budget)
    known = request.get(VISITOR)
    try:
        return await handler(request)
    finally:
        if budget.session and known is None and (made := request.get(VISITOR)) is not None:
            # Who became a guest by this request made the first one of theirs.
            with suppress(Problem):
                charge_session(request, made, budget)


def from_another_site(request: web.Request) -> bool:
    """Whether a page of another site loads this, rather than somebody following a link."""
    headers = request.headers
    return headers.get("Sec-Fetch-Site") == "cross-site" and headers.get("Sec-Fetch-Dest") != "document"


async def charge_caller(request: web.Request, budget: Budget) -> None:
    """Charges the address, and the session if there is one. Raises Problem (429)."""
    site = request.app[SITE]
    try:
        charge_address(request, getattr(site.limits, budget.address), budget.cost)
    except Problem:
        if not (budget.game and await site.seats.let_in(request)):
            raise
    if budget.session and (visitor := await recognised(request)) is not None:
        charge_session(request, visitor, budget)


def charge_session(request: web.Request, visitor: Visitor, budget: Budget) -> None:
    """Takes what the request costs from what its budget leaves to the session. Raises Problem (429)."""
    site = request.app[SITE]
    site.seats.recognised(visitor.key, visitor.user.id)
    charge(getattr(site.limits, budget.session), visitor.key, site.now(), budget.cost)


def charge_address(request: web.Request, limit: RateLimit, cost: int = 1) -> None:
    """Takes `cost` from what `limit` leaves to the address of the request. Raises Problem (429)."""
    site = request.app[SITE]
    charge(limit, address_key(request, site.settings), site.now(), cost)
