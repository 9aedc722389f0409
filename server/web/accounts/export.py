"""Everything that the site keeps about one person, for that person. No tokens or hashes: they would only open doors."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from server.games.clocks.vacations import Vacation
from server.games.desk import DeskEntry
from server.games.people import ApiToken, Report, Tie
from server.games.sanctions import Sanction
from server.games.studies import Study, WrittenChapter
from server.games.tournaments.tournament import Act, ActKind
from server.mail.wishes import KINDS, push_frequency
from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Perf
from server.storage.stores import Store
from server.storage.tables.accounts import Account, Session, UserChatLine
from server.storage.tables.addresses import MailAddress
from server.storage.tables.lessons import StepDone
from server.storage.tables.notes import Note
from server.storage.tables.notification_settings import NotificationSettings
from server.storage.tables.puzzles import FormStanding, PuzzleTry
from server.web.accounts.accounts import Accounts
from server.web.preferences import parse_preferences
from server.web.session import Visitor
from server.web.site import Site

MAX_GAMES = 10_000
"""The newest of somebody's games; the archive has all of them."""


async def own_data(site: Site, accounts: Accounts, visitor: Visitor) -> dict[str, Any]:
    """As `data_of`. Raises Problem when the visitor has no account, Unavailable."""
    account, sessions = await accounts.of(visitor), await accounts.sessions_of(visitor)
    return await data_of(site.store, site.settings.address, account, sessions, site.now(), visitor.key)


async def data_of(
    store: Store, address: str, account: Account, sessions: Sequence[Session], now: int, here: str = ""
) -> dict[str, Any]:
    """JSON-able; times in UTC. `address`: of the site, for links; `now`: ms. `here`: the key of the session that asks,
    if it is their own. Raises Unavailable.
    """
    user = account.user
    person = await store.accounts.user(user)
    return {
        "site": address,
        "exported": instant(now),
        "profile": {**_profile(account), "text": await store.profiles.text_of(user)},
        "preferences": parse_preferences(person.preferences if person else "").model_dump(),
        "mail": [_address(one) for one in await store.addresses.of(user)],
        "vacations": [_vacation(one.vacation) for one in await store.vacations.of(user)],
        "ties": [_tie(one) for one in await store.ties.of(user)],
        "notes": [await _note(store, address, one) for one in await store.notes.notes_of(user)],
        "reports": [_report(one) for one in await store.reports.by(user)],
        "decisions": [_decision(one) for one in await store.sanctions.of(user)],
        "desk": {
            "role": (await store.desk.read()).role_of(user),
            "log": [_deed(one) for one in await store.desk.entries_about(user)],
        },
        "told": _told(await store.notification_settings.of(user)),
        "lessons": [_step_done(one) for one in await store.lessons.of(user)],
        "puzzles": [_puzzle_try(one) for one in await store.puzzle_tries.tries_of(user)],
        "puzzle_ratings": [_puzzle_rating(one) for one in await store.puzzle_tries.standings_of(user)],
        "studies": [
            _study(one, await store.studies.written_chapters_of(one.id)) for one in await store.studies.studies_of(user)
        ],
        "studies_of_others": [
            {"id": one.id, "name": one.name, "role": role.value}
            for one, role in await store.studies.memberships_of(user)
        ],
        "tournaments": await _tournaments(store, user),
        "tokens": [_token(one) for one in await store.tokens.of(user)],
        "sessions": [_session(one, here) for one in sessions],
        "games": [game(address, one) for one in await store.by_player(user, MAX_GAMES)],
        "standings": [perf(one) for one in await store.ratings.perfs(user)],
        "chat": [_chat_line(address, one) for one in await store.accounts.chat_lines(user)],
    }


def _profile(account: Account) -> dict[str, Any]:
    return {
        "id": account.user,
        "name": account.name,
        "registered": instant(account.created),
        "flags_by_hand": account.by_hand,
        "unlisted": account.unlisted,
        "bot": account.bot,
    }


def _address(one: MailAddress) -> dict[str, Any]:
    return {
        "address": one.address,
        "added": instant(one.added),
        "confirmed": instant(one.confirmed) if one.confirmed else None,
        "refused": instant(one.refused) if one.refused else None,
        "wishes": one.wishes,
        "letters": one.letters,
    }


def _vacation(one: Vacation) -> dict[str, Any]:
    return {"began": instant(one.began), "until": instant(one.until)}


def _tie(one: Tie) -> dict[str, Any]:
    return {"kind": one.kind.value, "to": one.other.name, "since": instant(one.at)}


async def _note(store: Store, address: str, one: Note) -> dict[str, Any]:
    """About a person, or about a game."""
    person = await store.accounts.of_user(one.person) if one.person else None
    about = {"person": person.name if person else ""} if one.person else {"game": f"{address}/{one.game}"}
    return {**about, "text": one.text, "at": instant(one.at)}


