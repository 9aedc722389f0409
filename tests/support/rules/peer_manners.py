"""Makes games at random and writes them as other programs do, and breaks them as they are broken on the way.

A written game is a list of pieces, each a text and the SAN of the main line's move that it stands for, if it does. So a
test knows what must come of every move of a file.
"""

import re
from dataclasses import dataclass, field

import chess

from server.rules.notation.pgn import MARKS

PLIES = 24
ENDS = ("1-0", "0-1", "1/2-1/2", "*")
SAID = (
    *("good", "White resigns", "better is 12. Nf3 (or d4)", 'Was "fine"; now not', "a, b & c", "ñandú, très bon"),
    *("[%csl Ge4][%cal Ge2e4]", "[#]", "Inaccuracy. Nf3 was best.", "x" * 60, "one\ntwo lines", "C:\\games\\"),
)
SHOWN = {nag: mark for mark, nag in reversed(MARKS.items()) if mark not in ("N", "TN", "D", "D'", "=")}
FIGURINES = str.maketrans("KQRBN", "♔♕♖♗♘")
GERMAN = str.maketrans("KQRBN", "KDTLS")


@dataclass
class Ply:
    """A half-move: the board before it, itself, and what is said of it. `others`: SANs of a variation."""

    board: chess.Board
    move: chess.Move
    san: str
    nags: list[int] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    others: list[tuple[chess.Board, chess.Move, str]] = field(default_factory=list)


@dataclass
class Played:
    """A game: `tags` without the roster's Result, and its plies."""

    tags: dict[str, str]
    plies: list[Ply]
    result: str


def play_game(rng, number, opening=()):
    """A game at random, behind an `opening`."""
    board, plies = chess.Board(), []
    for san in opening:
        plies.append(Ply(board.copy(stack=False), board.parse_san(san), san))
        board.push(plies[-1].move)
    while len(plies) < rng.randrange(4, PLIES) and (legal := list(board.legal_moves)):
        takes = [move for move in legal if board.is_capture(move) or board.is_castling(move) or move.promotion]
        move = rng.choice(takes if takes and rng.random() < 0.4 else legal)
        ply = Ply(board.copy(stack=False), move, board.san(move))
        if rng.random() < 0.2:
            ply.nags.append(rng.choice(list(SHOWN)))
        if rng.random() < 0.25:
            ply.said.append(rng.choice(SAID))
        if rng.random() < 0.15 and len(legal) > 1:
            ply.others = list(line_from(rng, board, rng.choice([other for other in legal if other != move])))
        plies.append(ply)
        board.push(move)
    names = ("Müller, Jörg", 'Ann "A" Bee', "O'Neill", "N.N.", "Zoë [GM]", "bot_1-0", "?")
    tags = {
        "Event": rng.choice(("Open {A}", "Rated Blitz game", "1. Liga 2024/25", "?", "Club; e4")),
        "Site": f"https://example.org/{number}",
        "Date": "2024.01.31",
        "Round": rng.choice(("-", "1", "3.2")),
        "White": rng.choice(names),
        "Black": rng.choice(names),
    }
    return Played(tags, plies, rng.choice(ENDS))


def line_from(rng, board, move):
    board = board.copy(stack=False)
    for _ in range(rng.randrange(1, 4)):
        yield board.copy(stack=False), move, board.san(move)
        board.push(move)
        if not (legal := list(board.legal_moves)):
            return
        move = rng.choice(legal)


def long_form(board, move, san, dash="-"):
    """As pgn-extract and many others write with -Wlalg: Ng1-f3, e4xd5, e7-e8=Q+."""
    if board.is_castling(move):
        return san
    piece = board.piece_at(move.from_square).symbol().upper().replace("P", "")
    takes = "x" if board.is_capture(move) else dash
    becomes = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    check = san[-1] if san[-1] in "+#" else ""
    return f"{piece}{chess.square_name(move.from_square)}{takes}{chess.square_name(move.to_square)}{becomes}{check}"


