"""Defences of mail addresses, and of the links that are sent there, switched off."""

from tests.faults.mutant import Mutant

TOKENS = "server/mail/tokens.py"
ADDRESSES = "server/web/accounts/mail_addresses.py"
RECOVERY = "server/web/accounts/recovery.py"
INVITATIONS = "server/web/accounts/mail_invitations.py"
TEST_INVITATIONS = "tests/web/mail/test_mail_invitations.py"
PAGES = "server/web/accounts/mail_pages.py"
TEST_TOKENS = "tests/mail/test_tokens.py"
TEST_ADDRESSES = "tests/web/mail/test_mail_addresses.py"
TEST_RECOVERY = "tests/web/mail/test_recovery.py"

OF_ADDRESSES: tuple[Mutant, ...] = (
    Mutant(
        "who wants no invitations gets them",
        INVITATIONS,
        "if await self.unwanted.is_unwanted(self._mark(box)):",
        "if False:",
        TEST_INVITATIONS,
    ),
    Mutant(
        "somebody who is blocked has mail sent to whoever has blocked them",
        INVITATIONS,
        "if await self._has_blocked(_reader_of(box), visitor.user.id):",
        "if False:",
        f"{TEST_INVITATIONS}::test_nobody_who_has_blocked_the_sender_gets_one_and_the_sender_cannot_tell",
    ),
    Mutant(
        "whoever claims the address of another keeps them from being invited",
        INVITATIONS,
        "            if one.confirmed != NEVER\n",
        "",
        f"{TEST_INVITATIONS}::test_an_address_that_was_not_confirmed_keeps_nobody_from_being_invited",
    ),
    Mutant(
        "anybody has the site send mail to strangers",
        INVITATIONS,
        "if not any(one.in_effect for one in await self.addresses.of(visitor)):",
        "if False:",
        TEST_INVITATIONS,
    ),
    Mutant(
        "one mailbox counts as another for each thing behind its plus",
        INVITATIONS,
        "{name.partition('+')[0] or name}",
        "{name}",
        f"{TEST_INVITATIONS}::test_a_mailbox_is_the_same_with_whatever_stands_behind_its_plus",
    ),
    Mutant(
        "an invitation has any link in it",
        INVITATIONS,
        'if not is_invited(game, None, digest(form.fragment.partition(".")[0])):',
        "if False:",
        TEST_INVITATIONS,
    ),
    Mutant(
        "an address of a mailbox can hold anything",
        "server/mailbox.py",
        "if not NAME.fullmatch(name) or len(address) > LONGEST:",
        "if not name:",
        f"{TEST_ADDRESSES}::test_what_is_no_address_is_refused_and_nothing_kept",
    ),
    Mutant(
        "tokens are not signed",
        TOKENS,
        "    if not hmac.compare_digest(signature, _signature(key, purpose, content)):\n",
        "    if False:\n",
        f"{TEST_TOKENS}::test_a_token_is_good_for_one_purpose_and_one_site",
    ),
    Mutant(
        "a token for one purpose is good for another",
        TOKENS,
        'f"{purpose}\\n{content}"',
        'f"{content}"',
        f"{TEST_TOKENS}::test_a_token_is_good_for_one_purpose_and_one_site",
    ),
    Mutant(
        "tokens are good for ever",
        TOKENS,
        "    if int(until) <= now:\n",
        "    if False:\n",
        f"{TEST_TOKENS}::test_a_token_says_what_was_signed_until_its_time_is_over",
    ),
    Mutant(
        "a scanner that opens a link confirms an address",
        PAGES,
        '    return await answer(request, "accounts/mail_confirm.html", None, done=False)\n\n\nasync def confirm(',
        '    if "token" in request.query:\n'
        '        await request.app[MAIL_ADDRESSES].confirm(request.query["token"])\n'
        '    return await answer(request, "accounts/mail_confirm.html", None, done=False)\n\n\nasync def confirm(',
        f"{TEST_ADDRESSES}::test_an_address_counts_once_its_link_was_followed_and_the_button_pressed",
    ),
    Mutant(
        "whoever finds an open browser adds an address that recovers the account",
        ADDRESSES,
        "await self.accounts.confirmed(visitor, await self.accounts.of(visitor), password)",
        "await self.accounts.of(visitor)",
        f"{TEST_ADDRESSES}::test_only_who_knows_the_password_adds_an_address",
    ),
    Mutant(
        "a mailbox can be flooded with links by many accounts",
        ADDRESSES,
        "            charge(self.accounts.limits.confirmations_of_mailbox, box.lower(), now)\n",
        "",
        f"{TEST_ADDRESSES}::test_nobody_can_be_flooded_with_links",
    ),
    Mutant(
        "one account sends any number of links",
        ADDRESSES,
        "            charge(self.accounts.limits.confirmations, account.user, now)\n",
        "",
        f"{TEST_ADDRESSES}::test_one_account_sends_ten_links_a_day",
    ),
    Mutant(
        "an address that nobody has confirmed recovers an account",
        RECOVERY,
        " if one.in_effect]",
        "]",
        f"{TEST_RECOVERY}::test_an_unconfirmed_address_recovers_nothing",
    ),
    Mutant(
        "the link for a new password outlives the old one",
        RECOVERY,
        " or mark_of(account.password) != mark:",
        ":",
        f"{TEST_RECOVERY}::test_a_link_dies_when_the_password_is_changed_in_another_way",
    ),
    Mutant(
        "sessions survive a recovery",
        "server/web/accounts/accounts.py",
        "        await self.store.set_password(account, await self.hashing.hash(new))\n"
        "        self.open_sockets.end_sessions(await self.store.end_sessions(account.user), SESSION_ENDED)\n",
        "        await self.store.set_password(account, await self.hashing.hash(new))\n",
        f"{TEST_RECOVERY}::test_whoever_has_the_mailbox_chooses_a_password_and_all_sessions_end",
    ),
    Mutant(
        "tokens survive a recovery",
        "server/web/accounts/accounts.py",
        "        await self.tokens.forget(account.user)\n\n    async def delete(",
        "\n    async def delete(",
        f"{TEST_RECOVERY}::test_a_token_that_somebody_has_planted_ends_with_the_old_password",
    ),
    Mutant(
        "links for a new password are sent without end",
        RECOVERY,
        "        if not in_effect or accounts.limits.recoveries.take(account.folded, accounts.now()):\n",
        "        if not in_effect:\n",
        f"{TEST_RECOVERY}::test_nobody_is_flooded_with_links",
    ),
    Mutant(
        "any route may be posted to from anywhere",
        "server/web/budgets/limits.py",
        "    from_anywhere: bool = False\n",
        "    from_anywhere: bool = True\n",
        "tests/web/mail/test_unsubscribing.py::test_nothing_else_can_be_posted_without_an_origin",
    ),
    Mutant(
        "addresses outlive their account",
        "server/realtime/account_merges.py",
        "            await store.addresses.forget(merge.user)\n",
        "",
        f"{TEST_ADDRESSES}::test_addresses_and_waiting_mail_of_a_deleted_account_are_gone",
    ),
)