def _report(one: Report) -> dict[str, Any]:
    return {
        "about": one.about.name,
        "kind": one.kind.value,
        "game": one.game,
        "text": one.text,
        "at": instant(one.at),
    }


def _decision(one: Sanction) -> dict[str, Any]:
    """By the host, about this person."""
    return {
        "measure": one.measure.value,
        "reason": one.reason.value,
        "words": one.words,
        "game": one.place,
        "at": instant(one.at),
        "until": instant(one.until) if one.until else None,
        "lifted": instant(one.ended) if one.ended else None,
        "answer": one.appeal,
    }


def _deed(one: DeskEntry) -> dict[str, Any]:
    return {"by": one.by.name, "about": one.whom.name, "deed": one.deed, "detail": one.detail, "at": instant(one.at)}


def _told(how: NotificationSettings) -> dict[str, Any]:
    return {
        "zone": how.zone,
        "quiet_from": how.quiet_from,
        "quiet_until": how.quiet_until,
        "by_push": {kind: push_frequency(how.silent, kind) for kind in KINDS},
    }


def _step_done(one: StepDone) -> dict[str, Any]:
    return {"lesson": one.lesson, "step": one.step, "done": instant(one.at)}


def _puzzle_try(one: PuzzleTry) -> dict[str, Any]:
    return {"puzzle": one.puzzle, "solved": one.solved, "tried": instant(one.at)}


def _puzzle_rating(one: FormStanding) -> dict[str, Any]:
    return {
        "variant": one.variant,
        "chess960": one.chess960,
        "rating": one.standing.rating.value,
        "deviation": one.standing.rating.deviation,
        "tried": one.standing.rating.games,
        "solved": one.standing.solved,
        "longest_streak": one.standing.best,
    }


def _study(one: Study, stored: Sequence[WrittenChapter]) -> dict[str, Any]:
    """With its chapters in order; `pgn`: all that is in one."""
    written = {chapter.chapter.id: chapter for chapter in stored}
    chapters = [written[key] for key in one.chapters if key in written]
    return {
        "id": one.id,
        "name": one.name,
        "shared": one.shared,
        "created": instant(one.created),
        "changed": instant(one.changed),
        "chapters": [{"name": chapter.chapter.name, "pgn": chapter.pgn} for chapter in chapters],
    }


async def _tournaments(store: Store, user: str) -> dict[str, Any]:
    """What they have announced and joined, and what they have done as organiser."""
    kept = store.tournaments
    return {
        "announced": [
            {
                "id": one.id,
                "name": one.terms.name,
                "announced": instant(one.created),
                "starts": instant(one.terms.starts),
            }
            for one in await kept.announced_by(user)
        ],
        "joined": [
            {
                "id": id,
                "joined": instant(one.joined),
                "rating": one.rating,
                "standing": one.standing.value,
                "place": one.placing.place if one.placing else None,
            }
            for id, one in await kept.entries_of(user)
        ],
        "acts": [await _act(store, id, one) for id, one in await kept.acts_by(user)],
    }


async def _act(store: Store, tournament: str, one: Act) -> dict[str, Any]:
    """As organiser. `about`: the name of a person, the id of a game, or the number of a round."""
    about = one.about
    if one.kind is ActKind.OUT:
        person = await store.accounts.of_user(one.about)
        about = person.name if person else ""
    return {"id": tournament, "kind": one.kind.value, "about": about, "said": one.said, "at": instant(one.at)}


def _token(one: ApiToken) -> dict[str, Any]:
    return {
        "name": one.name,
        "scopes": sorted(one.scopes),
        "created": instant(one.created),
        "last_used": instant(one.used) if one.used else None,
    }


def _session(one: Session, here: str) -> dict[str, Any]:
    return {
        "opened": instant(one.created),
        "last_used": instant(one.seen),
        "this_browser": one.token_hash == here,
        "browser": one.browser,
    }


def _chat_line(address: str, line: UserChatLine) -> dict[str, Any]:
    return {"game": f"{address}/{line.game}", "said": instant(line.at), "text": line.text}


def game(address: str, summary: GameSummary) -> dict[str, Any]:
    """A game in the export of one's own data, without its moves: `pgn` leads to them."""
    return {
        "url": f"{address}/{summary.id}",
        "pgn": f"{address}/api/games/{summary.id}.pgn",
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
    """Their tally in one category; the rating only if they have played rated games in it."""
    rating = one.rating
    return {
        "variant": one.category.variant,
        "shuffled": one.category.chess960,
        "speed": one.category.speed.value,
        "won": one.tally.won,
        "drawn": one.tally.drawn,
        "lost": one.tally.lost,
        "rated_games": rating.games,
        "rating": rating.value if rating.games else None,
        "deviation": rating.deviation if rating.games else None,
    }


def instant(ms: int) -> str:
    """The time `ms` as ISO 8601."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")
