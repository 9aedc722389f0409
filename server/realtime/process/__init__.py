"""What everything live in one process shares: clock, timers, limits, the bus to other processes. Knows no round."""
