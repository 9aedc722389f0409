"""Studies, their chapters and members in a store. Every change of a study or chapter is compare-and-set on its
revision; what is said of a member is one record, so the last word counts.

A chapter is stored before its study names it and removed after: what a crash leaves behind is never shown, and goes
with its owner or when there is no room for more. Whatever makes an owner's studies larger is written first, then
counted, and taken back if that was too much: so of several who do it at once, on whatever node, each sees the others.
All times are ms since the epoch.
"""

from collections.abc import Sequence
from typing import Final

from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.studies import (
    MAX_MEMBERS,
    MAX_STUDIES,
    Chapter,
    Member,
    Role,
    SeenStudy,
    Study,
    WrittenChapter,
    check_size,
    too_many_members,
    too_many_studies,
)
from server.storage.fields import Fields, FlatRecord, flag, flat, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import OwnedTableStore, Step, Table, below


def study_of(fields: Fields) -> Study:
    """The study of stored fields. Raises as `fields` says."""
    return Study(
        id=text(fields, "_id"),
        owner=text(fields, "owner"),
        name=text(fields, "name"),
        chapters=tuple(text(fields, "chapters").split()),
        created=instant(fields, "created"),
        changed=instant(fields, "changed"),
        shared=flag(fields, "shared"),
        rev=number(fields, "rev"),
    )


def chapter_document(written: WrittenChapter) -> FlatRecord:
    """The chapter with its moves as a record."""
    one = written.chapter
    return {
        "_id": one.id,
        "study": one.study,
        "owner": one.owner,
        "name": one.name,
        "variant": one.variant,
        "chess960": int(one.chess960),
        "rev": one.rev,
        "size": written.size,
        "pgn": written.pgn,
    }


def chapter_of(fields: Fields) -> Chapter:
    """The chapter of stored fields. Raises as `fields` says."""
    return Chapter(
        id=text(fields, "_id"),
        study=text(fields, "study"),
        owner=text(fields, "owner"),
        name=text(fields, "name"),
        variant=text(fields, "variant"),
        chess960=flag(fields, "chess960"),
        rev=number(fields, "rev"),
    )


def written_of(fields: Fields) -> WrittenChapter:
    """The same with what is in it."""
    number(fields, "size")
    return WrittenChapter(chapter_of(fields), text(fields, "pgn"))


STUDIES: Final = RecordKind(
    "studies",
    typed_fields("_id owner name chapters #created #changed #shared #rev"),
    indexes=("owner",),
    read=study_of,
    people=("owner",),
)
STUDY_CHAPTERS: Final = RecordKind(
    "study_chapters",
    typed_fields("_id study owner name variant #chess960 #rev #size pgn"),
    indexes=("study", "owner"),
    read=written_of,
    people=("owner",),
    beside=("added",),
)


def key_of(study: str, person: str) -> str:
    """The key of the only membership of `person` in `study` (ids)."""
    return f"{study} {person}"


def member_document(member: Member) -> FlatRecord:
    """The membership as a record."""
    return {
        "_id": key_of(member.study, member.person.id),
        "study": member.study,
        "owner": member.owner,
        "person": member.person.id,
        "name": member.person.name,
        "role": member.role.value,
        "at": member.at,
    }


def member_of(fields: Fields) -> Member:
    """The membership of stored fields. Raises as `fields` says."""
    return Member(
        text(fields, "study"),
        text(fields, "owner"),
        Player(text(fields, "person"), text(fields, "name")),
        Role(text(fields, "role")),
        instant(fields, "at"),
    )


STUDY_MEMBERS: Final = RecordKind(
    "study_members",
    typed_fields("_id study owner person name role #at"),
    indexes=("study at", "owner", "person at"),
    read=member_of,
    people=("owner", "person"),
)
HEADING: Final = ("study", "owner", "name", "variant", "chess960", "rev")
"""What is said of a chapter, without what is in it."""


ADDED: Final = "added"
"""Of a chapter in MongoDB: when (ms) it was stored, so that its study would name it next."""
LEFT_BEHIND_MS: Final = 60_000
"""A chapter that no study names after that was left behind by a process that died: no write takes so long."""


