"""The parts of a store that need only tables. A new kind of record is a module beside this one, and a line here."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol, get_type_hints

from server.storage.damage import Damage
from server.storage.record_kinds import OTHER_KINDS, RecordKind
from server.storage.tables.accounts import AccountStore
from server.storage.tables.addresses import AddressStore, UnwantedMailStore
from server.storage.tables.alerts import AlertStore
from server.storage.tables.challenges import ChallengeStore
from server.storage.tables.desk import DeskStore
from server.storage.tables.held_words import HeldWordStore
from server.storage.tables.imports import ImportStore
from server.storage.tables.joining import JoiningStore
from server.storage.tables.lessons import LessonStore
from server.storage.tables.notes import NoteStore
from server.storage.tables.notices import NoticeStore
from server.storage.tables.notification_settings import NotificationSettingsStore
from server.storage.tables.outbox import DigestStore, OutboxStore
from server.storage.tables.profiles import ProfileStore
from server.storage.tables.push import PushStore
from server.storage.tables.puzzles import PuzzleStore, PuzzleTryStore
from server.storage.tables.quotas import QuotaStore
from server.storage.tables.received_mail import ReceivedMailStore
from server.storage.tables.reports import ReportStore
from server.storage.tables.sanctions import SanctionStore
from server.storage.tables.seeks import SeekStore
from server.storage.tables.site_settings import SiteSettingsStore
from server.storage.tables.studies import StudyStore
from server.storage.tables.table import OwnedTableStore, Table, TableEngine, TableStore
from server.storage.tables.ties import TieStore
from server.storage.tables.tokens import TokenStore
from server.storage.tables.tournaments import TournamentStore
from server.storage.tables.vacations import VacationStore


class TableParts(Protocol):
    """What every engine has of tables."""

    alerts: AlertStore
    imports: ImportStore
    studies: StudyStore
    accounts: AccountStore
    addresses: AddressStore
    challenges: ChallengeStore
    desk: DeskStore
    notification_settings: NotificationSettingsStore
    joining: JoiningStore
    held_words: HeldWordStore
    lessons: LessonStore
    notes: NoteStore
    notices: NoticeStore
    profiles: ProfileStore
    push: PushStore
    outbox: OutboxStore
    digests: DigestStore
    puzzles: PuzzleStore
    puzzle_tries: PuzzleTryStore
    quotas: QuotaStore
    received_mail: ReceivedMailStore
    reports: ReportStore
    sanctions: SanctionStore
    seeks: SeekStore
    site_settings: SiteSettingsStore
    ties: TieStore
    tokens: TokenStore
    tournaments: TournamentStore
    unwanted_mail: UnwantedMailStore
    vacations: VacationStore

    async def forget_owned(self, owner: str) -> None:
        """Deletes what belongs to `owner` in each table whose records have one. Raises Unavailable."""


PARTS: Final[Mapping[str, type[TableStore]]] = get_type_hints(TableParts)
TABLE_KINDS: Final = tuple({kind.name: kind for part in PARTS.values() for kind in part.kinds}.values())
KINDS: Final[Mapping[str, RecordKind]] = {kind.name: kind for kind in (*OTHER_KINDS, *TABLE_KINDS)}
"""Every kind but games, which have a shape of their own (`documents`)."""


class TableStores(TableParts):
    """The same. `damage`: the damaged records found so far. `own`: what makes a part that the engine has of its own."""

    def __init__(self, engine: TableEngine, damage: Damage, **own: Callable[..., TableStore]) -> None:
        self.damage = damage
        for name, part in PARTS.items():
            setattr(self, name, own.get(name, part)(*(Table(engine, damage, kind) for kind in part.kinds)))

    async def forget_owned(self, owner: str) -> None:
        for name in PARTS:
            if isinstance(part := getattr(self, name), OwnedTableStore):
                await part.forget(owner)
