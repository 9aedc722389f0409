"""The letters that people are mailed about their games: how one game stands, or what is new in several.

A letter about a game says what waits for its reader, or how it ended; all letters about a game are one thread. A digest
says what is new in each of several games, and where to answer. `LetterWriter` adds the names, links and addresses for
replies. Knows no store, and waits for nothing but pictures.
"""

import hmac
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from server.games.changes.beginning import is_proposed, player_for
from server.games.clocks.time_control import DAY_MS
from server.games.news import has_just_begun, was_declined
from server.games.player import Player
from server.games.reminders import time_is_up
from server.games.state import Game
from server.games.status import Status
from server.language import FIRST, Language
from server.mail.composing import Letter, Linked, ReplyTo, game_subject
from server.mail.inbound.answer_text import offer_lines
from server.mail.mailer import Mailer
from server.mail.tokens import mark_of_secret
from server.mail.wishes import UNSUBSCRIBE
from server.rules.endings import Outcome
from server.rules.notation.letters import OWN, Letters, letters_of
from server.rules.variant.pieces import Color
from server.storage.tables.addresses import MailAddress
from server.web.clock_words import clock_words, time_left
from server.web.notifications.game_news import GameNews
from server.web.pictures.text_board import away_lines, days_and_hours, last_moves, text_for
from server.web.variant_words import Names, fairy_pieces, legend

LETTER: Final = "letter"
"""The purpose of the signatures in the ids of letters."""
MAIL_KEPT_MS: Final = 3 * DAY_MS
"""For how long the mail server may be away."""
LINK_KEPT_MS: Final = 400 * DAY_MS
RESULTS: Final = {
    ("stalemate", True): "results.stalemate_loss",
    ("time", False): "results.time_draw",
    ("left", False): "results.left_draw",
}
"""The sentences that are not called as their reason is, by reason and whether somebody has won."""


ANSWERS: Final = {Status.OVER: "mail.over_see", Status.ADJOURNED: "mail.paused_answer"}
"""What the link to the game is for, where it is not to move."""


@dataclass(frozen=True, slots=True)
class LetterLinks:
    """Addresses of pages: the game, the rules, and where one POST, or one button, ends such mail."""

    game: str
    rules: str
    unsubscribe: str


@dataclass(frozen=True, slots=True)
class Recipient:
    """To whom a letter goes: `player`, in `language`, where `called` are the names of the game's variant.

    `heard`: what the opponent has said to them last. `letters`: those that the pieces have for them. `only_said`: what
    they heard is all that is new. `note`: as in `GameNews`.
    """

    player: Player
    language: Language
    called: Names
    heard: Sequence[str] = ()
    letters: Letters = OWN
    only_said: bool = False
    note: str = ""


def seat_of(game: Game, player: Player) -> Color:
    """The colour that `player` has, or is challenged to take. Raises ValueError if they have nothing to do with it."""
    for color in Color:
        if (one := player_for(game, color)) is not None and one.id == player.id:
            return color
    raise ValueError(f"The player has no seat in game {game.id}.")


def game_letter(
    game: Game, id: str, to: str, recipient: Recipient, now: int, links: LetterLinks, reply: ReplyTo | None
) -> Letter:
    """A letter to the mailbox `to` that says how the game stands for its reader."""
    language = recipient.language
    color = seat_of(game, recipient.player)
    return Letter(
        to=to,
        subject=game_subject(game, color, language, recipient.called.of_form(game.terms.chess960).name),
        lines=tuple(_lines(game, color, recipient, now, links)),
        id=id,
        at=now,
        language=language.code,
        thread=game.id,
        unsubscribe=links.unsubscribe,
        reply=_saying(reply, game, color, recipient),
        picture_words=language.plain("mail.picture"),
        links=tuple(_links(game, recipient, links)),
        foot=((language.plain("mail.turn_end"), links.unsubscribe),),
    )


def _saying(reply: ReplyTo | None, game: Game, color: Color, recipient: Recipient) -> ReplyTo | None:
    """How to answer what was said, before how to answer the game, if that waits for them."""
    if reply is None or not recipient.only_said:
        return reply
    say = recipient.language.plain("mail.message_say")
    return replace(reply, lines=(say, *(reply.lines if _is_asked(game, color) else ())))


def _is_asked(game: Game, color: Color) -> bool:
    """Is there anything to tell the player of `color` of the game itself? Not of their own challenge."""
    return game.status is not Status.OPEN or game.player(color) is None


