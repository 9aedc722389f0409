"""Defences of what the engine explains beside a board, and of reports of games, switched off."""

from tests.faults.mutant import Mutant

WORKER = "tests/js/explain/engine_worker.test.mjs"
STRONG_UCI = "tests/js/analysis/strong_uci.test.mjs"
JUDGEMENT = "tests/js/report/judgement.test.mjs"
MAKER = "tests/js/report/report_maker.test.mjs"
ENGINE = "tests/browser/analysis/test_engine.py"
STRONG = "tests/browser/analysis/test_strong_engine.py"
REPORT = "tests/browser/analysis/test_game_report.py"

OF_EXPLAINING: tuple[Mutant, ...] = (
    Mutant(
        "what the engine says of the position before is shown",
        "static/js/explain/engine_worker.js",
        "    const last = this.#running === 1;\n",
        "    const last = true;\n",
        WORKER,
    ),
    Mutant(
        "the engine goes on with the position before",
        "static/js/explain/engine_worker.js",
        "    this.stop();\n    this.#running++;\n",
        "    this.#running++;\n",
        WORKER,
    ),
    Mutant(
        "any file becomes a worker",
        "static/js/explain/engine_worker.js",
        "origin === location.origin && pathname.startsWith('/static/')",
        "origin",
        WORKER,
    ),
    Mutant(
        "what Fairy-Stockfish says of the position before is shown",
        "static/js/explain/strong_engine.js",
        "    const last = this.#running === 1;\n",
        "    const last = true;\n",
        WORKER,
    ),
    Mutant(
        "Fairy-Stockfish is asked what threatens a side in check",
        "static/js/explain/strong_engine.js",
        "    if (asked.limits.threat && !asked.passed) return this.#heard.refused('in check');\n",
        "",
        WORKER,
    ),
    Mutant(
        "a bound is shown as a score",
        "static/js/explain/strong_uci.js",
        " || words.includes('lowerbound') || words.includes('upperbound')",
        "",
        STRONG_UCI,
    ),
    Mutant(
        "a mate that comes late is worth more",
        "static/js/explain/strong_uci.js",
        "(mate > 0 ? 1 : -1) * MATE_POINTS - mate",
        "(mate > 0 ? 1 : -1) * MATE_POINTS + mate",
        STRONG_UCI,
    ),
    Mutant(
        "a score is shown for who moves",
        "static/js/explain/scores.js",
        "mover === 'white' ? 1 : -1",
        "1",
        JUDGEMENT,
    ),
    Mutant(
        "a mate is not certain",
        "static/js/explain/scores.js",
        "  if (mate !== null) return points > 0 ? 1 : 0;\n",
        "",
        JUDGEMENT,
    ),
    Mutant(
        "the engine thinks as soon as the page is there",
        "static/js/explain/engine_switch.js",
        "if (allowed && this.#box.checked && !this.#time)",
        "if (allowed && !this.#time)",
        f"{ENGINE}::test_nothing_of_it_is_loaded_until_it_is_switched_on_and_that_is_remembered",
    ),
    Mutant(
        "nothing of the engine is remembered",
        "static/js/explain/remembered.js",
        "siteStorage.set(KEY, JSON.stringify(chosen))",
        "JSON.stringify(chosen)",
        f"{ENGINE}::test_nothing_of_it_is_loaded_until_it_is_switched_on_and_that_is_remembered",
    ),
    Mutant(
        "a threat is looked for on the wrong move",
        "static/js/explain/explainer.js",
        "lines: threat ? 1 : lines, threat }",
        "lines: threat ? 1 : lines }",
        f"{ENGINE}::test_what_the_other_side_threatens",
    ),
    Mutant(
        "nobody takes over from Fairy-Stockfish",
        "static/js/explain/engine_switch.js",
        "    if (this.#choice.gaveUp()) return void this.#begin();\n",
        "",
        f"{STRONG}::test_where_it_fails_ours_goes_on",
    ),
    Mutant(
        "Fairy-Stockfish is begun where it cannot run",
        "static/js/explain/strong_choice.js",
        "!globalThis.crossOriginIsolated",
        "false",
        f"{STRONG}::test_where_the_browser_cannot_run_it_ours_speaks",
    ),
)

