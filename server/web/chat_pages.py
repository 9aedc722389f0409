"""The desk's room of chats: what was said in the last seven days, by the game in which it was said, with the way to a
decision beside each line; and the words that the host holds back. Plain forms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field

from server.games.clocks.time_control import DAY_MS
from server.games.desk import Deed, DeskEntry, Room
from server.games.errors import NotAllowed
from server.games.sanctions import LONGEST_HELD, MOST_HELD, held_words
from server.rules.errors import Refusal
from server.storage.stores import ChatLine
from server.web.accounts.account_pages import see_other
from server.web.accounts.export import instant
from server.web.desk import DESK, AtDesk, at_desk, required_seat, show_room
from server.web.forms import Form, read_fields
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE

SHOWN_MS: Final = 7 * DAY_MS
LINES: Final = 200
"""Lines on one page."""


class HeldForm(Form):
    """`words`: one a line, as the list is to be. `rev`: the number of the list that was on the page."""

    words: Annotated[str, Field(max_length=MOST_HELD * (LONGEST_HELD + 2))] = ""
    rev: Annotated[str, Field(pattern=r"^[0-9]{1,9}$")]


@dataclass(frozen=True, slots=True)
class GameChat:
    """What was said in a game, each line after its minute in UTC, the newest first."""

    game: str
    lines: Sequence[tuple[str, ChatLine]]


@at_desk(Room.CHATS)
async def chats_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/chats. `?before=`: a time (ms) from which on back. `?done`: after the words were changed."""
    return await show_chats(request, seat)


async def show_chats(
    request: web.Request, seat: AtDesk, problem: Refusal | None = None, words: str | None = None
) -> web.Response:
    """The chats, and the list of words, or `words` with what was wrong about it."""
    site, now = request.app[SITE], request.app[SITE].now()
    asked = request.query.get("before", "")
    before = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 16 else now + 1
    lines = await site.store.latest_chat(now - SHOWN_MS, before, LINES + 1)
    held = await site.store.held_words.read()
    page = await show_room(
        request,
        seat,
        "desk/chats.html",
        problem=problem,
        chats=by_game(lines[:LINES]),
        # Several lines may have that time: they are shown twice rather than never.
        older=lines[LINES - 1].at + 1 if len(lines) > LINES and lines[LINES - 1].at + 1 < before else 0,
        words="\n".join(held.words) if words is None else words,
        rev=held.rev,
        most=MOST_HELD,
        done="done" in request.query,
    )
    return with_status(page, problem)


def by_game(lines: Sequence[ChatLine]) -> Sequence[GameChat]:
    """The lines, the newest first, by the game in which they were said; the game with the newest comes first."""
    games: dict[str, list[tuple[str, ChatLine]]] = {}
    for line in lines:
        games.setdefault(line.game, []).append((instant(line.at)[:16].replace("T", " "), line))
    return [GameChat(game, said) for game, said in games.items()]


async def hold_words(request: web.Request) -> web.Response:
    """POST /host/chats/words: words, rev."""
    site, form = request.app[SITE], await read_fields(request, HeldForm)
    seat = await required_seat(request, Room.CHATS)
    before = await site.store.held_words.read()
    try:
        words = held_words(form.words)
    except NotAllowed as refusal:
        return await show_chats(request, seat, refusal, form.words)
    rev = int(form.rev) + 1
    entry = DeskEntry(f"words {rev:09}", site.now(), seat.player, Deed.HELD_WORDS, detail=str(len(words)))
    if words == before.words:
        if before.rev == rev:
            # They have sent it twice: of the first time perhaps only the list was stored.
            await site.store.desk.record(entry)
        return see_other(f"{DESK}/chats?done")
    changed = before.rev + 1 == rev
    if not (changed and await site.store.held_words.change(before, words, site.store.desk.entry_step(entry))):
        return await show_chats(request, seat, Problem(409, "words_changed"), form.words)
    await site.live.sanctions.tell()
    return see_other(f"{DESK}/chats?done")
