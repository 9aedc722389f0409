"""Offers of a draw, a takeback, a rematch, an adjournment or a pause, and the answers to them.

The offer of a draw, an adjournment or a pause stands until the opponent moves (its maker may move meanwhile), that of a
takeback until anybody moves, that of a rematch until it is accepted. Any of them can be declined, or withdrawn by its
maker. If both players make the same offer, that is an agreement, except for takebacks. So that nobody is pestered, a
player may make one draw offer per move, and three of any other kind until one is accepted. What the computer grants is
agreed on at once, so nobody sees it as an offer.

At a takeback the clocks keep their times, and a move that replaces one earns no increment: nobody makes time out of
takebacks. Old positions are not kept, so the game is replayed from its start: takebacks are rare.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from server.games.append_only import AppendOnlySequence
from server.games.changes.ending import close_offers, end_game
from server.games.changes.pausing import adjourn_game, check_can_adjourn
from server.games.clocks.time_control import PerSide, for_color, with_color
from server.games.command import ADJOURNED, LIVE, OVER, Command, PlayerCommand, check_ply
from server.games.conditional import NO_MOVES
from server.games.errors import NotAllowed, Stale
from server.games.events import OfferClosed, Offered, OfferEnd, RematchAgreed, TookBack, Transition
from server.games.frozen import replace
from server.games.state import Game, Offer, OfferKind
from server.games.status import Status
from server.rules.endings import Outcome
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci_trusted
from server.rules.variant.pieces import Color

MAX_OFFERS = 3
"""Offers of one kind other than draws that one side may make until one is accepted."""
GRANTED: Final = frozenset({OfferKind.TAKEBACK, OfferKind.REMATCH})
"""What the computer accepts at once. About a draw it thinks."""


@dataclass(frozen=True, slots=True)
class MakeOffer(PlayerCommand):
    """Make an offer, or accept the opponent's if it is the same. `next_id`: the id that an agreed rematch will have.

    `ply`: the only number of half-moves at which it counts; None: at any.
    """

    brings_together: ClassVar = True
    offered_in: ClassVar[Mapping[OfferKind, frozenset[Status]]] = {
        OfferKind.DRAW: LIVE | ADJOURNED,
        OfferKind.TAKEBACK: LIVE,
        OfferKind.ADJOURN: LIVE,
        OfferKind.PAUSE: LIVE,
        OfferKind.REMATCH: OVER,
    }
    kind: OfferKind
    next_id: str | None = field(default=None, compare=False)
    ply: int | None = None

    def is_taken(self, status: Status) -> bool:
        return status in self.offered_in[self.kind]

    def apply(self, game: Game, now: int) -> Transition:
        check_ply(game, self.ply)
        return make_offer(game, self.color, self.kind, self.next_id, now)


@dataclass(frozen=True, slots=True)
class AcceptOffer(PlayerCommand):
    """Accept the opponent's offer. `next_id`: the id that a rematch will have if its offer has none."""

    taken_in: ClassVar = LIVE | ADJOURNED | OVER
    brings_together: ClassVar = True
    offer: int
    next_id: str | None = field(default=None, compare=False)

    def apply(self, game: Game, now: int) -> Transition:
        return accept_offer(game, self.color, self.offer, self.next_id, now)


@dataclass(frozen=True, slots=True)
class DeclineOffer(PlayerCommand):
    """Decline the opponent's offer, or withdraw an own one ("lapsed"). Raises Stale if it is gone."""

    taken_in: ClassVar = LIVE | ADJOURNED | OVER
    offer: int

    def apply(self, game: Game, now: int) -> Transition:
        refused = _open_offer(game, self.offer)
        how: OfferEnd = "lapsed" if refused.by is self.color else "declined"
        game = replace(game, offers=tuple(open_offer for open_offer in game.offers if open_offer is not refused))
        if how == "declined" and not game.terms.control.by_the_minute:
            game = replace(game, declined=replace(refused, next_id=None))
        return game, (OfferClosed(refused.id, refused.kind, how),)


def seeks_rematch(game: Game, command: Command) -> bool:
    """Would `command` bring the players of `game` closer to another one?"""
    match command:
        case MakeOffer(_, kind):
            return kind is OfferKind.REMATCH
        case AcceptOffer(_, wanted):
            return any(one.id == wanted and one.kind is OfferKind.REMATCH for one in game.offers)
    return False


def make_offer(game: Game, color: Color, kind: OfferKind, next_id: str | None, now: int) -> Transition:
    """`color` makes an offer, or accepts the opponent's if it is the same. Raises NotAllowed.

    A rematch that is already agreed on changes nothing: (game, ()).
    """
    if kind is OfferKind.REMATCH and game.next is not None:
        return game, ()
    same = [open_offer for open_offer in game.offers if open_offer.kind is kind]
    if any(open_offer.by is color for open_offer in same):
        raise NotAllowed("offer_repeated")
    if same and kind is not OfferKind.TAKEBACK:
        return accept_offer(game, color, same[0].id, next_id, now)
    game = _counted(game, kind, color)
    made = Offer(game.next_offer, kind, color, len(game.plies), next_id if kind is OfferKind.REMATCH else None)
    game = replace(game, offers=(*game.offers, made), next_offer=game.next_offer + 1)
    if game.computer is color.other and kind in GRANTED:
        return accept_offer(game, color.other, made.id, next_id, now)
    return game, (Offered(made.id, kind, color),)


