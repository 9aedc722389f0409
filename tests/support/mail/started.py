"""A mail server of the machine while a test needs it, in a folder of its own."""

import asyncio
import tempfile
from contextlib import asynccontextmanager, suppress
from pathlib import Path

STARTS_S = 20


@asynccontextmanager
async def started(kind, **places):
    """One of that kind, made with a folder and `places`, until it is left."""
    with tempfile.TemporaryDirectory(prefix=kind.__name__.lower()) as folder:
        server = kind(Path(folder), **places)
        try:
            await server.start()
            yield server
        finally:
            await server.stop()


async def until_it_takes_mail(port, look=lambda: None):
    """Returns when something listens at the port. `look` is called before each further try, and may raise."""
    async with asyncio.timeout(STARTS_S):
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            look()
            await asyncio.sleep(0.05)
