"""Carries out the commands of a mail to somebody's own address here, which is about no game.

As with replies the whole mail is looked at first: if anything in it belongs to a game, nothing is done.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from server.games.clocks.vacations import Allowance
from server.games.game_id import game_id
from server.games.player import Player
from server.mail.inbound.enquiries import Enquiries
from server.mail.inbound.mail_report import MailReport, NotDone, Sentence
from server.mail.inbound.reading.mail_commands import (
    OF_A_PERSON,
    AskVacation,
    Challenge,
    Enquiry,
    MailCommand,
    TakeVacation,
)
from server.refusal import Refusal

MakeChallenge = Callable[[Player, Challenge, str], Awaitable[bool]]
"""Stores the challenge of a player under an id. False: it was stored before. Raises Refusal, Unavailable."""

TakeLeave = Callable[[str, TakeVacation | AskVacation], Awaitable[Allowance]]
"""Has somebody (an id) be away or back, and says what is left to them then. Raises Refusal, Unavailable."""
UNSURE: Final = ("busy", "storage")
"""Refusals that say nothing about what was asked: it can be asked again."""


@dataclass(frozen=True, slots=True)
class PersonalMail:
    """Whoever wrote a mail to the site. `mail`: by what that is recognised if it comes again."""

    player: Player
    enquiries: Enquiries
    challenge: MakeChallenge
    vacation: TakeLeave
    mail: bytes

    async def carry_out(self, wanted: Sequence[MailCommand], now: int) -> MailReport:
        """What came of the commands of the mail. Raises Busy, StorageDown, StoreError."""
        report = MailReport()
        try:
            if not all(isinstance(command, OF_A_PERSON) for command in wanted):
                raise NotDone("needs_game")
            for nth, command in enumerate(wanted):
                if isinstance(command, Challenge):
                    await self._challenge(command, nth, report)
                elif isinstance(command, TakeVacation | AskVacation):
                    report.done.extend(_leave(await self.vacation(self.player.id, command)))
                elif isinstance(command, Enquiry):
                    await self.enquiries.answer(command, self.player.id, report)
        except Refusal as refusal:
            if refusal.code in UNSURE:
                raise
            report.refused = refusal
        return report

    async def _challenge(self, command: Challenge, nth: int, report: MailReport) -> None:
        """The id of the game follows from the mail, so a mail that comes twice makes one challenge."""
        digest = sha256(self.mail + nth.to_bytes(1, "big")).digest()
        is_new = await self.challenge(self.player, command, game_id(int.from_bytes(digest, "big")))
        if command.other:
            key = "mail_answers.proposed" if is_new else "mail_answers.proposed_before"
            report.done.append(Sentence(key, {"name": command.name, "other": command.other}))
        else:
            key = "mail_answers.challenged" if is_new else "mail_answers.challenged_before"
            report.done.append(Sentence(key, {"name": command.name}))


def _leave(allowance: Allowance) -> Iterator[Sentence]:
    if allowance.last is None:
        yield Sentence("mail_answers.back")
    else:
        yield Sentence("vacation.now", {"day": allowance.last.isoformat()})
    yield Sentence("vacation.left" if allowance.left else "vacation.none_left", {"n": allowance.left})
