"""The judgement of a diagram's marks, apart from the modules that make them: every proof must be a legal move."""

from server.rules.diagrams.diagram import Use
from server.rules.movegen.moves import Drop, NormalMove
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci


def judge(diagram):
    """Refuses a mark whose proof is not a legal move of its position, or is another move than the mark says."""
    names = diagram.variant.geometry.names
    for mark in diagram.marks:
        assert mark.proofs, names[mark.square]
        for proof in mark.proofs:
            position = parse_fen(diagram.variant, proof.fen, proof.chess960)
            move = parse_uci(position, proof.uci)
            taken = taken_by(position, move)
            if mark.use is Use.GATE:
                assert proof.uci.startswith(names[mark.square]) or proof.uci[2:].startswith(names[mark.square])
            elif mark.use is Use.DROP:
                assert isinstance(move, Drop)
                assert move.target == mark.square
            else:
                assert move.target == mark.square
            if mark.use in {Use.MOVE, Use.REACHED}:
                assert not taken
            if mark.use in {Use.CAPTURE, Use.TAKEN}:
                assert taken
            if mark.use in {Use.PROMOTES, Use.MUST_PROMOTE}:
                assert isinstance(move, NormalMove)
                assert move.promotion
        if mark.use is Use.BOTH:
            assert len({proof.fen for proof in mark.proofs}) == 2
        if diagram.square is not None and mark.use is not Use.GATE:
            assert all(proof.uci.startswith(names[diagram.square]) for proof in mark.proofs)


def taken_by(position, move):
    """Whether the move takes a piece; a pawn that goes aside to an empty square takes in passing."""
    if not isinstance(move, NormalMove):
        return False
    kind = position.tables.codes.kinds[position.board[move.origin]]
    aside = (move.target - move.origin) % position.variant.files != 0
    return bool(position.board[move.target]) or (kind.role.pawn and aside)
