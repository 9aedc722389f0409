"""What is done to live games from outside: merged accounts, vacations, ties, recovery, news of other processes.

No round and no lobby knows of it.
"""
