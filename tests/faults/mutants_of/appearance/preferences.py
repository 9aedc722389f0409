"""What people prefer, with what keeps it true and apart switched off."""

from tests.faults.mutant import Mutant

MODEL = "server/web/preferences/preferences.py"
KEPT = "server/web/preferences/kept.py"
PAGE = "server/web/pages/settings.py"
TEST_MODEL = "tests/web/preferences/test_preferences.py"
TEST_PAGE = "tests/web/preferences/test_settings_page.py"

OF_PREFERENCES: tuple[Mutant, ...] = (
    Mutant(
        "one strange choice loses all others",
        MODEL,
        "{name: value for name, value in chosen.items() if name not in wrong}",
        "{}",
        TEST_MODEL,
    ),
    Mutant("who chose the defaults has not chosen", MODEL, 'WRITTEN: Final = "1"', 'WRITTEN: Final = ""', TEST_MODEL),
    Mutant(
        "a board that cannot be drawn can be chosen",
        MODEL,
        "        if name not in names:\n",
        "        if False:\n",
        TEST_MODEL,
    ),
    Mutant(
        "what an account has stored is not asked for",
        KEPT,
        "    if visitor is not None and is_kept_in_account(visitor):\n",
        "    if False:\n",
        TEST_PAGE,
    ),
    Mutant(
        "a choice stays in the browser of somebody with an account",
        KEPT,
        "        if visitor is None:\n",
        "        if True:\n",
        TEST_PAGE,
    ),
    Mutant(
        "what a guest chose is lost when they register",
        "server/web/accounts/account_pages.py",
        "    await bring_along(request, site.store, visitor)\n",
        "",
        TEST_PAGE,
    ),
    Mutant(
        "a switch that the form leaves out stays on",
        PAGE,
        'dict.fromkeys(SWITCHES, "off") if WHOLE in given else {}',
        "{}",
        TEST_PAGE,
    ),
    Mutant(
        "a language that nobody has written can be chosen",
        PAGE,
        '    if (language := given.get("language")) and language not in request.app[LANGUAGES]:\n',
        "    if False:\n",
        TEST_PAGE,
    ),
    Mutant(
        "a page that is kept for all has the look of its first reader",
        "server/web/rendering/page_cache.py",
        '        context = {**context, "look": LOOK}\n',
        "        pass\n",
        "tests/web/rendering/test_page_cache.py",
    ),
    Mutant(
        "the pieces that were chosen come only when scripts run",
        KEPT,
        "    if preferences.pieces in other_sets():\n",
        "    if False:\n",
        TEST_PAGE,
    ),
    Mutant(
        "a deleted account leaves what it preferred",
        "server/storage/sqlite/accounts.py",
        '    connection.execute("DELETE FROM users WHERE id = ?", (account.user,))\n',
        "",
        "tests/storage/every_store/people/test_accounts_kept.py",
    ),
    Mutant(
        "of several changes at once one is kept",
        KEPT,
        "        had = None if instead_of_any else visitor.user.preferences\n",
        "        had = None\n",
        "tests/web/preferences/test_settings_page.py::test_of_many_changes_at_once_none_is_lost",
    ),
)
