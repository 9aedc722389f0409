"""A variant as plain data, ready for JSON: what a board shows, and everything that its rules depend on.

Everything is as White sees it; a reader mirrors dy for Black. Knows variants, no positions.
"""

from typing import Any

from server.rules.variant.movement import Atom
from server.rules.variant.pieces import Role
from server.rules.variant.variant import FILE_LETTERS, Castling, Extinction, Goal, Pocket, Promotion, Variant

Json = dict[str, Any]


def describe(variant: Variant) -> Json:
    """What a board shows of the variant: reach, premoves and choosers, never judgements."""
    pocket = variant.pocket
    return {
        "id": variant.id,
        "name": variant.name,
        "tagline": variant.tagline,
        "differences": list(variant.differences),
        "files": variant.files,
        "ranks": variant.ranks,
        "startFen": variant.start_fen,
        "chess960": variant.chess960,
        "differences960": list(variant.differences_960),
        "pocket": _pocket_kind(variant),
        "pocketRoles": list(pocket.order) if pocket else [],
        "promoted": any(role.id[0] == "+" for role in variant.roles),
        "roles": {role.id: _role(role) for role in variant.roles},
        "promotion": {role_id: _promotion(rule) for role_id, rule in variant.promotions.items()},
        "drops": _drops(pocket) if pocket and pocket.drops else None,
        "castling": _castling(variant.castling) if variant.castling else None,
        "gates": list(variant.gates),
        **shown_endings(variant),
    }


def shown_endings(variant: Variant) -> Json:
    """What boards show of how the game ends: the squares that win for both, how many checks do; often nothing."""
    goal, checks = variant.endings.goal, variant.endings.checks
    squares = [variant.geometry.names[square] for square in sorted(goal.shared)] if goal else []
    return {**({"goals": squares} if squares else {}), **({"checks": checks} if checks else {})}


def _pocket_kind(variant: Variant) -> str:
    """What the pocket is for."""
    if variant.pocket is None:
        return "none"
    if variant.pocket.setup:
        return "placement"
    kinds = ["gating"] * bool(variant.gates) + ["captures"] * variant.pocket.captures
    return "+".join(kinds) or "none"


def _role(role: Role) -> Json:
    moves = [move for atom in role.atoms for move in _moves(role, atom)]
    return {
        "name": role.name,
        "san": role.san,
        "royal": role.royal,
        "pawn": role.pawn,
        "value": role.value,
        "moves": moves,
    }


def _moves(role: Role, atom: Atom) -> list[Json]:
    """One entry for each atom; for a bent rider one for each first step, since each runs on its own ways."""
    shared: Json = {"max": atom.limit, "mode": atom.mode.value}
    if atom.initial and role.initial_ranks:
        shared["ranks"] = sorted(role.initial_ranks)
    elif atom.initial:
        shared["unmoved"] = True
    if atom.en_passant:
        shared["enPassant"] = True
    if not atom.onward:
        return [{"steps": [list(step) for step in atom.steps], **shared}]
    return [
        {"steps": [list(step)], **shared, "then": [list(run) for run in runs]}
        for step, runs in zip(atom.steps, atom.onward, strict=True)
    ]


def _promotion(rule: Promotion) -> Json:
    return {
        "ranks": sorted(rule.ranks),
        "forced": sorted(rule.forced),
        "to": list(rule.to),
        "when": "touch" if rule.touch else "into",
        "byFile": list(rule.by_file) or None,
    }


def _drops(pocket: Pocket) -> Json:
    return {role: {"ranks": sorted(pocket.ranks[role])} for role in pocket.order}


def _castling(castling: Castling) -> Json:
    return {
        "kingTo": [FILE_LETTERS[file] for file in castling.king_to],
        "rookTo": [FILE_LETTERS[file] for file in castling.rook_to],
        "kingFrom": FILE_LETTERS[castling.king_from],
        "king": castling.king,
        "rook": castling.rook,
    }


def rule_data(variant: Variant) -> Json:
    """The whole variant, ready for JSON: positions, legal moves and endings follow from it."""
    return {**describe(variant), "rules": _rules(variant)}


def _rules(variant: Variant) -> Json:
    pocket, castling = variant.pocket, variant.castling
    return {
        "captures": pocket is not None and pocket.captures,
        "setup": pocket is not None and pocket.setup,
        "opposite": [list(pair) for pair in variant.opposite],
        "pairs": sorted(pocket.pairs) if pocket else [],
        "capturedAs": {role.id: role.captured_as for role in variant.roles},
        "limits": variant.promotion_limits,
        "castlingEarned": castling is not None and castling.earned,
        "firstMove": variant.first_move,
        "kingless": list(variant.kingless),
        "explodes": variant.explodes,
        "mustCapture": variant.must_capture,
        "mayNotCheck": variant.may_not_check,
        "passedFrom": {role.id: sorted(role.passing_ranks) for role in variant.roles if role.initial_ranks},
        "mating": [role.id for role in variant.roles if role.mates and not role.royal],
        "takeableKing": variant.takeable_king,
        "endings": _endings(variant),
    }


def _endings(variant: Variant) -> Json:
    endings = variant.endings
    return {
        "stalemateLoses": endings.stalemate_loses,
        "stalemateWins": endings.stalemate_wins,
        "bareKingLoses": endings.bare_king_loses,
        "moveRule": endings.move_rule,
        "repetition": endings.repetition,
        "insufficient": endings.insufficient,
        "goal": _goal(variant, endings.goal) if endings.goal else None,
        "checks": endings.checks,
        "extinction": _extinction(endings.extinction) if endings.extinction else None,
    }


def _extinction(extinction: Extinction) -> Json:
    return {
        "kinds": list(extinction.kinds),
        "left": extinction.left,
        "against": extinction.against,
        "reply": extinction.reply,
        "wins": extinction.wins,
    }


def _goal(variant: Variant, goal: Goal) -> Json:
    names = variant.geometry.names
    squares = [[names[square] for square in sorted(side)] for side in goal.squares]
    return {"role": goal.role, "squares": squares, "reply": goal.reply}
