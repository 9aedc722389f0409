"""A flood of sign-ins keeps one core busy at most, and no game waiting (A5)."""

import asyncio
import time
from collections import Counter

import pytest

from tests.support.rules.random_games import random_game
from tests.support.web.accounts import go, register, sign_in
from tests.support.web.people import Person

AT_ONCE = 8
HASHES = 15


async def attack(people, tries, ask):
    """How often which status came; each of the people asks one thing after the other."""
    left, came = iter(range(tries)), Counter()

    async def one(person):
        for number in left:
            came[await ask(person, number)] += 1

    await asyncio.gather(*map(one, people))
    return came


async def guess(person, number):
    answer = await go(person, "/sign-in", name="aNNa", password=f"guess {number}")
    return answer[0]


async def look(person, number):
    async with person.http.get("/sign-in", params={"n": number}) as answer:
        await answer.read()
        return answer.status


async def time_moves(anna, ben, seconds_over, moves):
    """Milliseconds that the moves took, played until `seconds_over` is done or the moves are; slowest last."""
    game, took = await anna.challenge(variant="crazyhouse"), []
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        for ply, uci in enumerate(moves):
            if seconds_over.done() and ply > 20:
                break
            begun = time.perf_counter()
            assert (await (white, black)[ply % 2].move(ply, uci))["t"] == "ok"
            took.append((time.perf_counter() - begun) * 1000)
            await asyncio.sleep(0.01)
    return sorted(took)


@pytest.mark.alone
@pytest.mark.row("A5")
async def test_a_flood_of_sign_ins_costs_few_hashes_and_slows_no_game(host, scale, counted, at_most):
    tries, moves = scale(1_000), random_game(300)
    await host.start()
    anna, ben, owner = (Person(host.site) for _ in range(3))
    attackers = [Person(host.site, address="127.0.0.2") for _ in range(AT_ONCE)]
    try:
        await register(owner, "Anna")
        slowest = []
        # The same number of requests that cost nothing is the control: the attackers share these two cores.
        for ask in (look, guess):
            flood = asyncio.ensure_future(attack(attackers, tries, ask))
            took = await time_moves(anna, ben, flood, moves)
            came = await flood
            slowest.append(took[int(len(took) * 0.99)])
        assert came[403] <= HASHES, "a wrong password was compared"
        assert came[403] + came[429] + came[503] == tries
        assert (await owner.get("/api/me"))["name"] == "Anna", "who is signed in stays so"
        assert await sign_in(attackers[0], "Anna") == 429
    finally:
        await asyncio.gather(*(person.http.close() for person in (anna, ben, owner, *attackers)))
    assert at_most(slowest[1], slowest[0] + 20)
    counted("tries", tries)
    counted("hashes", came[403])
    counted("ms for a move in the flood", round(slowest[1]))
    counted("ms without hashes", round(slowest[0]))