FORMS = {
    "san": lambda board, move, san: san,
    "long": long_form,
    "long without dash": lambda board, move, san: long_form(board, move, san, ""),
    "uci": lambda board, move, san: move.uci(),
    "figurines": lambda board, move, san: san.translate(FIGURINES),
    "german": lambda board, move, san: san.translate(GERMAN),
    "noughts": lambda board, move, san: san.replace("O", "0"),
    "bare": lambda board, move, san: san.rstrip("+#").replace("x", "").replace("=", ""),
    "colons": lambda board, move, san: san.replace("x", ":"),
}


@dataclass(frozen=True)
class Manner:
    """How a program writes. `again`: Black's moves have their number after a comment or always ("…")."""

    number: str = "{}. "
    again: str = "{}... "
    always: bool = False
    form: str = "san"
    nag: str = " ${}"
    comment: str = "{{ {} }}"
    clocks: str = ""
    variation: tuple[str, str] = ("(", ")")
    width: int = 80
    tags: tuple[str, ...] = ()
    line_break: str = "\n"
    encoding: str = "utf-8"
    between: str = "\n"
    opening: tuple[str, ...] = ()


MANNERS = {
    "lichess": Manner(
        clocks="[%eval 0.{0}] [%clk 0:0{1}:{0}]", always=True, width=0, tags=("UTCDate", "WhiteElo", "Variant")
    ),
    "chess.com": Manner(
        comment="{{{}}}", clocks="[%clk 0:0{1}:{0}.1]", always=True, width=0, tags=("CurrentPosition", "Link")
    ),
    "chessbase": Manner(comment="{{{}}}", width=80, encoding="utf-8-sig", line_break="\r\n", tags=("ECO", "PlyCount")),
    "informator": Manner(nag="{mark}", number="{}.", again="{}...", form="figurines", encoding="utf-16"),
    "scid": Manner(number="{}.", again="{}...", comment="{{{}}}", variation=("\n   (", ")\n"), encoding="latin-1"),
    "cutechess": Manner(comment="{{{}}}", clocks="+0.{0}/1{1} 0.{0}s", tags=("TimeControl", "PlyCount")),
    "xboard": Manner(number="{}. ", comment="{{{}}}", clocks="+0.{0}/{1} 2", form="san"),
    "pychess": Manner(nag=" {mark}", comment="{{{}}}", clocks="[%emt 0:00:{0}.000]", line_break="\r"),
    "FICS": Manner(comment="{{{}}}", clocks="[%emt {1}.{0}]", width=70),
    "pgn-extract": Manner(form="long", nag=" ${}"),
    "pgn-extract UCI": Manner(form="uci"),
    "old": Manner(form="long without dash", number="{}.", nag="{mark}", comment=";{}\n"),
    "German": Manner(form="german", number="{}.", again="{}...", encoding="cp1252", opening=("Nf3", "e6", "a3", "Bd6")),
    "people": Manner(form="bare", number="{}", again="{}..."),
    "Russian": Manner(form="colons", number="{}. ", nag="{mark}", always=True),
    "noughts": Manner(form="noughts", number="{} . ", nag=" {mark}"),
}


def pieces_of(rng, game, manner):
    """The texts of a game in that manner, each with the SAN of the main line's move that it stands for, or None."""
    tags = {**game.tags, **{name: "1" for name in manner.tags if name != "Variant"}, "Result": game.result}
    for name, value in tags.items():
        written = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{written}"]', None
        yield "\n", None
    yield "\n", None
    words = [*main_words(rng, game, manner), (game.result, None)]
    at = 0
    for text, san in words:
        long = manner.width and at + len(text) > manner.width and not text.startswith("\n")
        if at:
            yield ("\n" if long else " "), None
        at = 1 if long or text.endswith("\n") else at + 1
        yield text, san
        at += len(text)
    yield "\n", None
    yield manner.between, None


def main_words(rng, game, manner):
    fresh = True
    for ply in game.plies:
        yield from move_words(ply.board, ply.move, ply.san, manner, fresh, ply.nags, True)
        said = [*ply.said]
        if manner.clocks and rng.random() < 0.9:
            said.insert(0, manner.clocks.format(rng.randrange(10, 60), rng.randrange(1, 10)))
        fresh = manner.always or bool(said or ply.others)
        for words in said:
            yield manner.comment.format(words.replace("\n", " ") if manner.comment[0] == ";" else words), None
        if ply.others:
            first = True
            yield manner.variation[0], None
            for board, move, san in ply.others:
                yield from move_words(board, move, san, manner, first, [], False)
                first = False
            yield manner.variation[1], None


