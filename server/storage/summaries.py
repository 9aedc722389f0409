"""What lists of games and ratings need from a game: read from its head, without replaying it."""

import re
from collections.abc import Iterable, Sequence

import orjson

from server.games.clocks.time_control import speed_of
from server.games.player import DELETED_NAME
from server.games.rating import long_enough
from server.storage.damage import Damage
from server.storage.documents import NONE, Head
from server.storage.fields import flag, instant, instant_or_none, number, text
from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Category, FinishedGame
from server.storage.replay import color_of, control_of


def summary(head: Head) -> GameSummary:
    """The summary of a head of any schema, or of an archive entry, which has the same fields."""
    return GameSummary(
        id=text(head, "_id"),
        variant=text(head, "variant"),
        chess960=flag(head, "chess960"),
        white=text(head, "white_name") or None,
        black=text(head, "black_name") or None,
        rated=flag(head, "rated"),
        control=control_of(head),
        status=text(head, "status"),
        result=text(head, "result") or None,
        reason=text(head, "reason") or None,
        plies=number(head, "plies"),
        created=instant(head, "created"),
        ended=instant_or_none(head, "ended", NONE),
        imported=bool(head.get("imported", 0)),
        board=str(head.get("board", "")),
    )


def newest(lines: Iterable[GameSummary], limit: int) -> Sequence[GameSummary]:
    """The `limit` newest games, newest first."""
    return sorted(lines, key=lambda line: (line.created, line.id), reverse=True)[:limit]


def readable_summaries(lines: Iterable[str], damage: Damage) -> list[GameSummary]:
    """The archive lines that can be read."""
    return damage.readable("archive", lines, lambda line: summary(orjson.loads(line)), key=_id_in)


def _id_in(line: str) -> object:
    """The value in the place of the game's id."""
    found = re.search(r'"_id":"(.{1,40}?)"', line)
    return found[1] if found else line[:40]


def finished_game_of(head: Head) -> FinishedGame:
    """The finished game of a head of any schema. Players whose account was deleted have the id ""."""
    one = summary(head)

    def player(color: str) -> str:
        return "" if text(head, f"{color}_name") == DELETED_NAME else text(head, color)

    return FinishedGame(
        game=one.id,
        category=Category(one.variant, one.chess960, speed_of(one.control)),
        rated=one.rated and long_enough(one.plies, one.reason or ""),
        white=player("white"),
        black=player("black"),
        winner=color_of(text(head, "winner")),
        at=one.ended or one.created,
    )
