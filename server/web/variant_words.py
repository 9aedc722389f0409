"""The names of variants and their pieces in each language. Their own files are in English.

server/words/<language>/variants/<id>.json can hold `name`, `tagline`, `differences`, `differences_960` and `pieces`
(by role id); _pieces.json beside it translates the English names of pieces, and _articles.json has the articles that go
with them. Whatever is missing stays English, so that a host's own variant is complete in every language. Knows no page.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from server.language import FOLDER, name_in_form
from server.rules.movegen.position import Position
from server.rules.notation.letters import Letters
from server.rules.variant.pieces import Color
from server.rules.variant.rule_data import describe
from server.rules.variant.variant import Geometry, Variant

PIECES = "_pieces.json"
ARTICLES = "_articles.json"


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one variant and its pieces."""

    name: str
    tagline: str
    differences: tuple[str, ...]
    roles: Mapping[str, str]
    """By role id."""
    differences_960: tuple[str, ...] = ()
    """What the shuffled form adds."""
    articles: Mapping[str, str] = field(default_factory=dict)
    """By role id, in languages in which the article depends on the piece."""

    def of_form(self, chess960: bool) -> "Names":
        """The names of the shuffled form if `chess960`: its own name, and its own differences first."""
        if not chess960:
            return self
        return replace(self, name=name_in_form(self.name, True), differences=(*self.differences_960, *self.differences))

    def with_article(self, role_id: str) -> str:
        """The name of a piece after its article; the name alone if the language has the same article for all."""
        return f"{self.articles.get(role_id, '')} {self.roles[role_id]}".strip()

    def in_pocket(self, position: Position, color: Color) -> list[str]:
        """The pieces in a pocket, each kind with its number if there are several: "pawn ×2"."""
        pocket = position.variant.pocket
        held = zip(pocket.order if pocket else (), position.pockets[color.value], strict=True)
        return [self.roles[role] + (f" ×{number}" if number > 1 else "") for role, number in held if number]


def capitalised(sentence: str) -> str:
    """The sentence with a capital at its beginning, for one that begins with the name of a piece."""
    return sentence[:1].upper() + sentence[1:]


def counts_in_words(position: Position, names: Names, say: Callable[..., str]) -> Iterator[str]:
    """What stands beside the board: a sentence for each pocket, unless it is empty, and for the checks of each side."""
    for color, key in ((Color.WHITE, "rules.pocket_white"), (Color.BLACK, "rules.pocket_black")):
        if pieces := names.in_pocket(position, color):
            yield say(key, pieces=", ".join(pieces))
    if most := position.variant.endings.checks:
        white, black = position.to_check
        yield say("rules.checks_white", n=most - white, most=most)
        yield say("rules.checks_black", n=most - black, most=most)


def goal_in_words(variant: Variant, names: Names, say: Callable[..., str]) -> str:
    """Which squares win, and for whom: a sentence, or two; "" where none does."""
    goal = variant.endings.goal
    if goal is None:
        return ""
    white, black = (_either_of(variant.geometry, squares, say) for squares in goal.squares)
    piece = names.with_article(goal.role)
    if white == black:
        said = say("rules.end_goal", piece=piece, squares=white)
    else:
        said = say("rules.end_goals", piece=piece, white=white, black=black)
    return said + " " + say("rules.end_goal_reply") if goal.reply else said


def _either_of(board: Geometry, squares: frozenset[int], say: Callable[..., str]) -> str:
    """The names of the squares, of a whole rank the first and the last: "a8–h8", "d4, e4, d5 or e5"."""
    rows = (range(first, first + board.files) for first in range(0, board.size, board.files))
    whole = [row for row in rows if squares.issuperset(row)]
    others = squares.difference(*whole)
    ends = [f"{board.names[row[0]]}–{board.names[row[-1]]}" for row in whole]
    *head, last = [*ends, *(board.names[square] for square in sorted(others))]
    return say("rules.or", first=", ".join(head), last=last) if head else last


def letters_in_words(letters: Letters, variant: Variant, names: Names, say: Callable[..., str]) -> Iterator[str]:
    """A sentence that says which pieces have other letters than on the site, if any do."""
    shown = [f"{letters.theirs[one.san]} = {names.roles[one.id]}" for one in variant.roles if one.san in letters.theirs]
    if shown:
        yield say("mail.letters_here", letters=", ".join(shown))


ORTHODOX = frozenset({"pawn", "knight", "bishop", "rook", "queen", "king"})


def fairy_pieces(variant: Variant) -> list[str]:
    """The names of the variant's pieces that chess does not have."""
    return [role.name for role in variant.roles if role.name not in ORTHODOX]


def legend(letters: Letters, variant: Variant, names: Names, say: Callable[..., str]) -> Iterator[str]:
    """A sentence that says what the letters of all pieces mean that chess does not have, or has with other letters."""
    strange = frozenset(fairy_pieces(variant))
    shown = [
        f"{letters.san(one.san)} = {names.roles[one.id]}"
        for one in variant.roles
        if one.san and (one.san in letters.theirs or one.name in strange)
    ]
    if shown:
        yield say("mail.letters_here", letters=", ".join(shown))


def described(variant: Variant, names: Names) -> dict[str, Any]:
    """`describe` in the reader's language.

    Drawings go by the English `name` of a piece; people read `called`.
    """
    said = describe(variant)
    for role_id, role in said["roles"].items():
        role["called"] = names.roles[role_id]
    return said | {
        "name": names.name,
        "tagline": names.tagline,
        "differences": list(names.differences),
        "differences960": list(names.differences_960),
    }


def told_goal(variant: Variant, names: Names, say: Callable[..., str]) -> dict[str, str]:
    """What the board in words has besides `described`: the sentence about the squares that win, where there are any."""
    said = goal_in_words(variant, names, say)
    return {"goal": said} if said else {}


def names_in(language: str, variants: Mapping[str, Variant], folder: Path = FOLDER) -> dict[str, Names]:
    """The names of all variants by id."""
    place = folder / language / "variants"
    pieces, articles = _read(place / PIECES), _read(place / ARTICLES)
    return {
        variant.id: _names(variant, _read(place / f"{variant.id}.json"), pieces, articles)
        for variant in variants.values()
    }


def _names(variant: Variant, said: Mapping[str, Any], pieces: Mapping[str, Any], articles: Mapping[str, Any]) -> Names:
    own = said.get("pieces", {})
    roles = {role.id: own.get(role.id, pieces.get(role.name, role.name)) for role in variant.roles}
    differences = tuple(said.get("differences", variant.differences))
    shuffled = tuple(said.get("differences_960", variant.differences_960))
    return Names(
        said.get("name", variant.name),
        said.get("tagline", variant.tagline),
        differences,
        roles,
        shuffled,
        {role.id: articles[role.name] for role in variant.roles if role.name in articles},
    )


def _read(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    assert isinstance(found, dict), path
    return found