def move_words(board, move, san, manner, fresh, nags, main):
    text = FORMS[manner.form](board, move, san)
    for nag in nags:
        text += manner.nag.format(nag, mark=SHOWN[nag])
    before = manner.number if board.turn else manner.again if fresh else ""
    number, space, _ = before.format(board.fullmove_number).partition(" ") if " " in before else ("", "", "")
    if space:
        yield from ((word, None) for word in number.split())
        yield text, san if main else None
    else:
        yield before.format(board.fullmove_number) + text, san if main else None


JUNK = (
    *(
        "foo",
        "7/9",
        "+0.3/12",
        "0:05",
        "1999",
        "C60",
        "&",
        "|",
        "<d>",
        "$999",
        "$",
        "[x]",
        "[%emt",
        ")",
        "}",
        "]",
        "(see",
    ),
    *(
        "%x",
        "resigns",
        "??!",
        "e.p.",
        "\u200b",
        "\ufeff",
        "&nbsp;",
        "<b>",
        "---",
        "-",
        "_",
        "#",
        "+",
        "==",
        "@",
        "'",
        "`",
    ),
    *("1-1", "**", "9..."),
)
ODD_TAGS = (
    *(
        "[Foo]",
        "[Foo bar]",
        "[Wibble 1. e4 e5]",
        '[Foo-Bar "1-0"]',
        "[Foo {1-0}]",
        '[White Elo "1500"]',
        "[]",
        '[Foo "a',
    ),
    *("foo bar", "Remark: e4 is best", "[Source ]", '[Annotator "J. "Bob" Smith"]', '[Opening "a\nb"]', 'Foo "1. e4"'),
    *(
        "-----",
        "; said",
        "{said}",
        "% skipped",
        '[Black "x"',
        "[Round 3]",
        '[eco "A00"]',
        '[Foo\n"x"]',
        '[A "1"][B "2"]',
    ),
)
SIGNS = (
    *("○", "/–", "⟳", "⩲", "∓?", "N", "□", "$138", "²", "→", "!!!", "*", "'", "^", "--+", "✓", "±○", "!", " TN", " D"),
)
SLIPS = ("Ke5", "Qh9", "e4e6", "exd9", "Nz3", "O-O-O")
NULLS = ("--", "Z0", "@@@@", "null")


def first_move(pieces):
    return next(at for at, (_, san) in enumerate(pieces) if san)


def a_move(rng, pieces):
    return rng.choice([at for at, (_, san) in enumerate(pieces) if san])


def a_tag(rng, pieces, first):
    return rng.choice([at for at in range(first, first_move(pieces)) if pieces[at][0].startswith("[")])


def cut_off(rng, pieces):
    return [*pieces[: rng.randrange(first_move(pieces), len(pieces))], ("\n\n", None)]


def without_end(rng, pieces):
    """The end of a comment or a variation is missing."""
    ends = [at for at, (text, _) in enumerate(pieces) if text.rstrip().endswith(("}", ")")) and at > first_move(pieces)]
    for at in ends and [rng.choice(ends)]:
        pieces = [*pieces[:at], (pieces[at][0].translate({ord("}"): "", ord(")"): ""}), None), *pieces[at + 1 :]]
    return pieces


def without_result(rng, pieces):
    return [piece for piece in pieces if piece[0] not in ENDS]


def without_empty_lines(rng, pieces):
    kept = pieces[:1]
    for piece in pieces[1:]:
        if piece[0] != "\n" or not kept[-1][0].endswith("\n"):
            kept.append(piece)
    return kept


def with_junk(rng, pieces):
    at = rng.randrange(first_move(pieces), max(first_move(pieces) + 1, len(pieces) - 2))
    return [*pieces[:at], (f" {rng.choice(JUNK)} ", None), *pieces[at:]]


def with_odd_tag(rng, pieces):
    at = a_tag(rng, pieces, 1)
    return [*pieces[:at], (rng.choice(ODD_TAGS), None), ("\n", None), *pieces[at:]]


