"""What the stores take: moves made durable, searches of the archive, the opening explorer, and whether games slow them.

    python -m tests.bench.storage_bench [commits] [archive] [explorer] [growth] [GAMES]

Without arguments all four, with 100,000 games where that counts. The MongoDB figures are those of SecantusDB, a server
for tests: of them only ratios say anything.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from server.games.clocks.time_control import TimeControl
from server.games.state import Game
from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.position import Position
from server.rules.notation.fen import start_position
from server.rules.variant.pieces import Color
from server.storage import group_commit
from server.storage.documents import to_document
from server.storage.mongo.archive import stored
from server.storage.mongo.explorer import UNEXPLORED
from server.storage.mongo.store import MongoStore
from server.storage.protocols.archive import ArchiveEntry, Search, entry, entry_of, key_at
from server.storage.protocols.explorer import DEPTH, ExploredGame, additions, position_key
from server.storage.sqlite.archive import insert_entry
from server.storage.sqlite.rows import insert_game
from server.storage.stores import ChatLine, Store
from server.storage.tables.accounts import Session, User
from server.web.archive.search import look
from tests.support.games import START, live_game, over_game
from tests.support.live.processes import cpu_s
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import MongoPlace, SqlitePlace
from tests.support.storage.secantus import Secantus, secantus_in_memory
from tests.support.storage.stored_games import game_called, random_steps

GAMES = 100_000


@asynccontextmanager
async def opened(place: SqlitePlace | MongoPlace) -> AsyncIterator[Store]:
    try:
        yield await place.open()
    finally:
        await place.leave()


async def at_both(measure: Callable[[str, Store], Awaitable[None]]) -> None:
    """Runs `measure` with a new store of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(SqlitePlace(Path(folder))) as store:
            await measure("SQLite", store)
    with secantus_in_memory() as server:
        async with opened(MongoPlace(server.uri)) as store:
            await measure("SecantusDB", store)