def accept_offer(game: Game, color: Color, offer_id: int, next_id: str | None, now: int) -> Transition:
    """`color` accepts the opponent's offer. Accepting a rematch twice changes nothing: (game, ()).

    Raises Stale if the offer is gone, NotAllowed if it is their own, ValueError for a rematch without `next_id`.
    """
    if game.next is not None:
        return game, ()
    accepted = _open_offer(game, offer_id)
    if accepted.by is color:
        raise NotAllowed("own_offer")
    closed = OfferClosed(accepted.id, accepted.kind, "accepted")
    game = replace(game, offers=tuple(open_offer for open_offer in game.offers if open_offer is not accepted))
    match accepted.kind:
        case OfferKind.DRAW:
            game, events = end_game(game, Outcome(None, "agreement"), now)
            return game, (closed, *events)
        case OfferKind.TAKEBACK:
            game, events = close_offers(game)
            # A number is left out: a mail that showed the offer is not about the turn with as many half-moves later.
            game = replace(after_takeback(game, accepted.by, now), next_offer=game.next_offer + 1)
            return game, (closed, *events, TookBack(len(game.plies)))
        case OfferKind.REMATCH:
            agreed_id = accepted.next_id or next_id
            if agreed_id is None:
                raise ValueError("a rematch needs the id of the next game")
            _check_not_deleted(game, accepted.by)
            return replace(game, next=agreed_id), (closed, RematchAgreed(agreed_id))
        case OfferKind.ADJOURN | OfferKind.PAUSE:
            game, events = adjourn_game(game, now)
            return game, (closed, *events)


def _open_offer(game: Game, offer_id: int) -> Offer:
    for open_offer in game.offers:
        if open_offer.id == offer_id:
            return open_offer
    raise Stale("offer_gone")


def _counted(game: Game, kind: OfferKind, color: Color) -> Game:
    """The game with one more offer counted for `color`. Raises NotAllowed if that is one too many."""
    limits = game.offer_limits
    if game.tournament and kind is not OfferKind.DRAW:
        raise NotAllowed("not_in_tournament")
    match kind:
        case OfferKind.DRAW:
            if not game.started:
                raise NotAllowed("draw_too_early")
            last = for_color(limits.draw_ply, color)
            if last >= 0 and not any(game.mover_of(ply) is color for ply in range(last, len(game.plies))):
                raise NotAllowed("draw_repeated")
            limits = replace(limits, draw_ply=with_color(limits.draw_ply, color, len(game.plies)))
        case OfferKind.TAKEBACK:
            if game.terms.rated:
                raise NotAllowed("no_takeback_rated")
            if plies_to_take_back(game, color) is None:
                raise NotAllowed("nothing_to_take_back")
            limits = replace(limits, takebacks=_one_more(limits.takebacks, color))
        case OfferKind.REMATCH:
            if game.white is None or game.black is None:
                raise NotAllowed("nobody_came")
            _check_not_deleted(game, color.other)
            limits = replace(limits, rematches=_one_more(limits.rematches, color))
        case OfferKind.ADJOURN | OfferKind.PAUSE:
            check_can_adjourn(game, kind)
            limits = replace(limits, adjourns=_one_more(limits.adjourns, color))
    return replace(game, offer_limits=limits)


def _check_not_deleted(game: Game, color: Color) -> None:
    """Raises NotAllowed if the account of the player of `color` was deleted."""
    player = game.player(color)
    if player is not None and player.deleted:
        raise NotAllowed("opponent_deleted")


def _one_more(counts: tuple[int, int], color: Color) -> tuple[int, int]:
    count = for_color(counts, color)
    if count >= MAX_OFFERS:
        raise NotAllowed("too_many_offers")
    return with_color(counts, color, count + 1)


def plies_to_take_back(game: Game, color: Color) -> int | None:
    """How many half-moves to undo so that `color` can replace its last move; None if it has not moved."""
    count = 2 if game.to_move is color else 1
    return count if count <= len(game.plies) else None


def after_takeback(game: Game, color: Color, now: int) -> Game:
    """The game with `color`'s last move undone, its turn beginning at `now` (ms). Raises ValueError if it has none."""
    count = plies_to_take_back(game, color)
    if count is None:
        raise ValueError("no move to take back")
    plies = game.plies[:-count]
    clock = game.clock.takeback(color, now)
    waits = len(plies) < 2 and clock.turn is None
    met, unhurried = game.both_met, game.unhurried
    due = game.terms.first_move_due(color, now, both_met=met, unhurried=unhurried) if waits else None
    limits = game.offer_limits
    drawn: PerSide = (min(limits.draw_ply[0], len(plies)), min(limits.draw_ply[1], len(plies)))
    taken: PerSide = (0, limits.takebacks[1]) if color is Color.WHITE else (limits.takebacks[0], 0)
    return replace(
        game,
        position=position_after(game, len(plies)),
        plies=AppendOnlySequence(plies),
        keys=game.keys.without_last(count),
        clock=clock.pause_again(now) if waits else clock,
        expires=due,
        conditional=NO_MOVES,
        pause_ended=None,
        offer_limits=replace(limits, draw_ply=drawn, takebacks=taken),
    )


def position_after(game: Game, count: int) -> Position:
    """The position after the first `count` half-moves of the game; each takes a tenth of a millisecond."""
    terms = game.terms
    position = parse_fen(terms.variant, terms.start_fen, chess960=terms.chess960)
    for ply in game.plies[:count]:
        position = play_trusted(position, parse_uci_trusted(position, ply.uci))
    return position
