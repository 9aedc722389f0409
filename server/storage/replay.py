"""Turns a stored document back into the game that was stored.

Positions are not stored but replayed from the moves, 100 plies in a few ms. A document may be damaged, so every move
must be legal, their number must be right, and the resulting game must give the same document. An incomplete game never
passes for a complete one. Documents of earlier releases are upgraded first: an upgrade adds or renames fields.
"""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from sys import intern

from server.games.append_only import AppendOnlySequence, RepetitionHistory
from server.games.clocks.clock import Clock, Quota
from server.games.clocks.time_control import ClockKind, PerSide, TimeControl
from server.games.conditional import MoveTree, tree_from
from server.games.frozen import replace
from server.games.judging import check_consistent
from server.games.player import Player
from server.games.state import (
    Adjournment,
    Game,
    ImportSource,
    Invite,
    Invites,
    Offer,
    OfferKind,
    OfferLimits,
    Ply,
    computer_side,
)
from server.games.status import Status
from server.games.terms import Terms
from server.rules.endings import Outcome
from server.rules.errors import RulesError
from server.rules.movegen.legal import repetition_key
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import SlicedWork, run_at_once
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.damage import WRONG, reason
from server.storage.documents import NONE, Document, Head, to_head
from server.storage.errors import Unreadable
from server.storage.fields import (
    checked_instant,
    checked_span,
    flag,
    instant,
    instant_or_none,
    number,
    number_or_none,
    text,
)

Upgrade = Callable[[Head], Head]


def _adding(**fields: int | str) -> Upgrade:
    return lambda head: {**head, **fields}


def _with_tags(head: Head) -> Head:
    names = {"Event": "origin_event", "Site": "origin_site", "Date": "origin_date"}
    kept = dict(head)
    said = [(name, value) for name, field in names.items() if (value := kept.pop(field))]
    if head["imported"]:
        said += [("White", head["white_name"]), ("Black", head["black_name"])]
    return {**kept, "origin_tags": json.dumps(said, ensure_ascii=False), "origin_movetext": ""}


UPGRADES: Sequence[Upgrade] = (
    # In schema 1 no game could be adjourned.
    _adding(adjourns="0 0", adjourned=""),
    # In schema 2 every game had been played here.
    _adding(imported=0, origin_event="", origin_site="", origin_date=""),
    # In schema 3 time given back because the server was overloaded was not counted.
    _adding(busy="0 0"),
    # In schema 4 three tags of an imported game were stored, in fields of their own.
    _with_tags,
    # In schema 5 players new to a variant got no extra time for the first move.
    _adding(unhurried=0),
    # In schema 6 nobody was reminded of a move.
    _adding(reminded=0),
    # In schema 7 there were no conditional moves.
    _adding(if_white="", if_black=""),
    # In schema 8 there were no time banks.
    _adding(cap=NONE),
    # In schema 9 nobody could go on vacation.
    _adding(away="0 0"),
    # In schema 10 no correspondence game could be paused.
    _adding(pause_ended=NONE),
    # In schema 11 every fallen flag ended the game.
    _adding(by_hand="0 0"),
    # In schema 12 nobody was told who had proposed a game.
    _adding(proposer=""),
    # In schema 13 the computer had no seat.
    _adding(white_level=0, black_level=0),
    # In schema 14 a move earned its increment anew each time it had been taken back.
    _adding(replaced="0 0"),
    # In schema 15 nobody was told who had aborted a game.
    _adding(aborted_by=""),
    # In schema 16 a head left nothing out; what reads a shorter one of a later schema completes it.
    _adding(),
    # In schema 17 there were no tournaments.
    _adding(tournament="", berserk="0 0"),
)
"""UPGRADES[n] turns the head of a document of schema n + 1 into one of n + 2. Only ever append to it."""


def upgrade(document: Document, upgrades: Sequence[Upgrade]) -> Document:
    """`document` after all of `upgrades` that it needs. Raises ValueError for an unknown schema."""
    schema = number(document.head, "s")
    if schema < 1:
        raise ValueError(f"there is no schema {schema}")
    if schema > len(upgrades) + 1:
        raise ValueError(f"schema {schema} is of a later release of this server")
    head, due = document.head, upgrades[schema - 1 :]
    for change in due:
        head = change(head)
    return replace(document, head={**head, "s": len(upgrades) + 1}) if due else document


SEARCHED = frozenset({"board", "deadline", "last", "plies", "remind_at", "result"})
"""Fields for queries, which another release may compute differently, or not at all; `plies` is checked by counting."""
COLORS = {color.letter: color for color in Color}