async def best(ask: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds of the quickest of three, as the machine has other work."""
    took = []
    for _ in range(3):
        began = perf_counter()
        await ask()
        took.append((perf_counter() - began) * 1_000)
    return min(took)


# Commits

AT_ONCE = (1, 100, 1000)
ROUNDS = 3
SECONDS = 1.0
"""Of each measurement; there are ROUNDS of each kind."""
WAYS = {"one by one": 1, "group": group_commit.BATCH_LIMIT}

course: list[Game] = random_steps(live_game(variant="grand", control=TimeControl.unlimited()), 200)
numbers: Iterator[int] = count()


async def commits(_: int) -> None:
    """Moves made durable in a second: group commit beside one commit per move.

    A closed loop: so many games at once, each saving its next move as soon as the last one is acknowledged. Both ways
    go through the same code; "one by one" lets only one move into a batch. They take turns, so that a busy machine
    slows both. SQLite waits for the disk at every commit.
    """
    await at_both(compare)


async def new_game(store: Store) -> str:
    game_id = f"bench{next(numbers)}"
    await store.create(replace(course[0], id=game_id))
    return game_id


async def play_on(store: Store, game_id: str, until: float, took: list[float]) -> None:
    """Save one game after the other, move by move, until the time is over; note how long each move took, in seconds."""
    while True:
        for before, after in pairwise(course):
            began = perf_counter()
            if began >= until:
                return
            await store.save(replace(before, id=game_id), replace(after, id=game_id))
            took.append(perf_counter() - began)
        game_id = await new_game(store)


async def measured(store: Store, games: int, way: str) -> list[float]:
    """Seconds of every move saved within SECONDS by so many games at once."""
    group_commit.BATCH_LIMIT = WAYS["group"]
    game_ids = await asyncio.gather(*(new_game(store) for _ in range(games)))
    group_commit.BATCH_LIMIT = WAYS[way]
    took: list[float] = []
    until = perf_counter() + SECONDS
    await asyncio.gather(*(play_on(store, game_id, until, took) for game_id in game_ids))
    return took


async def compare(name: str, store: Store) -> None:
    for games in AT_ONCE:
        rounds: dict[str, list[list[float]]] = {way: [] for way in WAYS}
        for _ in range(ROUNDS):
            for way in WAYS:
                rounds[way].append(await measured(store, games, way))
        rates = {way: median(len(took) for took in rounds[way]) / SECONDS for way in WAYS}
        figures = "   ".join(f"{way}: {rates[way]:7.0f}/s {latency(rounds[way])}" for way in WAYS)
        print(f"{name:9} {games:5} games   {figures}   ratio {rates['group'] / max(1, rates['one by one']):5.1f}")
    began = perf_counter()
    game = await store.load("bench0")
    print(f"{name:9} read and replay {len(game.plies) if game else 0} moves: {perf_counter() - began:.4f} s")


def latency(rounds: list[list[float]]) -> str:
    took = [seconds * 1_000 for one in rounds for seconds in one]
    return f"p50 {median(took):7.2f} p99 {quantiles(took, n=100)[98]:7.2f} ms" if len(took) > 1 else "too slow to say"


# The archive

BATCH = 1_000
PAGE = 20
MINUTE = 60_000
BUSY = 0.01
"""How often each seat is the busiest player's."""

QUESTIONS = {
    "newest": Search(),
    "variant": Search(variant="grand"),
    "rare variant": Search(variant="acedrex"),
    "variant and draw": Search(variant="grand", outcome="draw"),
    "variant, reason, result, rated": Search(variant="grand", reason="stalemate", outcome="draw", rated=True),
    "nothing fits": Search(variant="grand", reason="bare-king", outcome="draw", rated=True, source="played"),
    "common, but never together": Search(variant="shouse", reason="stalemate"),
    "six common, never together": Search(
        variant="chess", chess960=False, outcome="black", reason="time", rated=True, source="played"
    ),
    "imported": Search(source="imported"),
    "960": Search(chess960=True),
    "a day in between": Search(since=START + GAMES // 2 * MINUTE, until=START + (GAMES // 2 + 1440) * MINUTE),
    "busy player": Search(player="busy"),
    "busy player as black": Search(player="busy", color=Color.BLACK),
    "busy player won": Search(player="busy", outcome="won"),
    "busy player, rare variant": Search(player="busy", variant="acedrex"),
    "two players": Search(player="busy", opponent="name7"),
    "unknown player": Search(player="nobody"),
}


def archive_entries(count: int) -> Sequence[ArchiveEntry]:
    """Entries of so many games, one a minute, like those that people play: few variants often, most endings seldom."""
    model = entry_of(over_game())
    assert model is not None
    random = Random(1)
    variants = random.choices(["chess", "crazyhouse", "grand", "shouse", "acedrex"], [50, 30, 14, 5.9, 0.1], k=count)
    endings = [("1-0", "checkmate"), ("0-1", "resign"), ("1-0", "time"), ("1/2-1/2", "stalemate"), ("0-1", "bare-king")]
    made = []
    for number in range(count):
        variant = variants[number]
        result, reason = random.choices(endings, [40, 40, 15, 4.9, 0.1])[0]
        if variant == "shouse" and reason == "stalemate":
            reason = "time"
        white, black = (archived_name(random), archived_name(random))
        ended = START + number * MINUTE
        line: dict[str, int | str] = {
            "_id": f"{number:010d}",
            "variant": variant,
            "chess960": int(random.random() < 0.02),
            "white_name": white,
            "black_name": black,
            "rated": int(random.random() < 0.5),
            "control": "realtime",
            "initial": "300000 300000",
            "increment": "3000 3000",
            "days": -1,
            "status": "over",
            "result": result,
            "reason": reason,
            "plies": 80,
            "created": ended,
            "ended": ended,
            "board": "8/" * 7 + "8",
            "imported": int(random.random() < 0.05),
        }
        made.append(entry(line, 0))
    return made


def archived_name(random: Random) -> str:
    return "Busy" if random.random() < BUSY else f"name{random.randrange(5_000)}"


async def archive(games: int) -> None:
    """A page of the archive, asked for as the site asks: at the newest game and from the middle on.

    The figure is the slower of both. "whole" is the time in which a page as full as can be is given (see
    `server/web/archive/search.py`).
    """
    made = archive_entries(games)

    async def measure(name: str, store: Store) -> None:
        await file_games(store, made)
        middle, slowest = key_at(START + len(made) // 2 * MINUTE), 0.0
        for words, search in QUESTIONS.items():
            page = max(
                [await best(lambda at=at, search=search: store.archive.page(search, PAGE, at)) for at in ("", middle)]
            )
            whole = max(
                [await best(lambda at=at, search=search: look(store.archive, search, PAGE, at)) for at in ("", middle)]
            )
            found = await look(store.archive, search, PAGE, "")
            slowest = max(slowest, page, whole)
            more = "and more" if found.next else "all"
            print(
                f"{name:10} {words:32} page {page:6.1f} ms   whole {whole:6.1f} ms   {len(found.games):2} games {more}"
            )
        print(f"{name:10} slowest {slowest:.1f} ms", flush=True)

    await at_both(measure)


async def file_games(store: Store, made: Sequence[ArchiveEntry]) -> None:
    """Puts games that can be opened there, each with its entry in the archive."""
    model = game_called("model", over_game())
    document = to_document(model)
    if isinstance(store, MongoStore):
        await store.create(model)
        stored_model = await store._database["games"].find_one({"_id": "model"})
    for start in range(0, len(made), BATCH):
        batch = made[start : start + BATCH]
        if isinstance(store, MongoStore):
            await store._database["games"].insert_many([{**stored_model, "_id": one.id} for one in batch])
            await store._database["archive"].insert_many([{"_id": one.id, **stored(one)} for one in batch])
            continue

        def write(connection: Any, batch: Sequence[ArchiveEntry] = batch) -> None:
            for one in batch:
                insert_game(connection, {**document.head, "_id": one.id}, document.moves)
                insert_entry(connection, one)

        await store._file.write(write)  # type: ignore[attr-defined]


# The explorer

EXPLORED_TOGETHER = 20
LINES = 2_000
"""Different lines of known moves; what comes after `KNOWN` half-moves is each game's own."""
KNOWN = 14
PUT_TOGETHER = 2_000
"""Documents put there by one command."""
PLACES = (0, 1, 2, 4, 8, 16)
"""Half-moves after which positions are looked up."""


async def explorer(games: int) -> None:
    """The opening explorer: looking a position up, what it costs a game that ends, and how much room it takes.

    The games are lines of thirty half-moves of which some are played much more often than others, as openings are; so
    the first positions count nearly all games, and most of the last ones a single game. Each figure is the slowest of
    several positions. SecantusDB counts a hundredth of the games; then those for looking up alone: counting all would
    take it hours, so their counts are put there at once, and of the positions that only one game has a tenth.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = SqlitePlace(Path(folder))
        async with opened(place) as store:
            empty = place.path.stat().st_size
            await count_games("SQLite", store, games)
        print(f"  {(place.path.stat().st_size - empty) / games / 1000:.2f} kB a game")
    with secantus_in_memory() as database:
        async with opened(MongoPlace(database.uri)) as store:
            await count_games("SecantusDB", store, games // 100)
        async with opened(MongoPlace(database.uri)) as store:
            assert isinstance(store, MongoStore)
            await put_counts("SecantusDB", store, games)


def opening_lines(random: Random) -> list[list[tuple[str, str]]]:
    """Openings, and each a way on: positions and moves. Early moves are often the same."""
    return [opening_line(random) for _ in range(LINES)]


def opening_line(random: Random) -> list[tuple[str, str]]:
    position: Position = start_position(VARIANTS["chess"])
    steps = []
    for _ in range(DEPTH):
        moves = legal_moves(position)
        if not moves:
            break
        move = moves[min(int(random.expovariate(0.5)), len(moves) - 1)]
        steps.append((position_key(position), move.uci))
        position = play(position, move)
    return steps


def explored_games(count: int) -> Sequence[ExploredGame]:
    random = Random(1)
    known = opening_lines(random)
    return [
        ExploredGame(
            game=f"game{number:06d}",
            steps=with_late_moves_of_its_own(known[int(random.random() ** 2 * LINES)], number),
            winner=random.choice((Color.WHITE, Color.BLACK, None)),
            rating=random.randrange(1000, 2400) if number % 2 else None,
            ended=START + number,
        )
        for number in range(count)
    ]


def with_late_moves_of_its_own(steps: Sequence[tuple[str, str]], number: int) -> Sequence[tuple[str, str]]:
    """The line, whose late positions no other game has."""
    late = [(f"chess/{number:021d}{ply:x}", move) for ply, (_, move) in enumerate(steps[KNOWN:])]
    return [*steps[:KNOWN], *late]


async def mark_ended(store: Store, found: Sequence[ExploredGame]) -> None:
    """Marks games as if they had just ended."""
    if isinstance(store, MongoStore):
        documents = [{"_id": one.game, UNEXPLORED: 1} for one in found]
        await store._games.insert_many(documents)
        return
    names = [(one.game,) for one in found]
    await store._file.write(lambda connection: connection.executemany("INSERT INTO unexplored VALUES (?)", names))  # type: ignore[attr-defined]


async def count_games(name: str, store: Store, count: int) -> None:
    found, began, spent = explored_games(count), perf_counter(), 0.0
    for start in range(0, count, EXPLORED_TOGETHER):
        batch = found[start : start + EXPLORED_TOGETHER]
        await mark_ended(store, batch)
        began = perf_counter()
        await store.explorer.take_in(batch)
        spent += perf_counter() - began
    print(f"{name}: {count:,} games, {1000 * spent / count:.2f} ms to count one")
    await look_up(store, found)


async def look_up(store: Store, found: Sequence[ExploredGame]) -> None:
    for ply in PLACES:
        places = {one.steps[ply][0] for one in found[:200]}
        times = [await best(lambda place=place: store.explorer.moves(place)) for place in sorted(places)[:20]]
        print(f"  after {ply:2} half-moves: {max(times):6.2f} ms", flush=True)


async def put_counts(name: str, store: MongoStore, count: int) -> None:
    found = explored_games(count)
    known = [replace(one, steps=one.steps[:KNOWN]) for one in found]
    alone = [replace(one, steps=one.steps[KNOWN:]) for one in found[::10]]
    counts = [*additions(known), *additions(alone)]
    for start in range(0, len(counts), PUT_TOGETHER):
        documents = [{"_id": f"{one['position']} {one['move']}", **one} for one in counts[start : start + PUT_TOGETHER]]
        await store._database["explorer"].insert_many(documents, ordered=False)
    print(f"{name}: {count:,} games, {len(counts):,} documents")
    await look_up(store, found[::10])


# Growth

FEW = 1_000
GOING_ON = 20
TOGETHER = 100
TIMES, ENOUGH_S = 300, 2.0
GROWN = 1.5
"""A question that takes so many times as long is named."""

Questions = dict[str, Callable[[], Awaitable[object]]]


async def growth(games: int) -> None:
    """Whether a question to MongoDB takes longer when the site has more games: at 1,000 and at 100,000.

    Each figure is the processor time that SecantusDB takes for one question, mean of many, so that a busy machine
    hardly shows. What a question returns is the same at both sizes: everybody has twenty games, and twenty games go on.
    How many games somebody has is left out: SecantusDB reads all games for an `$or`, where MongoDB goes by both
    indexes. Needs Linux.
    """
    costs = []
    for size in (FEW, games):
        with secantus_in_memory() as server:
            costs.append(await costs_of_questions(server, size))
    few, many = costs
    print(f"{'':24}{FEW:>10,}{games:>10,} games")
    for words in few:
        grown = many[words] > GROWN * few[words] + 0.1
        print(f"{words:24}{few[words]:7.2f} ms{many[words]:7.2f} ms{'  GROWS' if grown else ''}")


async def fill(store: MongoStore, count: int) -> None:
    """Puts so many games there at once, with their chat and guests: as the store itself has written one of each."""
    for game in (game_called("over", over_game()), game_called("live", live_game())):
        await store.create(game)
        await store.add_chat(ChatLine(game.id, "players", "w", "Wanda", "hello", START))
    await store.add_guest(User("p", "Guest", guest=True, created=START), Session("hash", "p", START, START))
    database = store._database
    over, live = [await database["games"].find_one({"_id": name}) for name in ("over", "live")]
    line, user, session = [await database[name].find_one({}) for name in ("chat", "users", "sessions")]
    people = count // 10
    for start in range(0, count, TOGETHER):
        numbers = range(start, start + TOGETHER)
        games = [
            {
                **(live if number % (count // GOING_ON) == 0 else over),
                "_id": f"g{number}",
                "created": START + number,
                "remind_at": -1,
                "white": f"p{number % people}",
                "black": f"p{(number * 7 + 1) % people}",
            }
            for number in numbers
        ]
        await database["games"].insert_many(games)
        lines = [{**line, "_id": f"l{number}", "game": f"g{number}", "number": 9 + number} for number in numbers]
        await database["chat"].insert_many(lines)
        guests = [number for number in numbers if number < people]
        if guests:
            await database["users"].insert_many([{**user, "_id": f"p{number}"} for number in guests])
            sessions = [{**session, "_id": f"h{number}", "user": f"p{number}"} for number in guests]
            await database["sessions"].insert_many(sessions)


def questions(store: MongoStore, count: int) -> Questions:
    middle, person = f"g{count // 2 + 1}", f"p{count // 20 + 1}"
    return {
        "a game": lambda: store.load(middle),
        "revisions of 20 games": lambda: store.progress([f"g{count // 2 + number}" for number in range(20)], START + 1),
        "somebody's newest 10": lambda: store.by_player(person, 10),
        "what somebody plays": lambda: store.running_of(person),
        "all that go on": store.running,
        "due soon": lambda: store.due(START + 10**12, 10),
        "to be reminded": lambda: store.to_remind(START, 10),
        "chat of a game": lambda: store.chat(middle, 50),
        "a session": lambda: store.session(f"h{count // 20}"),
        "games to be counted": lambda: store.ratings.uncounted(10),
        "games to be explored": lambda: store.explorer.unexplored(10),
        "open seeks": store.seeks.open,
    }


async def costs_of_questions(server: Secantus, count: int) -> dict[str, float]:
    """Milliseconds of the server's processor for each question."""
    async with opened(MongoPlace(server.uri)) as store:
        assert isinstance(store, MongoStore)
        await fill(store, count)
        return {words: await cost_of_question(server, ask) for words, ask in questions(store, count).items()}


async def cost_of_question(server: Secantus, ask: Callable[[], Awaitable[Any]]) -> float:
    await ask()
    asked, before, spent = 0, cpu_s(server.pid), 0.0
    while asked < TIMES and spent < ENOUGH_S:
        await ask()
        asked += 1
        spent = cpu_s(server.pid) - before
    return spent / asked * 1_000


PARTS: dict[str, Callable[[int], Awaitable[None]]] = {
    "commits": commits,
    "archive": archive,
    "explorer": explorer,
    "growth": growth,
}


async def main() -> None:
    given = sys.argv[1:]
    games = next((int(one) for one in given if one.isdigit()), GAMES)
    for name in [one for one in given if not one.isdigit()] or PARTS:
        print(f"{PARTS[name].__doc__}".splitlines()[0], flush=True)
        await PARTS[name](games)


if __name__ == "__main__":
    asyncio.run(main())
