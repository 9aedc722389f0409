"""Carries out the commands of a reply with the rights of one seat, through the same door as those of open pages.

The whole reply is looked at first: if anything in it cannot be, nothing is done. Then one command after the other is
carried out until the game refuses one.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar, assert_never

from server.games import commands
from server.games.changes.takeback import position_after
from server.games.errors import BadMove, GameOver, NotYourTurn
from server.games.game import Game
from server.games.player import Player
from server.games.state import Offer, OfferKind
from server.games.status import Status
from server.mail.inbound.grammar import (
    OF_A_TURN,
    OF_CHALLENGES,
    OF_OFFERS,
    AnswerOffer,
    Help,
    ListGames,
    MailCommand,
    MakeOffer,
    Move,
    Preview,
    Resign,
    Say,
    Show,
)
from server.mail.inbound.reply_address import ReplyToken
from server.mail.inbound.typed_moves import move_typed, near_moves
from server.realtime.play.chat import post_message
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.process.ids import new_id
from server.refusal import Refusal
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Move as LegalMove
from server.rules.movegen.position import Position
from server.rules.notation.san import format_san
from server.storage.running import RunningGame

PATIENCE_MS: Final = 5_000
"""How long a command waits for the store. The mail server tries again later, and for longer."""

Done = TypeVar("Done")


class NotDone(Refusal):
    """The reply as a whole, or one of its commands, does not fit the game."""

    area = "replies"
    code = "not_done"


class Worker(Protocol):
    """Computes beside the event loop."""

    async def run(self, work: Callable[[], Done]) -> Done:
        """What `work` returns."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the answer says: the key of a sentence, and what goes into it."""

    key: str
    params: dict[str, str | int] = field(default_factory=dict)


