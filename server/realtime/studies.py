"""Feeds the open pages of studies: what has changed, which members are here, and the end of the right to read one.

Read-only: pages write over HTTP, where each request's rights are checked and the store decides. A message is a hint to
fetch the chapter again, and carries only names of chapters and people. The right to read a study is read from the store
when a page opens and each time the study or its members change; pages that have lost it are disconnected then, on every
node. If the store cannot answer, all pages are disconnected and asked to reconnect.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from pydantic import TypeAdapter

from server.games.people import has_account
from server.games.studies import SeenStudy
from server.realtime.cluster.bus import ChapterStored, PeopleInStudy, StudyStored, StudyTopic
from server.realtime.play.connection import POLICY, TRY_LATER
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscriber
from server.realtime.protocol.study_messages import (
    ChapterChanged,
    ChapterHead,
    Inbound,
    StudyGone,
    StudyHi,
    StudyPeople,
    StudyShown,
)
from server.realtime.runtime.limits import TokenBucket
from server.realtime.shared import Services
from server.storage.errors import StoreError

HEARSAY_MS: Final = 25_000
"""How long another node's list of members counts; nodes repeat it more than twice as often."""
READS: Final = 200
READS_WITHIN_MS: Final = 4_000
"""At most so many pages of one study on this node are made to fetch something within this time. Small groups see each
change at once; in large ones changes wait a little and are sent together.
"""


