"""The field for moves and the server's reader of moves understand the same texts, of every variant.

`tests/rules/notation/move_forms.json` has what must come of some of them; here they are made at random.
"""

import random
import re

import pytest

from server.rules.errors import RulesError
from server.rules.movegen.legal import legal_moves, legal_ucis, play
from server.rules.movegen.moves import NormalMove
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen
from server.rules.notation.move_reader import read_move
from server.rules.notation.san import format_san
from tests.support.rules.built_in import EVERY_VARIANT

POSITIONS = 4_000
"""Of all variants."""
LONGEST = 60
"""Half-moves before a position."""
REFUSALS = ("illegal", "unreadable", "ambiguous")
FORMS = [
    pytest.param(variant, chess960, id=f"{variant.id}960" if chess960 else variant.id)
    for variant in EVERY_VARIANT.values()
    for chess960 in ((False, True) if variant.chess960 else (False,))
]


def random_position(variant, chess960, rng):
    position = parse_fen(variant, shuffled_fen(variant, rng) if chess960 else variant.start_fen, chess960)
    for _ in range(rng.randrange(LONGEST)):
        if not (legal := legal_moves(position)) or not legal_moves(after := play(position, rng.choice(legal))):
            break
        position = after
    return position


def written(position, move):
    """The ways to write a move, good and bad."""
    san = format_san(position, move)
    bare, names = san.rstrip("+#"), position.variant.geometry.names
    yield from (san, bare, san.lower(), san.upper(), san.swapcase(), san[0].lower() + san[1:], f"  {san}. ", f"“{san}”")
    yield from (move.uci, move.uci.upper(), bare.replace("x", ""), bare.replace("x", ":"), bare.replace("-", "–"))
    yield from (bare.replace("O", "0"), bare.replace("O", "o"), bare.replace("-", ""), bare.replace("@", "*"))
    starred = bare.replace("x", "*")
    yield from (starred, starred.replace("=", ""), starred.replace("=", "/"), re.sub("=(.)", r"(\1)", starred).lower())
    yield from (
        bare.replace("=", ""),
        bare.replace("=", "/"),
        re.sub("=(.)", r"(\1)", bare),
        re.sub("=(.)", r"=(\1)", bare),
    )
    yield from (f"{bare}!", f"{bare} e.p.", f"{bare}ep", f"{bare} mate", f"{bare}ch.", re.sub("/(.).*", r"/\1", bare))
    if isinstance(move, NormalMove):
        origin, target = names[move.origin], names[move.target]
        letter, rest = san[0] if san[0].isupper() and san[0] != "O" else "", move.uci[len(origin + target) :]
        for between in ("", "-", "x", " ", " - ", ":", "->", "→", "_"):
            yield f"{letter}{origin}{between}{target}{rest}"
        yield from (f"{letter}/{origin}-{target}", f"{letter}{origin[0]}{target}", f"{letter}{origin[1:]}{target}")
        named = [role.name for role in position.variant.roles if role.id == rest]
        yield from (f"{bare[:-1]}{name}" for name in named)
        yield from (f"{origin}{target}[{rest}]", f"p{bare}", f"p{move.uci}", f"P{bare}")
        yield from (f"{letter}-{target}", f"{letter.lower()}{target}", f"{letter.lower()}x{target}")


def meant(position, text):
    """The UCI of the move that the server reads, or the id of its refusal."""
    try:
        return read_move(position, text).uci
    except RulesError as why:
        return why.id


@pytest.mark.parametrize(("variant", "chess960"), FORMS)
def test_a_typed_text_means_on_a_page_what_it_means_to_the_server(engine_rules, seed, scale, variant, chess960):
    rng = random.Random(f"{seed} {variant.id} {chess960}")
    for _ in range(max(1, scale(POSITIONS) // len(FORMS))):
        position = random_position(variant, chess960, rng)
        legal = legal_moves(position)
        texts = {text for move in rng.sample(legal, min(4, len(legal))) for text in written(position, move)}
        for move in rng.sample(legal, min(2, len(legal))):
            # What would be legal a move later, as somebody types who is too late or too early.
            late = play(position, move)
            texts |= {text for one in legal_moves(late)[:2] for text in written(late, one)}
        ours = {text: meant(position, text) for text in sorted(texts)}
        theirs = engine_rules.ask(
            variant=variant.id, fen=format_fen(position), legal=[*legal_ucis(position)], typed=[*ours]
        )
        for (text, our), their in zip(ours.items(), theirs, strict=True):
            assert our == their or (our in REFUSALS and their in REFUSALS), f"{text} {format_fen(position)}"
