"""Perfs, scores and rating changes as fields of MongoDB documents, and back."""

from dataclasses import replace

from server.games.rating import Rating
from server.rules.variant.pieces import Color
from server.storage.fields import Fields, flag, text
from server.storage.protocols.ratings import (
    MILLI,
    FinishedGame,
    Perf,
    RatingChange,
    Score,
    Tally,
    change_of,
    counted,
    from_fields,
    tally_of,
    to_fields,
)

ESTABLISHED = "1"
PROVISIONAL = "0"
"""Parts of a leaderboard, by whether the rating was provisional after the last game, whatever it is now."""

NO_CHANGE: Fields = dict.fromkeys(("game", "color", "chart"), "") | dict.fromkeys(
    ("number", "before", "after", "doubt", "when"), 0
)
"""The fields of a last game that changed no rating."""


def perf_fields(perf: Perf) -> Fields:
    """A perf as it is stored, without the change by the last game."""
    fields = to_fields(perf)
    listed = perf.rating.games > 0
    part = PROVISIONAL if perf.rating.provisional else ESTABLISHED
    return {
        **fields,
        "board": f"{fields['category']}|{part}|{fields['value']:08d}" if listed else "",
        "lively": perf.rating.at if listed else 0,
    }


def perf_after(found: Fields | None, *, finished: FinishedGame, color: Color, strength: Rating) -> Fields:
    """The perf after the game. `strength`: the opponent's rating."""
    before = from_fields(found) if found is not None else Perf(finished.player(color), finished.category)
    after, change = counted(before, strength, finished, color)
    fields = perf_fields(after)
    if change is None:
        return {**fields, **NO_CHANGE}
    return {
        **fields,
        "game": finished.game,
        "color": color.letter,
        "number": change.number,
        "before": round(change.before * MILLI),
        "after": round(change.after * MILLI),
        "doubt": round(change.deviation * MILLI),
        "when": change.at,
        "chart": f"{after.player}|{after.category.key}|{change.number:08d}",
    }


def inherited(found: Fields | None, *, heir: str, theirs: Perf) -> Fields:
    """The perf of `heir`, whose rating stays, with the tally of `theirs` added, as stored."""
    mine = from_fields(found) if found is not None else Perf(heir, theirs.category)
    return {**perf_fields(replace(mine, tally=mine.tally + theirs.tally)), **NO_CHANGE}


def score_fields(found: Fields | None, *, player: str, opponent: str, tally: Tally) -> Fields:
    """The score of `player` against `opponent` after more games, as stored."""
    total = tally if found is None else tally_of(found) + tally
    return {
        "player": player,
        "opponent": opponent,
        "won": total.won,
        "drawn": total.drawn,
        "lost": total.lost,
        "often": f"{player}|{total.games:08d}",
        **NO_CHANGE,
    }


def score_of(one: Fields, opponent: Fields | None) -> Score:
    """The score against `opponent`, whose user's fields these are, None if unknown. Raises as `fields` says."""
    name = None if opponent is None else text(opponent, "name")
    return Score(one["opponent"], name, opponent is not None and not flag(opponent, "guest"), tally_of(one))


def change_of_note(note: Fields) -> RatingChange:
    """The rating change of a note. Raises as `fields` says."""
    return change_of({**note, "deviation": note["doubt"], "at": note["when"]})
