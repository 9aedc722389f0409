"""From a stored document back to the game, equal to the one that was stored. Pure; knows no engine.

No position is stored: it is replayed from the start and the moves, 100 plies in a few ms, so a stored game cannot
contradict itself. Also what a list of games needs of a document, for which nothing is replayed.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from sys import intern

from server.games.clock import Clock, ClockKind, PerSide, TimeControl
from server.games.commands import OfferKind
from server.games.keys import Keys
from server.games.lag import Quota
from server.games.origin import Origin
from server.games.player import Player
from server.games.speed import speed_of
from server.games.state import Adjournment, Asked, Game, Invite, Invites, Offer, Ply
from server.games.status import Status
from server.games.terms import Terms
from server.games.trail import Trail
from server.rules.endings import Outcome
from server.rules.errors import RulesError
from server.rules.fen import parse_fen
from server.rules.legal import play_trusted
from server.rules.pieces import Color
from server.rules.uci import parse_uci_trusted
from server.rules.variant import Variant
from server.storage.accounts import DELETED_NAME
from server.storage.archive import GameSummary
from server.storage.documents import NONE, Document, Head
from server.storage.errors import Unreadable
from server.storage.ratings import Category, Due

Step = Callable[[Document], Document]


def _with_adjournment(document: Document) -> Document:
    """In schema 1 no game could be adjourned."""
    return replace(document, head={**document.head, "s": 2, "adjourns": "0 0", "adjourned": ""})


def _with_origin(document: Document) -> Document:
    """In schema 2 every game had been played here."""
    nowhere: Head = {"imported": 0, "origin_event": "", "origin_site": "", "origin_date": ""}
    return replace(document, head={**document.head, "s": 3, **nowhere})


def _with_busy(document: Document) -> Document:
    """In schema 3 what was given back because the server was busy was not counted."""
    return replace(document, head={**document.head, "s": 4, "busy": "0 0"})


def _with_tags(document: Document) -> Document:
    """In schema 4 three tags were kept of an imported game, each in a field of its own."""
    names = {"Event": "origin_event", "Site": "origin_site", "Date": "origin_date"}
    head = dict(document.head)
    said = [(name, value) for name, field in names.items() if (value := head.pop(field))]
    if head["imported"]:
        said += [("White", head["white_name"]), ("Black", head["black_name"])]
    tags = json.dumps(said, ensure_ascii=False)
    return replace(document, head={**head, "s": 5, "origin_tags": tags, "origin_movetext": ""})


STEPS: Sequence[Step] = (_with_adjournment, _with_origin, _with_busy, _with_tags)
"""STEPS[n] makes a document of schema n + 2 out of one of schema n + 1. Only ever add to the end."""
COLORS = {color.letter: color for color in Color}


def upgrade(document: Document, steps: Sequence[Step]) -> Document:
    """`document` in the shape that follows the last of `steps`. Raises ValueError for one of a later release."""
    schema = _number(document.head, "s")
    if schema > len(steps) + 1:
        raise ValueError(f"schema {schema} is of a later release of this server")
    for step in steps[schema - 1 :]:
        document = step(document)
    return document


def from_document(document: Document, variants: Mapping[str, Variant], known: Game | None = None) -> Game:
    """The game, equal to the one that was stored. Raises Unreadable when it cannot be that any more.

    `known` is another state of it: what has been played there already is not played again.
    """
    try:
        document = upgrade(document, STEPS)
        head = document.head
        terms = _terms(head, variants)
        return _game(head, terms, Trail(map(_ply, document.moves)), known)
    except (LookupError, TypeError, ValueError, RulesError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise Unreadable(f"The stored game {document.head.get('_id')} cannot be read ({reason}).") from error


def _game(head: Head, terms: Terms, plies: Trail[Ply], known: Game | None) -> Game:
    if known is not None and known.terms == terms and plies.begins_with(known.plies):
        position, keys, played = known.position, known.keys, len(known.plies)
    else:
        position = parse_fen(terms.variant, terms.start_fen, chess960=terms.chess960)
        keys, played = Keys((position.key,)), 0
    for ply in plies[played:]:
        position = play_trusted(position, parse_uci_trusted(position, ply.uci))
        keys = keys.then(position.key)
    return Game(
        id=_text(head, "_id"),
        rev=_number(head, "rev"),
        terms=terms,
        white=_player(head, "white"),
        black=_player(head, "black"),
        invites=_invites(head),
        status=Status(_text(head, "status")),
        position=position,
        plies=plies,
        keys=keys,
        clock=_clock(head, terms.control),
        offers=tuple(map(_offer, filter(None, _text(head, "offers").split(";")))),
        next_offer=_number(head, "next_offer"),
        asked=Asked(*(_numbers(head, key) for key in ("draw_plies", "takebacks", "rematches", "adjourns"))),
        outcome=_outcome(head),
        created=_number(head, "created"),
        ended=_number_or_none(head, "ended"),
        expires=_number_or_none(head, "expires"),
        both_met=bool(_number(head, "both_met")),
        adjourned=_adjournment(head),
        previous=_text(head, "previous") or None,
        next=_text(head, "next") or None,
        origin=_origin(head),
    )


def _terms(head: Head, variants: Mapping[str, Variant]) -> Terms:
    variant, chess960 = variants[_text(head, "variant")], bool(_number(head, "chess960"))
    return Terms(variant, chess960, _text(head, "start"), _control(head), bool(_number(head, "rated")))


def _control(head: Head) -> TimeControl:
    return TimeControl(
        ClockKind(_text(head, "control")),
        _numbers(head, "initial"),
        _numbers(head, "increment"),
        _number_or_none(head, "days"),
    )


def _clock(head: Head, control: TimeControl) -> Clock:
    gains, lefts = _numbers(head, "quota_gain"), _numbers(head, "quota_left")
    return Clock(
        control=control,
        left_ms=_numbers(head, "left"),
        quotas=(Quota(gains[0], lefts[0]), Quota(gains[1], lefts[1])),
        given_ms=_numbers(head, "given"),
        busy_ms=_numbers(head, "busy"),
        turn=_color(_text(head, "turn")),
        since=_number(head, "since"),
        paused_at=_number_or_none(head, "paused"),
    )


def _player(head: Head, color: str) -> Player | None:
    name = _text(head, f"{color}_name")
    return Player(_text(head, color), name) if name else None


def _origin(head: Head) -> Origin | None:
    if not _number(head, "imported"):
        return None
    tags = tuple((str(name), str(value)) for name, value in json.loads(_text(head, "origin_tags")))
    return Origin(tags, _text(head, "origin_movetext"))


def _invites(head: Head) -> Invites:
    """Two invitations are White's and Black's; one is that of the seat where nobody sits."""
    invites = [_invite(text) for text in _text(head, "invite").split()]
    if len(invites) == 2:
        return invites[0], invites[1]
    only = invites[0] if invites else None
    return (None, only) if _text(head, "white") else (only, None)


def _invite(text: str) -> Invite:
    if not text.startswith("@"):
        return text
    player_id, _, name = text[1:].partition("/")
    return Player(player_id, name)


def _adjournment(head: Head) -> Adjournment | None:
    packed = _text(head, "adjourned")
    if not packed:
        return None
    at, white, black = map(int, packed.split(" "))
    return Adjournment(at, (white, black))


def _outcome(head: Head) -> Outcome | None:
    reason = _text(head, "reason")
    return Outcome(_color(_text(head, "winner")), reason) if reason else None


def _ply(packed: str) -> Ply:
    uci, left, given, san = packed.split(" ")
    # As in a game that was played here: few texts for the moves of all games in memory.
    return Ply(intern(uci), intern(san), None if left == "-" else int(left), int(given))


def _offer(packed: str) -> Offer:
    number, kind, by, ply = packed.split(" ")
    return Offer(int(number), OfferKind(kind), COLORS[by], int(ply))


def _color(letter: str) -> Color | None:
    return COLORS[letter] if letter else None


def _number(head: Head, key: str) -> int:
    value = head[key]
    if not isinstance(value, int):
        raise TypeError(f"{key} is no number")
    return value


def _number_or_none(head: Head, key: str) -> int | None:
    value = _number(head, key)
    return None if value == NONE else value


def _numbers(head: Head, key: str) -> PerSide:
    white, black = _text(head, key).split(" ")
    return int(white), int(black)


def _text(head: Head, key: str) -> str:
    value = head[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} is no text")
    return value


def summary(head: Head) -> GameSummary:
    """A line in a list of games. `head`: a document of any schema, or an entry of the archive, which has its fields."""
    return GameSummary(
        id=_text(head, "_id"),
        variant=_text(head, "variant"),
        chess960=bool(_number(head, "chess960")),
        white=_text(head, "white_name") or None,
        black=_text(head, "black_name") or None,
        rated=bool(_number(head, "rated")),
        control=_control(head),
        status=_text(head, "status"),
        result=_text(head, "result") or None,
        reason=_text(head, "reason") or None,
        plies=_number(head, "plies"),
        created=_number(head, "created"),
        ended=_number_or_none(head, "ended"),
        imported=bool(head.get("imported", 0)),
        board=str(head.get("board", "")),
    )


def newest(heads: Iterable[Head], limit: int) -> Sequence[GameSummary]:
    """The `limit` newest of `heads` as lines of a list, newest first."""
    ordered = sorted(heads, key=lambda head: (_number(head, "created"), _text(head, "_id")), reverse=True)
    return [summary(head) for head in ordered[:limit]]


def due_of(head: Head) -> Due:
    """A finished game as it counts for its players. `head`: a document of any schema. Whoever has left is nobody."""
    one = summary(head)

    def player(color: str) -> str:
        return "" if _text(head, f"{color}_name") == DELETED_NAME else _text(head, color)

    return Due(
        game=one.id,
        category=Category(one.variant, one.chess960, speed_of(one.control)),
        rated=one.rated,
        white=player("white"),
        black=player("black"),
        winner=_color(_text(head, "winner")),
        at=one.ended or one.created,
    )
