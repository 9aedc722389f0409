"""Turns a game into a document, and the difference between two games into an update.

A document has a flat head of ints and strings, and the moves as one string each: all servers that speak MongoDB's
protocol handle these alike, and a list of strings can grow without being rewritten. The id is `_id` because MongoDB
insists. `replay` turns documents back into games.

`plies`, `result`, `deadline`, `remind_at`, `board` and `last` are for queries and lists: they follow from the rest, and
are not read back.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from server.games.clocks.clock import Clock
from server.games.conditional import NO_MOVES, MoveTree, steps_of
from server.games.player import Player
from server.games.reminders import next_reminder_at
from server.games.state import Adjournment, Game, ImportSource, Invite, Offer, Ply
from server.games.status import Status
from server.games.terms import Terms
from server.rules.endings import Outcome
from server.rules.notation.fen import format_placement
from server.rules.variant.pieces import Color

SCHEMA = 18
"""The current schema. When old documents must be changed, raise it and add a step to `upgrades.UPGRADES`."""
NONE = -1
"""Means "no such number": missing values would need operators that not every server gets right."""
NEVER = 2**62
"""The deadline of a game that runs but is never due: it is paused, or flagged by hand."""
PAIR = "%d %d"
"""A number for White and one for Black; yes and no are 1 and 0."""

Head = Mapping[str, int | str]
USUAL: Final[Head] = {
    "invite": "", "proposer": "", "previous": "", "next": "", "white_level": 0, "black_level": 0,
    "unhurried": 0, "by_hand": "0 0", "away": "0 0", "adjourned": "", "pause_ended": NONE, "expires": NONE,
    "paused": NONE, "busy": "0 0", "replaced": "0 0", "reminded": 0, "if_white": "", "if_black": "",
    "offers": "", "next_offer": 1, "rematch_id": "", "draw_plies": "-1 -1", "takebacks": "0 0", "rematches": "0 0",
    "adjourns": "0 0", "declined": "", "challenger": "", "tournament": "", "berserk": "0 0",
    "winner": "", "reason": "", "result": "", "aborted_by": "", "declined_for": "", "ended": NONE,
    "imported": 0, "origin_tags": "[]", "origin_movetext": "",
}  # fmt: skip
"""Fields that nearly always have these values while a game is played. What writes a move leaves them out."""


@dataclass(frozen=True, slots=True)
class Document:
    """A game as it is stored."""

    head: Head
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Append:
    """Moves to append to the first `start` ones."""

    start: int
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replace:
    """All moves of the game, since some were taken back; this is rare."""

    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameUpdate:
    """What to write to the game `id` if its stored revision is `rev`.

    The head is replaced as a whole: it is small, and so a document never mixes two schemas or states. It may leave out
    what is `USUAL`.
    """

    id: str
    rev: int
    head: Head
    moves: Append | Replace


def to_document(game: Game) -> Document:
    """The game as it is stored: its head, and its moves packed. `from_document` reads it."""
    return Document(to_head(game), _packed(game.plies))


def update_between(before: Game, after: Game) -> GameUpdate:
    """The update from `before` to `after`. Raises ValueError unless `after` is the next revision of the same game."""
    if after.id != before.id or after.rev != before.rev + 1:
        raise ValueError(f"{after.id} rev {after.rev} does not follow {before.id} rev {before.rev}")
    kept = len(before.plies)
    if after.plies.starts_with(before.plies):
        return GameUpdate(before.id, before.rev, _short_head(after), Append(kept, _packed(after.plies[kept:])))
    return GameUpdate(before.id, before.rev, _short_head(after), Replace(_packed(after.plies)))


def to_head(game: Game) -> Head:
    """All of the game but its moves, as flat fields."""
    return in_full(_short_head(game))


def in_full(head: Head) -> Head:
    """The head with the `USUAL` fields that it leaves out."""
    return {**USUAL, **head}


def in_brief(head: Head) -> Head:
    """The head without what is `USUAL` in it."""
    return {name: value for name, value in head.items() if USUAL.get(name) != value}


def _short_head(game: Game) -> dict[str, int | str]:
    """The head of the game, which leaves out most of what is `USUAL`: a third of it."""
    return {
        "_id": game.id,
        "s": SCHEMA,
        "rev": game.rev,
        **_terms_fields(game.terms),
        **_seat_fields("white", game.white),
        **_seat_fields("black", game.black),
        "status": game.status.value,
        "plies": len(game.plies),
        "board": format_placement(game.position),
        "last": game.plies[-1].uci if game.plies else "",
        **_clock_fields(game.clock),
        "created": game.created,
        "both_met": int(game.both_met),
        "deadline": _deadline(game),
        "remind_at": _or_none(next_reminder_at(game)),
        **_unusual_fields(game),
    }


def _unusual_fields(game: Game) -> Head:
    """What few games have, or none while it is played at the board."""
    fields: dict[str, int | str] = {}
    if game.invites != (None, None):
        fields["invite"] = " ".join(_invite(invite) for invite in game.invites if invite is not None)
    if game.next_offer > 1:
        fields |= _offer_fields(game)
    if game.outcome is not None:
        fields |= _ending_fields(game, game.outcome)
    if game.expires is not None:
        fields["expires"] = game.expires
    if game.unhurried:
        fields["unhurried"] = 1
    if game.adjourned is not None:
        fields["adjourned"] = _adjourned(game.adjourned)
    if game.on_vacation:
        fields["away"] = PAIR % game.away
    if game.pause_ended is not None:
        fields["pause_ended"] = game.pause_ended
    if True in game.flags_by_hand:
        fields["by_hand"] = PAIR % game.flags_by_hand
    links = {"previous": game.previous, "next": game.next, "tournament": game.tournament}
    fields |= {name: id for name, id in links.items() if id}
    if game.proposer is not None:
        fields["proposer"] = _person(game.proposer)
    if game.challenger is not None:
        fields["challenger"] = game.challenger.letter
    if game.conditional != NO_MOVES:
        fields["if_white"], fields["if_black"] = (_steps(tree) for tree in game.conditional)
    if game.import_source is not None:
        fields |= _source_fields(game.import_source)
    return fields


def _terms_fields(terms: Terms) -> Head:
    control = terms.control
    return {
        "variant": terms.variant.id,
        "chess960": int(terms.chess960),
        "start": terms.start_fen,
        "rated": int(terms.rated),
        "control": control.kind.value,
        "initial": PAIR % control.initial_ms,
        "increment": PAIR % control.increment_ms,
        "days": _or_none(control.days),
        "cap": _or_none(control.cap_ms),
    }


def _seat_fields(color: str, player: Player | None) -> Head:
    if player is None:
        return {color: "", f"{color}_name": ""}
    seat = {color: player.id, f"{color}_name": player.name}
    return {**seat, f"{color}_level": player.level} if player.level else seat


def _source_fields(source: ImportSource) -> Head:
    return {
        "imported": 1,
        "origin_tags": json.dumps(source.tags, ensure_ascii=False),
        "origin_movetext": source.movetext,
    }


def _offer_fields(game: Game) -> Head:
    limits = game.offer_limits
    return {
        "offers": ";".join(map(_offer, game.offers)),
        "next_offer": game.next_offer,
        "declined": "" if game.declined is None else _offer(game.declined),
        "rematch_id": next((offer.next_id for offer in game.offers if offer.next_id), ""),
        "draw_plies": PAIR % limits.draw_ply,
        "takebacks": PAIR % limits.takebacks,
        "rematches": PAIR % limits.rematches,
        "adjourns": PAIR % limits.adjourns,
    }


def _offer(offer: Offer) -> str:
    return f"{offer.id} {offer.kind} {offer.by.letter} {offer.ply}"


def _ending_fields(game: Game, outcome: Outcome) -> Head:
    return {
        "winner": _letter(outcome.winner),
        "reason": str(outcome.reason),
        "result": game.result,
        "aborted_by": _letter(game.aborted_by),
        "declined_for": game.declined_for,
        "ended": _or_none(game.ended),
    }


def _clock_fields(clock: Clock) -> Head:
    fields: dict[str, int | str] = {
        "left": PAIR % clock.left_ms,
        "quota_gain": PAIR % (clock.quotas[0].gain_ms, clock.quotas[1].gain_ms),
        "quota_left": PAIR % (clock.quotas[0].left_ms, clock.quotas[1].left_ms),
        "given": PAIR % clock.given_ms,
        "turn": _letter(clock.turn),
        "since": clock.since,
    }
    if clock.busy_ms != (0, 0):
        fields["busy"] = PAIR % clock.busy_ms
    if clock.replaced != (0, 0):
        fields["replaced"] = PAIR % clock.replaced
    if True in clock.berserk:
        fields["berserk"] = PAIR % clock.berserk
    if clock.paused_at is not None:
        fields["paused"] = clock.paused_at
    if clock.reminded:
        fields["reminded"] = clock.reminded
    return fields


def _deadline(game: Game) -> int:
    deadline, clock = game.deadline, game.clock
    if deadline is None and game.status is Status.LIVE and (clock.paused_at is not None or clock.turn is not None):
        return NEVER
    return _or_none(deadline)


def _invite(invite: Invite) -> str:
    """The digest of a secret, or "@id/name" of the challenged player; neither contains a space."""
    return invite if isinstance(invite, str) else f"@{_person(invite)}"


def _person(player: Player) -> str:
    return f"{player.id}/{player.name}"


def _adjourned(adjournment: Adjournment | None) -> str:
    """ "" or "at white black" in ms; 0 for a side that is not ready to resume."""
    return "" if adjournment is None else f"{adjournment.at} {PAIR % adjournment.ready}"


def _steps(tree: MoveTree) -> str:
    """Conditional moves as steps with spaces between them."""
    return " ".join(map(str, steps_of(tree))) if tree else ""


def _packed(plies: Iterable[Ply]) -> tuple[str, ...]:
    """Moves as "uci left given san"; `left` is "-" where it is not known."""
    return tuple(f"{ply.uci} {'-' if ply.left_ms is None else ply.left_ms} {ply.given_back} {ply.san}" for ply in plies)


def _letter(color: Color | None) -> str:
    return "" if color is None else color.letter


def _or_none(value: int | None) -> int:
    return NONE if value is None else value
