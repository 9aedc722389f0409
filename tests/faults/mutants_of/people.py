"""Defences of people and of the site's pages, switched off."""

from tests.faults.mutant import Mutant

ACCESS = "tests/faults/access"
ACCOUNTS = "server/web/accounts/accounts.py"
CALLERS = "server/web/budgets/callers.py"

OF_PEOPLE: tuple[Mutant, ...] = (
    Mutant(
        "any page may act",
        "server/web/middlewares.py",
        "        if request.method not in READING and not sent_by_us:\n",
        "        if False:\n",
        f"{ACCESS}/test_origins.py",
    ),
    Mutant(
        "any page may open a socket",
        "server/web/sockets.py",
        "    if not origin_is_ours(request, site.settings):\n",
        "    if False:\n",
        "tests/web/test_guard.py",
    ),
    Mutant(
        "an origin that begins like ours is ours",
        CALLERS,
        "origins[0] in settings.origins",
        "origins[0].startswith(tuple(settings.origins))",
        f"{ACCESS}/test_origins.py",
    ),
    Mutant(
        "a host that begins like this machine's is this machine",
        CALLERS,
        "OF_THIS_MACHINE.fullmatch(host)",
        "OF_THIS_MACHINE.match(host)",
        "tests/faults/input/test_addresses.py",
    ),
    Mutant(
        "anybody says what their address is",
        CALLERS,
        "    if peer is not None and settings.secure and (",
        "    if peer is not None and (",
        f"{ACCESS}/test_guessing.py::test_a_header_cannot_fake_another_address",
    ),
    Mutant(
        "a name may end in a line break",
        "server/web/accounts/account_names.py",
        "    if not SHAPE.fullmatch(name):\n",
        '    if not re.match(f"{SHAPE.pattern}$", name):\n',
        "tests/web/accounts/test_account_names.py",
    ),
    Mutant(
        "a name is not looked at",
        ACCOUNTS,
        "        folded = check_name(name)\n",
        "        folded = fold(name)\n",
        f"{ACCESS}/test_leaks.py",
    ),
    Mutant(
        "the old session lives on after a sign-in",
        ACCOUNTS,
        "        await self.store.sign_in(account, session, instead_of)\n",
        '        await self.store.sign_in(account, session, "")\n',
        f"{ACCESS}/test_sessions.py",
    ),
    Mutant(
        "tokens survive a change of the password",
        ACCOUNTS,
        "        await self.tokens.forget(account.user)\n        return changed\n",
        "        return changed\n",
        "tests/web/accounts/test_changing_passwords.py::test_a_changed_password_ends_the_tokens",
    ),
    Mutant(
        "who signs out keeps their sockets",
        ACCOUNTS,
        "            self.open_sockets.end_sessions({visitor.key}, SESSION_ENDED)\n",
        "",
        f"{ACCESS}/test_sessions.py",
    ),
    Mutant(
        "other servers are not told who signed out",
        "server/web/websocket/open_sockets.py",
        "            self._services.bus.tell(notice)\n",
        "            pass\n",
        "tests/process/test_nodes.py::test_signing_out_on_one_server_ends_the_session_and_sockets_on_the_other",
    ),
    Mutant(
        "passwords of one name can be tried without end",
        ACCOUNTS,
        '        charge(self.limits.sign_ins, f"{folded} {address}", self.now())\n',
        "",
        f"{ACCESS}/test_login_flood.py",
    ),
    Mutant(
        "no work is done for a name that nobody has",
        "server/web/accounts/hashing.py",
        "matches(password, stored or self._nobodys.result(), self._hasher)",
        "matches(password, stored, self._hasher)",
        f"{ACCESS}/test_guessing.py",
    ),
    Mutant(
        "a way may lead to another site",
        "server/web/forms/page_forms.py",
        r"""(?:/(?:[0-9A-Za-z@]""",
        r"""(?:/(?:[/0-9A-Za-z@]""",
        f"{ACCESS}/test_redirects.py",
    ),
    Mutant(
        "a body may hold a key twice",
        "server/web/forms/forms.py",
        "        json.loads(body, object_pairs_hook=check_keys)\n",
        "",
        "tests/faults/input/test_documents.py",
    ),
    Mutant(
        "a line of the log ends where its text does",
        "server/web/operation/logs.py",
        "json.dumps(line)",
        "str(line)",
        "tests/faults/input/test_texts.py",
    ),
    Mutant(
        "who had the link of a seat goes on reading the players when somebody else has taken it",
        "server/realtime/play/round_feed.py",
        "subscriber.invited and color is None and self.shown.status is Status.OPEN",
        "subscriber.invited and color is None",
        "tests/realtime/play/test_play.py",
    ),
    Mutant(
        "any secret opens the players' chat",
        "server/games/changes/beginning.py",
        "    return _opened(game, player, invite_hash) is not None\n",
        "    return True\n",
        "tests/realtime/play/test_play.py",
    ),
    Mutant(
        "a game that others write all the time holds up all other accounts",
        "server/realtime/account_merges.py",
        "except (Busy, StorageDown, Conflict, Stale) as error:",
        "except (Busy, StorageDown, Conflict) as error:",
        "tests/realtime/test_account_merges.py",
    ),
)