def opponent_of(game: Game, color: Color, language: Language) -> str:
    """The name of whoever sits there or is asked to, "?" for nobody."""
    opponent: Player | None = player_for(game, color.other)
    return language.person(opponent.name) if opponent else "?"


def headline(game: Game, color: Color, recipient: Recipient, now: int) -> str:
    """The game in a few words: which one it is, and what waits there, or for how long."""
    language = recipient.language
    return language.plain(
        "mail.message_headline" if recipient.only_said else _headline_key(game, color),
        name=opponent_of(game, color, language),
        variant=recipient.called.of_form(game.terms.chess960).name,
        left=_left(game, now, language),
    )


def _headline_key(game: Game, color: Color) -> str:
    if game.status is Status.OPEN:
        is_own = game.proposer is None and not is_proposed(game)
        return "mail.challenge_headline" if is_own else "mail.proposed_headline"
    if game.offers_to(color) and not game.has_the_move(color):
        return "mail.offer_headline"
    if was_declined(game, color) and not game.has_the_move(color):
        return "mail.declined_headline"
    if game.status is Status.OVER:
        return "mail.over_headline" if game.player(color.other) else "mail.unplayed_subject"
    if game.status is Status.ADJOURNED:
        return "mail.paused_headline"
    if _is_reminder(game, color):
        return "mail.reminder_headline"
    if time_is_up(game):
        return "mail.time_up_headline"
    if game.goes_on_again:
        return "mail.resumed_headline"
    return "mail.turn_headline" if game.has_the_move(color) else "mail.begun_headline"


def _lines(game: Game, color: Color, recipient: Recipient, now: int, links: LetterLinks) -> Iterator[str]:
    language = recipient.language
    said = [line for lines in heard_lines(game, color, recipient) for line in ("", *lines)]
    if recipient.only_said:
        yield from (*said[1:], "")
    if _is_asked(game, color):
        yield from lead(game, color, recipient, now)
    if offered := list(offer_lines(game, color, language)):
        yield from (*([""] if game.outcome is not None else []), *offered)
    if not recipient.only_said:
        yield from said
    yield ""
    # The moves of a game that is over are all above.
    yield from text_for(
        game, color, language, recipient.called, now, recipient.letters, with_moves=game.outcome is None
    )


def _links(game: Game, recipient: Recipient, links: LetterLinks) -> Iterator[Linked]:
    """The game, and its rules."""
    say = recipient.language.plain
    yield say("mail.message_see" if recipient.only_said else ANSWERS.get(game.status, "mail.turn_answer")), links.game
    yield from rules_link(game, recipient.called, recipient.language, links.rules)


def rules_link(game: Game, called: Names, language: Language, address: str) -> Iterator[Linked]:
    """The link to the rules, at `address`, where there is a piece that chess does not have."""
    if fairy_pieces(game.terms.variant):
        yield language.plain("mail.rules_of", variant=called.of_form(game.terms.chess960).name), address


def rules_address(site: str, game: Game) -> str:
    """Where the rules of the game are, on the site of that address."""
    return f"{site}/rules/{game.terms.variant.id}{'960' if game.terms.chess960 else ''}"


def heard_lines(game: Game, color: Color, recipient: Recipient) -> Iterator[Sequence[str]]:
    """The lines of each thing that the opponent has said to the recipient."""
    for text in recipient.heard:
        first, *more = text.split("\n")
        name = opponent_of(game, color, recipient.language)
        yield recipient.language.plain("mail.heard", name=name, text=first), *more


def terms_words(game: Game, called: Names, language: Language) -> str:
    """ "Grand Chess, 3 days a move, rated"."""
    terms = [called.of_form(game.terms.chess960).name, clock_words(game.terms.control, language)]
    if game.terms.rated:
        terms.append(language.plain("terms.rated"))
    return ", ".join(terms)


