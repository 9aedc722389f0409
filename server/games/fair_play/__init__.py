"""Who aborts too much, and which results look farmed.

Only looks at games that it is given; what follows is up to the processes that play and to the host.
"""
