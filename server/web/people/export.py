"""Everything that the site keeps about one person, for that person. No tokens or hashes: they would only open doors."""

from datetime import UTC, datetime
from typing import Any

from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Perf
from server.web.people.accounts import Accounts
from server.web.preferences.preferences import read
from server.web.session import Visitor
from server.web.site import Site

MAX_GAMES = 10_000
"""The newest of somebody's games; the archive has all of them."""


async def own_data(site: Site, accounts: Accounts, visitor: Visitor) -> dict[str, Any]:
    """JSON-able; times in UTC. Raises Problem when the visitor has no account, Unavailable."""
    account = await accounts.of(visitor)
    sessions = await accounts.sessions_of(visitor)
    games = await site.store.by_player(account.user, MAX_GAMES)
    lines = await site.store.accounts.chat_lines(account.user)
    addresses = await site.store.addresses.of(account.user)
    told = await site.store.how_told.of(account.user)
    perfs = await site.store.ratings.perfs(account.user)
    ties = await site.store.ties.of(account.user)
    reports = await site.store.reports.by(account.user)
    lessons = await site.store.lessons.of(account.user)
    vacations = [record.vacation for record in await site.store.vacations.of(account.user)]
    return {
        "site": site.settings.address,
        "exported": instant(site.now()),
        "profile": {
            "id": account.user,
            "name": account.name,
            "registered": instant(account.created),
            "flags_by_hand": account.by_hand,
            "unlisted": account.unlisted,
        },
        "preferences": read(visitor.user.preferences).model_dump(),
        "mail": [
            {
                "address": one.address,
                "added": instant(one.added),
                "confirmed": instant(one.confirmed) if one.confirmed else None,
                "refused": instant(one.refused) if one.refused else None,
                "wishes": one.wishes,
                "letters": one.letters,
            }
            for one in addresses
        ],
        "vacations": [{"began": instant(one.began), "until": instant(one.until)} for one in vacations],
        "ties": [{"kind": one.kind.value, "to": one.other.name, "since": instant(one.at)} for one in ties],
        "reports": [
            {"about": one.about.name, "kind": one.kind.value, "game": one.game, "text": one.text, "at": instant(one.at)}
            for one in reports
        ],
        "told": {
            "zone": told.zone,
            "quiet_from": told.quiet_from,
            "quiet_until": told.quiet_until,
            "not_by_push": told.silent,
        },
        "lessons": [{"lesson": one.lesson, "step": one.step, "done": instant(one.at)} for one in lessons],
        "sessions": [
            {
                "opened": instant(one.created),
                "last_used": instant(one.seen),
                "this_browser": one.token_hash == visitor.key,
            }
            for one in sessions
        ],
        "games": [game(site, one) for one in games],
        "standings": [perf(one) for one in perfs],
        "chat": [
            {"game": f"{site.settings.address}/{line.game}", "said": instant(line.at), "text": line.text}
            for line in lines
        ],
    }


def game(site: Site, summary: GameSummary) -> dict[str, Any]:
    return {
        "url": f"{site.settings.address}/{summary.id}",
        "pgn": f"{site.settings.address}/api/games/{summary.id}.pgn",
        "variant": summary.variant,
        "shuffled": summary.chess960,
        "white": summary.white,
        "black": summary.black,
        "status": summary.status,
        "result": summary.result,
        "reason": summary.reason,
        "plies": summary.plies,
        "created": instant(summary.created),
    }


def perf(one: Perf) -> dict[str, Any]:
    """Their record in one category; the rating only if they have played rated games in it."""
    rating = one.rating
    return {
        "variant": one.category.variant,
        "shuffled": one.category.chess960,
        "speed": one.category.speed.value,
        "won": one.record.won,
        "drawn": one.record.drawn,
        "lost": one.record.lost,
        "rated_games": rating.games,
        "rating": rating.value if rating.games else None,
        "deviation": rating.deviation if rating.games else None,
    }


def instant(ms: int) -> str:
    """As ISO 8601."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")
