"""Carries out the commands of a reply with the rights of one seat, by the same path as those of open pages.

The whole reply is looked at first: if anything in it cannot be, nothing is done. Then one command after the other is
carried out until the game refuses one.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from server.games.changes import adjourning, beginning, claiming, ending, offers
from server.games.clocks.time_control import for_color
from server.games.command import Command
from server.games.game import check_taken
from server.games.player import Player
from server.games.state import Game, Offer, OfferKind
from server.games.status import Status
from server.mail.inbound.addresses.reply_address import ReplyToken
from server.mail.inbound.enquiries import Enquiries
from server.mail.inbound.intended_moves import IntendedMoves, moves_meant, previewed, said_of, was_played
from server.mail.inbound.mail_report import MailReport, NotDone, Sentence
from server.mail.inbound.reading.mail_commands import (
    OF_A_TURN,
    OF_CHALLENGES,
    OF_OFFERS,
    Abort,
    AnswerOffer,
    AskVacation,
    Challenge,
    ClaimTime,
    Conditional,
    EndPause,
    MailCommand,
    MakeOffer,
    Move,
    Preview,
    Resign,
    Say,
    Show,
    TakeVacation,
)
from server.mail.inbound.worker import Worker
from server.realtime.play.chat.limiter import check_length
from server.realtime.play.chat.text import form_of
from server.realtime.play.post_chat import post_message
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.process.ids import new_id
from server.refusal import Refusal
from server.rules.notation.letters import Letters

PATIENCE_MS: Final = 5_000
"""How long a command waits for the store. The mail server tries again later, and for longer."""


@dataclass(frozen=True, slots=True)
class RepliedSeat:
    """A seat at a board, to whose player a mail with `token` was written.

    `player` is who has it now, or is challenged to take it. `letters`: those that the pieces have in such mails.
    `check_room` raises Refusal for somebody (an id) who has too many games to begin another.
    """

    rounds: Rounds
    round: Round
    player: Player
    token: ReplyToken
    letters: Letters
    worker: Worker
    enquiries: Enquiries
    check_room: Callable[[str], Awaitable[None]]

    @property
    def game(self) -> Game:
        return self.round.game

    async def carry_out(self, wanted: Sequence[MailCommand], now: int) -> MailReport:
        """What came of the commands of a reply that arrived at `now` (ms). Raises Busy, StorageDown, StoreError."""
        report = MailReport()
        try:
            if not self._are_timely(wanted):
                await self._look_back(wanted, report)
                return report
            if self._is_asked and not all(isinstance(one, OF_CHALLENGES) for one in wanted):
                raise NotDone("accept_first")
            game, color = self.game, self.token.color
            moves = await self.worker.run(lambda: moves_meant(game, color, wanted, report, self.letters))
            self._check_prepared(moves)
            for command in wanted:
                if isinstance(command, Say):
                    check_length(command.text, form_of(game.terms.control, "players"))
            self._charge(wanted, now)
            for command in _in_order(wanted):
                await self._one(command, moves, now, report)
        except Refusal as refusal:
            if refusal.code in ("busy", "storage"):
                raise
            report.refused = refusal
        return report

    @property
    def _is_asked(self) -> bool:
        """Is the player only challenged yet?"""
        return self.game.status is Status.OPEN and self.game.player(self.token.color) is None

    def _are_timely(self, wanted: Sequence[MailCommand]) -> bool:
        """Does the game still stand as the mail showed it, as far as these commands depend on that?"""
        for command in wanted:
            if isinstance(command, OF_A_TURN) and not self.token.is_about_turn(self.game):
                return False
            if isinstance(command, OF_OFFERS) and not self.token.is_about_offers(self.game):
                return False
        return True

    async def _look_back(self, wanted: Sequence[MailCommand], report: MailReport) -> None:
        """The game has changed since the mail. Perhaps by this very reply, if it was delivered before."""
        game, plies = self.game, self.token.plies
        if plies < len(game.plies) and game.mover_of(plies) is self.token.color:
            for command in wanted:
                if isinstance(command, Move) and await self._was_played(command.text, plies):
                    report.done.append(Sentence("mail_answers.played_before", {"move": game.plies[plies].san}))
                    return
        raise NotDone("outdated")

    async def _was_played(self, typed: str, nth: int) -> bool:
        game = self.game
        return await self.worker.run(lambda: was_played(game, typed, nth, self.letters))

    def _check_prepared(self, moves: IntendedMoves) -> None:
        """Conditional moves alone replace only those that the mail showed; sending the same again does no harm."""
        if moves.uci or moves.prepared is None or self.token.is_about_prepared(self.game):
            return
        if moves.prepared[1] != for_color(self.game.conditional, self.token.color):
            raise NotDone("if_outdated")

    def _charge(self, wanted: Sequence[MailCommand], now: int) -> None:
        """Conditional moves count as those that were entered on the board."""
        for command in wanted:
            if isinstance(command, Conditional):
                moves = sum(map(len, command.lines))
                self.rounds.preparation_limiter.charge(self.player.id, moves, now)

    async def _one(self, command: MailCommand, moves: IntendedMoves, now: int, report: MailReport) -> None:
        match command:
            case Move() | Conditional():
                await self._play(moves, now, report)
            case MakeOffer(kind):
                await self._offer(kind, now, report)
            case AnswerOffer(accepts):
                await self._answer(accepts, now, report)
            case EndPause():
                await self._submit(adjourning.ResumeReady(self.token.color), now)
                report.done.append(Sentence("mail_answers.resumed"))
            case ClaimTime(as_draw):
                await self._submit(claiming.Claim(self.token.color, as_draw=as_draw), now)
                report.done.append(Sentence("mail_answers.claimed"))
            case Abort():
                is_open = self.game.status is Status.OPEN
                await self._submit(ending.Abort(self.token.color), now)
                report.done.append(Sentence("mail_answers.withdrawn" if is_open else "mail_answers.aborted"))
            case Resign(game):
                await self._resign(game, now, report)
            case Say(text):
                await post_message(self.rounds, self.round, self.player, "players", text, now)
                report.done.append(Sentence("mail_answers.said"))
            case Preview(shown):
                position = self.game.position
                report.boards.append(await self.worker.run(lambda: previewed(position, shown, report, self.letters)))
            case Show(plies):
                # The answer has the board as it stands in any case.
                if plies is not None:
                    await self.enquiries.show(self.game, plies, report)
            case Challenge() | TakeVacation() | AskVacation():
                raise NotDone("needs_no_game")
            case _:
                await self.enquiries.answer(command, self.player.id, report)

    async def _submit(self, command: Command, now: int) -> None:
        await self.round.submit(command, now, patience_ms=PATIENCE_MS)

    async def _play(self, moves: IntendedMoves, now: int, report: MailReport) -> None:
        ply = self.token.plies
        if (command := moves.command(self.token.color, ply)) is not None:
            await self._submit(command, now)
            report.done.extend(said_of(moves, self.game, ply))

    async def _offer(self, kind: OfferKind, now: int, report: MailReport) -> None:
        await self._submit(offers.MakeOffer(self.token.color, kind, new_id()), now)
        stands = any(offer.kind is kind and offer.by is self.token.color for offer in self.game.offers)
        report.done.append(Sentence(f"mail_answers.{kind}_offered" if stands else "mail_answers.accepted"))

    async def _answer(self, accepts: bool, now: int, report: MailReport) -> None:
        if self.game.status is Status.OPEN:
            await self._answer_challenge(accepts, now)
            waits = "joined_first" if self.game.status is Status.OPEN else "joined"
            report.done.append(Sentence(f"mail_answers.{waits if accepts else 'refused'}"))
            return
        offer = self._offer_to_answer(accepts)
        color = self.token.color
        if accepts:
            await self._submit(offers.AcceptOffer(color, offer.id, new_id()), now)
        else:
            await self._submit(offers.DeclineOffer(color, offer.id), now)
        report.done.append(Sentence("mail_answers.accepted" if accepts else "mail_answers.declined"))

    async def _answer_challenge(self, accepts: bool, now: int) -> None:
        if accepts:
            await self.check_room(self.player.id)
            await self.rounds.join(self.game.id, "", self.player)
        else:
            await self._submit(beginning.RefuseChallenge(self.player), now)

    def _offer_to_answer(self, accepts: bool) -> Offer:
        """The only offer that can be meant: one of the opponent, or an own one to withdraw. Raises NotDone."""
        meant = self.game.offers_to(self.token.color) or (() if accepts else self.game.offers)
        if not meant:
            raise NotDone("no_offer")
        if len(meant) > 1:
            raise NotDone("several_offers")
        return meant[0]

    async def _resign(self, game: str, now: int, report: MailReport) -> None:
        if game != self.game.id:
            raise NotDone("resign_other", game=self.game.id)
        if not self.token.confirms:
            check_taken(self.game, ending.Resign(self.token.color))
            report.asks = True
            report.done.append(Sentence("mail_answers.resign_sure", {"game": game}))
            return
        await self._submit(ending.Resign(self.token.color), now)
        report.done.append(Sentence("mail_answers.resigned"))


def _in_order(wanted: Sequence[MailCommand]) -> list[MailCommand]:
    """The commands in the order in which they are carried out. A move takes the conditional moves with it.

    A draw offered with a move is offered first, so that it stands when the opponent is told of the move.
    """
    moves = any(isinstance(one, Move) for one in wanted)
    left = [one for one in wanted if not (moves and isinstance(one, Conditional))]
    return sorted(left, key=lambda one: one != MakeOffer(OfferKind.DRAW))
