"""Writes what people are mailed about their games: the names, links and addresses for replies that letters need.

Knows no store, and waits for nothing but pictures; `game_letter` and `digest_letter` know what letters say.
"""

import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.player import Player
from server.games.state import Game
from server.language import FIRST, Language
from server.mail.composing import Letter, ReplyTo
from server.mail.mailer import Mailer
from server.mail.tokens import mark_of
from server.mail.wishes import UNSUBSCRIBE
from server.rules.notation.letters import letters_of
from server.rules.variant.pieces import Color
from server.storage.tables.addresses import MailAddress
from server.web.notifications.digest_letter import DigestGame, DigestHead, digest_letter
from server.web.notifications.game_letter import LetterLinks, Recipient, game_letter, seat_of
from server.web.notifications.game_news import GameNews
from server.web.variant_words import Names

LETTER: Final = "letter"
"""The purpose of the signatures in the ids of letters."""
MAIL_KEPT_MS: Final = 3 * DAY_MS
"""For how long the mail server may be away."""
LINK_KEPT_MS: Final = 400 * DAY_MS

ReplyOf = Callable[[Game, Color, MailAddress, Language], ReplyTo | None]
"""Where the player of that colour, who is written to at that address, can answer by mail, if they can."""


def no_reply(_game: Game, _color: Color, _to: MailAddress, _language: Language) -> ReplyTo | None:
    """On a site that takes no mail, no letter can be replied to."""
    return None


Draw = Callable[[Game, Color], Awaitable[bytes]]
"""A PNG of the board as the player of that colour sees it; empty if there is none at the moment."""


async def no_picture(_game: Game, _color: Color) -> bytes:
    """For letters without a picture of the board."""
    return b""


@dataclass(frozen=True, slots=True)
class LetterWriter:
    """`names` are those of the variants, by language and id; `site`: the address that links begin with."""

    mailer: Mailer
    languages: Mapping[str, Language]
    names: Mapping[str, Mapping[str, Names]]
    site: str
    reply_of: ReplyOf = no_reply
    draw: Draw = no_picture

    async def about(self, news: GameNews, rev: int, to: MailAddress) -> Letter:
        """About one game. `rev`: the revision of it that is the news."""
        game, player = news.game, news.player
        recipient = self._recipient(news, to)
        links = LetterLinks(self._link(game), self._end(to))
        id = self._id_of(game, rev, to.address)
        letter = game_letter(game, id, to.address, recipient, self.mailer.now(), links, self._reply(game, player, to))
        return replace(letter, picture=await self.draw(game, seat_of(game, player)))

    def _id_of(self, game: Game, rev: int, address: str) -> str:
        """The same whenever it is written again.

        Nobody can read the revision out of it: also conditional moves are changes of the game, and they are not to tell
        the opponent that there are some.
        """
        news = f"{game.id} {len(game.plies)} {rev} {address}"
        return f"{game.id}.{hmac.digest(self.mailer.key, f'{LETTER} {news}'.encode(), 'sha256').hex()[:24]}"

    def about_several(self, news: Sequence[GameNews], to: MailAddress, digest: str, *, more: bool) -> Letter:
        """About several games. `digest`: the mail's id. `more`: there are even more."""
        games = []
        for one in news:
            recipient, reply = self._recipient(one, to), self._reply(one.game, one.player, to)
            games.append(DigestGame(one.game, recipient, self._link(one.game), reply.address if reply else None))
        head = DigestHead(
            to=to.address,
            id=digest,
            at=self.mailer.now(),
            language=self._language(to),
            all_games=f"{self.site}/games/mine",
            unsubscribe=self._end(to),
            more=more,
        )
        return digest_letter(head, games)

    def _recipient(self, news: GameNews, to: MailAddress) -> Recipient:
        language, variant = self._language(to), news.game.terms.variant
        called = self.names[language.code][variant.id]
        return Recipient(news.player, language, called, news.heard, letters_of(variant, to.letters), news.only_said)

    def _language(self, to: MailAddress) -> Language:
        return self.languages.get(to.language) or self.languages[FIRST]

    def _link(self, game: Game) -> str:
        return f"{self.site}/{game.id}"

    def _end(self, to: MailAddress) -> str:
        token = self.mailer.token(UNSUBSCRIBE, to.owner, mark_of(to.address), kept_ms=LINK_KEPT_MS)
        return f"{self.site}/mail/unsubscribe/{token}"

    def _reply(self, game: Game, player: Player, to: MailAddress) -> ReplyTo | None:
        return self.reply_of(game, seat_of(game, player), to, self._language(to))
