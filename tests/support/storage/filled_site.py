"""A site with something of every kind that a store keeps, and what is then in its file."""

import sqlite3
from contextlib import closing
from dataclasses import replace

from server.games.changes.beginning import Join
from server.games.clocks.time_control import TimeControl
from server.games.clocks.vacations import Vacation
from server.games.desk import Deed, DeskEntry
from server.games.desk import Role as DeskRole
from server.games.game import play
from server.games.joining import Answer, Guests, Invitation, Joining, JoinRequest, SignUp
from server.games.people import ApiToken, Report, ReportKind, SaidLine, Scope, Tie, TieKind
from server.games.player import Player
from server.games.sanctions import Measure, Reason, Sanction
from server.games.seeks import Pairing as SeekPairing
from server.games.studies import Chapter, Member, Role, Study, WrittenChapter
from server.games.tournaments.tournament import (
    Act,
    ActKind,
    Correction,
    Entrant,
    GameResult,
    Pairing,
    Placing,
    Played,
    Scoring,
    Sheet,
    TournamentTerms,
    announced,
    finished,
    next_section,
)
from server.realtime.services.desk import give_role, make_claim
from server.realtime.services.joining import answer_request, ask_to_join, choose_joining, make_invitation, take_place
from server.rules.variant.pieces import Color
from server.storage.sqlite.rows import head_of
from server.storage.sqlite.store import SqliteStore
from server.storage.stores import ChatLine
from server.storage.tables.accounts import DELETED_NAME, Session, User
from server.storage.tables.addresses import MailAddress
from server.storage.tables.held_words import HeldWords
from server.storage.tables.imports import ImportNote
from server.storage.tables.lessons import StepDone
from server.storage.tables.notes import Note
from server.storage.tables.notices import SiteNotice
from server.storage.tables.notification_settings import NotificationSettings
from server.storage.tables.outbox import HeldNews, Mailbox, News, OutboxMail
from server.storage.tables.profiles import ProfileText
from server.storage.tables.push import Device
from server.storage.tables.puzzles import PuzzleTry, Searched
from server.storage.tables.vacations import TakenVacation
from tests.support.games import BORIS, INVITE, START, live_game, open_game, running_game
from tests.support.imported_games import MATE, tagged
from tests.support.puzzles import SMOTHERED
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.alerts import ANY, BENS, GRAND
from tests.support.storage.rated_games import ANNA, BERTA, CARL, DORA, count_all, played, register
from tests.support.storage.seeks import BEN, EVERY_KIND, NOW
from tests.support.storage.stored_games import game_called, random_steps, save_all

PLIES = 60
"""Moves of the random games: some of them end on the board before."""


async def decisions(store):
    """A report about Carl, and what was decided."""
    lines = (SaidLine(START, CARL.id, CARL.name, 'é "x"'),)
    await store.reports.add(Report("r1", ANNA, CARL, ReportKind.INSULTS, "running", 'é\n"by"', START, lines=lines))
    await store.reports.take_case(CARL.id, Player(BERTA.id, BERTA.name), START)
    muted = Sanction("s1", CARL, Measure.MUTE, Reason.INSULT, "é", "", BERTA, START, START + 9)
    blocked = store.sanctions.block_steps(muted, "d1ce", START + 9)
    await store.desk.record(
        DeskEntry("sanction s1", START, BERTA, Deed.SANCTION, CARL), store.sanctions.add_step(muted), *blocked
    )
    await store.sanctions.note_network("guest", "d1ce", START)
    await store.sanctions.keep_out(["d1ce"], START + 9)