@dataclass(eq=False, slots=True)
class StudyRoom:
    """The pages of one study on this node. `pages`: what each may do; None while that is being read.

    `elsewhere`: by node, the members there, and when (ms) it said so. `told`: the members that pages were last sent.
    `reading`: the study is being read; `again`: a page has opened, or the study has changed, since that began;
    `changed`: the study has, so all pages are shown it and not only new ones. `untold`: changes of chapters not sent
    yet. `telling`, `showing`: the budgets of these and of the whole study. They are apart, so that no number of moves
    delays the disconnection of a page.
    """

    pages: dict[Subscriber, SeenStudy | None] = field(default_factory=dict)
    elsewhere: dict[str, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    reading: bool = False
    again: bool = False
    changed: bool = False
    untold: dict[str, ChapterStored] = field(default_factory=dict)
    telling: TokenBucket = field(default_factory=lambda: TokenBucket(READS, READS_WITHIN_MS))
    showing: TokenBucket = field(default_factory=lambda: TokenBucket(READS, READS_WITHIN_MS))

    def members_here(self) -> tuple[str, ...]:
        """The names of its members whose pages are open on this node."""
        players = {page.player for page, seen in self.pages.items() if seen is not None and seen.belongs}
        return tuple(sorted(one.name for one in players if one is not None and has_account(one)))

    def members(self, now: int) -> tuple[str, ...]:
        """The same for all nodes, as far as this one knows."""
        told = (name for names, at in self.elsewhere.values() if now - at < HEARSAY_MS for name in names)
        return tuple(sorted({*self.members_here(), *told}))


class StudyPages:
    """A feed of studies."""

    kinds: TypeAdapter[Inbound] = TypeAdapter(Inbound)

    def __init__(self, services: Services) -> None:
        self._services = services
        self._rooms: dict[str, StudyRoom] = {}
        self._study_of: dict[Subscriber, str] = {}

    # --- who looks --------------------------------------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber, hi: StudyHi) -> None:
        """As `Feed.subscribe`: shows the study, if the reader may read it, and leaves any other."""
        self.unsubscribe(subscriber)
        if hi.study not in self._rooms:
            self._rooms[hi.study] = StudyRoom()
            self._services.bus.follow(StudyTopic(hi.study))
        self._rooms[hi.study].pages[subscriber] = None
        self._study_of[subscriber] = hi.study
        self._read_soon(hi.study, changed=False)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """As `Feed.unsubscribe`."""
        study = self._study_of.pop(subscriber, "")
        room = self._rooms.get(study)
        if room is not None and subscriber in room.pages:
            del room.pages[subscriber]
            self._show_people(study, room)
            self._drop_if_empty(study, room)

    def silence_changed(self, subscriber: Subscriber) -> None:
        """Does nothing: a page that stays silent is disconnected elsewhere."""

    def _drop_if_empty(self, study: str, room: StudyRoom) -> None:
        if not room.pages and self._rooms.get(study) is room:
            del self._rooms[study]
            self._services.bus.unfollow(StudyTopic(study))

    # --- what happens -----------------------------------------------------------------------------------------------

    def tell_study(self, study: str) -> None:
        """The name, the chapters, the members or the sharing of a study (an id) have been stored, or it was deleted."""
        self._read_soon(study)
        self._services.bus.tell(StudyStored(study))

    def tell_chapter(self, study: str, chapter: str, rev: int, by: str) -> None:
        """A chapter has been stored with that revision by somebody (a name)."""
        notice = ChapterStored(study, chapter, rev, by)
        self.hear(notice)
        self._services.bus.tell(notice)

    def hear(self, notice: StudyStored | ChapterStored | PeopleInStudy) -> None:
        """Passes on to the pages here what this or another node has stored, and which members it has."""
        room = self._rooms.get(notice.study)
        if room is None:
            return
        match notice:
            case StudyStored(study):
                self._read_soon(study)
            case ChapterStored(study, chapter):
                if room.reading:
                    # The read under way may have missed this change.
                    self._read_soon(study)
                room.untold[chapter] = notice
                self._tell_chapters(study)
            case PeopleInStudy(study, node, people):
                is_new = node not in room.elsewhere
                room.elsewhere[node] = people, self._services.now()
                self._show_people(study, room)
                if is_new:
                    self._tell_people(study, room)

    def _tell_chapters(self, study: str) -> None:
        """Tells every page here which chapters have changed, once the budget allows."""
        room = self._rooms.get(study)
        if room is None or not room.untold or self._must_wait(study, room, room.telling, self._tell_chapters):
            return
        for one in room.untold.values():
            named, unnamed = (
                encode(ChapterChanged(chapter=one.chapter, rev=one.rev, by=name)) for name in (one.by, "")
            )
            for page, seen in room.pages.items():
                if seen is not None:
                    # Who belongs to a study is nobody else's business.
                    page.outbox.put(named if seen.belongs else unnamed, in_turn=True)
        room.untold.clear()

    def _must_wait(self, study: str, room: StudyRoom, budget: TokenBucket, later: Callable[[str], None]) -> bool:
        """Is the budget spent? Then calls `later` with the study when it allows the next read."""
        now, pages = self._services.now(), min(len(room.pages), READS)
        if budget.take(now, pages):
            return False
        self._services.timers.set((study, later), now + pages * READS_WITHIN_MS // READS, partial(later, study))
        return True

    def catch_up(self, studies: Iterable[str] | None = None) -> None:
        """Shows these studies (ids), or all, again, because notices may be lost. Repeats to other nodes who is here."""
        for study in tuple(self._rooms) if studies is None else studies:
            room = self._rooms.get(study)
            if room is not None:
                self._read_soon(study)
                self._tell_people(study, room)

    def dismiss(self, farewell: str, code: int) -> None:
        """Sends `farewell` to everybody and closes all connections with `code`."""
        for room in self._rooms.values():
            for page in tuple(room.pages):
                if farewell:
                    page.outbox.put(farewell)
                page.outbox.close(code)

    # --- what it is now ---------------------------------------------------------------------------------------------

    def _read_soon(self, study: str, *, changed: bool = True) -> None:
        """Starts a read unless one is under way, which then reads once more."""
        room = self._rooms.get(study)
        if room is None or (changed and self._must_wait(study, room, room.showing, self._read_soon)):
            return
        room.again = True
        room.changed |= changed
        if not room.reading:
            room.reading = True
            self._services.background.spawn(self._read(study, room))

    async def _read(self, study: str, room: StudyRoom) -> None:
        try:
            while room.again:
                room.again = False
                await self._show(study, room)
        except StoreError:
            for page in tuple(room.pages):
                page.outbox.close(TRY_LATER)
        finally:
            room.reading = False

    async def _show(self, study: str, room: StudyRoom) -> None:
        """Shows the study to all pages, or to new ones, and disconnects those that may not read it.

        Raises StoreError.
        """
        studies = self._services.store.studies
        changed, room.changed = room.changed, False
        pages = [page for page, before in room.pages.items() if changed or before is None]
        readers = {page.person or "" for page in pages}
        seen = {reader: await studies.look_at(study, reader) for reader in readers}
        stored = {one.id: one for one in await studies.chapters_of(study)}
        pages = [page for page in pages if page in room.pages]
        for page in pages:
            if (found := seen[page.person or ""]) is None:
                del room.pages[page]
                self._study_of.pop(page, None)
                page.outbox.put(encode(StudyGone()))
                page.outbox.close(POLICY)
            else:
                room.pages[page] = found
        here = room.members(self._services.now())
        for page in pages:
            if (found := room.pages.get(page)) is not None:
                chapters = [stored[one] for one in found.study.chapters if one in stored]
                page.outbox.put(
                    encode(
                        StudyShown(
                            name=found.study.name,
                            rev=found.study.rev,
                            writes=1 if found.writes else None,
                            chapters=[
                                ChapterHead(id=one.id, name=one.name, variant=one.variant, rev=one.rev)
                                for one in chapters
                            ],
                            here=list(here) if found.belongs else None,
                        )
                    )
                )
        if changed and here == room.told:
            self._tell_people(study, room)
        self._show_people(study, room, pages)
        self._drop_if_empty(study, room)

    def _show_people(self, study: str, room: StudyRoom, told: Collection[Subscriber] = ()) -> None:
        """If the list of members has changed, sends it to the members here, except to the pages `told`."""
        here = room.members(self._services.now())
        if here == room.told:
            return
        room.told = here
        text = encode(StudyPeople(here=list(here)))
        for page, seen in room.pages.items():
            if seen is not None and seen.belongs and page not in told:
                page.outbox.put(text, in_turn=True)
        self._tell_people(study, room)

    def _tell_people(self, study: str, room: StudyRoom) -> None:
        self._services.bus.tell(PeopleInStudy(study, self._services.hearing.node, room.members_here()))
