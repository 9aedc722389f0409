"""Tells the players of a tournament, while they are elsewhere, that it begins soon, and how it has ended: by mail and
by web push, and on the pages that they have open.

What is to be told, and when, is stored with the tournament (`games.tournaments`). One process claims it, and notes when
it is done: if it dies, another one tells it again, in mails with the same ids and pushes of the same topic.
"""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from aiohttp import web

from server.games.tournaments.tournament import (
    REMIND_MS,
    Sheet,
    Tournament,
    TournamentNews,
    begins_next,
    news_claimed,
    news_of,
    news_told,
    players_to_tell,
)
from server.language import Language
from server.mail.composing import Letter
from server.mail.quiet_hours import due_at, quiet_hours_of
from server.mail.wishes import REMINDER, RESULT, Frequency, how_often
from server.realtime.runtime.background import every, running
from server.realtime.tournaments import Tournaments, TournamentView
from server.realtime.your_games import OpenPages
from server.storage.errors import StoreError
from server.storage.stores import Store
from server.storage.tables.addresses import MailAddress
from server.web.notifications.letters import MAIL_KEPT_MS, LetterWriter
from server.web.notifications.notifier import GAME_STALE_S, NamesById, Notifier
from server.web.tournament_sections import points_words, section_name

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 15.0
AT_ONCE: Final = 20
"""Tournaments of one look."""
SHOWN: Final = 10
"""Of the final table, so many people are in a mail, and its reader."""
TRIES: Final = 5
KINDS: Final = {TournamentNews.SOON: REMINDER, TournamentNews.OVER: RESULT}
"""What people have to want to be told."""