class StudyStore(OwnedTableStore):
    """Studies and their chapters, within each owner's quota: methods that add something raise NotAllowed beyond it.

    Concurrent writes that would exceed the quota together may all be refused; they never exceed it.
    """

    kinds = (STUDIES, QUOTAS, STUDY_CHAPTERS, STUDY_MEMBERS)

    def __init__(self, table: Table, quotas: Table, chapters: Table, members: Table) -> None:
        super().__init__(table)
        self._quotas = QuotaStore(quotas)
        self._chapters = chapters
        self._members = members
        self._in_flight: set[str] = set()
        """Chapters that this process is adding, so that their studies do not name them yet."""

    async def add_study(self, study: Study, chapters: Sequence[WrittenChapter]) -> None:
        """Stores a study and all its chapters. Raises Duplicate too."""
        await self._table.write(*self._add_steps(chapters, study.changed), self._table.add_step(flat(study, key="id")))
        quota = Quota(study.owner, "studies", MAX_STUDIES)
        try:
            if not await self._quotas.admit_record(
                quota, self._table, study.id, study.changed, "created _id", new=False, owner=study.owner
            ):
                raise too_many_studies()
            await self._check_room(study.owner, study.changed)
        except NotAllowed:
            await self.remove_study(study)
            raise

    async def find_study(self, study: str) -> Study | None:
        """The study with that id. Raises Unreadable too."""
        return await self._table.read_one(study_of, study)

    async def look_at(self, study: str, reader: str) -> SeenStudy | None:
        """The study (an id), and what `reader` (an id, "" for somebody unknown) may do in it; None: not even read it.

        Raises Unreadable too.
        """
        found = await self.find_study(study)
        if found is None:
            return None
        role = await self.role_of(study, reader) if reader and not found.is_of(reader) else None
        return SeenStudy(found, reader, role) if found.is_open_to(reader, role) else None

    async def studies_of(self, owner: str) -> Sequence[Study]:
        """Those of `owner`, the last changed first."""
        return await self._table.read(study_of, "changed- _id", owner=owner)

    async def change_study(self, study: Study) -> bool:
        """Stores it if the stored revision is the one before. False: it is not, or the study is gone."""
        return await self._table.replace(flat(study, key="id"))

    async def add_chapters(self, study: Study, added: Sequence[WrittenChapter]) -> bool:
        """The same with chapters, which `study` names already."""
        keys = frozenset(one.chapter.id for one in added)
        self._in_flight |= keys
        try:
            await self._table.write(*self._add_steps(added, study.changed))
            try:
                await self._check_room(study.owner, study.changed)
            except NotAllowed:
                await self._chapters.delete(_id=keys)
                raise
            if await self.change_study(study):
                return True
            await self._chapters.delete(_id=keys)
            return False
        finally:
            self._in_flight -= keys

    def _add_steps(self, chapters: Sequence[WrittenChapter], now: int) -> Sequence[Step]:
        return [self._chapters.add_step({**chapter_document(one), ADDED: now}) for one in chapters]

    async def _check_room(self, owner: str, now: int) -> None:
        """Raises NotAllowed as `check_size` does, after what was left behind is deleted."""
        try:
            check_size(await self.size_of(owner))
        except NotAllowed:
            if not await self._drop_left_behind(owner, now):
                raise
            check_size(await self.size_of(owner))

    async def _drop_left_behind(self, owner: str, now: int) -> bool:
        """Deletes the chapters of `owner` that no study names and none will; False: there are none."""
        chapters = await self._chapters.find(only=(ADDED,), owner=owner)
        studies = await self._table.find(only=("chapters",), owner=owner)
        if any(not isinstance(one.get("chapters"), str) for one in studies):
            return False  # damaged: what it names is not known
        named = {chapter for one in studies for chapter in one["chapters"].split()}
        old = {one["_id"] for one in chapters if one.get(ADDED, 0) <= now - LEFT_BEHIND_MS}
        left = frozenset(old - named - self._in_flight)
        return bool(left) and await self._chapters.delete(_id=left) > 0

    async def remove_chapter(self, study: Study, chapter: str) -> bool:
        """The same without a chapter, which `study` no longer names."""
        without = self._table.replace_step(flat(study, key="id"))
        return await self._table.write_if(without, self._chapters.delete_step(_id=chapter))

    async def drop_chapter(self, study: str, chapter: str) -> None:
        """Deletes a chapter that its study (an id) no longer names, if a removal that was cut short has left it."""
        await self._chapters.delete(_id=chapter, study=study)

    async def remove_study(self, study: Study) -> None:
        """Deletes it with its chapters and members."""
        # The study after the rest, so that what was cut short can be repeated, and then what was added meanwhile.
        rest = self._chapters.delete_step(study=study.id), self._members.delete_step(study=study.id)
        await self._table.write(*rest, self._table.delete_step(_id=study.id), *rest)

    async def chapters_of(self, study: str) -> Sequence[Chapter]:
        """The chapters of a study (an id), in no particular order."""
        return await self._chapters.read(chapter_of, only=HEADING, study=study)

    async def written_chapters_of(self, study: str) -> Sequence[WrittenChapter]:
        """The same with what is in them."""
        return await self._chapters.read(written_of, study=study)

    async def find_chapter(self, chapter: str) -> WrittenChapter | None:
        """The chapter with that id. Raises Unreadable too."""
        return await self._chapters.read_one(written_of, chapter)

    async def save_chapter(self, chapter: WrittenChapter, at: int) -> bool:
        """Stores it if the stored revision is the one before, and notes that its study changed at `at`. Is it stored
        then, by this or by a call before? Not if it has another revision, or is gone.
        """
        one, record = chapter.chapter, chapter_document(chapter)
        found = await self._chapters.find(_id=one.id)
        if not await self._chapters.replace(record):
            if not found or any(found[0].get(name) != value for name, value in record.items()):
                return False
        elif found and chapter.size > found[0]["size"]:
            try:
                await self._check_room(one.owner, at)
            except NotAllowed:
                before = {name: found[0][name] for name in STUDY_CHAPTERS.fields if name != "_id"}
                await self._chapters.set(before, _id=one.id, rev=one.rev)
                raise
        await self._table.set({"changed": at}, _id=one.study, changed=below(at))
        return True

    async def size_of(self, owner: str) -> int:
        """The bytes in all chapters of `owner`."""
        found = await self._chapters.find(only=("size",), owner=owner)
        return sum(size for one in found if isinstance(size := one.get("size"), int))

    async def forget(self, owner: str) -> None:
        """Deletes the studies of `owner`, and takes them out of those of others."""
        await self._table.write(
            self._table.delete_step(owner=owner),
            self._chapters.delete_step(owner=owner),
            self._members.delete_step(owner=owner),
            self._members.delete_step(person=owner),
        )

    async def keep_member(self, member: Member) -> None:
        """Invites somebody, or gives a member another role. Raises NotAllowed if the study has enough."""
        record, study = member_document(member), member.study
        key = key_of(study, member.person.id)
        if await self._members.set({"role": member.role.value, "name": member.person.name}, _id=key):
            return
        await self._members.put(record)
        quota = Quota(study, "members", MAX_MEMBERS)
        if not await self._quotas.admit_record(quota, self._members, key, member.at, "at _id", study=study):
            raise too_many_members()

    async def remove_member(self, study: str, person: str) -> None:
        """Takes somebody out of a study (ids); does nothing if they are no member."""
        await self._members.delete(_id=key_of(study, person))

    async def role_of(self, study: str, person: str) -> Role | None:
        """What `person` may do in `study` (ids) as a member; None: they are none, or it cannot be read."""
        found = await self._members.read(member_of, _id=key_of(study, person))
        return found[0].role if found else None

    async def members_of(self, study: str) -> Sequence[Member]:
        """The members of a study (an id), in the order of their invitations."""
        return await self._members.read(member_of, "at _id", study=study)

    async def memberships_of(self, person: str) -> Sequence[tuple[Study, Role]]:
        """The studies of others of which `person` is a member, and their role there, the last invitation first."""
        members = await self._members.read(member_of, "at- _id", person=person)
        studies = await self._table.read(study_of, _id=frozenset(one.study for one in members)) if members else []
        by_id = {one.id: one for one in studies}
        return [(by_id[one.study], one.role) for one in members if one.study in by_id]
