"""What keeps the client's engine, and Fairy-Stockfish, to the rules and to their limits, switched off."""

from tests.faults.mutant import Mutant

RULES = "tests/engine/test_engine_rules.py"
PLAY = "tests/engine/test_play.py"
UCI = "tests/engine/test_uci.py"
GUARD = "tests/web/test_guard.py"
SESSION = "tests/js/engine/session.test.mjs"
INI = "tests/rules/fairy_stockfish/test_variants_ini.py"

OF_THE_ENGINE: tuple[Mutant, ...] = (
    Mutant(
        "the engine moves pinned pieces",
        "static/js/engine/rules/generation.js",
        "      if (isPinned[square]) end = keepPinned(p, square, start, end);\n",
        "",
        RULES,
    ),
    Mutant(
        "the engine leaves its king in check",
        "static/js/engine/rules/generation.js",
        "    if (found.checks) end = keepAnswers(p, base, end);\n",
        "",
        RULES,
    ),
    Mutant(
        "the engine's gating rights outlive the pocket",
        "static/js/engine/rules/making.js",
        "  if (p.gates && !p.tables.variant.rules.captures) spendGates(p);\n",
        "",
        RULES,
    ),
    Mutant(
        "the engine promotes to more pieces than may be",
        "static/js/engine/rules/promotion.js",
        "      if (!isFull(position, kind)) moves",
        "      moves",
        RULES,
    ),
    Mutant(
        "the engine takes a lost stalemate for a draw",
        "static/js/engine/search/search.js",
        "  return p.checks > 0 || p.tables.endings.stalemateLoses ? ply - MATE : 0;\n",
        "  return p.checks > 0 ? ply - MATE : 0;\n",
        PLAY,
    ),
    Mutant(
        "the engine takes a drawn stalemate for a win",
        "static/js/engine/search/search.js",
        "  return p.checks > 0 || p.tables.endings.stalemateLoses ? ply - MATE : 0;\n",
        "  return ply - MATE;\n",
        PLAY,
    ),
    Mutant(
        "the engine does not see that a position repeats itself",
        "static/js/engine/search/search.js",
        "  return p.occurrences(Math.min(back, p.ply)) > 1 || isDead(p) ? 0 : UNDECIDED;\n",
        "  return isDead(p) ? 0 : UNDECIDED;\n",
        PLAY,
    ),
    Mutant(
        "the engine looks at more nodes than it may",
        "static/js/engine/search/search.js",
        "this.nodes >= this.mostNodes || ",
        "this.nodes >= this.mostNodes + 1 || ",
        UCI,
    ),
    Mutant(
        "the engine answers before it is told to stop",
        "static/js/engine/session.js",
        "    if (limits.infinite && !isStopped()) await",
        "    if (false) await",
        UCI,
    ),
    Mutant(
        "the engine tells of the same move twice",
        "static/js/engine/search/search.js",
        "    if (!ply && s.excluded.includes(move)) continue;\n",
        "",
        UCI,
    ),
    Mutant(
        "the engine errs in the same way in each game",
        "static/js/engine/search/evaluation.js",
        "Math.imul(seed, 0x9e3779b1)",
        "0",
        UCI,
    ),
    Mutant(
        "the engine makes moves that are not legal",
        "static/js/engine/session.js",
        "      if (move === NO_MOVE) throw new Error(`${uci} is not legal in ${writeFen(position)}`);\n",
        "",
        UCI,
    ),
    Mutant(
        "the engine goes on when it has heard that it should stop",
        "static/js/engine/search/search.js",
        "    if (this.isOver()) this.stopped = true;\n",
        "",
        SESSION,
    ),
    Mutant(
        "the engine hears nothing while it thinks",
        "static/js/engine/session.js",
        "const DEAF = 8;",
        "const DEAF = 80;",
        SESSION,
    ),
)

OF_FAIRY_STOCKFISH: tuple[Mutant, ...] = (
    Mutant(
        "Fairy-Stockfish is told of boards that it does not have",
        "server/rules/fairy_stockfish/variants_ini.py",
        "    if variant.files > MOST_FILES or variant.ranks > MOST_RANKS:\n",
        "    if variant.ranks > 16:\n",
        INI,
    ),
    Mutant(
        "Fairy-Stockfish is told of castling that could be another move",
        "server/rules/fairy_stockfish/variants_ini.py",
        "    if any(step in steps for atom in king.atoms for step in atom.steps) or any(\n",
        "    if any(\n",
        INI,
    ),
    Mutant(
        "Fairy-Stockfish may not go where a piece could only capture",
        "server/rules/fairy_stockfish/promotion_ini.py",
        " if atom.mode is not Mode.CAPTURE for step",
        " for step",
        INI,
    ),
    Mutant(
        "Fairy-Stockfish promotes what a pawn became once more",
        "server/rules/fairy_stockfish/promotion_ini.py",
        "    if pawn in choosing and set(rules[pawn].to) & rules.keys():\n",
        "    if False:\n",
        INI,
    ),
    Mutant(
        "Fairy-Stockfish repeats leaps that it cannot repeat",
        "server/rules/fairy_stockfish/betza.py",
        "    if limit != 1 and letter not in REPEATED:\n",
        "    if limit > _LONGEST and letter not in REPEATED:\n",
        INI,
    ),
    Mutant(
        "Fairy-Stockfish drops all pieces wherever one may be dropped",
        "server/rules/fairy_stockfish/pocket_ini.py",
        "    if len(zones) > 1:\n",
        "    if False:\n",
        INI,
    ),
    Mutant(
        "Fairy-Stockfish gates more than may be gated",
        "server/rules/fairy_stockfish/pocket_ini.py",
        "    if set(variant.gates) != gated:\n",
        "    if not set(variant.gates) <= gated:\n",
        INI,
    ),
    Mutant(
        "every page may run WebAssembly",
        "server/web/middlewares.py",
        "ENGINE_POLICY if engine else content_policy(",
        "ENGINE_POLICY if engine or True else content_policy(",
        GUARD,
    ),
    Mutant(
        "Fairy-Stockfish's workers cannot run on isolated pages",
        "server/web/middlewares.py",
        "            response.headers.update(POLICY)\n",
        "",
        GUARD,
    ),
    Mutant(
        "pages that share memory are open to other sites' files",
        "server/web/analysis/pages.py",
        "    return isolated(page)\n",
        "    return page\n",
        GUARD,
    ),
)