OF_REPORTS: tuple[Mutant, ...] = (
    Mutant(
        "a report is shown for another end of the game",
        "static/js/report/kept_reports.js",
        "moves.join(' '), result]",
        "moves.join(' ')]",
        MAKER,
    ),
    Mutant(
        "a report is shown for the other form",
        "static/js/report/kept_reports.js",
        "chess960 ? 960 : ''",
        "''",
        MAKER,
    ),
    Mutant(
        "a report that breaks off is shown",
        "static/js/report/kept_reports.js",
        "found?.length === game.moves.length + 1 ? found : null",
        "found ?? null",
        MAKER,
    ),
    Mutant(
        "reports are kept without end",
        "static/js/report/kept_reports.js",
        "].slice(0, MOST)",
        "]",
        MAKER,
    ),
    Mutant(
        "a report depends on how fast the machine is",
        "static/js/report/report_maker.js",
        "limits: { nodes: NODES }",
        "limits: { time: 300 }",
        MAKER,
    ),
    Mutant(
        "a report depends on what the engine saw before",
        "static/js/report/report_maker.js",
        "    this.#worker.forget();\n",
        "",
        MAKER,
    ),
    Mutant(
        "Black who begins is judged as White",
        "static/js/report/report_maker.js",
        "(first === 'white') === (moves.length % 2 === 0)",
        "moves.length % 2 === 0",
        MAKER,
    ),
    Mutant(
        "an engine that was ended is asked",
        "static/js/report/report_maker.js",
        "    if (this.#ended) throw new Error('the engine was ended');\n",
        "",
        MAKER,
    ),
    Mutant(
        "whoever goes waits for the report",
        "static/js/report/report_maker.js",
        "    this.#waiting?.reject(new Error('the engine was ended'));\n",
        "",
        MAKER,
    ),
    Mutant(
        "the best move is a mistake",
        "static/js/report/judgement.js",
        "    uci === positions[at].line[0]\n",
        "    false\n",
        JUDGEMENT,
    ),
    Mutant(
        "a move can win chances",
        "static/js/report/judgement.js",
        "Math.max(0, chancesFor(before, side) - chancesFor(after, side))",
        "chancesFor(before, side) - chancesFor(after, side)",
        JUDGEMENT,
    ),
    Mutant(
        "mistakes of one side are those of the other",
        "static/js/report/judgement.js",
        "(ply % 2 === 1) === whiteBegins",
        "(ply % 2 === 0) === whiteBegins",
        JUDGEMENT,
    ),
    Mutant(
        "a solved exercise is counted again",
        "static/js/report/exercises.js",
        "  if (!mistake || !isOpen(exercises)) return exercises;\n",
        "  if (!mistake) return exercises;\n",
        JUDGEMENT,
    ),
    Mutant(
        "every move solves an exercise",
        "static/js/report/exercises.js",
        "const right = loss < AS_GOOD;",
        "const right = true;",
        JUDGEMENT,
    ),
    Mutant(
        "the mistake itself is tried as a new move",
        "static/js/report/exercises.js",
        "uci === mistake.played ? 'played' : 'judging'",
        "'judging'",
        JUDGEMENT,
    ),
    Mutant(
        "the engine tells what is looked for",
        "static/js/report/learning.js",
        "    this.#lesson.host.ask(!!mistake && (isOpen(this.#exercises) || stage === 'judging'));\n",
        "",
        f"{REPORT}::test_one_learns_from_a_mistake",
    ),
    Mutant(
        "a report outlives its game",
        "static/js/report/game_report.js",
        "    if (!same || nodeAt(tree, ROOT).fen !== game.played.start) return this.close();\n",
        "",
        f"{REPORT}::test_another_game_has_another_report",
    ),
    Mutant(
        "a wrong move stays on the board",
        "static/js/report/learning.js",
        "    if (this.#exercises.stage === 'wrong') this.#goBack();\n",
        "",
        f"{REPORT}::test_one_learns_from_a_mistake",
    ),
)
