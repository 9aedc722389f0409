"""The ends of a game that chess does not have: kings that exploded, pieces that died out, a goal, checks.

They are seen by the side to move next, and before anything else: where there is one, no move is legal.
"""

from server.rules.movegen.position import Position
from server.rules.variant.piece_codes import OWN, SIDES
from server.rules.variant.variant import Extinction

End = tuple[int | None, str]
"""Who has won, 0 White or 1 Black, or None for a draw; and a `server.rules.endings.Reason`."""


def variant_end(position: Position) -> End | None:
    """How the rules of the variant have ended the game; None if they have not. To be asked only where `tables.ends`."""
    rule = position.variant.endings
    if position.tables.around and min(position.kings) < 0:
        return (1 if position.kings[0] < 0 else 0), "explosion"
    if rule.bare_king_loses:
        for side in SIDES:
            if position.board.translate(OWN[side]).count(1) == 1:
                return 1 - side, "bare-king"
    if rule.extinction is not None and (end := _end_by_extinction(position, rule.extinction)):
        return end
    if rule.goal is not None and (end := _end_by_goal(position)):
        return end
    if rule.checks and not position.to_check[1 - position.side]:
        return 1 - position.side, "checks"
    return None


def _end_by_extinction(position: Position, rule: Extinction) -> End | None:
    """Looks first at the side that has just moved: if both lose a kind by the same move, it is that side's end."""
    mover, board = 1 - position.side, position.board
    for side in (mover, position.side):
        against = rule.against + (rule.reply and side != mover)
        for others in position.tables.extinct:
            if len(board.translate(None, others[side])) <= rule.left:
                if against and len(board.translate(None, others[1 - side])) < against:
                    continue
                bares = not rule.kinds and rule.left == 1 and not (rule.wins or any(position.variant.kingless))
                return (side if rule.wins else 1 - side), "bare-king" if bares else "extinction"
    return None


def awaits_reply(position: Position) -> bool:
    """Has Black one more move, as White has arrived first? Unless it can arrive, too, that is not to be played."""
    goal = position.variant.endings.goal
    if goal is None or not goal.reply or not position.side:
        return False
    return _has_arrived(position, 0) and not _has_arrived(position, 1)


def _end_by_goal(position: Position) -> End | None:
    side = position.side
    foe_arrived = _has_arrived(position, 1 - side)
    if position.tables.variant.endings.goal.reply:  # type: ignore[union-attr]
        if _has_arrived(position, side):
            return (None if foe_arrived and not side else side), "goal"
        if foe_arrived and side:
            return None
    return (1 - side, "goal") if foe_arrived else None


def _has_arrived(position: Position, side: int) -> bool:
    codes, squares = position.tables.goals[side]
    return any(position.board[square] in codes for square in squares)
