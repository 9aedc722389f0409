"""Reads moves in UCI: e2e4, a7a8q, P@e4, b1c3h. Each move has its own UCI."""

import re

from server.rules.errors import IllegalMove, InvalidMove
from server.rules.movegen.legal import castling_plans, legal_move, legal_moves
from server.rules.movegen.moves import Castle, Move, NormalMove
from server.rules.movegen.position import Position

_FORM = re.compile(r"(?:[a-p]\d{1,2}[a-p]\d{1,2}[a-z+]?|[A-Z]@[a-p]\d{1,2})", re.ASCII)
_SQUARES = re.compile(r"([a-p]\d{1,2})([a-p]\d{1,2})([a-z+]?)", re.ASCII)
_LONGEST = 8


def parse_uci(position: Position, text: str) -> Move:
    """The legal move with that UCI. Raises InvalidMove if it is no move at all, IllegalMove if it is illegal.

    If the target file decides what a pawn becomes, the promotion letter is optional. Castling may lead the king to
    where it will stand or onto its own rook, in the standard game and in the 960 form: programs differ.
    """
    move = legal_move(position, text)
    if move is not None:
        return move
    if len(text) > _LONGEST or not _FORM.fullmatch(text):
        raise InvalidMove("unreadable", move=text[:20])
    for rule in position.variant.promotions.values():
        for letter in rule.by_file and rule.to:
            promoting = legal_move(position, text + letter)
            if promoting is not None:
                return promoting
    castles = _castles_between(position, text)
    if len(castles) == 1:
        return castles[0]
    raise IllegalMove("illegal", move=text)


def _castles_between(position: Position, text: str) -> list[Castle]:
    """The legal castlings in which the king goes from the first square to the second, or takes its rook there.

    A letter after them is the piece that enters where the king stood.
    """
    squares = _SQUARES.fullmatch(text)
    if squares is None or not position.castling:
        return []
    parse = position.variant.geometry.parse
    origin, target, gate = parse(squares[1]), parse(squares[2]), squares[3] or None
    return [
        move
        for move in legal_moves(position)
        if isinstance(move, Castle)
        and (move.origin == origin and target in (move.target, move.rook_origin))
        and (move.gate == gate and (gate is None or move.gate_square == origin))
    ]


def parse_uci_trusted(position: Position, text: str) -> Move:
    """The move with that UCI, which is known to be legal, as in replaying a stored game: no moves are generated.

    Raises IllegalMove for a text that is certainly no move.
    """
    tables = position.tables
    parse = tables.variant.geometry.parse
    if text[1:2] == "@":
        for row in tables.drop_rows[position.side]:
            drop = row.by_square.get(parse(text[2:]) or 0)
            if drop is not None and drop.uci == text:
                return drop
    for plan in castling_plans(position) if position.castling else ():
        for castle in (plan.move, *plan.gated):
            if castle.uci == text:
                return castle
    if squares := _SQUARES.fullmatch(text):
        origin, target = parse(squares.group(1)), parse(squares.group(2))
        _, step = tables.targets.get((origin or 0) << 8 | (target or 0), (0, None))
        if step is not None and step.uci == text:
            return step
        if step is not None and position.board[step.origin]:
            for other in _longer(position, step):
                if other.uci == text:
                    return other
    raise IllegalMove("illegal", move=text[:20])


def _longer(position: Position, step: NormalMove) -> tuple[NormalMove, ...]:
    """The step with each possible promotion and gated piece."""
    upgrades = position.tables.plans[position.board[step.origin]][step.origin][5] or {}
    _, promotions = upgrades.get(step.target, (False, ()))
    return promotions + position.tables.gated.get(step.uci, ())
