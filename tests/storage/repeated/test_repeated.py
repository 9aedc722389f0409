"""Whatever call of the store fails, and in whatever way: who repeats what they did has in the end what they would have.
And whatever another process does between two calls: the end is one that some order of both would have.

For each action the undisturbed end is known first; then each of its calls fails in each way, the action is repeated as
its author would, and all that is stored is compared. Then another process does something that changes one of the same
records before each of its calls.
"""

import asyncio
import json
import re
from collections import Counter
from contextvars import Context
from typing import get_args

import pytest
import pytest_asyncio

from server.mail.delivery import DeliveryOutcome
from server.mail.inbound.mail_commands import MailCommand
from server.storage.admin_commands import StoreCommand
from server.storage.protocols.archive import YEAR_ONE_MS
from tests.storage.repeated.actions import (
    ACTIONS,
    AGAIN_AFTER_MS,
    ALIKE,
    CHANGES_NOTHING,
    CROSSING,
    ENDS_GAMES,
    LATER_MS,
    LEAVES,
    LEAVES_A_GUEST,
    MORE_EACH_TIME,
    ONE_BY_ONE,
    SAID_IN_BETWEEN,
    SAYS,
    WHOLE_BEFORE,
    Hand,
    before,
    made_world,
)
from tests.storage.repeated.fault_store import (
    FAULT,
    GONE_AFTER,
    GONE_BEFORE,
    REFUSED,
    UNKNOWN,
    Fault,
    content_on,
    is_read,
)
from tests.storage.repeated.site import SOMEBODY_WAITS, Deaf, Sites
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(0)]
"""Each case has its time, however many of them an action has."""

PAUSE_MS = 300_000
MOMENT_MS = 15_000
NOW_IN_TEXT = re.compile(r"\b\d{13,15}")
"""Times, and the keys that archives have of them."""
WITHOUT_STORE = (
    "beat",
    "Tv.refresh",
    "back_up",
    "start_commands",
    "LivePlay._ping",
    "LivePlay.leave_pages_if_cut_off",
)
YEAR_MS = 366 * 86_400_000
OF_THE_ENGINE = frozenset({"tokens", "token", "number", "last_seen"})
OF_CHANCE = frozenset(
    {"places", "left", "last", "bounced_mail", "rev", "node", "leased", "term", "ends", "unhurried", "since"}
)
"""What follows from an id that was drawn, from when something was made up for, from how often it was written, from
which process leases it, or is allowed in doubt: more time for a first move if nobody can look what they have played, or
a turn that begins anew where a process has died.
"""
FOR_NOW = frozenset({"calls", "challenges", "quotas"})
"""News that is worth something only now, notes that go when somebody comes across them, and places in quotas, without
which what was made first counts."""


async def in_time(case):
    """What a case comes to, unless it hangs."""
    async with asyncio.timeout(10 * PATIENCE_S):
        return await case


