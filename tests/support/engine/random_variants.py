"""Variants made up at random: boards, pieces in Betza notation, promotion, pockets, castling, gating, endings.

Most of what is drawn cannot be played, because a piece reaches a square in two ways or the kings stand in check; the
catalogue refuses it, and another is drawn.
"""

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from server.rules.catalogue import build_variant
from server.rules.errors import InvalidVariant
from server.rules.variant.variant import FILE_LETTERS, Geometry, Variant

Content = dict[str, Any]


@dataclass(frozen=True)
class Palette:
    """What pieces may be made of, and how large boards may be."""

    rides: tuple[str, ...]
    bent: tuple[str, ...]
    pawns: tuple[str, ...]
    kings: tuple[str, ...]
    largest: int


LEAPS = ("W", "F", "D", "N", "A", "H", "C", "Z", "G")
RIDES = ("R", "B", "Q", "W2", "F3", "NN")
EVERYTHING = Palette(
    rides=(*RIDES, "DD", "A2"),
    bent=("t[FR]", "t[NB]", "t[WB]", "t[AR]", "t[HB]"),
    pawns=("fmWfcF", "fmWfceFifmW2", "fmWfcF", "fmWfceF", "fmFfcW", "mWcF", "fmWfceFifmW3", "fWfmF", "fmWsmWfceFifmW2"),
    kings=("K", "K", "K", "KiDiA", "WiN", "FiD", "KN"),
    largest=16,
)
PLAINER = Palette(RIDES, (), ("fmWfcF", "fmWfceFifmW2", "fmWfcFifmW2"), ("K", "K", "KN", "WF2", "FmDcA"), 10)
"""What other engines mostly know, too."""


def random_variant(random: Random, palette: Palette = EVERYTHING) -> Variant:
    """A variant that can be played; the same for the same state of `random`."""
    while True:
        try:
            return build_variant("made-up", {"made-up": random_content(random, palette)})
        except InvalidVariant:
            continue


def random_content(random: Random, palette: Palette = EVERYTHING) -> Content:
    """What the file of a variant could say."""
    files, ranks = random.randint(4, 9), random.randint(5, 9)
    if random.random() < 0.2:
        files, ranks = random.randint(10, palette.largest), random.randint(10, palette.largest)
    letters = random.sample("abcdefghijlmnoqrstuvwxyz", random.randint(2, 5))
    content: Content = {
        "name": "Made up",
        "tagline": "Nobody plays it.",
        "differences": ["One.", "Two."],
        "files": files,
        "ranks": ranks,
        "roles": {letter: {"name": letter, "move": random_move(random, palette), "mates": True} for letter in letters},
        "endings": random_endings(random, list(Geometry(files, ranks).names), letters),
    }
    _add_pawn(content, random, palette)
    _add_king(content, random, palette)
    content["explodes"] = random.random() < 0.3
    content["must_capture"] = random.random() < 0.15
    content["may_not_check"] = random.random() < 0.15
    _add_promotions(content, letters, random, palette)
    _add_pocket(content, letters, random)
    _add_start(content, letters, random)
    return content


def random_move(random: Random, palette: Palette = EVERYTHING) -> str:
    tokens = []
    for _ in range(random.randint(1, 2)):
        token = random.choice(random.choice((LEAPS, LEAPS, palette.rides, palette.rides, palette.bent or LEAPS)))
        modifiers = "" if token[0] == "t" else random.choice(("", "", "", "", "f", "b", "s", "v", "m", "c", "fm", "fc"))
        tokens.append(modifiers + token)
    return "".join(tokens)


def random_extinction(random: Random, letters: list[str]) -> Content:
    kinds = random.choice(("", "", "p", random.choice(letters), "".join(letters)))
    against = random.randint(0, 3)
    return {
        "kinds": kinds,
        "left": random.randint(0, 1),
        "against": against,
        "reply": against > 0 and random.random() < 0.5,
        "wins": random.random() < 0.3,
    }


def random_endings(random: Random, squares: list[str], letters: list[str]) -> Content:
    endings = {
        "stalemate": random.choice(("draw", "loss", "win")),
        "bare_king": random.random() < 0.3,
        "move_rule": random.choice((0, 20, 100)),
        "repetition": random.randint(2, 4),
        "insufficient": random.random() < 0.5,
    }
    if random.random() < 0.3:
        endings["insufficient"] = False
        endings["goal"] = {"squares": random.sample(squares, random.randint(1, 4))}
        if random.random() < 0.5:
            endings["goal"] = {"ranks": [random.randint(3, 5)], "piece": random.choice(("k", "p"))}
    if random.random() < 0.3:
        endings |= {"insufficient": False, "bare_king": False, "extinction": random_extinction(random, letters)}
    if random.random() < 0.2:
        endings["checks"] = random.randint(1, 5)
    return endings


