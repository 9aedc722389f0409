"""What all of live play shares in one process: clock, timers, limits, domain events, the bus to other processes.

Knows no round, no connection and no page.
"""
