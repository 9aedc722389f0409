"""Defences of what programs may do in somebody's name, switched off."""

from tests.faults.mutant import Mutant

TOKEN_PAGES = "server/web/bots/token_pages.py"
TEST_HOST_BOT = "tests/host/bot/test_host_bot.py"
TEST_RIGHTS = "tests/web/bots/test_rights.py"
TEST_TOKENS = "tests/web/bots/test_token_pages.py"
TEST_BERSERK = "tests/web/bots/test_berserk.py"
TEST_ENGINES = "tests/host/bot/test_engines.py"

OF_BOTS: tuple[Mutant, ...] = (
    Mutant(
        "who has become a bot is paired into rated games",
        "server/realtime/lobby/open_seeks.py",
        "            and not (seek.rated and (self._is_bots(seek) or self._is_bots(wanted)))\n",
        "",
        "tests/realtime/lobby/test_lobby.py::test_who_has_become_a_bot_meanwhile_is_not_paired_into_a_rated_game",
    ),
    Mutant(
        "who becomes a bot leaves rated seeks behind",
        "server/web/bots/account_api.py",
        "        await site.live.lobby.withdraw_all(account.user)\n",
        "",
        f"{TEST_RIGHTS}::test_who_becomes_a_bot_is_paired_into_no_rated_game_by_what_they_sought_before",
    ),
    Mutant(
        "a bot's message too many ends what it was about to do",
        "server/web/bots/game_commands.py",
        "    except (SaidTooMuch, SaidTwice) as refusal:\n",
        "    except ZeroDivisionError as refusal:\n",
        TEST_BERSERK,
    ),
    Mutant(
        "an engine is told of a level that it does not have",
        "server/host/bot/strength.py",
        "str(max(least, min(most, value)))",
        "str(value)",
        TEST_ENGINES,
    ),
    Mutant(
        "a token is kept as it is",
        TOKEN_PAGES,
        "ApiToken(digest(secret), ",
        "ApiToken(secret, ",
        TEST_TOKENS,
    ),
    Mutant(
        "somebody has ever more tokens",
        "server/games/people/api_tokens.py",
        "    if len(own) >= MAX_TOKENS:\n",
        "    if False:\n",
        TEST_TOKENS,
    ),
    Mutant(
        "anybody revokes anybody's token",
        "server/storage/tables/tokens.py",
        "delete(_id=hashed, owner=owner)",
        "delete(_id=hashed)",
        TEST_TOKENS,
    ),
    Mutant(
        "tokens outlive their account",
        "server/realtime/account_merges.py",
        "            await store.tokens.forget(merge.user)\n",
        "",
        TEST_TOKENS,
    ),
    Mutant(
        "a token is good for everything",
        "server/web/bots/callers.py",
        "            if scopes and caller.token.scopes.isdisjoint(scopes):\n",
        "            if False:\n",
        f"{TEST_RIGHTS}::test_a_token_does_only_what_it_is_for",
    ),
    Mutant(
        "anybody plays by the Bot API",
        "server/web/bots/callers.py",
        "        if not caller.account.bot:\n",
        "        if False:\n",
        f"{TEST_RIGHTS}::test_a_token_does_only_what_it_is_for",
    ),
    Mutant(
        "an account that was played becomes a bot",
        "server/web/bots/account_api.py",
        "        if await site.store.count_by_player(account.user):\n",
        "        if False:\n",
        f"{TEST_RIGHTS}::test_only_an_account_that_nobody_has_played_becomes_a_bot",
    ),
    Mutant(
        "a bot plays rated games against people",
        "server/realtime/bots.py",
        "        if any(among) and not (self.may_be_rated and all(among)):\n",
        "        if any(among) and not self.may_be_rated:\n",
        f"{TEST_RIGHTS}::test_a_bot_plays_casual_games_unless_the_host_says_otherwise",
    ),
    Mutant(
        "a bot finds rated games by a link",
        "server/realtime/play/rounds.py",
        "        if found.game.terms.rated:\n",
        "        if False:\n",
        f"{TEST_RIGHTS}::test_a_bot_in_a_browser_finds_no_rated_game_either",
    ),
    Mutant(
        "a bot finds rated games in the lobby",
        "server/realtime/lobby/lobby.py",
        "            if standing.rated:\n",
        "            if False:\n",
        f"{TEST_RIGHTS}::test_a_bot_in_a_browser_finds_no_rated_game_either",
    ),
    Mutant(
        "a stream outlives its token",
        "server/web/bots/open_streams.py",
        "tokens.find(self._caller.token.hashed) is None:\n",
        "tokens.find(self._caller.token.hashed) is False:\n",
        f"{TEST_RIGHTS}::test_a_revoked_token_reads_no_more",
    ),
    Mutant(
        "an account has ever more streams",
        "server/web/bots/open_streams.py",
        "        if not self.connections.free(account, PER_ACCOUNT):\n",
        "        if False:\n",
        f"{TEST_RIGHTS}::test_an_account_has_only_so_many_streams",
    ),
    Mutant(
        "a game in which the engine fails is left hanging",
        "server/host/bot/host_bot.py",
        "            if still:\n",
        "            if False:\n",
        f"{TEST_HOST_BOT}::test_it_resigns_rather_than_hang",
    ),
    Mutant(
        "the host's bot comes before anybody else can",
        "server/host/bot/host_bot.py",
        ' and now - self.seen[seek["id"]] >= self.wait_s',
        "",
        f"{TEST_HOST_BOT}::test_it_leaves_whoever_waits_to_people_first",
    ),
)