def _add_pawn(content: Content, random: Random, palette: Palette) -> None:
    move = random.choice(palette.pawns)
    content["roles"]["p"] = {"name": "pawn", "move": move, "pawn": True}
    if "i" in move:
        content["roles"]["p"]["initial"] = random.choice(([2], [2], [1, 2], [3]))


def _add_king(content: Content, random: Random, palette: Palette) -> None:
    move = random.choice(palette.kings)
    content["roles"]["k"] = {"name": "king", "move": move, "royal": True}
    if "i" in move:
        content["roles"]["k"]["first_move"] = "y"
    elif "extinction" in content["endings"] and "checks" not in content["endings"]:
        if random.random() < 0.3:
            content["roles"]["k"]["royal"] = False
        elif random.random() < 0.5:
            content["without_king"] = "white"


def _add_promotions(content: Content, letters: list[str], random: Random, palette: Palette) -> None:
    ranks, roles = content["ranks"], content["roles"]
    zone = list(range(random.randint(ranks - 2, ranks), ranks + 1))
    to = random.sample(letters, random.randint(1, len(letters)))
    rule: Content = {"ranks": zone, "forced": [ranks] if random.random() < 0.8 else [], "to": to}
    if random.random() < 0.2:
        rule["by_file"] = [random.choice(to) for _ in range(content["files"])]
    if random.random() < 0.3:
        rule["limits"] = {one: random.randint(1, 2) for one in to}
    content["promotion"] = {"p": rule}
    if random.random() < 0.4:
        base = random.choice(letters)
        roles[f"+{base}"] = {"name": "promoted", "move": random_move(random, palette), "san": "Z", "captured_as": base}
        content["promotion"][base] = {"ranks": zone, "to": [f"+{base}"], "when": random.choice(("touch", "into"))}
        roles.pop("z", None)
        if base == "z":
            roles["z"] = {"name": "z", "move": random_move(random, palette), "san": "Y"}


def _add_pocket(content: Content, letters: list[str], random: Random) -> None:
    kind = random.choice(("none", "drops", "drops", "gates", "both"))
    if kind == "none":
        return
    last = content["ranks"]
    zone = sorted(random.sample(range(2, last), random.randint(1, last - 2)))
    content["pocket"] = {
        "order": "".join(sorted({*letters, "p"} & content["roles"].keys())),
        "captures": kind != "gates",
        "drops": kind != "gates",
        "ranks": {"p": zone, "others": sorted(random.sample(range(1, last + 1), random.randint(2, last)))},
    }
    if kind != "drops":
        content["gates"] = "".join(one for one in letters if one in content["roles"])[:3]


def _add_start(content: Content, letters: list[str], random: Random) -> None:
    """Both armies the same; castling with what stands in the corners, if it may."""
    files, ranks = content["files"], content["ranks"]
    home = [random.choice([*letters, *letters, "1"]) for _ in range(files)]
    king = random.randrange(1, files - 1)
    home[king] = "k"
    rights = "-"
    if content["roles"]["k"].get("first_move"):
        rights = "Yy"
    elif random.random() < 0.6:
        home[0] = home[-1] = rook = letters[0]
        to = FILE_LETTERS[random.randrange(king + 1, files)], FILE_LETTERS[random.randrange(king)]
        beside = [FILE_LETTERS[FILE_LETTERS.index(one) + step] for one, step in zip(to, (-1, 1), strict=True)]
        content["castling"] = {
            "king": "k",
            "king_from": FILE_LETTERS[king],
            "king_to": to,
            "rook_to": beside,
            "rook": rook,
        }
        rights = "KQkq"
    if content.get("gates"):
        rights = (
            rights.replace("-", "") + "".join(FILE_LETTERS[at] for at, one in enumerate(home) if one != "1").upper()
        )
    rank, empty = "".join(home), f"/{files}" * (ranks - 4)
    hand = content.get("gates", "")
    pocket = f"[{hand.upper()}{hand}]" if "pocket" in content else ""
    checks = content["endings"].get("checks")
    counters = f"{checks}+{checks} 0 1" if checks else "0 1"
    white = rank.upper()
    if "without_king" in content:
        white, rights = white.replace("K", "1"), rights.replace("K", "").replace("Q", "")
    rank, white = (re.sub("1+", lambda run: str(len(run[0])), one) for one in (rank, white))
    placement = f"{rank}/{'p' * files}{empty}/{'P' * files}/{white}{pocket}"
    content["start"] = f"{placement} w {rights or '-'} - {counters}"
