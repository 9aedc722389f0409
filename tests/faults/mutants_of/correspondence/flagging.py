"""Defences of games that are flagged by hand, switched off."""

from tests.faults.mutant import Mutant

TEST_FLAGGING = "tests/games/changes/test_flagging.py"
TEST_PLAY = "tests/realtime/play/test_flagging.py"

OF_FLAGGING: tuple[Mutant, ...] = (
    Mutant(
        "a fallen flag ends a game that is flagged by hand",
        "server/games/changes/ending.py",
        "return game.clock.out_of_time(now) and not game.is_flagged_by_hand",
        "return game.clock.out_of_time(now)",
        TEST_FLAGGING,
    ),
    Mutant(
        "who flags by hand does not lose on time either",
        "server/games/state.py",
        "for_color(self.flags_by_hand, self.to_move.other)",
        "any(self.flags_by_hand)",
        TEST_FLAGGING,
    ),
    Mutant(
        "a game is claimed while the opponent has time",
        "server/games/changes/claiming.py",
        "if game.clock.turn is not color.other or game.clock.remaining(color.other, now):",
        "if game.clock.turn is not color.other:",
        TEST_FLAGGING,
    ),
    Mutant(
        "a vacation begun over time keeps the claim away",
        "server/games/changes/claiming.py",
        "or game.clock.remaining(color.other, now):",
        "or not game.clock.out_of_time(now):",
        TEST_FLAGGING,
    ),
    Mutant(
        "a choice taken back gives the game away",
        "server/games/changes/flagging.py",
        "        after, events = flag(chosen, now)\n",
        "        after, events = chosen, ()\n",
        TEST_FLAGGING,
    ),
    Mutant(
        "a choice can be changed as often as messages come",
        "server/realtime/play/connection.py",
        "        self._rounds.charge(message, player.id, now)\n",
        "",
        TEST_PLAY,
    ),
    Mutant(
        "nobody is told that they can claim",
        "server/games/reminders.py",
        "        coming.append((TIME_IS_UP, deadline))\n",
        "        pass\n",
        TEST_PLAY,
    ),
    Mutant(
        "a restart costs the time of a game that is flagged by hand",
        "server/storage/documents.py",
        "(clock.paused_at is not None or clock.turn is not None)",
        "(clock.paused_at is not None)",
        TEST_PLAY,
    ),
    Mutant(
        "the choice on the account is forgotten by a game",
        "server/realtime/play/players/flagging_choices.py",
        "return with_flags_by_hand(game, await accounts.who_flags_by_hand(seated))",
        "return game",
        "tests/web/accounts/test_account_page.py",
    ),
)