def with_broken_tag(rng, pieces):
    at = a_tag(rng, pieces, 0)
    text = pieces[at][0]
    name, _, value = text.partition(" ")
    forms = (
        *(text[:-1], text[:-2], text[1:-1], text[:-2] + '\\"]', text.replace('"', ""), text.replace('"', "'")),
        *(
            text.replace('"', "”"),
            text.replace(" ", "\n", 2),
            text.lower(),
            name + value,
            f"{name}:{value}",
            f"{name}\n{value}",
        ),
    )
    return [*pieces[:at], (rng.choice(forms), None), *pieces[at + 1 :]]


def with_sign(rng, pieces):
    at = a_move(rng, pieces)
    return [*pieces[:at], (pieces[at][0] + rng.choice(SIGNS), pieces[at][1]), *pieces[at + 1 :]]


def with_null_move(rng, pieces):
    at = a_move(rng, pieces)
    return [*pieces[:at], (rng.choice(NULLS), None), (" ", None), *pieces[at:]]


def with_slip(rng, pieces):
    at = a_move(rng, pieces)
    return [*pieces[:at], (rng.choice(SLIPS), pieces[at][1]), *pieces[at + 1 :]]


def with_lost_move(rng, pieces):
    at = a_move(rng, pieces)
    return [*pieces[:at], *pieces[at + 1 :]]


def without_space(rng, pieces):
    at = rng.choice([at for at, (text, _) in enumerate(pieces) if text == " "] or [len(pieces)])
    return [*pieces[:at], *pieces[at + 1 :]]


def with_early_result(rng, pieces):
    """Behind a move that three more follow, so that a number shows that the game goes on."""
    moves = [at for at, (_, san) in enumerate(pieces) if san][:-3]
    for at in moves and [rng.choice(moves)]:
        end = [(rng.choice((" ", "\n")), None), (rng.choice(ENDS), None)]
        pieces = [*pieces[: at + 1], *end, *pieces[at + 1 :]]
    return pieces


def with_tag_between(rng, pieces):
    """Before a move by White, whose number shows that the game goes on."""
    numbered = [at for at, (text, _) in enumerate(pieces) if re.match(r"[2-9]\d?\.|1\d\.", text)]
    for at in numbered and [rng.choice(numbered)]:
        tag = rng.choice(('[Annotator "x"]', '[Result "1-0"]', '[Round "3"]\n[ECO "C20"]'))
        pieces = [*pieces[:at], (f"\n{tag}\n", None), *pieces[at:]]
    return pieces


def as_source_of_page(rng, pieces):
    """With entities for figurines and some spaces."""
    begins = first_move(pieces)
    changed = [(text if text != " " or rng.random() < 0.5 else "&nbsp;", san) for text, san in pieces[begins:]]
    names = {sign: f"&#{ord(sign.translate(FIGURINES))};" for sign in "KQRBN"}
    return [*pieces[:begins], *((text.translate(str.maketrans(names)) if san else text, san) for text, san in changed)]


DAMAGES = (
    *(cut_off, without_end, without_result, without_empty_lines, with_junk, with_odd_tag, with_broken_tag, with_sign),
    *(with_null_move, with_slip, with_lost_move, without_space),
    as_source_of_page,
)
ALONE = (with_early_result, with_tag_between)
"""Damages behind which only whole numbering shows that the game goes on: a lost move makes another game of the rest."""
SPECIAL = (
    *"{}()[];%\"'1.\n*-O$!?&<>\\ \t=+#x@,:e4N0/½–",
    *("\n\n", '[Event "', "1-0", "--", "1...", "12.", "(1. d4", " e4 ", "</b>", "\ufeff"),
)


def scrambled(rng, text):
    """The text with some characters put in, left out, exchanged or repeated."""
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at = rng.randrange(len(text) + 1)
        before, behind = text[:at], text[at:]
        text = before + rng.choice(
            (rng.choice(SPECIAL) + behind, behind[rng.randrange(1, 4) :], rng.choice(SPECIAL) + behind[1:])
        )
        if rng.random() < 0.2:
            text = before + behind[: rng.randrange(30)] + behind
    return text
