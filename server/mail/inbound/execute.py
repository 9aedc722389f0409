"""Executes the commands of a mail.

A reply has the rights of one seat, and its commands take the same path as those of open pages. A mail to a person's own
address at the site is about no game.

The whole mail is checked first: if one command is impossible, none is executed. Then they are executed in order until
one is refused.

A mail that could not be answered is handed over again, after some of its commands may have been executed. Each of these
is recognised by the state of the game: a move by its number, an offer that is open, a message that stands in the chat.
So messages are sent first, while the turn that they belong to is known, and a move and the draw offer that goes with it
are one change. What else a game refuses once it is done, such as to accept an offer, is noted before it is begun, so
that it is known to come again; another mail that asks for the same is refused.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Final

from server.games.changes import beginning, claiming, ending, offers, pausing
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import for_color
from server.games.clocks.vacations import Allowance
from server.games.command import Command
from server.games.game import check_taken
from server.games.player import Player
from server.games.seeks import Seeker
from server.games.state import Game, Offer, OfferKind
from server.games.status import Status
from server.games.tournaments.tournament import Standing
from server.mail.inbound.addresses import ReplyToken
from server.mail.inbound.enquiries import Enquiries
from server.mail.inbound.intended_moves import IntendedMoves, move_sentences, moves_meant, preview_moves, was_played
from server.mail.inbound.mail_commands import (
    DONE_ONCE,
    OF_A_PERSON,
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
    Enquiry,
    EnterSection,
    MailCommand,
    MakeOffer,
    Preview,
    Resign,
    Say,
    Show,
    TakeVacation,
    TypedMove,
    WithdrawFrom,
)
from server.mail.inbound.mail_report import MailReport, NotDone, SectionTable, Sentence
from server.mail.inbound.worker import MailWorker
from server.realtime.play.chat import CHAT_LINES, check_length, clean, form_of
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.runtime.ids import new_id
from server.rules.errors import Refusal
from server.rules.notation.letters import Letters

PATIENCE_MS: Final = 5_000
"""How long a command waits for the store. The mail server tries again later."""
UNSURE: Final = ("busy", "storage")
"""Codes of refusals that may pass: the mail can be executed later."""
TIME_CLAIMED: Final = ("time", claiming.FORGIVEN, "left")
"""How games end that are claimed."""
MakeChallenge = Callable[[Player, Challenge, bytes], Awaitable[tuple[Game, bool]]]
"""Stores a player's challenge, which those bytes identify if it comes again. False: it was stored before. Raises
Refusal, StoreError."""
TakeLeave = Callable[[str, TakeVacation | AskVacation], Awaitable[Allowance]]
"""Begins or ends the vacation of a user (an id), and returns their allowance. Raises Refusal, Unavailable."""


@dataclass(frozen=True, slots=True)
class RepliedSeat:
    """A seat at a board, to whose player a mail with `token` was written.

    `player` has the seat now, or is challenged to take it. `letters`: of the pieces in that player's mails.
    A game for a player (an id) is begun within `room_for_game`, which raises Refusal if they have too many.
    """

    rounds: Rounds
    round: Round
    player: Player
    token: ReplyToken
    letters: Letters
    worker: MailWorker
    enquiries: Enquiries
    room_for_game: Callable[[str], AbstractAsyncContextManager[None]]

    @property
    def game(self) -> Game:
        return self.round.game

    async def execute_commands(self, wanted: Sequence[MailCommand], mail: bytes, now: int) -> MailReport:
        """Executes the commands of a reply that arrived at `now` (ms). `mail`: the key by which it is recognised if it
        comes again. Raises Busy, StorageDown, StoreError.
        """
        report = MailReport()
        comes_again = await self._note_mail(wanted, mail, now)
        try:
            wanted = await self._still_to_do(wanted, report, comes_again=comes_again)
            if self._is_asked and not all(isinstance(one, OF_CHALLENGES) for one in wanted):
                raise NotDone("accept_first")
            game, color = self.game, self.token.color
            left = wanted
            moves = await self.worker.run(lambda: moves_meant(game, color, left, report, self.letters))
            self._check_prepared(moves)
            for command in wanted:
                if isinstance(command, Say):
                    check_length(command.text, form_of(game.terms.control, "players"))
            self._charge(wanted, now)
            with_move = self._go_with_move(wanted)
            with_draw = any(not isinstance(one, Conditional) for one in with_move)
            ply = len(game.plies)
            for command in wanted:
                if command in with_move:
                    continue
                await self._one(command, moves, now, report, ply=ply, with_draw=with_draw)
                if isinstance(command, TypedMove | AnswerOffer | MakeOffer):
                    ply = len(self.game.plies)
        except Refusal as refusal:
            if refusal.code in ("busy", "storage"):
                raise
            report.refused = refusal
        return report

    @property
    def _is_asked(self) -> bool:
        """Has the player been challenged, and not accepted yet?"""
        return self.game.status is Status.OPEN and self.game.player(self.token.color) is None

    async def _note_mail(self, wanted: Sequence[MailCommand], mail: bytes, now: int) -> bool:
        """Notes that these commands of the mail are begun, if they can be done only once. Were they before?"""
        if not any(isinstance(one, DONE_ONCE) for one in wanted):
            return False
        return not await self.rounds.services.store.received_mail.note_mail(mail.hex(), self.player.id, now)

    async def _still_to_do(
        self, wanted: Sequence[MailCommand], report: MailReport, *, comes_again: bool
    ) -> Sequence[MailCommand]:
        """The commands left to execute, in order. Adds to `report` what was done when the same mail came before.

        Raises NotDone if the game has changed since the mail, as far as these commands depend on that.
        """
        done = {one: said for one in wanted if comes_again and (said := self._said_if_done(one))}
        report.done.extend(Sentence(f"mail_answers.{said}") for said in done.values())
        ordered = [one for one in _in_order(wanted) if one not in done]
        move = next((nth for nth, one in enumerate(ordered) if isinstance(one, TypedMove)), None)
        if move is not None and await self._has_played(ordered[move], report):
            return self._left_after_move(ordered, move, report)
        made: list[MailCommand] = [one for one in ordered if isinstance(one, MakeOffer) and self._stands(one.kind)]
        for command in ordered:
            # Messages are sent before all else, so this one has been.
            was_said = bool(done) and isinstance(command, Say)
            if isinstance(command, OF_A_TURN) and not (was_said or self.token.is_about_turn(self.game)):
                raise NotDone("outdated")
            follows = bool(done) and self._is_after_takeback(len(made))
            if isinstance(command, OF_OFFERS) and not (follows or self.token.is_about_offers(self.game, len(made))):
                raise NotDone("outdated")
        report.done.extend(Sentence(f"mail_answers.{one.kind}_offered") for one in made if isinstance(one, MakeOffer))
        left = [one for one in ordered if one not in made]
        if len(left) > 1 and AnswerOffer(accepts=False) in left and not self._can_decline:
            # It was declined when this mail came before, or withdrawn.
            left.remove(AnswerOffer(accepts=False))
            report.done.append(Sentence("mail_answers.none_to_decline"))
        return left

    def _said_if_done(self, command: MailCommand) -> str:
        """What is said of a command that was begun when the mail came before, if the game shows that it is done.

        The key of a sentence; "": it does not.
        """
        game, color = self.game, self.token.color
        how, winner = ("", None) if game.outcome is None else (game.outcome.reason, game.outcome.winner)
        match command:
            case AnswerOffer(accepts=True):
                return self._said_if_accepted()
            case AnswerOffer():
                return "refused" if how == "declined" else "" if self._can_decline else "declined"
            case MakeOffer(kind) if self._is_agreed(kind):
                return f"{kind}_offered" if self.token.offers_since(game) else "accepted"
            case EndPause() if game.status is Status.LIVE:
                return "resumed"
            case ClaimTime() if how in TIME_CLAIMED and winner is not color.other:
                return "claimed"
            case Abort() if game.aborted_by is color:
                return "withdrawn" if game.player(color.other) is None else "aborted"
            case Resign(meant) if meant == game.id and self.token.confirms and (how, winner) == ("resign", color.other):
                return "resigned"
        return ""

    def _said_if_accepted(self) -> str:
        game = self.game
        if game.offers_to(self.token.color) or self._is_asked:
            return ""
        if any(map(self._is_agreed, OfferKind)):
            return "accepted"
        # Before a move there is nothing to accept but the game.
        if self.token.plies or game.status is Status.OVER:
            return ""
        return "joined_first" if game.status is Status.OPEN else "joined"

    def _is_agreed(self, kind: OfferKind) -> bool:
        """Does the game show that an offer of that kind was accepted after the mail?"""
        match kind:
            case OfferKind.DRAW:
                return self.game.outcome is not None and self.game.outcome.reason == "agreement"
            case OfferKind.TAKEBACK:
                return len(self.game.plies) < self.token.plies
            case OfferKind.REMATCH:
                return self.game.next is not None
            case OfferKind.ADJOURN | OfferKind.PAUSE:
                return self.game.status is Status.ADJOURNED

    def _is_after_takeback(self, made: int) -> bool:
        """Has nothing happened since the mail but a takeback of the opponent's, and `made` offers of the player?"""
        game = self.game
        taken_back = game.to_move is self.token.color.other and len(game.plies) < self.token.plies
        # Accepting it has left out a number.
        return taken_back and self.token.offers_since(game) == made + 1

    async def _has_played(self, move: MailCommand, report: MailReport) -> bool:
        """Was the move of the mail played already, perhaps by this very mail? If so, adds it to `report`."""
        game, plies = self.game, self.token.plies
        if plies >= len(game.plies) or game.mover_of(plies) is not self.token.color:
            return False
        if not isinstance(move, TypedMove) or not await self._was_played(move.text, plies):
            return False
        report.done.append(Sentence("mail_answers.played_before", {"move": game.plies[plies].san}))
        return True

    def _left_after_move(self, ordered: Sequence[MailCommand], move: int, report: MailReport) -> Sequence[MailCommand]:
        """The commands left of a mail whose move was played before; those before the move were executed, too."""
        left: list[MailCommand] = [one for one in ordered[:move] if isinstance(one, Say)]
        with_move = self._go_with_move(ordered)
        for one in ordered[move + 1 :]:
            if isinstance(one, MakeOffer):
                if self._stands(one.kind):
                    report.done.append(Sentence(f"mail_answers.{one.kind}_offered"))
                elif one not in with_move and self.token.is_about_next_turn(self.game):
                    left.append(one)
            elif isinstance(one, Enquiry | Show):
                left.append(one)
        return left

    def _go_with_move(self, wanted: Sequence[MailCommand]) -> Sequence[MailCommand]:
        """The commands that are one change with the move: conditional moves, and offering or accepting a draw."""
        if not any(isinstance(one, TypedMove) for one in wanted):
            return ()
        offered = self.game.offers_to(self.token.color)
        accepts = len(offered) == 1 and offered[0].kind is OfferKind.DRAW
        drawing = (MakeOffer(OfferKind.DRAW), *((AnswerOffer(accepts=True),) if accepts else ()))
        return [one for one in wanted if isinstance(one, Conditional) or one in drawing]

    def _stands(self, kind: OfferKind) -> bool:
        """Has the player made such an offer since the mail, and is it open?"""
        made_since = self.token.offers_since(self.game)
        return any(
            one.kind is kind and one.by is self.token.color and one.id >= self.game.next_offer - made_since
            for one in self.game.offers
        )

    @property
    def _can_decline(self) -> bool:
        return self.game.status is Status.OPEN or bool(self.game.offers)

    async def _was_played(self, typed: str, nth: int) -> bool:
        game = self.game
        return await self.worker.run(lambda: was_played(game, typed, nth, self.letters))

    def _check_prepared(self, moves: IntendedMoves) -> None:
        """Conditional moves without a move replace only those that the mail showed; repeating the same does no harm.

        Raises NotDone.
        """
        if moves.uci or moves.prepared is None or self.token.is_about_prepared(self.game):
            return
        if moves.prepared[1] != for_color(self.game.conditional, self.token.color):
            raise NotDone("if_outdated")

    def _charge(self, wanted: Sequence[MailCommand], now: int) -> None:
        """Charges conditional moves like those that are entered on the board."""
        for command in wanted:
            if isinstance(command, Conditional):
                moves = sum(map(len, command.lines))
                self.rounds.charge_preparation(self.player.id, moves, now)

    async def _one(
        self, command: MailCommand, moves: IntendedMoves, now: int, report: MailReport, *, ply: int, with_draw: bool
    ) -> None:
        """Executes one command. `ply`: how many half-moves the game has, as far as the writer of the mail can know."""
        match command:
            case TypedMove() | Conditional():
                await self._play(moves, now, report, with_draw=with_draw)
            case MakeOffer(kind):
                await self._offer(kind, ply, now, report)
            case AnswerOffer(accepts):
                await self._answer(accepts, now, report)
            case EndPause():
                await self._submit(pausing.ResumeReady(self.token.color), now)
                report.done.append(Sentence("mail_answers.resumed"))
            case ClaimTime(as_draw):
                await self._submit(claiming.Claim(self.token.color, as_draw=as_draw), now)
                report.done.append(Sentence("mail_answers.claimed"))
            case Abort():
                is_open = self.game.status is Status.OPEN
                await self._submit(ending.Abort(self.token.color, ply), now)
                report.done.append(Sentence("mail_answers.withdrawn" if is_open else "mail_answers.aborted"))
            case Resign(game):
                await self._resign(game, ply, now, report)
            case Say(text):
                await self._say(text, now)
                report.done.append(Sentence("mail_answers.said"))
            case Preview(shown):
                position = self.game.position
                report.boards.append(
                    await self.worker.run(lambda: preview_moves(position, shown, report, self.letters))
                )
            case Show(plies):
                # The answer has the board as it stands in any case.
                if plies is not None:
                    await self.enquiries.show_board(self.game, plies, report)
            case Challenge() | TakeVacation() | AskVacation() | EnterSection() | WithdrawFrom():
                raise NotDone("needs_no_game")
            case _:
                await self.enquiries.answer_enquiry(command, self.player.id, report)

    async def _submit(self, command: Command, now: int) -> None:
        await self.round.submit(command, now, patience_ms=PATIENCE_MS)

    async def _play(self, moves: IntendedMoves, now: int, report: MailReport, *, with_draw: bool) -> None:
        ply = self.token.plies
        command = moves.command(self.token.color, ply)
        if command is None:
            return
        if with_draw and isinstance(command, PlayMove):
            command = replace(command, offers_draw=True)
        await self._submit(command, now)
        report.done.extend(move_sentences(moves, self.game, ply))
        if with_draw:
            report.done.append(Sentence(f"mail_answers.{self._said_of_draw()}"))

    def _said_of_draw(self) -> str:
        if self.game.outcome is not None:
            return "accepted" if self.game.outcome.reason == "agreement" else "draw_not_offered"
        return "draw_offered" if self._stands(OfferKind.DRAW) else "draw_not_offered"

    async def _say(self, text: str, now: int) -> None:
        """Sends a message, unless the same stands in the chat since the turn that the mail is about began."""
        game = self.game
        turn_began = game.clock.since if self.token.is_about_turn(game) and game.clock.turn is not None else 0
        message = clean(text, form_of(game.terms.control, "players"))
        for line in await self.rounds.services.store.chat(game.id, CHAT_LINES):
            if (line.room, line.player, line.text) == ("players", self.player.id, message) and line.at >= turn_began:
                return
        await self.rounds.post_message(self.round, self.player, "players", text, now)

    async def _offer(self, kind: OfferKind, ply: int, now: int, report: MailReport) -> None:
        await self._submit(offers.MakeOffer(self.token.color, kind, new_id(), ply), now)
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
            async with self.room_for_game(self.player.id):
                await self.rounds.join(self.game.id, "", self.player)
        else:
            await self._submit(beginning.RefuseChallenge(self.player), now)

    def _offer_to_answer(self, accepts: bool) -> Offer:
        """The only offer that can be meant: one by the opponent, or the player's own to withdraw. Raises NotDone."""
        meant = self.game.offers_to(self.token.color) or (() if accepts else self.game.offers)
        if not meant:
            raise NotDone("no_offer")
        if len(meant) > 1:
            raise NotDone("several_offers")
        return meant[0]

    async def _resign(self, game: str, ply: int, now: int, report: MailReport) -> None:
        if game != self.game.id:
            raise NotDone("resign_other", game=self.game.id)
        if not self.token.confirms:
            check_taken(self.game, ending.Resign(self.token.color))
            report.asks = True
            report.done.append(Sentence("mail_answers.resign_sure", {"game": game}))
            return
        await self._submit(ending.Resign(self.token.color, ply), now)
        report.done.append(Sentence("mail_answers.resigned"))


