"""Defences of clocks against lag, cheats and the machine's own time, switched off."""

from tests.faults.mutant import Mutant

CLOCKS = "tests/faults/clocks"
LAG = "server/realtime/process/lag_meter.py"
CLOCK = "server/games/clocks/clock.py"
RECOVERY = "server/realtime/recovery.py"
WATCHDOG = "server/realtime/play/stall_watchdog.py"

OF_CLOCKS: tuple[Mutant, ...] = (
    Mutant(
        "nobody looks at answers that are late on one's own turns",
        LAG,
        "        if found is not None:\n",
        "        found = None\n        if found is not None:\n",
        f"{CLOCKS}/test_late_answers.py",
    ),
    Mutant(
        "a player with a bad connection is suspected",
        LAG,
        "    if more <= OWN_TURN_DELAY_MS:\n        return None\n",
        "    if more > 0:\n        return int(more)\n",
        f"{CLOCKS}/test_late_answers.py",
    ),
    Mutant(
        "a move's own delay counts as lag",
        CLOCK,
        ".measured(lag_ms, elapsed)",
        ".measured(elapsed, elapsed)",
        f"{CLOCKS}/test_late_answers.py",
    ),
    Mutant(
        "lag is charged",
        CLOCK,
        ".measured(lag_ms, elapsed)",
        ".measured(0, elapsed)",
        f"{CLOCKS}/test_honest_lag.py",
    ),
    Mutant(
        "time goes by the wall",
        "server/realtime/process/now.py",
        "        return (self._anchor + time.monotonic_ns()) // 1_000_000\n",
        "        return time.time_ns() // 1_000_000\n",
        f"{CLOCKS}/test_wall_clock.py",
    ),
    Mutant(
        "a time bank grows without end",
        "server/games/clocks/time_control.py",
        "return left if self.cap_ms is None else min(left, self.cap_ms)",
        "return left",
        "tests/games/clocks/test_clock.py",
    ),
    Mutant(
        "a time bank is full again at every turn",
        "server/games/clocks/time_control.py",
        "return self.by_the_minute or self.cap_ms is not None",
        "return self.by_the_minute",
        "tests/games/clocks/test_clock.py",
    ),
    Mutant(
        "a seek for a time bank ends with the visit of its maker",
        "server/storage/protocols/seeks.py",
        "BANK = -1\n",
        "BANK = 0\n",
        "tests/storage/every_store/test_seeks_kept.py",
    ),
    Mutant(
        "a move made anew after a takeback earns a second increment",
        CLOCK,
        "        if not replacing:\n",
        "        if True:\n",
        "tests/games/changes/test_takeback.py",
    ),
    Mutant(
        "a wall that is set back while a clock is paused gives time",
        CLOCK,
        "since=now - (self.paused_at - self.since)",
        "since=self.since + max(0, now - self.paused_at)",
        "tests/games/clocks/test_clock.py",
    ),
    Mutant(
        "a stall within the giving back of another goes unnoticed",
        WATCHDOG,
        "            self._watch_from(now)\n",
        "            self.start()\n",
        "tests/realtime/play/test_stalls.py",
    ),
    Mutant(
        "time in which the server stood still is charged",
        WATCHDOG,
        "                one.credit_stall(late, busy=busy)\n",
        "                pass\n",
        f"{CLOCKS}/test_stalls.py",
    ),
    Mutant(
        "a busy server gives back whatever time it took",
        CLOCK,
        "self.credit(min(ms, MAX_BUSY_MS - before), now)",
        "self.credit(ms, now)",
        "tests/realtime/play/test_stalls.py",
    ),
    Mutant(
        "a busy server counts as one that was stopped",
        WATCHDOG,
        "STOPPED * late",
        "float('inf')",
        "tests/realtime/play/test_stalls.py",
    ),
    Mutant(
        "nobody is told how long the first move may take",
        "server/realtime/protocol/snapshot.py",
        "begin=_begin_ms(game, now)",
        "begin=None",
        "tests/realtime/play/test_presence.py",
    ),
    Mutant(
        "the move that ends a game is not shown on TV",
        "server/realtime/tv/tv.py",
        "if gone is None or channel.games[game.id].position != game.position:",
        "if gone is None:",
        "tests/realtime/any_round",
    ),
    Mutant(
        "a game by the minute runs on after a restart with nobody there",
        RECOVERY,
        "return Pause(last_alive) if running or game.both_met else None",
        "return None",
        "tests/realtime/test_recovery.py",
    ),
)
