"""Has loaded the server and all that it reads when it starts, and forks a server for whoever asks: ready at once.

    python -m tests.support.web.forker     asked over the socket that is its standard input, until that is closed

Each message is the server's environment and its arguments as JSON, with three descriptors: where its two outputs go,
and where its pid and then its exit code are told, a line each. It is what `python -m server` starts, in a process of
its own.
"""

import gc
import json
import os
import signal
import socket
import sys
from typing import NoReturn

from server import __main__ as server
from tests.support.web.read_once import read_all

MAX_BYTES = 65_536


def main() -> None:
    """Until whoever asks is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    read_all()
    gc.freeze()
    asked = socket.socket(fileno=os.dup(0))
    while True:
        message, descriptors, _, _ = socket.recv_fds(asked, MAX_BYTES, 3)
        if not message:
            return
        if os.fork() == 0:
            asked.close()
            watch(*json.loads(message), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def watch(environment: dict[str, str], arguments: list[str], out: int, err: int, told: int) -> NoReturn:
    """Starts the server and tells of its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid == 0:
        os.close(told)
        serve(environment, arguments, out, err)
    for descriptor in (out, err):
        os.close(descriptor)
    os.write(told, b"%d\n" % pid)
    _, status = os.waitpid(pid, 0)
    os.write(told, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def serve(environment: dict[str, str], arguments: list[str], out: int, err: int) -> NoReturn:
    """As `python -m server` with this environment and these arguments."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor, number in ((os.open(os.devnull, os.O_RDONLY), 0), (out, 1), (err, 2)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(environment.get("PWD", "."))
    sys.argv = ["server", *arguments]
    sys.modules["__main__"] = server  # what a drawing process takes for the program
    sys.exit(server.main())


if __name__ == "__main__":
    main()