class Bench:
    """Actions on copies of one world, and what they leave."""

    def __init__(self, sites, content, world, snapshot):
        self.sites, self.content, self.world, self.snapshot = sites, content, world, snapshot
        self.began = sites.clock.at
        self._ends, self._changed = {}, {}

    async def begun(self, *names, bus=None):
        """A site in that world, in which what comes before these actions has happened."""
        stops = {}
        for earlier in (earlier for name in names for earlier in before(name)):
            calls, _ = await self.undisturbed(earlier)
            writes = [number for number, call in enumerate(calls) if not is_read(call)]
            stops[earlier] = writes[-1 if earlier in WHOLE_BEFORE else 0]
        self.sites.clock.at = self.began
        self.sites.mail_server.sent.clear()
        self.sites.mail_server.says = DeliveryOutcome.TAKEN
        self.sites.random.drawn.clear()
        await self.content.restore(self.snapshot)
        hand = Hand(await self.sites.start(bus), self.world.copy())
        for earlier, number in stops.items():
            await self.attempt(hand, earlier, Fault(number, GONE_AFTER))
            # Another process goes on, which knows nothing of it.
            hand = Hand(await self.sites.start(bus or Deaf()), hand.world)
        if later := max((LATER_MS.get(name, 0) for name in names), default=0):
            self.sites.clock.turn(later)
            await hand.site.do_chores("Heartbeat.beat")
        return hand

    async def undisturbed(self, name):
        """Its calls, and what is stored in the end."""
        if name not in self._ends:
            hand = await self.begun(name)
            was = await self.content.rows()
            fault = Fault()
            await self.attempt(hand, name, fault)
            self._changed[name] = records(was) ^ records(await self.content.rows())
            self._ends[name] = fault.calls, await self.end(hand.site)
        return self._ends[name]

    async def changed(self, name):
        """The records that it changes, each as its table and its key."""
        await self.undisturbed(name)
        return {(table, key) for table, key, _ in self._changed[name]}

    async def attempt(self, hand, name, fault):
        """Does it once; returns whether the process has outlived it."""

        async def act():
            FAULT.set(fault)
            try:
                fault.answer = await ACTIONS[name](hand)
            except Exception as error:
                fault.answer = error
            await hand.site.quiet()

        acting = asyncio.create_task(act())
        gone = asyncio.create_task(fault.gone.wait())
        await asyncio.wait({acting, gone}, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE_S)
        alive = not fault.gone.is_set()
        gone.cancel()
        if not alive:
            await hand.site.kill()
        assert not alive or acting.done(), f"{name} never ends"
        return alive

    async def end(self, site):
        """All that is stored, and was sent, when all timers have run."""
        for _ in range(2):
            self.sites.clock.turn(PAUSE_MS)
            # A game that was paused, as a process died, goes on by its timer.
            site.site.live.services.timers.fire_due()
            await site.quiet()
            await site.do_chores(but=WITHOUT_STORE)
        # What the last chores had to say is sent, too.
        self.sites.clock.turn(PAUSE_MS)
        await site.do_chores("OutboxSender.send_due")
        for name in ("anna", "ben", "carla"):
            # Whoever comes across the note of a challenge that is over throws it away.
            await site.request(self.world.people[name].copy(), "GET", "/api/me/challenges")
        await site.stop()
        rows = await self.content.rows()
        rows["sent"] = [
            {"to": to, "what": next(iter(re.findall(r"^Subject: .*", what, re.M)), what)}
            for to, what in self.sites.mail_server.sent
            if what != SOMEBODY_WAITS
        ]
        rows = {name: found for name, found in rows.items() if found and name not in FOR_NOW}
        return {name: [self.plain(one, name) for one in found] for name, found in rows.items()}

    def plain(self, row, table):
        """A row without what chance and the clock have put into it."""
        if table == "chat":
            row = {key: value for key, value in row.items() if key != "_id"}
        if table == "reports" or (table == "alerts" and row["owner"] in self.sites.random.drawn):
            row = {**row, "_id": ""}  # follows from the ids of who reports and of what they see, or of whose it is
        if table == "seeks" and row["_id"] in self.sites.random.drawn:
            row = {**row, "game": "drawn"}
        if table == "outbox":
            row = {**row, "message": ""}
        return json.dumps(self.masked(row), sort_keys=True)

    def masked(self, value):
        match value:
            case bytes():
                return self.masked(json.loads(value))
            case dict():
                return {key: self.masked(one) for key, one in value.items() if key not in OF_THE_ENGINE | OF_CHANCE}
            case list():
                return [self.masked(one) for one in value]
            case int() if self.began <= value <= self.began + YEAR_MS:
                return "now"
            case str() if value.startswith("{"):
                return self.masked(json.loads(value))
            case str():
                for drawn in self.sites.random.drawn:
                    if drawn in value:
                        value = value.replace(drawn, "drawn")
                return NOW_IN_TEXT.sub(self.masked_time, value)
        return value

    def masked_time(self, found):
        at = int(found[0]) - (YEAR_ONE_MS if found[0][0] == "0" else 0)
        return "now" if self.began <= at <= self.began + YEAR_MS else found[0]

    async def repeated(self, name, at, way):
        """What is stored in the end if that call has failed so, and the action was repeated."""
        hand = await self.begun(name)
        alive = await self.attempt(hand, name, Fault(at, way))
        again = hand if alive else Hand(await self.sites.start(), hand.world)
        self.sites.clock.turn(AGAIN_AFTER_MS.get(name, 0))
        fault = Fault()
        await self.attempt(again, name, fault)
        if is_for_now(fault.answer):
            # Who is told to try again in a moment does so.
            self.sites.clock.turn(MOMENT_MS)
            await self.attempt(again, name, Fault())
        return await self.end(again.site)

    async def between(self, name, other, at):
        """What is stored in the end if another process does `other` before the call `at` (None: after all).

        And whether both were told in the end that it is done, and what `name` has asked the store. Who is told to try
        again does so. What `other` begins with may leave so little to do that there is no such call: then it comes
        after all, too.
        """
        hand = await self.begun(name, other, bus=Deaf())
        elsewhere = Hand(await self.sites.start(Deaf()), hand.world.copy())

        begun = False

        async def meanwhile(number):
            nonlocal begun
            if number == at and not begun:
                begun = True
                await asyncio.create_task(self.insisted(elsewhere, other), context=Context())

        first = Fault(hold=meanwhile)
        done = await self.insisted(hand, name, first)
        if not begun:
            await self.insisted(elsewhere, other)
        await elsewhere.site.stop()
        return done, await self.end(hand.site), first

    async def insisted(self, hand, name, first=None):
        """Does it, once more if it is refused for now; returns whether it is done. `first`: the calls of that."""
        for fault in (first or Fault(), Fault()):
            await self.attempt(hand, name, fault)
            if not is_for_now(fault.answer):
                break
        return is_done(fault.answer)


