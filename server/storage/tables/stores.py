"""The parts of a store that need only tables."""

from collections.abc import Callable

from server.storage.record_kinds import (
    ADDRESSES,
    CHALLENGES,
    DEVICES,
    LESSONS,
    NOTICES,
    NOTIFICATION_SETTINGS,
    REPORTS,
    SECRETS,
    TIES,
    TOKENS,
    UNWANTED_MAIL,
    VACATIONS,
    RecordKind,
)
from server.storage.tables.addresses import AddressStore
from server.storage.tables.challenges import ChallengeStore
from server.storage.tables.lessons import LessonStore
from server.storage.tables.notices import NoticeStore
from server.storage.tables.notification_settings import NotificationSettingsStore
from server.storage.tables.push import PushStore
from server.storage.tables.reports import ReportStore
from server.storage.tables.table import Table
from server.storage.tables.ties import TieStore
from server.storage.tables.tokens import TokenStore
from server.storage.tables.unwanted_mail import UnwantedMailStore
from server.storage.tables.vacations import VacationStore


class TableStores:
    """`table` makes the table of a kind in the engine."""

    def __init__(self, table: Callable[[RecordKind], Table]) -> None:
        self.addresses = AddressStore(table(ADDRESSES), table(SECRETS))
        self.challenges = ChallengeStore(table(CHALLENGES))
        self.notification_settings = NotificationSettingsStore(table(NOTIFICATION_SETTINGS))
        self.lessons = LessonStore(table(LESSONS))
        self.notices = NoticeStore(table(NOTICES))
        self.push = PushStore(table(DEVICES))
        self.reports = ReportStore(table(REPORTS))
        self.ties = TieStore(table(TIES))
        self.tokens = TokenStore(table(TOKENS))
        self.unwanted_mail = UnwantedMailStore(table(UNWANTED_MAIL))
        self.vacations = VacationStore(table(VACATIONS))
