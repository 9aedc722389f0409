"""Defences against mails and proposals that begin games or ask for lists, switched off."""

from tests.faults.mutant import Mutant

CARRYING_OUT = "server/mail/inbound/carrying_out.py"
TEST_PERSONAL = "tests/mail/inbound/test_personal_mail.py"
TEST_SITE = "tests/web/mail/inbound/test_writing_to_the_site.py"
PERSONAL = "server/mail/inbound/personal_mail.py"
TEST_PROPOSALS = "tests/web/lobby/test_proposals.py"
PROPOSALS = "server/web/lobby/proposals.py"

OF_ASKING: tuple[Mutant, ...] = (
    Mutant(
        "two others are proposed games without end",
        PROPOSALS,
        "    charge(limits.proposals, by.id, now)\n",
        "",
        f"{TEST_PROPOSALS}::test_nobody_is_pestered[proposals]",
    ),
    Mutant(
        "the same two are proposed games without end",
        PROPOSALS,
        '    charge(limits.proposals_to_two, " ".join(sorted((first.id, second.id))), now)\n',
        "",
        f"{TEST_PROPOSALS}::test_nobody_is_pestered[proposals_to_two]",
    ),
    Mutant(
        "one person is proposed games without end",
        PROPOSALS,
        "        charge(limits.proposals_to_one, asked.id, now)\n",
        "        pass\n",
        f"{TEST_PROPOSALS}::test_nobody_is_pestered[proposals_to_one]",
    ),
    Mutant(
        "who is asked second is not told",
        "server/realtime/process/domain_events.py",
        "                yield Challenged(after, asked, player)\n",
        "                pass\n",
        "tests/realtime/process/test_domain_events.py"
        "::test_of_two_who_are_asked_to_play_each_other_the_second_is_told_when_the_first_accepts",
    ),
    Mutant(
        "a crash hides the proposal from who is asked second",
        "server/web/lobby/challenges.py",
        "        await site.store.challenges.pass_on(game_id, asked.id, site.now())\n",
        "        await site.store.challenges.drop(game_id)\n",
        f"{TEST_PROPOSALS}::test_a_note_that_a_crash_left_with_the_first_goes_to_the_second",
    ),
    Mutant(
        "a personal address outlives the mailbox that it was made for",
        "server/mail/inbound/addresses/personal_address.py",
        "return address.in_effect and mark_of_confirmed(address) == self.mark",
        "return address.in_effect",
        f"{TEST_PERSONAL}::test_an_address_dies_with_the_mailbox_that_it_was_made_for",
    ),
    Mutant(
        "what comes before a command that needs a game is done",
        PERSONAL,
        "if not all(isinstance(command, OF_A_PERSON) for command in wanted):",
        "if not any(isinstance(command, OF_A_PERSON) for command in wanted):",
        f"{TEST_PERSONAL}::test_what_belongs_to_a_game_is_not_done_and_nothing_beside_it",
    ),
    Mutant(
        "a challenge whose mail comes again is made again",
        PERSONAL,
        'digest = sha256(self.mail + nth.to_bytes(1, "big")).digest()',
        'digest = sha256(self.mail + str(id(report)).encode() + nth.to_bytes(1, "big")).digest()',
        f"{TEST_PERSONAL}::test_a_challenge_that_comes_again_is_made_once",
    ),
    Mutant(
        "by mail people challenge without a limit",
        "server/web/lobby/mail_challenges.py",
        "    charge(site.limits.challenges, maker.id, site.now())\n",
        "",
        f"{TEST_SITE}::test_challenges_by_mail_count_as_those_on_the_site",
    ),
    Mutant(
        "vacations by mail have no limit",
        "server/web/accounts/vacations.py",
        "    charge(site.limits.vacations, owner, site.now())\n    await site.live.vacations.come_back(owner)",
        "    await site.live.vacations.come_back(owner)",
        f"{TEST_SITE}::test_a_vacation_by_mail_is_one_on_the_site",
    ),
    Mutant(
        "one mail gets the rules of all variants",
        "server/mail/inbound/answers.py",
        "            if rules:\n",
        "            if False:\n",
        f"{TEST_SITE}::test_a_mail_gets_the_rules_of_one_variant_and_where_the_others_are",
    ),
    Mutant(
        "whoever is challenged plays before they have accepted",
        CARRYING_OUT,
        "if self._is_asked and not all(",
        "if False and not all(",
        "tests/mail/inbound/test_challenges_by_mail.py::test_nothing_is_done_in_a_game_before_it_is_accepted",
    ),
    Mutant(
        "by mail people begin any number of games",
        CARRYING_OUT,
        "            await self.check_room(self.player.id)\n",
        "",
        "tests/mail/inbound/test_challenges_by_mail.py::test_who_has_too_many_games_is_told_and_begins_none",
    ),
    Mutant(
        "somebody waits for a second who has left",
        "server/realtime/play/rounds.py",
        "        if account is None or account.user != asked.id:\n",
        "        if False:\n",
        f"{TEST_PROPOSALS}::test_nobody_waits_for_a_second_who_has_left",
    ),
    Mutant(
        "everybody reads who proposes a game to whom",
        "server/realtime/play/views.py",
        "game.proposer.name if invited and game.proposer is not None",
        "game.proposer.name if game.proposer is not None",
        f"{TEST_PROPOSALS}::test_each_of_the_two_reads_who_proposes_the_game_and_nobody_else",
    ),
    Mutant(
        "a game keeps the name of somebody who has left the site",
        "server/realtime/account_merges.py",
        "                await self._hand_over_proposals(merge)\n",
        "",
        f"{TEST_PROPOSALS}::test_who_has_left_the_site_is_not_named_any_more",
    ),
    Mutant(
        "people are asked to play by somebody whom they have blocked since",
        "server/games/changes/beginning.py",
        "    return people_of(game) if game.proposer is None else (*people_of(game), game.proposer)\n",
        "    return people_of(game)\n",
        f"{TEST_PROPOSALS}::test_nothing_that_somebody_proposes_waits_for_whoever_has_blocked_them",
    ),
)
