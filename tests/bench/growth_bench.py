"""Whether a question to MongoDB takes longer when the site has more games: at 1,000 and at 100,000 in one run.

    python -m tests.bench.growth_bench [games]

Each figure is the processor time that SecantusDB takes for one question, mean of many, so that a busy machine hardly
shows. What a question returns is the same at both sizes: everybody has twenty games, and twenty games go on. SecantusDB
is not MongoDB: the milliseconds say nothing, only that they stay. How many games somebody has is left out: SecantusDB
reads all games for an `$or`, where MongoDB goes by both indexes. Archive, ratings and explorer have benches of their
own. Needs Linux.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from server.storage.mongo.store import MongoStore
from server.storage.protocols.people import Session, User
from server.storage.stores import ChatLine
from tests.bench.storage_bench import opened
from tests.support.games import START, live_game, over_game
from tests.support.live.processes import cpu_s
from tests.support.storage.engines import MongoPlace
from tests.support.storage.secantus import Secantus, secantus_in_memory
from tests.support.storage.stored_games import game_called

FEW, MANY = 1_000, 100_000
GOING_ON = 20
TOGETHER = 100
TIMES, ENOUGH_S = 300, 2.0
GROWN = 1.5
"""A question that takes so many times as long is named."""

Questions = dict[str, Callable[[], Awaitable[object]]]


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


async def measured(server: Secantus, count: int) -> dict[str, float]:
    """Milliseconds of the server's processor for each question."""
    async with opened(MongoPlace(server.uri)) as store:
        assert isinstance(store, MongoStore)
        await fill(store, count)
        return {words: await cost(server, ask) for words, ask in questions(store, count).items()}


async def cost(server: Secantus, ask: Callable[[], Awaitable[Any]]) -> float:
    await ask()
    asked, before, spent = 0, cpu_s(server.pid), 0.0
    while asked < TIMES and spent < ENOUGH_S:
        await ask()
        asked += 1
        spent = cpu_s(server.pid) - before
    return spent / asked * 1_000


async def main(sizes: Sequence[int]) -> None:
    costs = []
    for count in sizes:
        with secantus_in_memory() as server:
            costs.append(await measured(server, count))
    few, many = costs
    print(f"{'':24}{sizes[0]:>10,}{sizes[1]:>10,} games")
    for words in few:
        grown = many[words] > GROWN * few[words] + 0.1
        print(f"{words:24}{few[words]:7.2f} ms{many[words]:7.2f} ms{'  GROWS' if grown else ''}")


if __name__ == "__main__":
    asyncio.run(main((FEW, int(sys.argv[1]) if len(sys.argv) > 1 else MANY)))
