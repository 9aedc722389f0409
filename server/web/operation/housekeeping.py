"""The regular chores of a running site: forget the old, notice what ended elsewhere, carry out the host's commands."""

import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial

from server.games.changes.beginning import LONGEST_WAIT_MS
from server.games.clocks.time_control import DAY_MS
from server.games.clocks.vacations import year_began
from server.games.desk import Deed, Desk, DeskEntry, with_claim
from server.games.player import Player
from server.games.site_settings import RETENTIONS, House
from server.realtime.cluster.bus import Deleted, SessionsEnded
from server.realtime.runtime.background import act_on_each, every, running
from server.realtime.runtime.ids import digest
from server.realtime.services.account_merges import AccountMerges
from server.realtime.services.explorer_index import INDEX_EVERY_S, ExplorerIndex
from server.realtime.services.joining import expire_joining
from server.realtime.services.sanctions import delete_closed_accounts
from server.settings import Settings
from server.storage.admin_commands import AdminCommand, AdminCommands, MakeCopy, author_of, described
from server.storage.errors import StoreError
from server.storage.protocols.records import DeletionStore, Retention, is_imported
from server.storage.tables.accounts import AccountStore
from server.storage.tables.imports import ImportNote, ImportStore
from server.web.accounts.accounts import NAME_HELD
from server.web.notifications.notifier import QUIET_MS
from server.web.operation.host_commands import carry_out_command
from server.web.operation.puzzle_filling import fill_puzzles
from server.web.operation.shipped_puzzles import bring_shipped_puzzles
from server.web.session import ABSOLUTE, IDLE
from server.web.site import Site
from server.web.websocket.open_sockets import SESSION_ENDED
from server.web.websocket.socket import BEAT_SECONDS

log = logging.getLogger(__name__)

FORGET_EVERY_S = 600.0
REPORTS_KEPT_MS = 90 * DAY_MS
"""How long a report is kept after the host has closed it."""
DESK_LOG_KEPT_MS = 2 * 365 * DAY_MS
"""How long the log of the host's desk is kept."""
MAIL_KNOWN_MS = 14 * DAY_MS
"""How long a mail is recognised that is handed over again: mail servers try for five days, as a rule."""
AT_ONCE = 200
"""Sessions forgotten at a time, few enough to delay no move."""
LOOK_EVERY_S = 3.0
"""How often a process looks whether what is open here has been ended where it did not hear of it: by a command on
MongoDB, by a process whose notice was lost, or just while it was opened. Whoever was signed out reads on for five
seconds at most.
"""
LOOKED_AT = 500
"""Sessions or tokens that are looked at in one read."""
FOLLOW_EVERY_S = 30.0
"""How often interrupted account merges are resumed."""
OBEY_EVERY_S = 1.0
DISPOSE_EVERY_S = 10.0
FILE_EVERY_S = 60.0
"""How often games are looked for that are not in the archive yet."""


@asynccontextmanager
async def housekeeping(site: Site, merges: AccountMerges, admin_commands: AdminCommands) -> AsyncIterator[None]:
    """Runs the chores, and carries out `admin_commands`, until the block ends."""

    settings = site.settings
    deletion = ExpiredGames(site.store.deletion, site.store.imports, retention_of(site), site.live.deleted)

    async def dispose() -> None:
        deletion.retention = retention_of(site)
        await deletion.step(site.now())

    async def beat() -> None:
        site.open_sockets.beat()

    chores = (
        (BEAT_SECONDS, beat),
        (FORGET_EVERY_S, partial(forget, site)),
        (LOOK_EVERY_S, partial(close_what_has_ended, site)),
        (FOLLOW_EVERY_S, merges.carry_out_all),
        (OBEY_EVERY_S, partial(start_commands, site, admin_commands)),
        (DISPOSE_EVERY_S, dispose),
        (FILE_EVERY_S, site.store.archive.file_the_rest),
        (INDEX_EVERY_S, ExplorerIndex(site.store).step),
    )
    once = [invite_first_host(site)]
    if settings.shipped_puzzles:
        once += [bring_shipped_puzzles(site), *([fill_puzzles(site)] if settings.fill_puzzles else [])]
    async with running(*once, *(every(seconds, work) for seconds, work in chores)):
        yield


def retention_of(site: Site) -> Retention:
    """How long things are kept: as the environment says, else as the host has chosen at the desk."""
    return Retention(*(kept_days(site.settings, site.live.settings.current.house, name) for name in RETENTIONS))


def kept_days(settings: Settings, house: House, name: str) -> int:
    """The one of RETENTIONS that is called `name`, which holds."""
    return int(getattr(settings if name in settings.model_fields_set else house, name))


async def invite_first_host(site: Site) -> None:
    """Logs the link that makes somebody host at the first start of a site, and never again."""
    if (await site.store.desk.read()).rev == 0:
        code = secrets.token_urlsafe(24)
        claim = with_claim(Desk(), digest(code), site.now())
        made = DeskEntry("desk 000000001", site.now(), Player("", "first start"), Deed.CLAIM, detail="made")
        if await site.store.desk.change(Desk(), claim, made):
            log.info(
                "nobody is host of this site yet: who opens %s within an hour, signed in, becomes it",
                claim_link(site, code),
            )


def claim_link(site: Site, code: str) -> str:
    """Where somebody with that code becomes host."""
    return f"{site.settings.address}/host/claim#{code}"