async def people(store):
    await register(store, ANNA, BERTA, CARL, DORA)
    await store.add_guest(User("guest", "SwiftOwl42", True, START), Session("guest's", "guest", START, START + 5))
    await store.accounts.keep_preferences(ANNA.id, "1|board:slate|sound_chat:off")
    dora = await store.accounts.find("dora")
    await store.accounts.delete(dora, START + 1_000)
    assert any(one.name == DELETED_NAME for one in await store.accounts.merges())
    await store.push.keep(Device("https://push.example/1", ANNA.id, "key", "auth", "es"))
    address = MailAddress(ANNA.id, "anna@example.org", "es", START, confirmed=START + 1, wishes=("turn:at_once",))
    address = replace(address, bounced=START + 2, bounced_mail="a1b2c3")
    await store.addresses.add(address)
    await store.addresses.signing_key()
    await store.notification_settings.keep(NotificationSettings(ANNA.id, "Europe/Madrid", 22 * 60, 7 * 60, ("result",)))
    await store.profiles.keep_text(ProfileText(ANNA.id, "I play slowly.", START))
    assert await store.notes.keep_note(Note(ANNA.id, BERTA.id, "", "Plays fast.", START))
    await store.lessons.note(StepDone(ANNA.id, "chess", "in-passing", START))
    await store.unwanted_mail.add("a1b2c3", START)
    assert await store.received_mail.note_mail("d1ce", ANNA.id, START)
    await store.tokens.add(ApiToken("f00d", ANNA.id, "my bot", frozenset({Scope.BOT_PLAY}), START, START + 7))
    chapter = WrittenChapter(Chapter("c1", "s1", ANNA.id, 'Traps "é"', "chess", False), "1. e4 { best } *\n")
    await store.studies.add_study(Study("s1", ANNA.id, "Openings", ("c1",), START, START + 1, shared=True), [chapter])
    await store.studies.keep_member(Member("s1", ANNA.id, Player(BERTA.id, BERTA.name), Role.WRITE, START + 2))
    await store.puzzles.keep_puzzles(Searched(SMOTHERED.game, SMOTHERED.variant, START), [SMOTHERED])
    tried = PuzzleTry(ANNA.id, SMOTHERED.id, True, START)
    assert await store.puzzle_tries.note_try(tried, SMOTHERED)
    await decisions(store)
    assert await store.held_words.change(HeldWords(), ("darn", "é"))
    for kind, other in ((TieKind.FOLLOWS, BERTA), (TieKind.BLOCKS, CARL)):
        await store.ties.keep(Tie(ANNA.id, kind, Player(other.id, other.name), START))
    await make_claim(store.desk, "digest", ANNA, START)
    await give_role(store.desk, BERTA, DeskRole.ORGANISER, Player("", "root"), START)
    await choose_joining(store, Joining(SignUp.ASKED, Guests.LINK, "Who are you?"), BERTA, START)
    await make_invitation(store, Invitation("23456789AB", "Poster", BERTA, 5, START, START + 9))
    await take_place(store, "23456789AB", ANNA.id, "anna", START)
    await ask_to_join(store, JoinRequest("nuri", "Nuri", "hash", "I play\nhere.", START, "nuri@example.org"))
    await answer_request(store, "nuri", Answer.REFUSED, BERTA, START, "Full.")
    await store.notices.post(SiteNotice("We move on Sunday.", START, START + 9))
    for until, settled in ((START, False), (START + 9, True)):
        await store.vacations.begin(TakenVacation(ANNA.id, Vacation(until - 5, until), settled))
    await tournament(store)
    news = game_called("held", live_game(control=TimeControl.correspondence(3)))
    await store.outbox.put(
        OutboxMail("m1", ANNA.id, address.address, "", "Subject: é\r\n\r\nHi", START, START, START + 9)
    )
    await store.create(news)
    held = HeldNews(Mailbox(ANNA.id, address.address), news.id, "turn", news.rev, START + 5)
    await store.outbox.tell(News(news.id, news.rev), [], [held])
    for alert in (GRAND, ANY, BENS):
        await store.alerts.add_alert(alert, NOW)
    assert await store.alerts.claim_notification(ANNA.id, START, START - 1)


