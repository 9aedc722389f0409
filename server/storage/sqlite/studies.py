"""Studies in the SQLite file."""

import sqlite3
from collections.abc import Sequence

from server.games.studies.study import Chapter, Study, WrittenChapter
from server.storage.fields import Fields
from server.storage.protocols.studies import chapter_document, chapter_of, study_document, study_of, written_of
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert

HEADINGS = "_id, study, owner, name, variant, chess960, rev"


class SqliteStudies(SqlitePart):
    """A `StudyStore`."""

    async def add(self, study: Study, chapters: Sequence[WrittenChapter]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            insert(connection, "studies", study_document(study))
            for one in chapters:
                insert(connection, "study_chapters", chapter_document(one))

        await self._file.write(write)

    async def find(self, study: str) -> Study | None:
        found = await self._file.fields("SELECT * FROM studies WHERE _id = ?", (study,))
        with self._damage.noted("studies", study):
            return study_of(found[0]) if found else None

    async def of(self, owner: str) -> Sequence[Study]:
        query = "SELECT * FROM studies WHERE owner = ? ORDER BY changed DESC, _id"
        found = await self._file.fields(query, (owner,))
        return self._damage.readable("studies", found, study_of)

    async def change(self, study: Study) -> bool:
        return await self._file.write(lambda connection: _replace(connection, "studies", study_document(study)))

    async def add_chapter(self, study: Study, added: WrittenChapter) -> bool:
        def write(connection: sqlite3.Connection) -> bool:
            if not _replace(connection, "studies", study_document(study)):
                return False
            insert(connection, "study_chapters", chapter_document(added))
            return True

        return await self._file.write(write)

    async def remove_chapter(self, study: Study, chapter: str) -> bool:
        def write(connection: sqlite3.Connection) -> bool:
            if not _replace(connection, "studies", study_document(study)):
                return False
            connection.execute("DELETE FROM study_chapters WHERE _id = ?", (chapter,))
            return True

        return await self._file.write(write)

    async def remove(self, study: Study) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM studies WHERE _id = ?", (study.id,))
            connection.execute("DELETE FROM study_chapters WHERE study = ?", (study.id,))

        await self._file.write(write)

    async def chapters(self, study: str) -> Sequence[Chapter]:
        found = await self._file.fields(f"SELECT {HEADINGS} FROM study_chapters WHERE study = ?", (study,))
        return self._damage.readable("study_chapters", found, chapter_of)

    async def written(self, study: str) -> Sequence[WrittenChapter]:
        found = await self._file.fields("SELECT * FROM study_chapters WHERE study = ?", (study,))
        return self._damage.readable("study_chapters", found, written_of)

    async def chapter(self, chapter: str) -> WrittenChapter | None:
        found = await self._file.fields("SELECT * FROM study_chapters WHERE _id = ?", (chapter,))
        with self._damage.noted("study_chapters", chapter):
            return written_of(found[0]) if found else None

    async def save(self, chapter: WrittenChapter, at: int) -> bool:
        def write(connection: sqlite3.Connection) -> bool:
            if not _replace(connection, "study_chapters", chapter_document(chapter)):
                return False
            touched = "UPDATE studies SET changed = max(changed, ?) WHERE _id = ?"
            connection.execute(touched, (at, chapter.chapter.study))
            return True

        return await self._file.write(write)

    async def size_of(self, owner: str) -> int:
        ((size,),) = await self._file.rows(
            "SELECT coalesce(sum(size), 0) FROM study_chapters WHERE owner = ?", (owner,)
        )
        return int(size)

    async def forget(self, owner: str) -> None:
        def write(connection: sqlite3.Connection) -> None:
            for table in ("studies", "study_chapters"):
                connection.execute(f"DELETE FROM {table} WHERE owner = ?", (owner,))

        await self._file.write(write)


def _replace(connection: sqlite3.Connection, table: str, fields: Fields) -> bool:
    """Stores the row in place of that of the revision before; False if there is none."""
    columns = ", ".join(f"{name} = ?" for name in fields)
    query = f"UPDATE {table} SET {columns} WHERE _id = ? AND rev = ?"
    return connection.execute(query, (*fields.values(), fields["_id"], fields["rev"] - 1)).rowcount > 0
