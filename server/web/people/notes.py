"""Notes that people write for themselves: on the page of another person, and beside a game of days that they play.

A note is shown to its writer alone.
"""

from typing import Annotated, Final
from urllib.parse import quote

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.errors import NotAllowed
from server.games.people import LONGEST_NOTE, too_many_notes
from server.games.state import Game
from server.realtime.play.chat import ChatForm, clean
from server.storage.tables.notes import Note
from server.web.accounts.account_pages import require_account, see_other
from server.web.budgets.limits import charge
from server.web.forms import Form, read_fields, read_form
from server.web.openapi.operation import described
from server.web.people.ties import person_at
from server.web.rendering.answers import as_json
from server.web.session import Visitor
from server.web.site import SITE, Site, find_round, with_cookie

NOTE: Final = ChatForm(LONGEST_NOTE, line_breaks=True)


class NoteForm(Form):
    """`text`: what is to be kept, "" for nothing. Browsers send a line break as two characters."""

    text: Annotated[str, Field(max_length=2 * LONGEST_NOTE)] = ""


class NoteJson(TypedDict):
    """What is kept."""

    text: str


async def write_note_on_person(request: web.Request) -> web.Response:
    """POST /@/{name}/note: text. Leads back to the profile."""
    other = await person_at(request)
    page = f"/@/{quote(other.name)}"
    visitor = await require_account(request, page)
    form = await read_fields(request, NoteForm)
    if other.id == visitor.user.id:
        raise NotAllowed("note_on_oneself")
    await _keep(request.app[SITE], visitor, form, person=other.id)
    return see_other(f"{page}#note")


@described(body=NoteForm, answers={200: NoteJson}, refused=(403,))
async def write_note_on_game(request: web.Request) -> web.Response:
    """POST /api/games/{game}/note: keeps what a player of a correspondence game writes for themselves."""
    site = request.app[SITE]
    form, game = await read_form(request, NoteForm), (await find_round(request)).game
    visitor = await site.sessions.find(request)
    if visitor is None or not takes_notes(game, visitor):
        raise NotAllowed("note_elsewhere")
    said = await _keep(site, visitor, form, game=game.id)
    return with_cookie(site, visitor, as_json({"text": said}))


def takes_notes(game: Game, visitor: Visitor | None) -> bool:
    """May they write a note beside that game? It is of days, and they play it, against somebody."""
    if visitor is None or not game.terms.control.by_days or game.computer is not None:
        return False
    return game.color_of(visitor.user.id) is not None


async def _keep(site: Site, visitor: Visitor, form: NoteForm, *, person: str = "", game: str = "") -> str:
    """Stores it, and returns what is stored. Raises NotAllowed, Problem (429), Unavailable."""
    charge(site.limits.ties, visitor.user.id, site.now())
    note = Note(visitor.user.id, person, game, clean(form.text, NOTE), site.now())
    if not await site.store.notes.keep_note(note):
        raise too_many_notes()
    return note.text
