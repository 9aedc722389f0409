"""The words that are not said on this site, in a store: one list of the host's."""

from dataclasses import dataclass
from typing import Final

from server.storage.fields import Fields, FlatRecord, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import Step, TableStore

THE_ONE: Final = "site"
"""The key of the only record."""


@dataclass(frozen=True, slots=True)
class HeldWords:
    """`rev` counts the changes; 0: nothing has been stored yet."""

    words: tuple[str, ...] = ()
    rev: int = 0


def held_words_of(fields: Fields) -> HeldWords:
    """The list of stored fields. Raises as `fields` says."""
    return HeldWords(tuple(text(fields, "words").splitlines()), number(fields, "rev"))


HELD_WORDS: Final = RecordKind("held_words", typed_fields("_id words #rev"), read=held_words_of)


class HeldWordStore(TableStore):
    """The list."""

    kinds = (HELD_WORDS,)

    async def read(self) -> HeldWords:
        """The list as it is now. Raises Unreadable, Unavailable."""
        return await self._table.read_one(held_words_of, THE_ONE) or HeldWords()

    async def change(self, before: HeldWords, words: tuple[str, ...], *written: Step) -> bool:
        """Replaces the list, and carries out what is `written` of that. False: it was not `before` any more."""
        record: FlatRecord = {"_id": THE_ONE, "words": "\n".join(words), "rev": before.rev + 1}
        first = self._table.replace_step(record) if before.rev else self._table.add_if_new_step(record)
        return await self._table.write_if(first, *written)