@dataclass(slots=True)
class Report:
    """What came of a reply. `near`: moves that look like the one that was refused.

    `boards`: positions to show besides that of the game, each with the sentence above it. `asks`: the answer asks
    whether the resignation is meant. `games`: the list of the player's games, if they asked for it. `help`: the topic
    that they asked about; None: no help.
    """

    done: list[Sentence] = field(default_factory=list)
    refused: Refusal | None = None
    near: Sequence[str] = ()
    boards: list[tuple[Sentence, Position]] = field(default_factory=list)
    asks: bool = False
    games: Sequence[RunningGame] | None = None
    help: str | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a board, to whose player a mail with `token` was written.

    `player` is who has it now, or is challenged to take it. `check_room` raises Refusal for somebody (an id) who has
    too many games to begin another.
    """

    rounds: Rounds
    round: Round
    player: Player
    token: ReplyToken
    worker: Worker
    check_room: Callable[[str], Awaitable[None]]

    @property
    def game(self) -> Game:
        return self.round.game

    async def carry_out(self, wanted: Sequence[MailCommand], now: int) -> Report:
        """What came of the commands of a reply that arrived at `now` (ms). Raises Busy, StorageDown, StoreError."""
        report = Report()
        try:
            if not self._are_timely(wanted):
                await self._look_back(wanted, report)
                return report
            if self.game.status is Status.OPEN and not all(isinstance(one, OF_CHALLENGES) for one in wanted):
                raise NotDone("accept_first")
            move = await self._move(wanted, report)
            for command in sorted(wanted, key=_is_no_draw_offer):
                await self._one(command, move, now, report)
        except Refusal as refusal:
            if refusal.code in ("busy", "storage"):
                raise
            report.refused = refusal
        return report

    def _are_timely(self, wanted: Sequence[MailCommand]) -> bool:
        """Does the game still stand as the mail showed it, as far as these commands depend on that?"""
        for command in wanted:
            if isinstance(command, OF_A_TURN) and not self.token.is_about_turn(self.game):
                return False
            if isinstance(command, OF_OFFERS) and not self.token.is_about_offers(self.game):
                return False
        return True

    async def _look_back(self, wanted: Sequence[MailCommand], report: Report) -> None:
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

        def same() -> bool:
            try:
                return move_typed(position_after(game, nth), typed).uci == game.plies[nth].uci
            except BadMove:
                return False

        return await self.worker.run(same)

    async def _move(self, wanted: Sequence[MailCommand], report: Report) -> LegalMove | None:
        """The move of the reply, if it has one. Raises Refusal."""
        typed = next((command.text for command in wanted if isinstance(command, Move)), None)
        if typed is None:
            return None
        game = self.game
        if game.status is Status.OVER:
            raise GameOver
        if game.to_move is not self.token.color:
            raise NotYourTurn
        try:
            return await self.worker.run(lambda: move_typed(game.position, typed))
        except BadMove:
            report.near = await self.worker.run(lambda: near_moves(game.position, typed))
            raise

    async def _one(self, command: MailCommand, move: LegalMove | None, now: int, report: Report) -> None:
        match command:
            case Move():
                assert move is not None
                await self._submit(commands.PlayMove(self.token.color, move.uci, self.token.plies), now)
                report.done.append(Sentence("mail_answers.played", {"move": self.game.plies[self.token.plies].san}))
            case MakeOffer(kind):
                await self._offer(kind, now, report)
            case AnswerOffer(accepts):
                await self._answer(accepts, now, report)
            case Resign(game):
                await self._resign(game, now, report)
            case Say(text):
                await post_message(self.rounds, self.round, self.player, "players", text, now)
                report.done.append(Sentence("mail_answers.said"))
            case Preview(moves):
                report.boards.append(await self._preview(moves))
            case Show(plies):
                await self._show(plies, report)
            case ListGames():
                report.games = await self.rounds.services.store.running_of(self.player.id)
            case Help(topic):
                report.help = topic
            case _:
                assert_never(command)

    async def _submit(self, command: commands.Command, now: int) -> None:
        await self.round.submit(command, now, patience_ms=PATIENCE_MS)

    async def _offer(self, kind: OfferKind, now: int, report: Report) -> None:
        await self._submit(commands.MakeOffer(self.token.color, kind, new_id()), now)
        stands = any(offer.kind is kind and offer.by is self.token.color for offer in self.game.offers)
        report.done.append(Sentence(f"mail_answers.{kind}_offered" if stands else "mail_answers.accepted"))

    async def _answer(self, accepts: bool, now: int, report: Report) -> None:
        if self.game.status is Status.OPEN:
            await self._answer_challenge(accepts, now)
            report.done.append(Sentence("mail_answers.joined" if accepts else "mail_answers.refused"))
            return
        offer = self._offer_to_answer(accepts)
        color = self.token.color
        if accepts:
            await self._submit(commands.AcceptOffer(color, offer.id, new_id()), now)
        else:
            await self._submit(commands.DeclineOffer(color, offer.id), now)
        report.done.append(Sentence("mail_answers.accepted" if accepts else "mail_answers.declined"))

    async def _answer_challenge(self, accepts: bool, now: int) -> None:
        if accepts:
            await self.check_room(self.player.id)
            await self._submit(commands.Join(self.player), now)
        else:
            await self._submit(commands.RefuseChallenge(self.player), now)

    def _offer_to_answer(self, accepts: bool) -> Offer:
        """The only offer that can be meant: one of the opponent, or an own one to withdraw. Raises NotDone."""
        meant = self.game.offers_to(self.token.color) or (() if accepts else self.game.offers)
        if not meant:
            raise NotDone("no_offer")
        if len(meant) > 1:
            raise NotDone("several_offers")
        return meant[0]

    async def _resign(self, game: str, now: int, report: Report) -> None:
        if game != self.game.id:
            raise NotDone("resign_other", game=self.game.id)
        if not self.token.confirms:
            if not commands.Resign(self.token.color).is_taken(self.game.status):
                raise GameOver
            report.asks = True
            report.done.append(Sentence("mail_answers.resign_sure", {"game": game}))
            return
        await self._submit(commands.Resign(self.token.color), now)
        report.done.append(Sentence("mail_answers.resigned"))

    async def _preview(self, moves: Sequence[str]) -> tuple[Sentence, Position]:
        position = self.game.position

        def played() -> tuple[list[str], Position]:
            sans, after = [], position
            for typed in moves:
                move = move_typed(after, typed)
                sans.append(format_san(after, move))
                after = play_trusted(after, move)
            return sans, after

        sans, after = await self.worker.run(played)
        return Sentence("mail_answers.preview", {"moves": " ".join(sans)}), after

    async def _show(self, plies: int | None, report: Report) -> None:
        game = self.game
        if plies is None:
            return
        if plies > len(game.plies):
            raise NotDone("show_beyond", most=len(game.plies))
        shown = await self.worker.run(lambda: position_after(game, plies))
        report.boards.append((Sentence("mail_answers.shown", {"n": plies}), shown))


def _is_no_draw_offer(command: MailCommand) -> bool:
    """A draw offered with a move is offered first, so that it stands when the opponent is told of the move."""
    return command != MakeOffer(OfferKind.DRAW)
