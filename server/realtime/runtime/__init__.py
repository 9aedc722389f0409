"""What live play needs in one process whatever it plays: clock, timers, background tasks, ids, limits, statistics.

Knows no game and no other process.
"""