def _in_order(wanted: Sequence[MailCommand]) -> list[MailCommand]:
    """The commands in order of execution: an offer is answered before the move, which would end it."""
    return sorted(wanted, key=lambda one: 0 if isinstance(one, Say) else 1 if isinstance(one, AnswerOffer) else 2)


@dataclass(frozen=True, slots=True)
class PersonalMail:
    """The writer of a mail to the site."""

    player: Player
    enquiries: Enquiries
    challenge: MakeChallenge
    vacation: TakeLeave

    async def execute_commands(self, wanted: Sequence[MailCommand], mail: bytes, now: int) -> MailReport:
        """Executes the commands of the mail with that key. Raises Busy, StorageDown, StoreError."""
        report = MailReport()
        try:
            if not all(isinstance(command, OF_A_PERSON) for command in wanted):
                says = any(isinstance(command, Say) for command in wanted)
                raise NotDone("say_needs_game" if says else "needs_game")
            for nth, command in enumerate(wanted):
                if isinstance(command, Challenge):
                    await self._challenge(command, mail + nth.to_bytes(1, "big"), report)
                elif isinstance(command, TakeVacation | AskVacation):
                    report.done.extend(_leave(await self.vacation(self.player.id, command)))
                elif isinstance(command, EnterSection):
                    await self._enter(command, report)
                elif isinstance(command, WithdrawFrom):
                    await self._withdraw(command, report)
                elif isinstance(command, Enquiry):
                    await self.enquiries.answer_enquiry(command, self.player.id, report)
        except Refusal as refusal:
            if refusal.code in UNSURE:
                raise
            report.refused = refusal
        return report

    async def _enter(self, command: EnterSection, report: MailReport) -> None:
        """Who has entered a section is in it, however often the mail comes."""
        id = await self.enquiries.section_to_enter(command.wanted)
        await self.enquiries.find_section(id)
        await self.enquiries.tournaments.join(id, Seeker(self.player, True))
        view = await self.enquiries.find_section(id)
        missing = max(0, view.tournament.terms.size - len(view.sheets))
        key = "entered_begun" if view.pairings else "entered" if missing else "entered_full"
        report.done.append(Sentence(f"mail_answers.{key}", {"n": missing, "section": id}))
        report.told.append(SectionTable(view.tournament, view.sheets, bool(view.pairings)))

    async def _withdraw(self, command: WithdrawFrom, report: MailReport) -> None:
        """Once a section has begun this is asked once more, as all games there end."""
        view = await self.enquiries.find_section(command.section)
        if view.ends_games_of(self.player.id) and not command.sure:
            report.done.append(Sentence("mail_answers.withdraw_sure", {"section": command.section}))
            return
        await self.enquiries.tournaments.stand_down(command.section, self.player.id, Standing.LEFT)
        report.done.append(Sentence("mail_answers.withdrawn_from", {"section": command.section}))

    async def _challenge(self, command: Challenge, mail: bytes, report: MailReport) -> None:
        """The id of the game follows from the mail, so a mail that comes twice makes one challenge."""
        game, is_new = await self.challenge(self.player, command, mail)
        if command.other:
            key = "mail_answers.proposed" if is_new else "mail_answers.proposed_before"
            report.done.append(Sentence(key, {"name": command.name, "other": command.other}, game))
        else:
            key = "mail_answers.challenged" if is_new else "mail_answers.challenged_before"
            report.done.append(Sentence(key, {"name": command.name}, game))


def _leave(allowance: Allowance) -> Iterator[Sentence]:
    if allowance.last is None:
        yield Sentence("mail_answers.back")
    else:
        yield Sentence("vacation.now", {"day": allowance.last.isoformat()})
    yield Sentence("vacation.left" if allowance.left else "vacation.none_left", {"n": allowance.left})