async def tournament(store):
    """An arena that has been played, with whatever can be said of a game in it."""
    terms = TournamentTerms("Zoë's cup", "arena", "chess", False, TimeControl.realtime(60_000, 0), True, START, 20)
    cup = announced("cup", ANNA, terms, START - 1)
    await store.tournaments.announce_tournament(cup)
    for one in (ANNA, BERTA):
        await store.tournaments.keep_entrant(cup.id, None, Entrant(one, 1500, True, START, at=START))
    term = await store.tournaments.lease(cup.id, "node", START, START + 9)
    pairing = Pairing("cupgame", 1, 0, ANNA.id, BERTA.id, START)
    assert await store.tournaments.add_wave(cup.id, [pairing], "node", term)
    result = GameResult(pairing, Color.WHITE, 20, START + 5, berserk=(True, False))
    assert await store.tournaments.add_result(cup.id, result)
    act = Act(ActKind.RESULT, "cupgame", ANNA, START + 6, said=Correction.NO_BLACK.value)
    assert await store.tournaments.add_act(cup.id, act)
    won = Played("cupgame", BERTA.id, Color.WHITE, True, False, 2, False, True, False, START + 5)
    first = Sheet(Entrant(ANNA, 1500, True, START), (won,))
    leased = await store.tournaments.find_tournament(cup.id)
    await store.tournaments.keep_placings(leased, {ANNA.id: Placing(1, 2, 2, START + 9)})
    assert await store.tournaments.change_tournament(finished(leased, START + 9, [first]))
    days = TimeControl.correspondence(3)
    terms = TournamentTerms(
        "Club",
        "robin",
        "chess",
        False,
        days,
        True,
        START,
        0,
        Scoring.PLAIN,
        berserk=False,
        size=4,
        twice=True,
        go_on=True,
    )
    section = announced("section", ANNA, terms, START)
    await store.tournaments.announce_tournament(section)
    assert await store.tournaments.change_tournament(replace(section, called=1, led_to="final", rev=2))
    assert await store.tournaments.open_section(next_section("final", section, 2, 1, START + 9))


async def games(store):
    for number, variant in enumerate(VARIANTS):
        steps = random_steps(game_called(f"random-{variant}", variant=variant), PLIES, seed=number)
        await store.create(steps[0])
        await save_all(store, steps)
    await store.create(game_called("open", open_game()))
    joined, _ = play(game_called("joined", open_game()), Join(BORIS, INVITE), START)
    await store.create(joined)
    await store.create(game_called("running", running_game()))
    await store.create(tagged(f"{{so}} {MATE} $1 0-1", White="Zoë"))
    for number, result in enumerate(["1-0", "0-1", "1/2-1/2", "1-0"]):
        await played(store, f"rated{number}", ANNA, (BERTA, CARL)[number % 2], result, START + number)
    await played(store, "casual", BERTA, ANNA, "1-0", START + 9, rated=False)
    for number in range(3):
        await store.add_chat(ChatLine("running", "players", "w", "Wanda", f"line {number} \n\0é", START + number // 2))


async def fill_site(path):
    """Something of everything into a new file."""
    store = await SqliteStore.open(path, VARIANTS)
    await people(store)
    await games(store)
    await count_all(store)
    for one in EVERY_KIND:
        await store.seeks.add(one)
    assert await store.seeks.take("s1", SeekPairing(BEN, "grand", Color.WHITE))
    await store.challenges.note("open", ANNA.id, NOW)
    await store.imports.note_imports([ImportNote("casual", NOW, 4, ANNA.id, "a1b2")])
    await store.mark_alive("node", START)
    await store.close()


def contents(path):
    """All rows of all tables, heads in full, but for marks that mean nothing outside of the store that made them."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall()) for name in tables}
        columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(games)")]
    token, head = columns.index("token"), columns.index("head")
    rows["games"] = [(*row[:token], *row[token + 1 : head], head_of(row[0], row[head])) for row in rows["games"]]
    for marks in ("probe", "untold"):
        del rows[marks]
    return rows