def from_document(document: Document, variants: Mapping[str, Variant], known: Game | None = None) -> Game:
    """The game that was stored. Raises Unreadable if the document is damaged.

    `known`: another state of the game, whose moves need not be replayed.
    """
    return run_at_once(from_document_sliced(document, variants, known))


def from_document_sliced(
    document: Document, variants: Mapping[str, Variant], known: Game | None = None
) -> SlicedWork[Game]:
    """The same, with a pause after each move; a move takes a tenth of a millisecond."""
    try:
        document = upgrade(document, UPGRADES)
        head = document.head
        plies = AppendOnlySequence((yield from _plies(document.moves)))
        if len(plies) != number(head, "plies"):
            raise ValueError(f"there are {len(plies)} of {number(head, 'plies')} half-moves")
        game = yield from _game(head, _terms(head, variants), plies, known)
        check_consistent(game)
        if odd := _not_as_stored(game, head):
            raise ValueError(f"{odd} is not as it was stored")
    except WRONG as error:
        raise Unreadable(f"The stored game {document.head.get('_id')} cannot be read ({reason(error)}).") from error
    return game


def _plies(moves: Sequence[str]) -> Generator[None, None, Sequence[Ply]]:
    plies = []
    for move in moves:
        plies.append(_ply(move))
        yield
    return plies


def _not_as_stored(game: Game, head: Head) -> str | None:
    """A field of the head that does not match the game, except those of SEARCHED; None if all do."""
    would_be = to_head(game)
    return next((key for key in would_be.keys() - SEARCHED if would_be[key] != head.get(key)), None)


def _game(head: Head, terms: Terms, plies: AppendOnlySequence[Ply], known: Game | None) -> Generator[None, None, Game]:
    position, keys = yield from _last_position(terms, plies, known)
    white, black = _player(head, "white"), _player(head, "black")
    return Game(
        id=text(head, "_id"),
        rev=number(head, "rev"),
        terms=terms,
        white=white,
        black=black,
        invites=_invites(head),
        status=Status(text(head, "status")),
        position=position,
        plies=plies,
        keys=keys,
        clock=_clock(head, terms.control, computer_side(white, black)),
        offers=_offers(head),
        next_offer=number(head, "next_offer"),
        offer_limits=OfferLimits(
            *(_numbers(head, key) for key in ("draw_plies", "takebacks", "rematches", "adjourns"))
        ),
        declined=_offer(packed) if (packed := text(head, "declined")) else None,
        outcome=_outcome(head),
        challenger=color_of(text(head, "challenger")),
        aborted_by=color_of(text(head, "aborted_by")),
        declined_for=text(head, "declined_for"),
        created=instant(head, "created"),
        ended=instant_or_none(head, "ended", NONE),
        expires=instant_or_none(head, "expires", NONE),
        both_met=flag(head, "both_met"),
        unhurried=flag(head, "unhurried"),
        away=away_of(head),
        adjourned=adjournment_of(head),
        pause_ended=number_or_none(head, "pause_ended", NONE),
        flags_by_hand=_flags(head, "by_hand"),
        previous=text(head, "previous") or None,
        next=text(head, "next") or None,
        proposer=_person(packed) if (packed := text(head, "proposer")) else None,
        conditional=(_tree(head, "if_white"), _tree(head, "if_black")),
        tournament=text(head, "tournament"),
        import_source=_import_source(head),
    )


def _last_position(
    terms: Terms, plies: AppendOnlySequence[Ply], known: Game | None
) -> Generator[None, None, tuple[Position, RepetitionHistory]]:
    """Where the moves lead, and how often each position has been there; only those that `known` has not are played."""
    if known is not None and known.terms == terms and plies.starts_with(known.plies):
        position, keys, played = known.position, known.keys, len(known.plies)
    else:
        position = parse_fen(terms.variant, terms.start_fen, chess960=terms.chess960)
        keys, played = RepetitionHistory((repetition_key(position),)), 0
    for half_move, ply in enumerate(plies[played:], start=played + 1):
        try:
            move = parse_uci(position, ply.uci)
        except RulesError:
            raise ValueError(f"half-move {half_move} is none: {ply.uci} is not legal here") from None
        position = play_trusted(position, move)
        keys = keys.appended(repetition_key(position))
        yield
    return position, keys


