"""How notices are written down on their way between processes. Knows no Redis.

A message that cannot be read comes from another release, or is not ours: it is ignored.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

import orjson

from server.realtime.process.bus import (
    BlocksChanged,
    ChallengeMade,
    ChatPosted,
    Deleted,
    GameStored,
    MessageLeft,
    Notice,
    PeopleOnNode,
    PresenceChanged,
    RematchOffered,
    SeeksChanged,
    SessionsEnded,
    TurnPassed,
    WaitedInVain,
)
from server.realtime.process.presence import PresenceState
from server.rules.variant.pieces import Color


def read(data: bytes) -> Sequence[Notice]:
    """The notices of a message. Raises ValueError if it cannot be read."""
    fields = orjson.loads(data)
    if isinstance(fields, dict) and isinstance(seats := fields.get("seats"), dict):
        return [
            PresenceChanged(str(seat)[:-1], _color(str(seat)[-1:]), PresenceState(at)) for seat, at in seats.items()
        ]
    notice = _notice(fields)
    return [] if notice is None else [notice]


def _notice(fields: Any) -> Notice | None:
    match fields:
        case {"game": str(game), "rev": int(rev), "players": str(players)}:
            return GameStored(game, rev, tuple(players.split()))
        case {"lobby": 1}:
            return SeeksChanged()
        case {"here": str(node), "people": str(people)}:
            return PeopleOnNode(node, tuple(people.split()))
        case {"blocks": str(person)}:
            return BlocksChanged(person)
        case {"sessions": str(ended), "code": int(code)}:
            return SessionsEnded(frozenset(ended.split()), code)
        case {"game": str(game), "player": str(player), "by": str(by), **more}:
            return ChallengeMade(game, player, by, "proposed" in more, str(more.get("proposer", "")))
        case {"game": str(game), "deleted": 1, "players": str(players)}:
            return Deleted(game, tuple(players.split()))
        case {"game": str(game), "waited": str(player)}:
            return WaitedInVain(game, player)
        case {"game": str(game), "letter": str(player), "from": str(by)}:
            return MessageLeft(game, player, by)
        case {"game": str(game), "rematch": str(player), "from": str(by)}:
            return RematchOffered(game, player, by)
        case {"game": str(game), "turn": str(player)}:
            return TurnPassed(game, player)
        case {"game": str(game), "chat": 1}:
            return ChatPosted(game)
        case {"game": str(game), "color": str(letter), "where": str(where)}:
            return PresenceChanged(game, _color(letter), PresenceState(where))
    return None


def _color(letter: str) -> Color:
    if letter not in ("w", "b"):
        raise ValueError("a side is w or b")
    return Color.WHITE if letter == "w" else Color.BLACK


def written(notice: Notice) -> tuple[str, Mapping[str, Any]]:
    """The fields of `notice`, and its key: of those with the same key only the newest matters."""
    match notice:
        case GameStored(game, rev, players):
            return game, {"game": game, "rev": rev, "players": " ".join(players)}
        case PresenceChanged(game, color, where):
            return f"{game} {color.letter}", {"game": game, "color": color.letter, "where": where.value}
        case ChallengeMade(game, player, by, proposed, proposer):
            challenge: dict[str, str | int] = {"game": game, "player": player, "by": by}
            more = ({"proposed": 1} if proposed else {}) | ({"proposer": proposer} if proposer else {})
            return f"{game} challenge {player}", challenge | more
        case WaitedInVain(game, player):
            return f"{game} waited", {"game": game, "waited": player}
        case MessageLeft(game, player, by):
            return f"{game} letter", {"game": game, "letter": player, "from": by}
        case RematchOffered(game, player, by):
            return f"{game} rematch", {"game": game, "rematch": player, "from": by}
        case TurnPassed(game, player):
            return f"{game} turn", {"game": game, "turn": player}
        case ChatPosted(game):
            return f"{game} chat", {"game": game, "chat": 1}
        case SeeksChanged():
            return "seeks", {"lobby": 1}
        case PeopleOnNode(node, people):
            return f"{node} here", {"here": node, "people": " ".join(people)}
        case BlocksChanged(person):
            return f"{person} blocks", {"blocks": person}
        case Deleted(game, players):
            return f"{game} deleted", {"game": game, "deleted": 1, "players": " ".join(players)}
        case SessionsEnded(sessions, code):
            ended = " ".join(sorted(sessions))
            return ended, {"sessions": ended, "code": code}
        case _:
            assert_never(notice)


def written_together(seats: Iterable[PresenceChanged]) -> Mapping[str, Any]:
    """The fields of one message that says where all these players are."""
    return {"seats": {f"{seen.game}{seen.color.letter}": seen.state.value for seen in seats}}
