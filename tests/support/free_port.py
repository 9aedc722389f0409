"""Ports for the servers of tests.

None of them is one that Linux gives to outgoing connections (32768 and above, unless it was told otherwise): such a
port can be taken between the look and the start, and while a server that was killed is started again.
"""

import itertools
import os
import random
import socket

FIRST, EACH = 12_000, 5_000
"""Below FIRST are ports that browsers do not open. So many are for each worker, of which there are four at most."""


def _of_this_process():
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 4
    # Where two runs of the tests are at work at once, they begin in different places.
    begin = random.SystemRandom().randrange(EACH)
    return itertools.cycle(FIRST + worker * EACH + (begin + number) % EACH for number in range(EACH))


_ports = _of_this_process()


def free_port() -> int:
    """A port at which nobody listens, and which this process has not given out for long."""
    for port in itertools.islice(_ports, EACH):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise OSError("all ports for tests are taken")