class TournamentTeller:
    """`writer` is None on a site without mail. `now` gives ms."""

    def __init__(
        self,
        store: Store,
        tournaments: Tournaments,
        pages: OpenPages,
        writer: LetterWriter | None,
        pushes: Notifier,
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._tournaments = tournaments
        self._pages = pages
        self._writer = writer
        self._pushes = pushes
        self._now = now

    async def tell_due(self) -> None:
        """Tells all that is due now. Raises Unavailable."""
        for tournament in await self._store.tournaments.with_news(self._now(), AT_ONCE):
            try:
                await self._tell(tournament)
            except StoreError as error:
                log.info("the players of tournament %s are told later: %s", tournament.id, error)
            except Exception:
                # The others do not wait for it.
                log.exception("the players of tournament %s could not be told", tournament.id)

    async def _tell(self, tournament: Tournament) -> None:
        """Raises Unavailable, Unreadable."""
        kept, now = self._store.tournaments, self._now()
        claimed = news_claimed(tournament, now)
        if not await kept.change_tournament(claimed):
            return
        if (news := news_of(tournament, now)) is not None:
            try:
                view = await self._tournaments.look(tournament.id)
            except KeyError:
                log.info("tournament %s is of no kind that this site has", tournament.id)
            else:
                if bool(view.tournament.over) is not (news is TournamentNews.OVER):
                    # This process has not heard of the end yet: it is told when the claim has lapsed.
                    return
                await self._tell_players(news, view)
        for _ in range(TRIES):
            found = await kept.find_tournament(tournament.id)
            # Whatever has changed meanwhile, such as its end, may be news of its own.
            if found is None or found.news_at != claimed.news_at:
                return
            if await kept.change_tournament(news_told(found, self._now())):
                return

    async def _tell_players(self, news: TournamentNews, view: TournamentView) -> None:
        sheets = players_to_tell(view.tournament, view.sheets, view.field.round_at)
        if news is TournamentNews.SOON:
            tournament = view.tournament
            self._pages.remind_players(tournament.id, tournament.terms.name, [one.person for one in sheets])
        for sheet in sheets:
            if self._writer is not None:
                await self._mail(self._writer, news, view, sheet)
            said = partial(push_words, news, view, sheet, self._now())
            stale_s = GAME_STALE_S if news is TournamentNews.OVER else REMIND_MS // 1_000
            await self._pushes.tell_soon(sheet.person, KINDS[news], view.tournament.id, stale_s, said)

    async def _mail(self, writer: LetterWriter, news: TournamentNews, view: TournamentView, sheet: Sheet) -> None:
        now, tournament = self._now(), view.tournament
        quiet = quiet_hours_of(await self._store.notification_settings.of(sheet.person))
        for address in await self._store.addresses.of(sheet.person):
            often = how_often(address.wishes, KINDS[news]) if address.in_effect else Frequency.NEVER
            due = due_at(often, now, quiet)
            until = begins_next(tournament, now) if news is TournamentNews.SOON else due + MAIL_KEPT_MS
            if often is Frequency.NEVER or due >= until:
                continue
            letter = write_notice(writer, news, view, sheet, address, now)
            mail = await writer.mailer.write_mail(letter, address.owner, until - now)
            await writer.mailer.put_mail(replace(mail, next_try=due))


def write_notice(
    writer: LetterWriter, news: TournamentNews, view: TournamentView, sheet: Sheet, to: MailAddress, now: int
) -> Letter:
    """The mail to one player."""
    language, tournament = writer.language_of(to), view.tournament
    name = section_name(language, tournament)
    lines = [sentence(language, news, view, sheet, now)]
    if news is TournamentNews.OVER:
        lines += ["", *table_lines(language, view, sheet)]
    return writer.write_notice(
        to,
        f"{tournament.id} {news} {tournament.over or begins_next(tournament, now)}",
        language.plain(f"tournaments.news_{news}", name=name),
        lines,
        (language.plain("tournaments.see_tournament"), f"{writer.site}/tournament/{tournament.id}"),
    )


def sentence(language: Language, news: TournamentNews, view: TournamentView, sheet: Sheet, now: int) -> str:
    """The news in a sentence, for one player."""
    name = section_name(language, view.tournament)
    if news is TournamentNews.SOON:
        minutes = max(1, round((begins_next(view.tournament, now) - now) / 60_000))
        key = "begins_text" if now < view.tournament.terms.starts else "round_begins_text"
        return language.plain(f"tournaments.{key}", name=name, n=minutes)
    place, points = view.places[sheet.person] + 1, points_words(sheet.points, view.tournament.terms.scoring)
    return language.plain("tournaments.table_text", name=name, place=place, of=len(view.sheets), points=points)


def table_lines(language: Language, view: TournamentView, mine: Sheet) -> Sequence[str]:
    """The final table for a mail: the first SHOWN, and the reader."""
    scoring, sheets = view.tournament.terms.scoring, view.sheets
    own = view.places[mine.person]
    shown = [*range(min(SHOWN, len(sheets))), *([own] if own >= SHOWN else [])]
    names = [language.person(sheets[at].entrant.person.name) for at in shown]
    wide = max(map(len, names))
    return [
        f" {at + 1:>3}. {name:<{wide}}  {points_words(sheets[at].points, scoring)}"
        for at, name in zip(shown, names, strict=True)
    ]


def push_words(
    news: TournamentNews, view: TournamentView, sheet: Sheet, now: int, language: Language, _names: NamesById
) -> dict[str, str]:
    """What the service worker shows."""
    path = f"/tournament/{view.tournament.id}"
    title = language.plain(f"tournaments.news_{news}", name=section_name(language, view.tournament))
    return {"title": title, "body": sentence(language, news, view, sheet, now), "url": path, "topic": path}


@asynccontextmanager
async def telling_players(teller: TournamentTeller) -> AsyncIterator[None]:
    """Looks for what is due, and then regularly, until the block ends."""
    async with running(every(LOOK_EVERY_S, teller.tell_due, at_once=True)):
        yield


TOURNAMENT_TELLER = web.AppKey("TOURNAMENT_TELLER", TournamentTeller)
