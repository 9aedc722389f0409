"""The letter that tells somebody of several games of theirs at once: what is new in each, and where to answer. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from server.games.news import has_just_begun
from server.games.state import Game
from server.games.status import Status
from server.language import Language
from server.mail.composing import Letter
from server.mail.inbound.answer_text import offer_lines
from server.rules.variant.pieces import Color
from server.web.notifications.game_letter import Recipient, headline, heard_lines, lead, seat_of
from server.web.pictures.text_board import away_lines
from server.web.variant_words import letters_in_words


@dataclass(frozen=True, slots=True)
class DigestGame:
    """A game that `recipient` is told of. `link`: its page; `reply`: where mail about it is answered, None: nowhere."""

    game: Game
    recipient: Recipient
    link: str
    reply: str | None

    @property
    def color(self) -> Color:
        """The reader's."""
        return seat_of(self.game, self.recipient.player)

    @property
    def waits(self) -> bool:
        """Does anything wait there for the reader?"""
        idle = self.recipient.only_said or (has_just_begun(self.game) and not self.game.has_the_move(self.color))
        return bool(self.game.offers_to(self.color)) or not (idle or self.game.status is Status.OVER)


@dataclass(frozen=True, slots=True)
class DigestHead:
    """What such a mail to the mailbox `to` has once. `all_games`, `unsubscribe`: addresses of pages.

    `at`: ms. `more`: there are more games than are told of.
    """

    to: str
    id: str
    at: int
    language: Language
    all_games: str
    unsubscribe: str
    more: bool


def digest_letter(head: DigestHead, games: Sequence[DigestGame]) -> Letter:
    """The letter about `games`: those that wait for the reader come first, by how soon the time runs out."""
    waiting = sum(one.waits for one in games)
    key, n = ("mail.digest_waiting", waiting) if waiting else ("mail.digest_news", len(games))
    key += "_more" if head.more else ""
    return Letter(
        to=head.to,
        subject=head.language.plain(key, n=n),
        lines=tuple(_lines(head, sorted(games, key=_urgency))),
        id=head.id,
        at=head.at,
        language=head.language.code,
        unsubscribe=head.unsubscribe,
    )


def _urgency(one: DigestGame) -> tuple[bool, bool, tuple[bool, int], str]:
    game = one.game
    on_move = game.has_the_move(one.color)
    # Without a deadline there is all the time in the world.
    left = (game.move_due is None, game.move_due or 0) if on_move else (True, 0)
    return not one.waits, not on_move, left, game.id


def _lines(head: DigestHead, games: Sequence[DigestGame]) -> Iterator[str]:
    say = head.language.plain
    for one in games:
        yield headline(one.game, one.color, one.recipient, head.at)
        yield from lead(one.game, one.color, one.recipient, head.at)
        yield from letters_in_words(one.recipient.letters, one.game.terms.variant, one.recipient.called, say)
        yield from away_lines(one.game, head.language)
        yield from offer_lines(one.game, one.color, head.language)
        for said in heard_lines(one.game, one.color, one.recipient):
            yield from said
        yield one.link
        if one.reply is not None:
            yield say("mail.digest_reply", address=one.reply)
        yield ""
    if any(one.reply for one in games):
        yield say("mail.digest_how")
        yield ""
    yield say("mail.digest_more" if head.more else "mail.digest_all", link=head.all_games)
    yield say("mail.turn_end", link=head.unsubscribe)
