"""Carries out what the host asks for on the command line: on the store of a running server, or of a command that has
it to itself. Knows no request.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar, assert_never
from urllib.parse import quote

import orjson

from server.games.clocks.time_control import DAY_MS
from server.games.desk import Deed, DeskEntry, Role
from server.games.errors import NotAllowed
from server.games.joining import (
    MOST_INVITATIONS,
    Answer,
    Guests,
    Invitation,
    Joining,
    JoinRequest,
    SignUp,
    invitation_link,
    written,
)
from server.games.people import Report
from server.games.player import Player
from server.games.puzzles import Puzzle
from server.games.sanctions import LONGEST_WORDS, USUAL, Measure, Reason, Sanction, end_of
from server.language import english
from server.realtime.cluster.bus import Deleted, deletion_of
from server.realtime.play.chat import ChatForm, clean
from server.realtime.runtime.ids import digest, new_id
from server.realtime.services.desk import delete_account, give_role_to_account, make_claim
from server.realtime.services.joining import answer_request, choose_joining, make_invitation, revoke_invitation
from server.realtime.services.sanctions import impose_sanction, lift_sanction, mark_of_address
from server.storage.admin_commands import (
    AdmitAddress,
    AnswerRequest,
    ChooseJoining,
    ClaimHost,
    CloseReport,
    DeleteGame,
    DeleteImports,
    DeletePlayer,
    DeleteProfileText,
    Deletion,
    DeskCommand,
    EndInvitation,
    ExportPerson,
    GiveRole,
    ImposeSanction,
    Invite,
    JoiningCommand,
    KeepPuzzles,
    ListInvitations,
    ListJoining,
    ListPuzzles,
    ListReports,
    ListRoles,
    ListSanctions,
    Pardon,
    PostNotice,
    PuzzleCommand,
    RemoveNotice,
    RemovePuzzles,
    ResetPassword,
    SanctionCommand,
    StoreCommand,
    described,
    only_reads,
)
from server.storage.damage import WRONG
from server.storage.documents import Head
from server.storage.errors import NotStored, Unreadable
from server.storage.protocols.ratings import SHUFFLED
from server.storage.protocols.records import is_imported
from server.storage.stores import Store
from server.storage.tables.accounts import Account, fold
from server.storage.tables.imports import ImportNote
from server.storage.tables.notices import SiteNotice
from server.storage.tables.puzzles import Searched, puzzle_of
from server.web.accounts.accounts import NAME_HELD, ONCE
from server.web.accounts.export import data_of

NO_PUZZLES = "There are no puzzles. `fairyhouse puzzles make` makes some from the site's games."

MOST_REPORTS: Final = 200
"""Reports listed at once; closing some shows the next."""
NO_ROLES: Final = "Nobody has a role. `fairyhouse host claim` makes the link by which somebody becomes host.\n"
NO_INVITATIONS: Final = "There are no invitations that are good. `fairyhouse invite` makes one.\n"
Changed = TypeVar("Changed")
NO_SANCTIONS: Final = "Nothing was decided about anybody that holds now.\n"
NO_REPORTS: Final = "There are no open reports.\n"

DELETED_AT_ONCE = 100
"""Games or puzzles read and deleted at a time, few enough to delay no move."""


async def carry_out_command(
    store: Store, command: StoreCommand, now: int, address: str, forget: Callable[[Deleted], None], by: str
) -> str:
    """Does it at `now` (ms), and returns what to say of it. `address`: of the site, for links. `forget` is called for
    each deleted game. `by`: who typed it, for the log of the desk, which has what was asked for before it is done.

    For a reset password that is the owner's name, "" if there is no such account; for a notice removed, a report
    closed or an address admitted "yes", "" if there was none; for a notice posted "". Raises NotStored for what is not
    there, StoreError.
    """
    at_desk = DeskCommand | JoiningCommand | SanctionCommand | ExportPerson | KeepPuzzles
    if not (only_reads(command) or isinstance(command, at_desk)):
        told = described(command)
        entry = DeskEntry(f"command {now} {digest(told)[:16]}", now, Player("", by), Deed.COMMAND, detail=told)
        await store.desk.record(entry)
    match command:
        case ResetPassword(name, password):
            return await store.accounts.reset_password(name, password, now + ONCE) or ""
        case PostNotice(text, posted, until, restarts):
            await store.notices.post(SiteNotice(text, posted, until, restarts))
            return ""
        case RemoveNotice():
            return "yes" if await store.notices.remove() else ""
        case ListReports():
            return report_list(await store.reports.open(MOST_REPORTS), address)
        case CloseReport(report):
            return "yes" if await store.reports.close(report, now) else ""
        case DeleteGame() | DeleteImports() | DeletePlayer() | DeleteProfileText():
            return await carry_out_deletion(store, command, now, forget, Player("", by))
        case ClaimHost() | GiveRole() | ListRoles():
            return await carry_out_at_desk(store, command, now, Player("", by))
        case ChooseJoining() | ListJoining() | AnswerRequest() | Invite() | ListInvitations() | EndInvitation():
            return await carry_out_joining(store, command, now, address, Player("", by))
        case ImposeSanction() | Pardon() | ListSanctions():
            return await carry_out_sanctions(store, command, now, Player("", by))
        case AdmitAddress(box):
            return "yes" if await store.sanctions.let_in(await mark_of_address(store.addresses, box)) else ""
        case ExportPerson(name):
            return await export_person(store, await _account(store, name), now, address, Player("", by))
        case KeepPuzzles() | ListPuzzles() | RemovePuzzles():
            return await carry_out_puzzles(store, command, address)
        case _:
            assert_never(command)


async def carry_out_at_desk(store: Store, command: DeskCommand, now: int, by: Player) -> str:
    """Does it, and returns what to tell the host. Raises NotStored, also for what may not be, StoreError."""
    match command:
        case ClaimHost(claim):
            await make_claim(store.desk, claim, by, now)
            return ""
        case GiveRole(name, role):
            account = await _account(store, name)
            given = Role(role) if role else None
            await _allowed(give_role_to_account(store.desk, store.accounts, store.sanctions, account, given, by, now))
            return account.name
        case ListRoles():
            lines = []
            for person, role in (await store.desk.read()).roles:
                bearer = await store.accounts.of_user(person)
                lines.append(f"{role:10} {bearer.name if bearer else person}\n")
            return "".join(sorted(lines)) or NO_ROLES
        case _:
            assert_never(command)


async def carry_out_joining(store: Store, command: JoiningCommand, now: int, address: str, by: Player) -> str:
    """Does it, and returns what to tell the host. Raises NotStored, also for what may not be, StoreError."""
    match command:
        case ChooseJoining(sign_up, guests, question):
            before = (await store.site_settings.read()).joining
            chosen = Joining(
                SignUp(sign_up) if sign_up else before.sign_up,
                Guests(guests) if guests else before.guests,
                before.question if question is None else question,
            )
            await choose_joining(store, chosen, by, now)
            return _joining_in_words(chosen)
        case ListJoining():
            waiting = await store.joining.requests(Answer.WAITING, MOST_REPORTS)
            lines = [line for one in waiting for line in _request_lines(one)]
            return _joining_in_words((await store.site_settings.read()).joining) + "".join(lines)
        case AnswerRequest(name, accept, reason):
            answer = Answer.ACCEPTED if accept else Answer.REFUSED
            await _allowed(answer_request(store, fold(name), answer, by, now, reason))
            return ""
        case Invite(code, note, uses, made, until):
            await _allowed(make_invitation(store, Invitation(code, note, by, uses, made, until)))
            return invitation_link(address, code)
        case ListInvitations():
            found = [one for one in await store.joining.invitations(MOST_INVITATIONS) if now < one.until]
            places = Counter(one.code for one in await store.joining.places(*(one.code for one in found)))
            return "".join(_invitation_line(one, places[one.code]) for one in found) or NO_INVITATIONS
        case EndInvitation(code):
            await _allowed(revoke_invitation(store, code, by, now))
            return ""
        case _:
            assert_never(command)


def _joining_in_words(joining: Joining) -> str:
    asked = f"question: {joining.question}\n" if joining.question else ""
    return f"accounts: {joining.sign_up}\nguests: {joining.guests}\n{asked}"


def _request_lines(one: JoinRequest) -> Iterator[str]:
    yield f"\n{one.name} asks since {_minute(one.asked)}\n"
    for line in one.words.split("\n"):
        yield f"  | {line}\n"


def _invitation_line(one: Invitation, taken: int) -> str:
    return f"{written(one.code)}  until {_minute(one.until)}  used: {taken} of {one.uses or 'any'}  {one.note}\n"


def _minute(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def carry_out_sanctions(store: Store, command: SanctionCommand, now: int, by: Player) -> str:
    """Does it, and returns what to tell the host. Raises NotStored, also for what may not be, StoreError."""
    if isinstance(command, ListSanctions):
        return "".join(map(_sanction_line, await store.sanctions.standing(now))) or NO_SANCTIONS
    account = await _account(store, command.name)
    person = Player(account.user, account.name)
    if isinstance(command, Pardon):
        standing = [one for one in await store.sanctions.of(person.id) if one.holds(now)]
        lifted = [one for one in standing if await _allowed(lift_sanction(store, one, by, now))]
        return f"{person.name}: {', '.join(one.measure for one in lifted)} lifted.\n" if lifted else ""
    measure, words = Measure(command.measure), clean(command.words, ChatForm(LONGEST_WORDS, line_breaks=True))
    try:
        until = end_of(measure, command.length or USUAL[measure], now)
    except NotAllowed as refusal:
        raise NotStored(english().said(refusal)) from None
    made = Sanction(new_id(), person, measure, Reason(command.reason), words, "", by, now, until)
    # Who types it again, as they do not know whether it was done, has it completed.
    return _sanction_line(await _allowed(impose_sanction(store, made, now, once=True)))


def _sanction_line(one: Sanction) -> str:
    """One sanction as the host reads it."""
    until = datetime.fromtimestamp(one.until / 1000, UTC).strftime("until %Y-%m-%d %H:%M UTC") if one.until else ""
    ends = until or ("until it is read" if one.measure is Measure.WARN else "until it is lifted")
    return f"{one.measure:10} {one.person.name} ({one.reason}) {ends}, by {one.by.name}\n"


async def _allowed(change: Awaitable[Changed]) -> Changed:
    """What it returns. Raises NotStored with the words of what is not allowed."""
    try:
        return await change
    except NotAllowed as refusal:
        raise NotStored(english().said(refusal)) from None


def report_list(reports: Sequence[Report], address: str) -> str:
    """The oldest first, each with its id, day, people and game as links to the site at `address`."""
    return "\n".join("\n".join(_report_lines(one, address)) + "\n" for one in reports) or NO_REPORTS


def _report_lines(report: Report, address: str) -> Iterator[str]:
    yield f"{report.id}  {_minute(report.at)}  {report.kind}"
    yield f"  about {report.about.name} ({report.about.id}): {address}/@/{quote(report.about.name)}"
    yield f"  by {report.by.name} ({report.by.id})" if report.by.id else "  by somebody whose account is deleted"
    if report.game:
        yield f"  game: {address}/{report.game}"
    for line in report.text.split("\n"):
        yield f"  | {line}"


async def export_person(store: Store, account: Account, now: int, address: str, by: Player) -> str:
    """All that is kept about the owner of the account, as JSON; first notes in the log who asked. Raises StoreError."""
    key = f"{Deed.EXPORTED} {now} {digest(account.user)[:16]}"
    await store.desk.record(DeskEntry(key, now, by, Deed.EXPORTED, Player(account.user, account.name)))
    found = await data_of(store, address, account, await store.accounts.sessions(account.user), now)
    return orjson.dumps(found, option=orjson.OPT_INDENT_2).decode()


async def carry_out_deletion(
    store: Store, command: Deletion, now: int, forget: Callable[[Deleted], None], by: Player
) -> str:
    """Deletes if the command of `by` is `sure`, and returns a sentence that says what was or would be deleted.

    `forget` is called for each deleted game. Raises NotStored if there is nothing of that name, StoreError.
    """
    if isinstance(command, DeleteGame):
        return await _delete_game(store, command, forget)
    if isinstance(command, DeleteImports):
        return await _delete_imports(store, command, now, forget)
    account = await _account(store, command.name)
    if isinstance(command, DeleteProfileText):
        return await _delete_profile_text(store, account, sure=command.sure)
    told = await _account_in_words(store, account)
    if not command.sure:
        return f"This would delete {told}."
    # The server does the rest: it clears the seats, ratings, offers and push addresses.
    await _allowed(delete_account(store.desk, store.accounts, account, now + NAME_HELD, now, by))
    return f"Deleted {told}. The server clears the games and ratings within a minute of running."


async def _delete_profile_text(store: Store, account: Account, *, sure: bool) -> str:
    said = await store.profiles.text_of(account.user)
    if not said:
        return f"{account.name} says nothing about themselves."
    told = f"what {account.name} says about themselves: {said!r}"
    if not sure:
        return f"This would delete {told}."
    await store.profiles.forget(account.user)
    return f"Deleted {told}."


async def _delete_game(store: Store, command: DeleteGame, forget: Callable[[Deleted], None]) -> str:
    gone = Deleted(command.game)
    try:
        game = await store.load(command.game)
        if game is None:
            raise NotStored(f"There is no game {command.game}.")
        gone = deletion_of(game)
        said = await store.count_chat(command.game)
        told = f"the game {command.game} with {len(game.plies)} half-moves and {said} lines of chat"
    except Unreadable:
        told = f"the game {command.game}, which is damaged"
    if not command.sure:
        return f"This would delete {told}."
    await store.deletion.delete_games([command.game])
    forget(gone)
    return f"Deleted {told}."


async def _delete_imports(store: Store, command: DeleteImports, now: int, forget: Callable[[Deleted], None]) -> str:
    user = (await _account(store, command.name)).user if command.name else ""
    games, plies = 0, 0
    async for page in _imports(store, command, now, user):
        games, plies = games + len(page), plies + sum(page.values())
        if command.sure and page:
            await store.deletion.delete_games(list(page))
            for game in page:
                forget(Deleted(game))
    told = f"{games} imported games with {plies} half-moves"
    return f"Deleted {told}." if command.sure else f"This would delete {told}."


async def _imports(store: Store, command: DeleteImports, now: int, user: str) -> AsyncIterator[Mapping[str, int]]:
    """Yields the games that the command selects, page by page, each with its number of half-moves."""
    after: str | None = ""
    while after is not None:
        heads = await store.deletion.heads(after, DELETED_AT_ONCE)
        after = heads[-1][0] if len(heads) == DELETED_AT_ONCE else None
        lengths = {game: _length(head) for game, head in heads if is_imported(head)}
        notes = await store.imports.notes_of_games(list(lengths))
        yield {game: plies for game, plies in lengths.items() if _is_selected(command, notes.get(game), now, user)}


def _length(head: Head) -> int:
    plies = head.get("plies")
    return plies if isinstance(plies, int) else 0


def _is_selected(command: DeleteImports, note: ImportNote | None, now: int, user: str) -> bool:
    """Whether the command selects a game. One without a note belongs to nobody and may be new."""
    old_enough = command.days == 0 or (note is not None and note.at < now - command.days * DAY_MS)
    return old_enough and (not user or (note is not None and note.user == user))


async def _account(store: Store, name: str) -> Account:
    if (account := await store.accounts.find(name)) is None:
        raise NotStored(f"There is no account called {name}.")
    return account


async def _account_in_words(store: Store, account: Account) -> str:
    games = await store.count_by_player(account.user)
    sessions = await store.accounts.sessions(account.user)
    return f"the account of {account.name} with {len(sessions)} sessions; {games} games stay, without the name"


async def carry_out_puzzles(store: Store, command: PuzzleCommand, address: str) -> str:
    """Does it, and returns what to tell the host. `address`: of the site, for links. Raises NotStored, StoreError."""
    match command:
        case KeepPuzzles(game, variant, at, puzzles):
            await store.puzzles.keep_puzzles(Searched(game, variant, at), [_puzzle_of_fields(one) for one in puzzles])
            return ""
        case ListPuzzles(variant):
            lines = [
                _puzzle_line(puzzle, address) async for page in _pages_of_puzzles(store, variant) for puzzle in page
            ]
            return "\n".join(lines or [NO_PUZZLES])
        case _:
            return await _remove_puzzles(store, command)


def _puzzle_of_fields(fields: dict[str, int | str]) -> Puzzle:
    """Raises NotStored if these are no fields of a puzzle."""
    try:
        return puzzle_of(fields)
    except WRONG as error:
        raise NotStored(f"That is no puzzle ({error}).") from None


async def _pages_of_puzzles(store: Store, variant: str) -> AsyncIterator[Sequence[Puzzle]]:
    after = ""
    while page := await store.puzzles.page_of_puzzles(variant, after, DELETED_AT_ONCE):
        after = page[-1].id
        yield page


def _puzzle_line(puzzle: Puzzle, address: str) -> str:
    """One puzzle as the host reads it."""
    form = f"{puzzle.variant}{SHUFFLED * puzzle.chess960}"
    themes = " ".join(sorted(puzzle.themes))
    tried = f"rated {puzzle.rating.rounded}, tries: {puzzle.rating.games}"
    moves = len(puzzle.line) // 2 + 1
    origin = f"{address}/{puzzle.game}#{puzzle.ply}" if puzzle.game else "came with the program"
    return f"{puzzle.id}  {form}  moves: {moves}, {themes}  {tried}  {origin}"


async def _remove_puzzles(store: Store, command: RemovePuzzles) -> str:
    """Of `puzzles` none: all of the variant, and the games count as not searched. Raises NotStored."""
    if command.puzzles:
        found = [puzzle for one in command.puzzles if (puzzle := await store.puzzles.find_puzzle(one))]
        ids = [puzzle.id for puzzle in found]
        if missing := [one for one in command.puzzles if one not in ids]:
            raise NotStored(f"There is no puzzle {missing[0]}. `fairyhouse puzzles list` lists them.")
    else:
        ids = [puzzle.id async for page in _pages_of_puzzles(store, command.variant) for puzzle in page]
    told = f"{len(ids)} puzzle{'s' * (len(ids) != 1)}, with what people did at them"
    if not command.sure:
        return f"This would remove {told}.\nNothing was removed. Add --yes to do it."
    for start in range(0, len(ids), DELETED_AT_ONCE):
        await store.puzzles.remove_puzzles(ids[start : start + DELETED_AT_ONCE])
    if not command.puzzles:
        await store.puzzles.forget_searched(command.variant)
    return f"Removed {told}."
