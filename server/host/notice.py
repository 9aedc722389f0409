"""`fairyhouse notice TEXT` and `notice --remove`: what the host has to say to everybody, shown on every page.

Works whether or not the server is running. Every server of the site shows the change within seconds.
"""

import asyncio
import sys

from server.games.clocks.time_control import DAY_MS
from server.host.site_access import CommandRefused, carried_out
from server.realtime.play.chat.text import LETTER, clean
from server.realtime.process.now import Now
from server.settings import Settings
from server.storage.admin_commands import PostNotice, RemoveNotice


def post(settings: Settings, text: str, days: int) -> None:
    """Posts `text` for so many days, in place of the notice before. "-": reads it from standard input.

    Raises CommandRefused.
    """
    written = sys.stdin.read() if text == "-" else text
    notice = clean(written, LETTER)
    if not notice:
        raise CommandRefused("The notice has no text. Nothing was changed.")
    if len(written.strip()) > LETTER.longest:
        raise CommandRefused(f"A notice has at most {LETTER.longest} characters. Nothing was changed.")
    now = Now()()
    asyncio.run(carried_out(settings, PostNotice(notice, now, now + days * DAY_MS)))
    sys.stderr.write(f"Every page shows this for {days} day{'s' if days > 1 else ''}, unless it is removed before.\n")


def remove(settings: Settings) -> None:
    """Removes the notice. Raises CommandRefused, also if there is none."""
    if not asyncio.run(carried_out(settings, RemoveNotice())):
        raise CommandRefused("There is no notice.")
    sys.stderr.write("The notice is removed.\n")