def _terms(head: Head, variants: Mapping[str, Variant]) -> Terms:
    variant, chess960 = variants[text(head, "variant")], flag(head, "chess960")
    return Terms(variant, chess960, text(head, "start"), control_of(head), flag(head, "rated"))


def control_of(head: Head) -> TimeControl:
    """The time control in the head of a game, or in an archive entry."""
    return TimeControl(
        ClockKind(text(head, "control")),
        _numbers(head, "initial"),
        _numbers(head, "increment"),
        number_or_none(head, "days", NONE),
        # Lists are read from heads that no upgrade has seen.
        number_or_none(head, "cap", NONE) if "cap" in head else None,
    )


def _clock(head: Head, control: TimeControl, spared: Color | None) -> Clock:
    gains, lefts = _numbers(head, "quota_gain"), _numbers(head, "quota_left")
    return Clock(
        control=control,
        left_ms=_numbers(head, "left"),
        quotas=(Quota(gains[0], lefts[0]), Quota(gains[1], lefts[1])),
        given_ms=_numbers(head, "given"),
        busy_ms=_numbers(head, "busy"),
        turn=color_of(text(head, "turn")),
        since=instant(head, "since"),
        paused_at=instant_or_none(head, "paused", NONE),
        reminded=number(head, "reminded"),
        spared=spared,
        replaced=_numbers(head, "replaced"),
        berserk=_flags(head, "berserk"),
    )


def _player(head: Head, color: str) -> Player | None:
    name = text(head, f"{color}_name")
    return Player(text(head, color), name, number(head, f"{color}_level")) if name else None


def _tree(head: Head, key: str) -> MoveTree:
    return tree_from([int(step) if step.isdigit() else step for step in text(head, key).split()])


def _import_source(head: Head) -> ImportSource | None:
    if not flag(head, "imported"):
        return None
    tags = tuple((str(name), str(value)) for name, value in json.loads(text(head, "origin_tags")))
    return ImportSource(tags, text(head, "origin_movetext"))


def _invites(head: Head) -> Invites:
    """The invitations: two are for White and Black, a single one is for the empty seat."""
    invites = [_invite(invite) for invite in text(head, "invite").split()]
    if len(invites) == 2:
        return invites[0], invites[1]
    only = invites[0] if invites else None
    return (None, only) if text(head, "white") else (only, None)


def _invite(packed: str) -> Invite:
    if not packed.startswith("@"):
        return packed
    return _person(packed[1:])


def _person(packed: str) -> Player:
    player_id, _, name = packed.partition("/")
    return Player(player_id, name)


def adjournment_of(head: Head) -> Adjournment | None:
    """The adjournment of a game, or None. Raises ValueError."""
    packed = text(head, "adjourned")
    if not packed:
        return None
    at, white, black = (checked_instant(int(one), "adjourned") for one in packed.split(" "))
    return Adjournment(at, (white, black))


def away_of(head: Head) -> PerSide:
    """Until when White and Black are on vacation. Raises as `fields` says."""
    white, black = (checked_instant(int(one), "away") for one in text(head, "away").split(" "))
    return white, black


def _outcome(head: Head) -> Outcome | None:
    why = text(head, "reason")
    return Outcome(color_of(text(head, "winner")), why) if why else None


def _ply(packed: str) -> Ply:
    uci, left, given, san = packed.split(" ")
    # One string for the same move in all games in memory.
    left_ms = None if left == "-" else checked_span(int(left), "left")
    return Ply(intern(uci), intern(san), left_ms, checked_span(int(given), "given back"))


def _offers(head: Head) -> tuple[Offer, ...]:
    offers = map(_offer, filter(None, text(head, "offers").split(";")))
    next_id = text(head, "rematch_id") or None
    return tuple(replace(one, next_id=next_id) if one.kind is OfferKind.REMATCH else one for one in offers)


def _offer(packed: str) -> Offer:
    offer_id, kind, by, ply = packed.split(" ")
    return Offer(int(offer_id), OfferKind(kind), COLORS[by], int(ply))


def color_of(letter: str) -> Color | None:
    """The side of that letter; None for ""."""
    return COLORS[letter] if letter else None


def _flags(head: Head, key: str) -> tuple[bool, bool]:
    """White's and Black's, each stored as 1 or 0."""
    white, black = (("0", "1").index(one) == 1 for one in text(head, key).split(" "))
    return white, black


def _numbers(head: Head, key: str) -> PerSide:
    white, black = (checked_span(int(one), key) for one in text(head, key).split(" "))
    return white, black