def lead(game: Game, color: Color, recipient: Recipient, now: int) -> Iterator[str]:
    """What has happened in the game, and how long the reader has for their move."""
    language, name = recipient.language, opponent_of(game, color, recipient.language)
    if recipient.note:
        yield language.plain(recipient.note, name=name)
    if game.declined is not None and was_declined(game, color):
        yield language.plain(f"mail.declined_{game.declined.kind}", name=name)
    time_for_move = language.plain("mail.turn_left", left=_time_for_move(game, now, language))
    if reminds := _is_reminder(game, color):
        yield time_for_move
    if game.goes_on_again:
        yield language.plain("mail.resumed")
    if game.status is Status.OPEN:
        white = "mail.challenge_white" if color is Color.WHITE else "mail.challenge_black"
        terms, by = terms_words(game, recipient.called, language), "" if game.proposer is None else game.proposer.name
        yield language.plain(_lead_key(game), name=name, terms=terms, by=by)
        yield language.plain(white)
    elif game.outcome is not None:
        yield ending_words(game.outcome, game.result, color, language)
        if game.declined_for:
            yield language.plain(f"mail.declined_for_{game.declined_for}")
        if moves := last_moves(game, len(game.plies), recipient.letters):
            yield ""
            yield f"{moves} {game.result}"
    elif game.status is Status.ADJOURNED:
        yield language.plain("mail.paused", name=name)
    elif not (recipient.only_said or recipient.note) and _has_answered(game, color):
        yield language.plain("mail.answer_played", name=name, moves=last_moves(game, 2, recipient.letters))
    elif move := last_moves(game, 1, recipient.letters):
        mover = "mail.turn_played" if game.has_the_move(color) else "mail.turn_theirs"
        yield language.plain(mover, name=name, move=move)
    else:
        yield language.plain("mail.turn_begun" if game.has_the_move(color) else "mail.begun", name=name)
    if game.status is Status.LIVE and time_is_up(game) and not game.has_the_move(color):
        yield language.plain("mail.time_up", name=name)
    if game.has_the_move(color) and game.move_due is not None and not reminds:
        yield time_for_move


def _has_answered(game: Game, color: Color) -> bool:
    """Is a conditional move of the player of `color`, who is not to move, all that there is to tell them?"""
    waits = game.has_the_move(color) or game.offers_to(color) or game.goes_on_again or time_is_up(game)
    waits = waits or was_declined(game, color)
    return game.status is Status.LIVE and not waits and len(game.plies) > 1


def _is_reminder(game: Game, color: Color) -> bool:
    """Is the player of `color` told that their time for a move is short?"""
    return bool(game.clock.reminded) and game.has_the_move(color) and game.move_due is not None


def _lead_key(game: Game) -> str:
    """Of the sentence that says who asks for the game."""
    if game.proposer is None:
        return "mail.proposed_lead" if is_proposed(game) else "mail.challenge_lead"
    return "mail.proposed_by_lead" if is_proposed(game) else "mail.proposed_accepted_lead"


def _left(game: Game, now: int, language: Language) -> str:
    return "" if game.move_due is None else time_left(max(0, game.move_due - now), language)


def _time_for_move(game: Game, now: int, language: Language) -> str:
    """The same time as the clock below shows it."""
    return "" if game.move_due is None else days_and_hours(max(0, game.move_due - now), language)


def ending_words(outcome: Outcome, result: str, color: Color, language: Language) -> str:
    """How the game ended, for the player of `color`: "1-0. Black resigned. You won."."""
    key = RESULTS.get((outcome.reason, outcome.winner is not None), f"results.{outcome.reason.replace('-', '_')}")
    if outcome.winner is None:
        drawn = "results.void" if result == "*" else "results.drawn"
        return language.plain(drawn, how=language.plain(key))
    loser = language.plain("results.white" if outcome.winner is Color.BLACK else "results.black")
    won = "results.you_won" if outcome.winner is color else "results.you_lost"
    return language.plain(won, result=result, how=language.plain(key, loser=loser))


@dataclass(frozen=True, slots=True)
class DigestGame:
    """A game that `recipient` is told of. `link`, `rules`: the pages of it and its rules; `reply`: where mail about it
    is answered, None: nowhere.
    """

    game: Game
    recipient: Recipient
    link: str
    rules: str
    reply: str | None

    @property
    def color(self) -> Color:
        """The reader's."""
        return seat_of(self.game, self.recipient.player)

    @property
    def waits(self) -> bool:
        """Does anything wait there for the reader?"""
        told = has_just_begun(self.game) or was_declined(self.game, self.color)
        idle = self.recipient.only_said or (told and not self.game.has_the_move(self.color))
        return bool(self.game.offers_to(self.color)) or not (idle or self.game.status is Status.OVER)


def _urgency(one: DigestGame) -> tuple[bool, bool, tuple[bool, int], str]:
    game = one.game
    on_move = game.has_the_move(one.color)
    # Without a deadline there is all the time in the world.
    left = (game.move_due is None, game.move_due or 0) if on_move else (True, 0)
    return not one.waits, not on_move, left, game.id


