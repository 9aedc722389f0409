"""Lists in answers, as the lines of a plain text: games, the best players, somebody's ratings and last games."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import assert_never

from server.games.clocks.vacations import last_day
from server.games.rating import Rating
from server.language import Language
from server.mail.inbound.mail_report import GamesOf, Leaders, OwnGames, RatingsOf
from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Category
from server.storage.running import RunningGame

List = OwnGames | Leaders | RatingsOf | GamesOf


@dataclass(frozen=True, slots=True)
class Lists:
    """Writes them in a language, with what variants are called there by id. `site`: its address."""

    language: Language
    variants: Mapping[str, str]
    site: str

    def running(self, game: RunningGame) -> str:
        """One line: whose turn it is, the game's address, the opponent and the variant, and their absence."""
        line = self.language.plain(
            "mail_answers.your_turn" if game.waits else "mail_answers.their_turn",
            game=f"{self.site}/{game.id}",
            name=self.language.person(game.opponent or game.asked or "?"),
            variant=self._variant(game.variant, game.chess960),
        )
        if not game.opponent_away:
            return line
        day = self.language.day(last_day(game.opponent_away))
        return f"{line} ({self.language.plain('vacation.away_until', day=day)})"

    def finished(self, game: GameSummary) -> str:
        """ "2026-11-23 https://…: Anna against Ben, Grand: 1-0"."""
        ended = datetime.fromtimestamp((game.created if game.ended is None else game.ended) / 1000, UTC)
        return self.language.plain(
            "mail_answers.finished",
            day=ended.date().isoformat(),
            game=f"{self.site}/{game.id}",
            white=self.language.person(game.white or "?"),
            black=self.language.person(game.black or "?"),
            variant=self._variant(game.variant, game.chess960),
            result=game.result or "*",
        )

    def category(self, one: Category) -> str:
        """ "Grand Chess 960, Blitz"."""
        return f"{self._variant(one.variant, one.chess960)}, {self.language.plain(f'terms.{one.speed}')}"

    def _variant(self, variant: str, chess960: bool) -> str:
        return self.variants.get(variant, variant) + (" 960" if chess960 else "")


def list_lines(lists: Lists, told: List) -> Iterator[str]:
    """The list with a sentence above it, or a sentence that it is empty."""
    say = lists.language.plain
    match told:
        case OwnGames(games):
            yield say("mail_answers.games" if games else "mail_answers.no_games")
            yield from map(lists.running, games)
        case Leaders(category, leaders):
            kind = lists.category(category)
            yield say("mail_answers.standings" if leaders else "mail_answers.no_standings", kind=kind)
            for nth, (name, rating) in enumerate(leaders, 1):
                yield f"  {nth:>2}  {name:<20}  {_shown(rating):<5}  {rating.games:>4}"
        case RatingsOf(name, ratings):
            yield say("mail_answers.ratings" if ratings else "mail_answers.no_ratings", name=name)
            for one, rating in ratings:
                yield f"  {_shown(rating):<5}  {rating.games:>4}  {lists.category(one)}"
        case GamesOf(name, finished):
            yield say("mail_answers.history" if finished else "mail_answers.no_history", name=name)
            yield from map(lists.finished, finished)
        case _:
            assert_never(told)


def _shown(rating: Rating) -> str:
    """ "1650", or "1650?" while it is provisional."""
    return f"{rating.rounded}{'?' if rating.provisional else ''}"
