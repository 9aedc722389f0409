"""Answers replies: by a mail in the reader's language, in the thread of the game, that can itself be answered."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from server.games.clock import DAY_MS
from server.games.game import Game
from server.language import Language
from server.mail.composing import Letter, Reply
from server.mail.inbound.answer_text import Reader, answer_lines
from server.mail.inbound.replies import Answer
from server.mail.inbound.reply_address import ReplyAddresses, token_for
from server.mail.mailer import Mailer

KEPT_MS: Final = 2 * DAY_MS
"""An answer that cannot be sent for so long is of no use any more."""


@dataclass(frozen=True, slots=True)
class Answers:
    """`variants`: what variants are called, by language and id. `site`: its address.

    `stands` gives the lines of a text that shows how a game stands.
    """

    mailer: Mailer
    addresses: ReplyAddresses
    languages: Mapping[str, Language]
    variants: Mapping[str, Mapping[str, str]]
    site: str
    stands: Callable[[Game, str], Iterator[str]]

    async def send(self, answer: Answer) -> bool:
        """Puts the answer into the outbox. False if that takes no more. Raises Unavailable."""
        lines = await answer.seat.worker.run(lambda: tuple(self._lines(answer)))
        return await self.mailer.post(self._letter(answer, lines), answer.seat.player.id, KEPT_MS)

    def _lines(self, answer: Answer) -> Iterator[str]:
        language = self._language(answer)
        game = answer.seat.game
        reader = Reader(language, self.variants[language.code], self.site, lambda one: self.stands(one, language.code))
        return answer_lines(reader, game, answer.seat.token.color, answer.report)

    def _letter(self, answer: Answer, lines: tuple[str, ...]) -> Letter:
        seat, game, to = answer.seat, answer.seat.game, answer.address.address
        token = token_for(game, seat.token.color, to, confirms=answer.report.asks)
        language = self._language(answer)
        opponent = game.player(seat.token.color.other)
        return Letter(
            to=to,
            subject="Re: "
            + language.plain(
                "mail.turn_subject",
                name=language.person(opponent.name) if opponent else "?",
                variant=self.variants[language.code][game.terms.variant.id] + (" 960" if game.terms.chess960 else ""),
            ),
            lines=lines,
            id=self._id(answer),
            at=self.mailer.now(),
            language=language.code,
            thread=game.id,
            reply=Reply(self.addresses.write(token), ()),
            auto="auto-replied",
        )

    def _language(self, answer: Answer) -> Language:
        return self.languages.get(answer.address.language) or next(iter(self.languages.values()))

    def _id(self, answer: Answer) -> str:
        """The same for the same reply, so that its repetition is not answered twice at once."""
        asked = self.addresses.write(answer.seat.token) + answer.reply.id
        return f"answer.{sha256(asked.encode(errors='replace')).hexdigest()[:24]}"