def _digest_lines(games: Sequence[DigestGame], language: Language, now: int, more: bool) -> Iterator[str]:
    say = language.plain
    for one in games:
        yield headline(one.game, one.color, one.recipient, now)
        yield from lead(one.game, one.color, one.recipient, now)
        yield from legend(one.recipient.letters, one.game.terms.variant, one.recipient.called, say)
        yield from away_lines(one.game, language)
        yield from offer_lines(one.game, one.color, language)
        for said in heard_lines(one.game, one.color, one.recipient):
            yield from said
        yield one.link
        for words, address in rules_link(one.game, one.recipient.called, language, one.rules):
            yield f"{words}: {address}"
        if one.reply is not None:
            yield say("mail.digest_reply", address=one.reply)
        yield ""
    if any(one.reply for one in games):
        yield say("mail.digest_how")
        yield ""
    if more:
        yield say("mail.digest_more")


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

    async def write_letter(self, news: GameNews, rev: int, to: MailAddress) -> Letter:
        """About one game. `rev`: the revision of it that is the news."""
        game, player = news.game, news.player
        recipient = self._recipient(news, to)
        links = LetterLinks(self._link(game), rules_address(self.site, game), self._end(to))
        id = self._id_of(game, rev, to.address)
        letter = game_letter(game, id, to.address, recipient, self.mailer.now(), links, self._reply(game, player, to))
        return replace(letter, picture=await self.draw(game, seat_of(game, player)))

    def write_notice(self, to: MailAddress, about: str, subject: str, lines: Sequence[str], link: Linked) -> Letter:
        """About something that is no game, in the words given. `about`: the same whenever it is written again."""
        language, end = self.language_of(to), self._end(to)
        mark = hmac.digest(self.mailer.key, f"{LETTER} {about} {to.address}".encode(), "sha256").hex()[:24]
        return Letter(
            to=to.address,
            subject=subject,
            lines=tuple(lines),
            id=f"notice.{mark}",
            at=self.mailer.now(),
            language=language.code,
            unsubscribe=end,
            links=(link,),
            foot=((language.plain("mail.turn_end"), end),),
        )

    def _id_of(self, game: Game, rev: int, address: str) -> str:
        """The same whenever it is written again.

        Nobody can read the revision out of it: also conditional moves are changes of the game, and they are not to tell
        the opponent that there are some.
        """
        news = f"{game.id} {len(game.plies)} {rev} {address}"
        return f"{game.id}.{hmac.digest(self.mailer.key, f'{LETTER} {news}'.encode(), 'sha256').hex()[:24]}"

    def write_digest(self, news: Sequence[GameNews], to: MailAddress, digest: str, *, more: bool) -> Letter:
        """About several games; those that wait for the reader come first, by how soon the time runs out.

        `digest`: the mail's id. `more`: there are even more games.
        """
        language, now, end = self.language_of(to), self.mailer.now(), self._end(to)
        games = sorted((self._digest_game(one, to) for one in news), key=_urgency)
        waiting = sum(one.waits for one in games)
        key, n = ("mail.digest_waiting", waiting) if waiting else ("mail.digest_news", len(games))
        return Letter(
            to=to.address,
            subject=language.plain(f"{key}_more" if more else key, n=n),
            lines=tuple(_digest_lines(games, language, now, more)),
            headings=frozenset(headline(one.game, one.color, one.recipient, now) for one in games),
            id=digest,
            at=now,
            language=language.code,
            unsubscribe=end,
            links=((language.plain("mail.digest_all"), f"{self.site}/games/mine"),),
            foot=((language.plain("mail.turn_end"), end),),
        )

    def _digest_game(self, news: GameNews, to: MailAddress) -> DigestGame:
        game, reply = news.game, self._reply(news.game, news.player, to)
        link, rules = self._link(game), rules_address(self.site, game)
        return DigestGame(game, self._recipient(news, to), link, rules, reply.address if reply else None)

    def _recipient(self, news: GameNews, to: MailAddress) -> Recipient:
        language, variant = self.language_of(to), news.game.terms.variant
        called = self.names[language.code][variant.id]
        return Recipient(
            news.player, language, called, news.heard, letters_of(variant, to.letters), news.only_said, news.note
        )

    def language_of(self, to: MailAddress) -> Language:
        """In which language it is written to."""
        return self.languages.get(to.language) or self.languages[FIRST]

    def _link(self, game: Game) -> str:
        return f"{self.site}/{game.id}"

    def _end(self, to: MailAddress) -> str:
        token = self.mailer.sign_token(UNSUBSCRIBE, to.owner, mark_of_secret(to.address), kept_ms=LINK_KEPT_MS)
        return f"{self.site}/mail/unsubscribe/{token}"

    def _reply(self, game: Game, player: Player, to: MailAddress) -> ReplyTo | None:
        return self.reply_of(game, seat_of(game, player), to, self.language_of(to))
