"""Fuzz targets of what mail servers hand over: mails, the text of replies, their commands and moves."""

from functools import cache

from server.games.errors import BadMove
from server.mail.inbound.command_words import NotACommand
from server.mail.inbound.grammar import read_commands
from server.mail.inbound.intended_moves import move_typed, near_moves
from server.mail.inbound.mail_commands import TypedMove
from server.mail.inbound.received_mail import ReceivedMail, UnreadableMail, read_mail
from server.mail.inbound.replies import failure_in
from server.rules.catalogue import load_catalogue
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.letters import OWN, PBMSERV, letters_of
from tests.fuzz.target import Target, answer, text_of
from tests.support.mail.bounced import report
from tests.support.mail.corpus import REPLIES


@cache
def start() -> Position:
    variant = load_catalogue()["grand"]
    return parse_fen(variant, variant.start_fen)


def mails(data: bytes) -> None:
    answer(UnreadableMail, failure_in, data)
    mail = answer(UnreadableMail, read_mail, data)
    if isinstance(mail, ReceivedMail) and not mail.automatic:
        commands = answer(NotACommand, read_commands, mail.lines)
        if not isinstance(commands, NotACommand):
            assert sum(isinstance(one, TypedMove) for one in commands) <= 1


def mail_seeds() -> list[bytes]:
    return [report(), *(path.read_bytes().partition(b"\n")[2] for path in REPLIES)]


def typed(data: bytes) -> None:
    text = text_of(data)[:60]
    for letters in (OWN, letters_of(start().variant, PBMSERV)):
        move = answer(BadMove, move_typed, start(), text, letters)
        assert isinstance(move, BadMove) or move in legal_moves(start())
        answer((), near_moves, start(), text, letters)


def typed_seeds() -> list[bytes]:
    return [text.encode() for text in ("Nc3", "e2 e4", "e2–e4", "Mg4", "0–0", "♘c3", "“E4”", "M@e4", "a8=Q+", "a8(q)")]


MAILS = (Target("mails", mails, mail_seeds), Target("typed", typed, typed_seeds))
