"""Defences of games against the computer, switched off."""

from tests.faults.mutant import Mutant

DECISIONS = "tests/games/test_computer.py"
BROUGHT = "tests/web/lobby/test_offline_games.py"
LIVE = "tests/realtime/play/test_against_computer.py"

OF_THE_COMPUTER: tuple[Mutant, ...] = (
    Mutant(
        "of a game brought from offline that goes on wrongly the beginning is played",
        "server/web/lobby/offline_games.py",
        "    await run_sliced(played(there.game, line, now))\n",
        "",
        "tests/web/lobby/test_offline_games.py::test_of_a_line_that_goes_on_wrongly_nothing_is_played",
    ),
    Mutant(
        "players move for their opponents",
        "server/games/computer.py",
        "    if game.computer is not own.other:\n",
        "    if False:\n",
        LIVE,
    ),
    Mutant(
        "people grant what the computer does",
        "server/games/computer.py",
        "return game.computer is by.other and kind in GRANTED",
        "return kind in GRANTED",
        DECISIONS,
    ),
    Mutant(
        "the computer plays rated games",
        "server/games/changes/beginning.py",
        '    if terms.rated:\n        raise BadTerms("computer_rated")\n',
        "",
        DECISIONS,
    ),
    Mutant(
        "the computer loses on time while nobody thinks for it",
        "server/games/clocks/clock.py",
        "        return min(passed, for_color(self.left_ms, self.turn) // SPARED_SHARE)\n",
        "        return passed\n",
        LIVE,
    ),
    Mutant(
        "the computer's flag falls",
        "server/games/clocks/clock.py",
        " or self.turn is self.spared:",
        ":",
        DECISIONS,
    ),
    Mutant(
        "games against the computer count in records",
        "server/storage/protocols/ratings.py",
        " and after.computer is None",
        "",
        "tests/storage/every_store/test_computer_kept.py",
    ),
    Mutant(
        "whoever plays the computer is mailed about it",
        "server/games/news.py",
        "by_the_minute or game.computer is not None",
        "by_the_minute",
        DECISIONS,
    ),
    Mutant(
        "the computer can be said to have left",
        "server/realtime/play/round_presence.py",
        "PresenceState.HERE or game.computer is absent:\n",
        "PresenceState.HERE:\n",
        LIVE,
    ),
    Mutant(
        "after a restart the clock waits for the computer to come",
        "server/realtime/play/round_presence.py",
        "        awaited = len(Color) if game.computer is None else 1\n",
        "        awaited = len(Color)\n",
        LIVE,
    ),
    Mutant(
        "a game that somebody else has brought is gone on with",
        "server/web/lobby/offline_games.py",
        " or not is_same_game(there.game, begun)",
        "",
        BROUGHT,
    ),
    Mutant(
        "a game with a clock is played on without one",
        "server/games/intake/offline.py",
        "there.terms == sent.terms and ",
        "",
        BROUGHT,
    ),
    Mutant(
        "a game that was brought is put where it went another way",
        "server/games/intake/offline.py",
        "done[:shared] != wanted[:shared] or ",
        "",
        "tests/games/intake/test_offline.py",
    ),
    Mutant(
        "anybody brings any number of games",
        "server/web/lobby/offline_games.py",
        "    charge(site.limits.brought, visitor.key, site.now(), cost)\n",
        "",
        BROUGHT,
    ),
    Mutant(
        "a repeat of what was brought is stored anew",
        "server/games/intake/offline.py",
        "        return ()\n    moves",
        "        pass\n    moves",
        "tests/games/intake/test_offline.py",
    ),
    Mutant(
        "pages that are kept for offline name who was signed in",
        "server/web/pages/offline.py",
        '"visitor": None, ',
        "",
        "tests/web/pages/test_offline.py",
    ),
    Mutant(
        "what browsers keep stays when a variant of the host's has come",
        "server/web/pages/offline.py",
        "    parts += [to_json(",
        "    [to_json(",
        "tests/web/pages/test_offline.py",
    ),
    Mutant(
        "each refusal makes another guest",
        "server/web/lobby/offline_games.py",
        "    except Refused as refusal:\n        return with_cookie(site, visitor, respond(request, refusal))\n",
        "",
        BROUGHT,
    ),
)
