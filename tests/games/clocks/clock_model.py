"""A clock that really ticks, for comparison: time is added up millisecond by millisecond span, nothing is derived.

The value under test subtracts instants; this one counts what passed. They share no arithmetic but the quota's numbers,
which test_lag.py holds to recorded ones.
"""


class TickingClock:
    """A clock for two sides, 0 and 1, of which 0 is to move: of minutes or, with a cap, a time bank without quota."""

    def __init__(self, initial_ms, increment_ms, cap_ms=None):
        self.bank = [initial_ms, initial_ms]
        self.increment = increment_ms
        self.cap = cap_ms
        self.gain = min(1_000, (2 * (initial_ms + 40 * increment_ms) // 5_000) * 10 + 150) if cap_ms is None else 0
        self.quota = [3 * self.gain, 3 * self.gain]
        self.turn = 0
        self.used = 0
        self.moves = [0, 0]
        self.paid = [0, 0]
        self.paused = False

    def tick(self, ms):
        if not self.paused:
            self.used += ms

    def shows(self, side):
        return max(0, self.bank[side] - self.used) if side == self.turn else self.bank[side]

    def move(self, lag):
        """True if it was in time."""
        side, measured = self.turn, min(lag, 500)
        excused = min(measured, self.used, self.quota[side])
        charged = self.used - excused
        if charged >= self.bank[side]:
            return False
        self.bank[side] -= charged
        self.moves[side] += 1
        if self.moves[side] > self.paid[side]:
            self.paid[side] = self.moves[side]
            self.bank[side] += self.increment
        if self.cap is not None and self.bank[side] > self.cap:
            self.bank[side] = self.cap
        self.quota[side] += min(self.gain, measured + 140) - excused
        self.quota[side] = min(self.quota[side], 7 * self.gain)
        self.turn, self.used = 1 - side, 0
        return True

    def pause(self, ago):
        if not self.paused:
            self.used = max(0, self.used - ago)
            self.paused = True

    def resume(self):
        self.paused = False

    def credit(self, ms):
        if not self.paused:
            self.used -= min(ms, self.used)

    def take_back(self, side):
        """`side` takes its last move back, and with it the answer, if there is one."""
        self.moves[side] -= 1
        if side == self.turn:
            self.moves[1 - side] -= 1
            return
        self.bank[self.turn] = self.shows(self.turn)
        self.turn, self.used = side, 0

    def flag(self):
        """Has the side to move lost, whatever lag it may claim?"""
        excusable = min(self.quota[self.turn], 500)
        return not self.paused and self.used >= self.bank[self.turn] + excusable
