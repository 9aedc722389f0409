"""Answers mails: by one in the reader's language, in the thread of the game if there is one, that can be answered."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from server.games.changes.beginning import player_for
from server.games.clocks.time_control import DAY_MS
from server.games.state import Game
from server.language import Language, name_in_form
from server.mail.composing import Letter, Linked, ReplyTo, game_subject
from server.mail.inbound.addresses import token_for
from server.mail.inbound.answer_text import AnswerContext, answer_lines, how_to_answer, report_lines
from server.mail.inbound.enquiries import SHUFFLED, VariantNames
from server.mail.inbound.execute import RepliedSeat
from server.mail.inbound.mail_report import HelpOn, MailReport, NotDone
from server.mail.inbound.replies import Addresses, MailAnswer
from server.mail.inbound.worker import MailWorker
from server.mail.mailer import Mailer
from server.rules.notation.letters import letters_of
from server.rules.variant.pieces import Color
from server.storage.tables.outbox import OutboxMail

KEPT_MS: Final = 2 * DAY_MS
"""How long an answer is worth sending."""
THREAD: Final = "site"
"""The thread of a person's mails to the site and the answers to them."""


@dataclass(frozen=True, slots=True)
class Answers:
    """`names`: what variants are called, by language and id. `site`: its address.

    `stands` gives the lines of a text that shows how a game stands, from the side of the player of a colour, None: to
    anybody; `rules` those of the rules of a variant, or of its shuffled form. Both take the code of a language, the
    former also whose letters the pieces have. `rules_link` gives the link to the rules of a game with strange pieces.
    """

    mailer: Mailer
    addresses: Addresses
    languages: Mapping[str, Language]
    names: VariantNames
    site: str
    stands: Callable[[Game, Color | None, str, str], Iterator[str]]
    rules: Callable[[str, bool, str], Awaitable[Sequence[str]]]
    terms: Callable[[Game, str], str]
    rules_link: Callable[[Game, str], Iterator[Linked]]
    worker: MailWorker

    async def send_answer(self, answer: MailAnswer) -> bool:
        """Puts the answer into the outbox. False if that takes no more. Raises Unavailable."""
        context = await self._context(answer)

        def mail() -> OutboxMail:
            letter = self._letter(answer, tuple(self._lines(answer, context)))
            return self.mailer.compose_mail(letter, answer.writer.player.id, KEPT_MS)

        return await self.mailer.put_mail(await self.worker.run(mail))

    async def _context(self, answer: MailAnswer) -> AnswerContext:
        language = self._language(answer)
        return AnswerContext(
            language,
            self.names.called[language.code],
            self.site,
            lambda game, color: self.stands(game, color, language.code, answer.address.letters),
            lambda game: self._reply_to(game, answer),
            self.addresses.of_people.write_address(answer.writer.player.name, answer.address),
            await self._rules(answer.report, language),
            answer.address.letters,
            lambda game: self.terms(game, language.code),
        )

    def _reply_to(self, game: Game, answer: MailAnswer) -> str:
        color = next((one for one in Color if player_for(game, one) == answer.writer.player), None)
        token = None if color is None else token_for(game, color, answer.address.address)
        return "" if token is None else self.addresses.of_games.write_address(token)

    async def _rules(self, report: MailReport, language: Language) -> dict[str, Sequence[str]]:
        """The rules of the first variant that was asked about, by what was asked; of the others, where they are."""
        rules: dict[str, Sequence[str]] = {}
        for told in report.told:
            if not isinstance(told, HelpOn) or (found := self._variant(told.topic)) is None:
                continue
            if rules:
                variant, chess960 = found
                link = f"{self.site}/rules/{variant}{SHUFFLED if chess960 else ''}"
                rules[told.topic] = (language.plain("mail_answers.help_rules", topic=told.topic, link=link),)
            else:
                rules[told.topic] = await self.rules(*found, language.code)
        return rules

    def _variant(self, topic: str) -> tuple[str, bool] | None:
        try:
            return self.names.find_variant(topic)
        except NotDone:
            return None

    def _lines(self, answer: MailAnswer, context: AnswerContext) -> Iterator[str]:
        if isinstance(answer.writer, RepliedSeat):
            return answer_lines(context, answer.writer.game, answer.writer.token.color, answer.report)
        return report_lines(context, answer.report)

    def _letter(self, answer: MailAnswer, lines: tuple[str, ...]) -> Letter:
        language, writer = self._language(answer), answer.writer
        if isinstance(writer, RepliedSeat):
            token = token_for(writer.game, writer.token.color, answer.address.address, confirms=answer.report.asks)
            subject, reply = self._subject(writer, language), self.addresses.of_games.write_address(token)
            letters = letters_of(writer.game.terms.variant, answer.address.letters)
            how = how_to_answer(writer.game, token.color, language, letters)
            to_game = language.plain("mail.turn_answer"), f"{self.site}/{writer.game.id}"
            links = (to_game, *self.rules_link(writer.game, language.code))
        else:
            subject = language.plain("mail_answers.subject", site=self.mailer.letterhead().site)
            reply = self.addresses.of_people.write_address(writer.player.name, answer.address)
            how = (language.plain("mail_answers.how_site"),)
            links = ((language.plain("mail.digest_all"), f"{self.site}/games/mine"),)
        return Letter(
            to=answer.address.address,
            subject=f"Re: {subject}",
            lines=lines,
            id=self._id(answer),
            at=self.mailer.now(),
            language=language.code,
            thread=writer.game.id if isinstance(writer, RepliedSeat) else f"{THREAD}.{writer.player.id}",
            reply=ReplyTo(reply, how),
            links=links,
            auto="auto-replied",
        )

    def _subject(self, seat: RepliedSeat, language: Language) -> str:
        terms = seat.game.terms
        called = self.names.called[language.code][terms.variant.id]
        return game_subject(seat.game, seat.token.color, language, name_in_form(called, terms.chess960))

    def _language(self, answer: MailAnswer) -> Language:
        return self.languages.get(answer.address.language) or next(iter(self.languages.values()))

    def _id(self, answer: MailAnswer) -> str:
        """The id of the answer, the same if the mail comes again, so that it is not answered twice."""
        asked = answer.to.lower() + answer.reply.id
        return f"answer.{sha256(asked.encode(errors='replace')).hexdigest()[:24]}"
