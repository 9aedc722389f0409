"""Defences of what web push tells of games, at once or later, switched off."""

from tests.faults.mutant import Mutant

DIGESTS = "server/web/notifications/digests.py"
TELLER = "server/web/notifications/teller.py"
TEST_PUSHED_ONCE = "tests/storage/every_store/mail/test_pushed_once.py"
NOTIFIER = "server/web/notifications/notifier.py"
TEST_PUSHES = "tests/web/notifications/test_held_pushes.py"

OF_PUSHES: tuple[Mutant, ...] = (
    Mutant(
        "a browser can have itself called at what is no name",
        "server/web/notifications/push_addresses.py",
        'if not DOMAIN.fullmatch(parts.hostname or "") or',
        "if",
        "tests/web/notifications/test_push.py::test_an_unknown_push_service_is_never_called",
    ),
    Mutant(
        "who hears of an opponent waits for the browsers of others",
        NOTIFIER,
        "        await asyncio.gather(*(self._call(owner, seek, push, now) for owner in owners))\n",
        "        for owner in owners:\n            await self._call(owner, seek, push, now)\n",
        "tests/web/notifications/test_notifier.py::"
        "test_browsers_whose_services_hang_keep_nobody_from_hearing_of_an_opponent",
    ),
    Mutant(
        "browsers are pushed to in quiet hours",
        NOTIFIER,
        "        if due == now:\n",
        "        if True:\n",
        f"{TEST_PUSHES}::test_a_challenge_to_a_game_by_the_minute_waits_for_the_morning_too",
    ),
    Mutant(
        "somebody is told of an opponent at night",
        NOTIFIER,
        "            if devices and not quiet and",
        "            if devices and",
        f"{TEST_PUSHES}::test_nobody_is_told_of_an_opponent_at_night",
    ),
    Mutant(
        "a turn that is outdated is pushed in the morning",
        "server/web/notifications/held_games.py",
        " and player in concerned(game) and",
        " and",
        f"{TEST_PUSHES}::test_a_turn_that_is_outdated_by_then_is_not_pushed",
    ),
    Mutant(
        "kinds that somebody does not want are pushed",
        NOTIFIER,
        "        if often is Often.NEVER:\n",
        "        if False:\n",
        f"{TEST_PUSHES}::test_who_wants_no_challenges_gets_none_to_a_game_by_the_minute",
    ),
    Mutant(
        "kinds that somebody does not want any more are pushed",
        NOTIFIER,
        " if pushed(silent, one.kind) is not Often.NEVER)",
        ")",
        f"{TEST_PUSHES}::test_a_kind_that_is_not_wanted_any_more_in_the_morning_is_not_pushed",
    ),
    Mutant(
        "web push tells at once what is wanted later",
        TELLER,
        "due_at(often, now, quiet))",
        "due_at(Often.AT_ONCE, now, quiet))",
        f"{TEST_PUSHES}::test_turns_are_pushed_hourly_in_one_message_where_that_was_chosen",
    ),
    Mutant(
        "what is pushed at once lies only in memory",
        TELLER,
        "held, telling.spared)",
        "[one for one in held if one.due > now], telling.spared)",
        f"{TEST_PUSHES}::test_what_a_process_that_died_was_to_push_at_once_is_pushed_by_the_next_one_to_look",
    ),
    Mutant(
        "what is pushed is deleted before the push service has it",
        DIGESTS,
        "        mail = await self._told(mailbox, held)\n",
        "        await self._store.digests.tell(held[0].digest, None)\n"
        "        mail = await self._told(mailbox, held)\n",
        f"{TEST_PUSHED_ONCE}::test_what_a_node_had_begun_to_push_that_died_is_pushed_by_another",
    ),
    Mutant(
        "what becomes due while a push service takes its time waits for the next look",
        DIGESTS,
        "        self._under_way[mailbox] = True\n        if others:\n",
        "        self._under_way.setdefault(mailbox, True)\n        if others:\n",
        f"{TEST_PUSHED_ONCE}::test_what_becomes_due_while_a_push_is_under_way_does_not_wait_for_the_next_look",
    ),
    Mutant(
        "mailboxes wait in memory without end while push services hang",
        DIGESTS,
        "            if len(self._under_way) < MAX_WAITING:\n",
        "            if True:\n",
        "tests/web/notifications/test_notifier.py"
        "::test_services_that_hang_hold_up_nobody_else_and_what_finds_no_room_is_pushed_later",
    ),
)