def records(rows):
    """Each row as its table, its key, and all that it says."""
    return {
        (table, repr(next(iter(row.values()), None)), json.dumps(row, sort_keys=True, default=str))
        for table, found in rows.items()
        for row in found
    }


def is_for_now(answer):
    """Is somebody told to try again?"""
    return isinstance(answer, Exception) or getattr(answer, "status", 0) in (409, 503) or str(answer).startswith("4")


def is_done(answer):
    return not isinstance(answer, Exception) and getattr(answer, "status", 200) < 400 and not is_for_now(answer)


def cases(calls):
    """Which call fails, and how: for a read it is all the same whether it was carried out.

    A process dies before its first call, and after each write. Whoever comes after one that has died knows only what is
    stored, and that is the same at every call from one write to the next, so each death in between would be repeated in
    the same way and end the same. What was sent meanwhile is there in any case, and to send it again is no fault.
    """
    ways = (REFUSED,), (REFUSED, UNKNOWN, GONE_AFTER)
    failing = [(number, way) for number, call in enumerate(calls) for way in ways[not is_read(call)]]
    return [(0, GONE_BEFORE), *failing] if calls else []


def sample(calls):
    """Of these cases, the most telling: dead after the first write, no answer to the last, no store in between."""
    writes = [number for number, call in enumerate(calls) if not is_read(call)]
    if not writes:
        return []
    found = [(number, way) for number, way in zip(writes[:1] + writes[-1:], (GONE_AFTER, UNKNOWN), strict=False)]
    return [*found, (len(calls) // 2, REFUSED)]


def difference(expected, found, more):
    """What is missing, and what is there beside it; `more`: but for more of the same.

    Mail may be sent twice, and then has what was held for later. News of several games are one push if they have come
    by the time that it is sent, so where there is one, single ones are not compared.
    """
    told = []
    sent_again = Counter(found.get("sent", ())) - Counter(expected.get("sent", ()))
    pushes = [*expected.get("sent", ()), *found.get("sent", ())]
    at_once = tuple(one.partition(', "what"')[0] for one in pushes if one.endswith('"what": "several"}'))
    for table in sorted({*expected, *found}):
        want, have = (collected(one.get(table, ()), more or table == "sent") for one in (expected, found))
        told += [
            f"{table} lacks {one}"
            for one in want - have
            if not ((table == "held" and sent_again) or (table == "sent" and one.startswith(at_once)))
        ]
        if table != "sent":
            told += [f"{table} has {one}" for one in have - want if not (more and "drawn" in one)]
    return told


def without_pushes(differs):
    """What is worth something only now is lost with the process that was about to send it; mail is not."""
    return [one for one in differs if not re.match(r'sent lacks {"to": "https://push', one)]


def collected(rows, more):
    return {re.sub(r"drawn( drawn)+", "drawn", one) for one in rows} if more else Counter(rows)


async def wrong(bench, name, full):
    """What repeating does not mend, by the case."""
    calls, expected = await in_time(bench.undisturbed(name))
    told = []
    for at, way in cases(calls) if full else sample(calls)[: bench.content.samples]:
        try:
            found = await in_time(bench.repeated(name, at, way))
        except Exception as error:
            told.append(f"{way} at call {at} of {len(calls)} ({calls[at]}): {error!r}")
            continue
        differs = difference(expected, found, name in MORE_EACH_TIME)
        if way in (GONE_BEFORE, GONE_AFTER) or before(name):
            differs = without_pushes(differs)
        if differs:
            told.append(f"{way} at call {at} of {len(calls)} ({calls[at]}):\n    " + "\n    ".join(differs[:6]))
    return told


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=["sqlite", pytest.param("SecantusDB", marks=pytest.mark.slow)]
)
async def bench(request, tmp_path_factory):
    """One world for all actions on an engine."""
    folder = tmp_path_factory.mktemp("repeated")
    with pytest.MonkeyPatch.context() as patch:
        async with content_on(request, folder) as content:
            sites = Sites(content, folder, patch)
            site = await sites.start()
            world = await made_world(site)
            await site.stop()
            yield Bench(sites, content, world, await content.snapshot())


@pytest.mark.parametrize("name", ACTIONS)
async def test_what_failed_half_way_is_completed_by_repeating_it(bench, name, full):
    if name in ALIKE and not (full or bench.content.alike):
        pytest.skip("on this engine it would fail as another action does; run it with --full")
    can_change = name not in CHANGES_NOTHING | bench.content.needs_no
    assert await bench.changed(name) or not can_change, "refused, or nothing to do: then this tests nothing"
    told = await wrong(bench, name, full)
    assert not told, "\n" + "\n".join(told)


@pytest.mark.slow
@pytest.mark.parametrize("name", ACTIONS)
async def test_what_another_process_does_meanwhile_is_as_before_or_after(bench, name, full, counted):
    if not (full or bench.content.partners):
        pytest.skip("on this engine only with --full")
    told, places = [], 0
    others = await partners(bench, name, full)
    for other in others:
        wrong_here, tried = await wrong_between(bench, name, other, full)
        told += wrong_here
        places += tried
    counted("other actions", len(others))
    counted("places between calls", places)
    assert not told, "\n" + "\n".join(told)


async def partners(bench, name, full):
    """The actions that change one of the same records, itself among them; without `full` the first of them.

    A mail is at one process only: its server hands it to the next when that has failed.
    """
    mine = await bench.changed(name)
    order = list(ACTIONS)
    place = order.index(name)
    after = [*order[place + name.startswith("mail ") :], *order[:place]]
    without = frozenset().union(*(group for group in CROSSING if name in group)) - {name}
    found = [other for other in after if other not in without and mine & await bench.changed(other)]
    return found if full else found[: bench.content.partners]


def between_differs(name, other, expected, found):
    """How an end after two actions differs from one that they have in order, but for what may differ."""
    differs = without_pushes(difference(expected, found, bool(LEAVES_A_GUEST & {name, other})))
    if name == other:
        # Whoever sends a form twice at once may have two sessions; and of two who search, each searches other games.
        differs = [one for one in differs if not one.startswith(("sessions has", "puzzle_games has"))]
    if LEAVES in (name, other):
        differs = [one for one in differs if not one.startswith(("sent lacks", "chat has"))]
    if SAYS in (name, other) and {name, other} & ENDS_GAMES:
        differs = [one for one in differs if not SAID_IN_BETWEEN.search(one)]
    return differs


def in_neither_order(differs, others):
    """What of one order's differences the other order does not explain either, where each game may be as in another.

    A game that is too much or too little altogether is as in neither.
    """
    if sum(one.startswith("games has") for one in differs) != sum(one.startswith("games lacks") for one in differs):
        return differs
    return [one for one in differs if one in others or not one.startswith(("games ", "sent "))]


async def wrong_between(bench, name, other, full):
    """Where the end is neither that of the one order nor that of the other; and how many places were tried.

    Where the calls before which the other could come are reads, and the first that comes after it finds what it would
    have found before, it could as well have come one call later: nobody can tell that apart, so it is tried once.
    """
    in_order = [await in_time(bench.between(name, other, order)) for order in (None, 0)]
    (*_, alone), (*_, first) = in_order
    last = len(alone.calls)
    if full:
        at = first.same_until(alone, 0) + 1
    else:
        at = next((number for number in range(1, last) if not is_read(alone.calls[number])), last)
    told, tried = [], 0
    while at < last:
        *found, calls = await in_time(bench.between(name, other, at))
        tried += 1
        if differs := differs_from_both(name, other, found, in_order):
            told.append(f"{other} before call {at} ({alone.calls[at]}):\n    " + "\n    ".join(differs[:6]))
        at = calls.same_until(alone, at) + 1 if full else last
    return told, tried


def differs_from_both(name, other, found, in_order):
    """How what was done, and the end, differ from those of both orders."""
    done, end = found
    differs, from_first = ["this is said to be done only here"], None
    same_kind = name.partition(" (")[0] == other.partition(" (")[0]
    for done_then, end_then, _ in in_order:
        # Two of a kind may be told of the other's effect.
        if done_then or not done or same_kind:
            differs = between_differs(name, other, end_then, end)
            if {name, other} & ONE_BY_ONE and from_first is not None:
                differs = in_neither_order(differs, from_first)
            from_first = differs
        if not differs:
            break
    return differs


async def test_what_is_alike_writes_by_the_same_calls(bench):
    """So that on a slow engine one of them stands for all. What others have asked before is not asked again here."""
    if not bench.content.alike:
        pytest.skip("known by the other engine")

    async def writes(name):
        calls, _ = await bench.undisturbed(name)
        return frozenset(call for call in calls if not is_read(call))

    assert set(ACTIONS) > ALIKE
    others = {await writes(name) for name in ACTIONS if name not in ALIKE} | {frozenset()}
    assert [name for name in sorted(ALIKE) if await writes(name) not in others] == []


async def test_every_handler_and_chore_is_an_action(bench):
    """A new route, chore, command by mail or of the program, or beginning of a process without a row fails here."""
    hand = await bench.begun("")
    routes = {
        f"{route.method} {route.resource.canonical}"
        for route in hand.site.app.router.routes()
        if route.method in ("POST", "PUT", "DELETE", "PATCH")
    }
    told = {re.sub(r" \(.*\)$", "", name) for name in ACTIONS}
    assert routes <= {re.sub(r"(POST|DELETE) (\S+).*", r"\1 \2", name) for name in told}
    assert {f"chore {name}" for name in hand.site.chores} == {name for name in told if name.startswith("chore ")}
    commands = {word for name in told if name.startswith("mail ") for word in name[5:].split(", ")}
    assert commands == {one.__name__ for one in get_args(MailCommand)}
    assert {name[8:] for name in told if name.startswith("command ")} == {
        one.__name__ for one in get_args(StoreCommand)
    }
    assert {f"start {name}" for name in hand.site.once} == {name for name in told if name.startswith("start ")}
    await hand.site.stop()
