"""A UCI engine that plays the first legal move, for tests that are not about how well a bot plays."""

import sys

SOURCE = """#!{python}
import sys
sys.path.insert(0, {root!r})
from server.rules.catalogue import load_catalogue
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci

variants, options, position = load_catalogue(None), {{}}, None
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("option name UCI_Variant type combo default chess", *(f"var {{name}}" for name in {names!r}))
        print("option name UCI_Chess960 type check default false")
        print("uciok", flush=True)
    elif words[0] == "setoption":
        options[words[2]] = words[4]
    elif words[0] == "position":
        fen, _, moves = line.strip().removeprefix("position fen ").partition(" moves ")
        position = parse_fen(variants[options["UCI_Variant"]], fen, options["UCI_Chess960"] == "true")
        for uci in moves.split():
            position = play(position, parse_uci(position, uci))
    elif words[0] == "go":
        {before_going}
        print("bestmove", legal_moves(position)[0].uci, flush=True)
"""


def write_engine(folder, root, names=("chess", "crazyhouse"), before_going="pass"):
    """Its path."""
    path = folder / "engine.py"
    source = SOURCE.format(python=sys.executable, root=str(root), names=tuple(names), before_going=before_going)
    path.write_text(source)
    path.chmod(0o755)
    return path