async def forget(site: Site) -> None:
    """Forgets what is past its time. Where that fails for one kind of record, it does not for the others. Raises
    Unavailable.
    """
    now, store = site.now(), site.store
    old: dict[str, Callable[[], Awaitable[object]]] = {
        "sessions and guests": partial(forget_the_old, store.accounts, now),
        "alerts": partial(store.alerts.expire, now, now - QUIET_MS),
        "challenges": partial(store.challenges.expire, now - LONGEST_WAIT_MS),
        "vacations": partial(store.vacations.expire, year_began(now)),
        "mail": partial(store.received_mail.expire, now - MAIL_KNOWN_MS),
        "reports": partial(store.reports.expire, now - REPORTS_KEPT_MS, now),
        "quotas": partial(store.quotas.expire, now),
        "invitations and requests": partial(expire_joining, store, now),
        "the log of the desk": partial(store.desk.expire, now - DESK_LOG_KEPT_MS),
        "decisions": partial(store.sanctions.expire, now, now - DESK_LOG_KEPT_MS),
        "closed accounts": partial(delete_closed_accounts, store, NAME_HELD, now),
    }
    await act_on_each(old, lambda kind: old[kind](), "old {}".format)


async def forget_the_old(accounts: AccountStore, now: int) -> None:
    """Forgets expired sessions, guests without any session, and names that were reserved long enough."""
    forgotten = AT_ONCE
    while forgotten == AT_ONCE:
        forgotten = await accounts.purge(now - IDLE, now - ABSOLUTE, now, AT_ONCE)


async def start_commands(site: Site, admin_commands: AdminCommands) -> None:
    """Starts what the host has asked for on the command line, without waiting for it."""
    for number, command in admin_commands.take():
        site.live.services.background.spawn(answer_command(site, admin_commands, number, command))


async def answer_command(site: Site, admin_commands: AdminCommands, number: str, command: AdminCommand) -> None:
    """Carries out one command, answers as `carry_out_command` does, for a copy with "", and logs who asked for what."""
    asked = author_of(number), described(command)
    try:
        if isinstance(command, MakeCopy):
            await site.store.copy_to(admin_commands.copy_path(number))
            said = ""
        else:
            said = await carry_out_command(
                site.store, command, site.now(), site.settings.address, site.live.deleted, asked[0]
            )
    except (StoreError, OSError) as error:
        log.warning("host command by %s: %s: refused: %s", *asked, error)
        admin_commands.refuse(number, str(error))
    else:
        log.info("host command by %s: %s: done", *asked)
        admin_commands.reply(number, said)
    await site.live.sanctions.tell()
    await close_what_has_ended(site)


class ExpiredGames:
    """Deletes games and chat that are past their time, one page of games at a time, never all at once."""

    def __init__(
        self, store: DeletionStore, imports: ImportStore, retention: Retention, forget: Callable[[Deleted], None]
    ) -> None:
        """`forget` is called for each deleted game."""
        self._store = store
        self._forget = forget
        self._imports = imports
        self.retention = retention
        self._after = ""

    async def step(self, now: int) -> None:
        """Does the next page of games, and starts again after the last. Raises Unavailable."""
        page = await self._store.heads(self._after, AT_ONCE)
        self._after = page[-1][0] if len(page) == AT_ONCE else ""
        await self._drop([game for game, head in page if self.retention.drops_game(head, now)])
        if games := [game for game, head in page if self.retention.drops_chat(head, now)]:
            await self._store.delete_chat(games)
        await self._drop_imports([game for game, head in page if is_imported(head)], now)

    async def _drop_imports(self, games: Sequence[str], now: int) -> None:
        """Deletes old imports. For games imported before there were notes, the time counts from the first look."""
        notes = await self._imports.notes_of_games(games) if games else {}
        if new := [ImportNote(game, now, plies=0, user="", place="") for game in games if game not in notes]:
            await self._imports.note_imports(new)
        await self._drop([game for game, one in notes.items() if self.retention.drops_import(one.at, now)])

    async def _drop(self, games: Sequence[str]) -> None:
        if games:
            await self._store.delete_games(games)
        for game in games:
            self._forget(Deleted(game))


async def close_what_has_ended(site: Site) -> None:
    """Closes the sockets of sessions that have ended or expired, the streams of tokens that have ended, and both of
    people whom the host has shut out. Raises Unavailable: then nothing more is closed.
    """
    for sessions in _batches(site.open_sockets.sessions):
        good = await site.store.accounts.good_sessions(sessions)
        # One of them may have begun to be replaced meanwhile.
        still = site.open_sockets.sessions.intersection(sessions)
        _close_but(site, still, {key: one.user for key, one in good.items() if not site.sessions.expired(one)})
    for tokens in _batches(site.open_sockets.tokens):
        found = await site.store.tokens.find_all(tokens)
        now = await site.store.accounts.generations({one.owner for one in found})
        _close_but(site, tokens, {one.hashed: one.owner for one in found if now.get(one.owner) == one.generation})


def _batches(keys: Collection[str]) -> Iterator[Sequence[str]]:
    """A busy store is asked for so many at a time, and does other things in between."""
    ordered = sorted(keys)
    return (ordered[at : at + LOOKED_AT] for at in range(0, len(ordered), LOOKED_AT))


def _close_but(site: Site, keys: Collection[str], good: Mapping[str, str]) -> None:
    """Closes what is open here by `keys`, but for those that are `good`, with whose they are, if they are not out."""
    sanctions, now = site.live.services.sanctions, site.now()
    ended = frozenset(key for key in keys if key not in good or sanctions.shut_out(good[key], now))
    if ended:
        site.open_sockets.close(SessionsEnded(ended, SESSION_ENDED))
