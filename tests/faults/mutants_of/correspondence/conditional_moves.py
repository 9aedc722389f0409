"""Defences of conditional moves, seen by their owner alone and played exactly as prepared, switched off."""

from tests.faults.mutant import Mutant

TREE = "server/games/conditional.py"
ANSWERING = "server/games/changes/playing.py"
FEED = "server/realtime/play/round_feed.py"
VIEWS = "server/realtime/play/views.py"
JUDGING = "server/realtime/play/conditional.py"
TEST_TREE = "tests/games/test_conditional.py"
TEST_PLAY = "tests/realtime/play/test_conditional.py"
TEST_STORE = "tests/storage/every_store/test_conditional_kept.py"

OF_CONDITIONAL_MOVES: tuple[Mutant, ...] = (
    Mutant(
        "the answer to a move is left for a change of its own",
        ANSWERING,
        "    while len(game.plies) < ply + MOST_AT_ONCE and",
        "    while len(game.plies) < ply and",
        f"{TEST_PLAY}::test_a_move_and_its_answer_are_shown_to_all_in_order_and_stored_at_once",
    ),
    Mutant(
        "a tree is kept when its player has moved otherwise",
        TREE,
        "if branch.uci == uci), ())",
        "if branch.uci == uci), tree)",
        f"{TEST_TREE}::test_an_offer_of_the_opponent_waits_for_the_player_with_the_answer",
    ),
    Mutant(
        "a tree outlives a takeback",
        "server/games/changes/takeback.py",
        "        conditional=NO_MOVES,\n",
        "",
        f"{TEST_TREE}::test_a_takeback_drops_the_tree",
    ),
    Mutant(
        "a tree outlives the game",
        "server/games/changes/ending.py",
        "        conditional=NO_MOVES,\n",
        "",
        f"{TEST_TREE}::test_the_end_of_the_game_drops_the_tree",
    ),
    Mutant(
        "an answer declines an offer that its player has not seen",
        ANSWERING,
        " or any(offer.by is not game.to_move for offer in game.offers):",
        ":",
        f"{TEST_TREE}::test_an_offer_of_the_opponent_waits_for_the_player_with_the_answer",
    ),
    Mutant(
        "two trees play each other for as long as they fit",
        ANSWERING,
        "MOST_AT_ONCE: Final = 10\n",
        "MOST_AT_ONCE: Final = 2_000\n",
        f"{TEST_TREE}::test_two_trees_answer_each_other_in_one_change_but_not_for_ever",
    ),
    Mutant(
        "an answer that has become illegal makes the opponent's move illegal",
        ANSWERING,
        "        except BadMove:\n",
        "        except Stale:\n",
        f"{TEST_TREE}::test_an_answer_that_has_become_illegal_is_dropped_and_the_move_stands",
    ),
    Mutant(
        "live games take conditional moves",
        ANSWERING,
        "    if not game.terms.control.by_days:\n",
        "    if False:\n",
        f"{TEST_TREE}::test_only_games_of_days_take_conditional_moves",
    ),
    Mutant(
        "moves judged from another position are taken",
        ANSWERING,
        "    if game.position != position:\n",
        "    if False:\n",
        f"{TEST_TREE}::test_moves_judged_from_another_position_are_refused",
    ),
    Mutant(
        "moves that come while others are judged are answered by these",
        ANSWERING,
        "    if game.position != position:\n        raise Stale\n    if game.to_move is color:\n",
        "    if False:\n",
        f"{TEST_PLAY}::test_a_move_that_comes_while_they_are_judged_is_not_answered_by_them",
    ),
    Mutant(
        "a tree has moves without an answer",
        TREE,
        "    if not is_complete(tree, own=False):\n",
        "    if False:\n",
        f"{TEST_TREE}::test_a_tree_with_a_fault_is_refused_whole",
    ),
    Mutant(
        "a line goes on after the end of the game",
        TREE,
        "    if outcome(position) is not None:\n",
        "    if False:\n",
        f"{TEST_TREE}::test_no_line_goes_on_after_the_end_of_the_game",
    ),
    Mutant(
        "a tree of any size is judged",
        TREE,
        "    if moves > MAX_MOVES or lines > MAX_LINES:\n",
        "    if False:\n",
        f"{TEST_TREE}::test_a_tree_above_the_limits_is_refused_before_it_is_judged",
    ),
    Mutant(
        "a line of any length is judged",
        TREE,
        "        if len(path) > MAX_DEPTH + 1:\n",
        "        if False:\n",
        f"{TEST_TREE}::test_a_tree_above_the_limits_is_refused_before_it_is_judged",
    ),
    Mutant(
        "trees are judged as often as they come",
        JUDGING,
        "        self._people.charge(player, now, moves + SAVING)\n",
        "        pass\n",
        f"{TEST_PLAY}::test_who_has_too_much_judged_must_wait_whichever_tab_it_comes_from",
    ),
    Mutant(
        "a large tree is judged without a pause",
        TREE,
        "        yield\n    tree = ",
        "        if False:\n            yield\n    tree = ",
        f"{TEST_PLAY}::test_a_tree_is_judged_with_a_pause_after_each_move",
    ),
    Mutant(
        "everybody is told what somebody has prepared",
        FEED,
        "                self._subscribers.put_to(color, encode(outbound.ConditionalOut(steps=prepared or [])))\n",
        "                told = encode(outbound.ConditionalOut(steps=prepared or []))\n"
        "                self._subscribers.put(told, told)\n",
        f"{TEST_PLAY}::test_the_owner_alone_hears_of_conditional_moves",
    ),
    Mutant(
        "the opponent's snapshot has the conditional moves",
        VIEWS,
        "for_color(game.conditional, color))) or None",
        "game.conditional[0])) or None",
        f"{TEST_PLAY}::test_the_owner_alone_hears_of_conditional_moves",
    ),
    Mutant(
        "who comes back hears nothing of what is left",
        FEED,
        ", conditional=prepared)))",
        ")))",
        f"{TEST_PLAY}::test_who_comes_back_gets_their_conditional_moves_as_they_are_now",
    ),
    Mutant(
        "the legal moves come with a move that is answered already",
        VIEWS,
        "        return event.ply + 1 == len(game.plies)\n",
        "        return True\n",
        f"{TEST_PLAY}::test_a_move_and_its_answer_are_shown_to_all_in_order_and_stored_at_once",
    ),
    Mutant(
        "a move is shown with the position after its answer",
        "server/realtime/protocol/game_events.py",
        "        fen=format_fen(event.position),\n",
        "        fen=format_fen(game.position),\n",
        f"{TEST_PLAY}::test_a_move_and_its_answer_are_shown_to_all_in_order_and_stored_at_once",
    ),
    Mutant(
        "whoever's move was answered is told twice that it is their turn",
        "server/realtime/process/domain_events.py",
        " if event is turns[-1] and ",
        " if ",
        f"{TEST_PLAY}::test_only_whoever_is_to_move_in_the_end_is_told_that_it_is_their_turn",
    ),
    Mutant(
        "conditional moves are forgotten with the process",
        "server/storage/replay.py",
        '        conditional=(_tree(head, "if_white"), _tree(head, "if_black")),\n',
        "",
        f"{TEST_STORE}::test_conditional_moves_come_back_after_a_restart_and_are_played",
    ),
)
