"""The form about how one wants to be told what concerns one: quiet hours, and how often web push tells it. Works
without a script.
"""

from typing import Annotated, Any, Final, Literal

from aiohttp import web
from pydantic import Field

from server.mail.quiet_hours import zone_names
from server.mail.wishes import KINDS, Often, pushed, silent_for
from server.storage.tables.notification_settings import NotificationSettings
from server.web.forms.forms import Form
from server.web.forms.page_forms import read_fields
from server.web.rendering.problems import Problem
from server.web.site import Site

LONGEST_ZONE: Final = 64
TimeOfDay = Annotated[str, Field(pattern=r"^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9])?$")]
"""As browsers send it, "" for none."""
ByPush = Literal["", "at_once", "hourly", "daily", "never"]
"""Empty on a site without web push, whose page does not ask."""


class NotificationSettingsForm(Form):
    """`zone`: the name of a time zone, "" for UTC."""

    zone: Annotated[str, Field(max_length=LONGEST_ZONE)] = ""
    quiet_from: TimeOfDay = ""
    quiet_until: TimeOfDay = ""
    turns: ByPush = ""
    reminders: Literal["", "at_once", "never"] = ""
    messages: ByPush = ""
    results: ByPush = ""
    challenges: ByPush = ""

    def chosen(self, before: NotificationSettings) -> NotificationSettings:
        """What is stored, instead of `before`. Raises Problem (400)."""
        if self.zone and self.zone not in zone_names():
            raise Problem(400, "unknown_zone")
        if bool(self.quiet_from) != bool(self.quiet_until):
            raise Problem(400, "half_quiet")
        kinds = (self.turns, self.reminders, self.messages, self.results, self.challenges)
        asked = dict(zip(KINDS, kinds, strict=True))
        silent = silent_for({kind: Often(how or pushed(before.silent, kind)) for kind, how in asked.items()})
        return NotificationSettings(
            before.owner, self.zone, _minute(self.quiet_from), _minute(self.quiet_until), silent
        )


async def choose(request: web.Request, site: Site, owner: str) -> None:
    """Stores what a page sends. Raises Problem."""
    form = await read_fields(request, NotificationSettingsForm)
    await site.store.notification_settings.keep(form.chosen(await site.store.notification_settings.of(owner)))


def shown(settings: NotificationSettings) -> dict[str, Any]:
    """The settings as the page shows them: times as "22:00", "" for none; how often web push tells each kind."""
    quiet = settings.quiet_from != settings.quiet_until
    return {
        "zone": settings.zone,
        "quiet_from": _time_of_day(settings.quiet_from) if quiet else "",
        "quiet_until": _time_of_day(settings.quiet_until) if quiet else "",
        "by_push": {kind: pushed(settings.silent, kind) for kind in KINDS},
    }


def _minute(time_of_day: str) -> int:
    hours, _, minutes = (time_of_day or "0:0").partition(":")
    return int(hours) * 60 + int(minutes)


def _time_of_day(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
