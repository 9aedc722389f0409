"""What web push says, and to whom: those who are away. Pure; knows no browser and no store."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from server.games.changes.beginning import is_proposed, people_of
from server.games.news import has_just_begun
from server.games.player import Player
from server.games.seeks.seek import Seek
from server.games.state import Game
from server.games.status import Status
from server.language import Language
from server.mail.wishes import CHALLENGE, MESSAGE, REMINDER, RESULT
from server.realtime.process.domain_events import (
    Challenged,
    DomainEvent,
    GameEnded,
    Paired,
)
from server.web.clock_words import clock_words
from server.web.notifications.game_news import GameNews
from server.web.variant_words import Names

SEEK_STALE_S: Final = 900
"""The opponent will be gone."""
GAME_STALE_S: Final = 86_400
LATE_MIN: Final = 5
"""A reminder is sent at most so late; "12 hours left" is then still the better word."""

LONGEST_BODY: Final = 160

NamesById = Mapping[str, Names]
"""In one language, by the variant's id."""


@dataclass(frozen=True, slots=True)
class PushMessage:
    """About a game, in which the reader's opponent is called `name`; `title` is the key of a sentence.

    `kind`: one of `wishes.KINDS`, "" for what everybody is told. `left_ms`: the time left for the reader's
    move, where the sentence says it. `heard`: what the opponent has said, "" for nothing.
    """

    title: str
    name: str
    game: Game
    kind: str
    left_ms: int = 0
    heard: str = ""

    @property
    def topic(self) -> str:
        """A newer message of the same topic takes the place of this one."""
        return f"/{self.game.id}"

    @property
    def can_wait(self) -> bool:
        """Is it still worth telling hours later?"""
        return not (self.game.status is Status.LIVE and self.game.terms.control.by_the_minute)

    @property
    def stale_s(self) -> int:
        """For how long it is worth delivering."""
        return min(GAME_STALE_S, self.left_ms // 1000) if self.left_ms else GAME_STALE_S

    def said(self, language: Language, names: NamesById) -> dict[str, str]:
        """What the service worker reads and shows."""
        terms = self.game.terms
        return {
            "title": language.plain(
                self.title,
                name=language.person(self.name),
                left=time_left(self.left_ms, language),
                by=proposer_of(self.game),
            ),
            "body": _shortened(self.heard) or names[terms.variant.id].of_form(terms.chess960).name,
            "url": f"/{self.game.id}",
            "topic": self.topic,
        }


def messages_of(event: DomainEvent) -> Iterator[tuple[str, PushMessage]]:
    """Whom (an id) to tell what at once, of a game by the minute: those who play it will not wait for long.

    News of other games are stored and told as they stand (`message_about`). Seeks are left out: only the store knows
    who waits for one.
    """
    match event:
        case Challenged(game, player, by) if game.terms.control.by_the_minute:
            yield player.id, PushMessage(_challenge_title(game), by.name, game, CHALLENGE)
        case Paired(game, away) if game.terms.control.by_the_minute:
            for player in away:
                yield player.id, _of_opponent(game, player, "notifications.begun_title", "")
        case GameEnded(game, away) if game.terms.control.by_the_minute and _was_declined(game):
            for player in away:
                yield player.id, _of_opponent(game, player, _result(game, player), RESULT)
        case _:
            pass


def message_about(news: GameNews, now: int) -> PushMessage:
    """What tells `news`, by how the game stands at `now` (ms)."""
    game, player, kind = news.game, news.player, news.kinds[0]
    others = [one.name for one in people_of(game) if one.id != player.id]
    about = PushMessage(
        "", others[0] if others else "", game, kind, heard=news.heard[-1] if MESSAGE in news.kinds else ""
    )
    color = game.color_of(player.id)
    on_move = color is not None and game.has_the_move(color)
    if kind == REMINDER and on_move and game.move_due is not None:
        return replace(about, title="notifications.reminder", left_ms=max(0, game.move_due - now))
    if news.only_said:
        return replace(about, title="notifications.message")
    offered = () if color is None else game.offers_to(color)
    title = f"notifications.offers_{offered[-1].kind}" if offered else _title(game, player, on_move=on_move)
    return replace(about, title=title)


def _title(game: Game, player: Player, *, on_move: bool) -> str:
    """The key of what `player` reads of a game in which nothing is offered to them."""
    if game.status is Status.OPEN:
        return _challenge_title(game)
    if game.status is Status.OVER:
        return _result(game, player)
    if game.status is Status.ADJOURNED:
        return "notifications.paused"
    if has_just_begun(game):
        return "notifications.begun_title"
    if game.goes_on_again:
        return "notifications.resumed"
    return "notifications.your_move" if on_move else "notifications.time_is_up"


def _shortened(text: str) -> str:
    """`text` as long as browsers show it, and a push service carries it."""
    return text if len(text) <= LONGEST_BODY else f"{text[: LONGEST_BODY - 1]}…"


def about_several(n: int, language: Language, _names: NamesById) -> dict[str, str]:
    """Says that there is news of so many games."""
    said = language.plain("notifications.several", n=n)
    return {"title": said, "body": "", "url": "/games/mine", "topic": "several"}


def _challenge_title(game: Game) -> str:
    if game.proposer is not None:
        return "notifications.proposed_by"
    return "notifications.proposed" if is_proposed(game) else "notifications.challenged"


def proposer_of(game: Game) -> str:
    """Who has proposed the game to two others; "" if nobody did."""
    return "" if game.proposer is None else game.proposer.name


def _of_opponent(game: Game, player: Player, title: str, kind: str) -> PushMessage:
    opponent = next((other for other in game.players if other != player), None)
    return PushMessage(title, "" if opponent is None else opponent.name, game, kind)


def _result(game: Game, player: Player) -> str:
    """The key of what `player` reads when `game` is over."""
    assert game.outcome is not None
    if game.result == "*":
        return f"results.{game.outcome.reason}"
    if game.outcome.winner is None:
        return "notifications.drawn"
    return "notifications.won" if game.color_of(player.id) is game.outcome.winner else "notifications.lost"


def _was_declined(game: Game) -> bool:
    return game.outcome is not None and game.outcome.reason == "declined"


def waiting(seek: Seek, language: Language, names: NamesById) -> dict[str, str]:
    """Says that somebody waits with `seek`."""
    variants = ", ".join(names[variant].name for variant in seek.variants if variant in names)
    return {
        "title": language.plain("notifications.waits_title", name=seek.maker.player.name),
        "body": language.plain(
            "notifications.waits_text",
            variant=variants or language.plain("notifications.any_variant"),
            clock=clock_words(seek.control, language),
        ),
        "url": "/",
        "topic": "waits",
    }


def time_left(ms: int, language: Language) -> str:
    """ "3 days left", "12 hours left": rounded down, but for the few minutes that a reminder is late."""
    minutes = ms // 60_000
    if (days := (minutes + LATE_MIN) // 1440) >= 2:
        return language.plain("your_games.days_left", n=days)
    if (hours := (minutes + LATE_MIN) // 60) >= 2:
        return language.plain("your_games.hours_left", n=hours)
    return language.plain("your_games.minutes_left", n=minutes)
