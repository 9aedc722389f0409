"""A person's games on all their pages: the opponent's move, a beginning and an end are told at once, also elsewhere."""

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.terms import Terms
from server.realtime.cluster.bus import TurnPassed, game_stored
from server.realtime.play.creation import create_open_game
from server.realtime.your_games import SHOWN
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, BLITZ, CARLA, DAYS, Page, PageWithGames, begun


async def test_a_correspondence_move_is_sent_to_every_page_of_both_players(node):
    game = await begun(node)
    anna, other, ben = PageWithGames(node, ANNA), PageWithGames(node, ANNA), PageWithGames(node, BEN)
    assert [(one["id"], one.get("turn")) for one in (await anna.told())["games"]] == [(game, 1)]
    white = await node.seat(game, ANNA)
    await white.move("e2e4", 0)
    for page in (anna, other):
        assert (await page.told())["waiting"] == 0
        assert "news" not in await page.told()
    told = await ben.told()
    assert (told["waiting"], told["news"]) == (1, game)
    assert (told["games"][0]["by"], told["games"][0]["left"]) == ("Anna", DAYS.days * 86_400_000)


async def test_a_page_is_told_the_board_and_the_last_move_from_its_own_side(node):
    game = await begun(node)
    anna, ben = PageWithGames(node, ANNA), PageWithGames(node, BEN)
    assert "last" not in (await anna.told())["games"][0]
    white = await node.seat(game, ANNA)
    await white.move("e2e4", 0)
    await anna.told()
    for page, black in ((anna, None), (ben, 1)):
        shown = (await page.told())["games"][0]
        assert (shown["board"], shown["last"]) == ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "e2e4")
        assert shown.get("black") == black


async def test_beginnings_and_ends_are_sent_only_to_pages_that_asked(node):
    anna, quiet = PageWithGames(node, ANNA), Page(node, ANNA)
    assert (await anna.told())["games"] == []
    game = await begun(node, TimeControl.realtime(180_000, 2_000))
    assert [one.get("live") for one in (await anna.told())["games"]] == [1]
    white = await node.seat(game, ANNA)
    await white.ask("abort")
    assert (await anna.told())["games"] == []
    assert "your_games" not in quiet.kinds()


async def test_an_adjourned_game_says_so_to_both_and_who_is_ready_to_go_on(node):
    game = await begun(node, TimeControl.realtime(180_000, 2_000))
    white, black = await node.seat(game, ANNA), await node.seat(game, BEN)
    await white.move("e2e4", 0)
    await black.move("e7e5", 1)
    anna, ben = PageWithGames(node, ANNA), PageWithGames(node, BEN)

    async def shown():
        told = [(await page.told())["games"][0] for page in (anna, ben)]
        assert not any("turn" in one or "live" in one for one in told)
        return [one["adjourned"] for one in told]

    await white.ask("offer", kind="adjourn")
    await black.ask("offer", kind="adjourn")
    assert await shown() == ["nobody", "nobody"]
    black.close(bye=True)
    await white.ask("ready")
    assert await shown() == ["you", "opponent"]
    black = await node.seat(game, BEN)
    white.close(bye=True)
    await black.ask("ready")
    assert await shown() == ["both", "both"]


async def test_a_game_that_can_be_claimed_says_so_once_the_flag_has_fallen(node):
    game = await begun(node, TimeControl.correspondence(1))
    white, black = await node.seat(game, ANNA), await node.seat(game, BEN)
    await black.ask("flagging", by_hand=True)
    await white.move("e2e4", 0)
    await black.move("e7e5", 1)
    ben = PageWithGames(node, BEN)
    assert "claimable" not in (await ben.told())["games"][0]
    await node.tick(DAY_MS)
    await node.rounds.remind_players()
    assert (await ben.told())["games"][0]["claimable"] == 1


async def test_a_real_time_move_is_sent_to_no_other_page(node):
    game = await begun(node, TimeControl.realtime(180_000, 2_000))
    ben = PageWithGames(node, BEN)
    await ben.told()
    white = await node.seat(game, ANNA)
    await white.move("e2e4", 0)
    await settle()
    assert ben.kinds().count("your_games") == 1


async def test_more_games_than_are_shown_are_counted(node):
    for _ in range(SHOWN + 3):
        await begun(node)
    told = await PageWithGames(node, ANNA).told()
    assert (len(told["games"]), told["more"], told["waiting"]) == (SHOWN, 3, SHOWN + 3)


async def test_a_move_at_another_process_is_sent_when_the_notice_comes(nodes, store):
    here, there = nodes
    game = await begun(here)
    ben, carla = PageWithGames(there, BEN), PageWithGames(there, CARLA)
    await ben.told()
    white = await here.seat(game, ANNA)
    await white.move("e2e4", 0)
    there.live.others.hear_notice(game_stored(store.games[game]))
    there.live.others.hear_notice(TurnPassed(game, BEN.id))
    assert await ben.news() == [game]
    assert (await carla.told())["games"] == []


async def test_a_message_reaches_the_pages_of_whoever_does_not_see_the_board_unless_they_block_its_writer(nodes):
    here, there = nodes
    game = await begun(here)
    ben, elsewhere, carla = Page(here, BEN), Page(there, BEN), Page(here, CARLA)
    here.live.services.bus.tell = there.live.others.hear_notice
    white = await here.seat(game, ANNA)
    assert (await white.ask("chat", text="Hello"))["t"] == "ok"
    for page in (ben, elsewhere):
        assert [one for one in page.read() if one["t"] == "written"] == [{"t": "written", "game": game, "by": "Anna"}]
    assert "written" not in carla.kinds()
    here.live.services.blocks.replace_of(BEN.id, [(BEN.id, ANNA.id)])
    assert (await white.ask("chat", text="Are you there?"))["t"] == "ok"
    here.live.services.blocks.replace_of(BEN.id, [])
    await here.seat(game, BEN)
    assert (await white.ask("chat", text="Good luck"))["t"] == "ok"
    assert ben.kinds().count("written") == elsewhere.kinds().count("written") == 1


@pytest.mark.parametrize("control", [BLITZ, DAYS])
async def test_a_rematch_is_offered_to_whoever_is_elsewhere_unless_they_block_who_offers_it(nodes, store, control):
    here, there = nodes
    game = await begun(here, control)
    ben, elsewhere, carla = Page(here, BEN), Page(there, BEN), Page(here, CARLA)
    here.live.services.bus.tell = there.live.others.hear_notice
    white, black = await here.seat(game, ANNA), await here.seat(game, BEN)
    await white.move("e2e4", 0)
    await black.ask("resign")

    async def offered():
        offer = await white.ask("offer", kind="rematch")
        assert offer["t"] == "ok"
        told = [[one for one in page.read() if one["t"] == "rematch_offered"] for page in (ben, elsewhere, carla)]
        await white.ask("decline", offer=store.games[game].offers[-1].id)
        return told

    assert await offered() == [[], [], []]  # they see it at the board
    black.close(bye=True)
    said = {"t": "rematch_offered", "game": game, "by": "Anna"}
    assert await offered() == [[said], [said], []]
    here.live.services.blocks.replace_of(BEN.id, [(BEN.id, ANNA.id)])
    assert await offered() == [[said], [said], []]


async def test_players_of_a_tournament_are_told_on_all_their_pages_that_it_begins_soon(nodes):
    here, there = nodes
    ben, elsewhere, carla = Page(here, BEN), Page(there, BEN), Page(here, CARLA)
    here.live.services.bus.tell = there.live.others.hear_notice
    here.live.pages.remind_players("cup", "Friday", [ANNA.id, BEN.id])
    told = [[one for one in page.read() if one["t"] == "tournament_soon"] for page in (ben, elsewhere, carla)]
    said = {"t": "tournament_soon", "tournament": "cup", "name": "Friday"}
    assert told == [[said], [said], []]


async def test_a_rematch_offered_between_two_pages_is_told_to_the_next_one_while_it_stands(node, store):
    game = await begun(node, BLITZ)
    white, black = await node.seat(game, ANNA), await node.seat(game, BEN)
    await white.move("e2e4", 0)
    await black.ask("resign")
    black.close(bye=True)

    async def told_next(by_then=settle):
        assert (await white.ask("offer", kind="rematch"))["t"] == "ok"
        await by_then()
        told = []
        for _ in range(2):
            page = PageWithGames(node, BEN)
            await page.told()
            await settle()
            told.append([one for one in page.read() if one["t"] == "rematch_offered"])
            page.close()
        return told

    async def withdrawn():
        assert (await white.ask("decline", offer=store.games[game].offers[-1].id))["t"] == "ok"

    assert await told_next() == [[{"t": "rematch_offered", "game": game, "by": "Anna"}], []]
    await withdrawn()
    assert await told_next(withdrawn) == [[], []]


@pytest.mark.parametrize("first_comes", ["before the offer", "after it", "elsewhere"])
async def test_a_rematch_that_a_page_at_one_process_has_shown_is_not_told_again_at_another(both, first_comes):
    here, there = both
    game = await begun(here, BLITZ)
    white, black = await here.seat(game, ANNA), await here.seat(game, BEN)
    await white.move("e2e4", 0)
    await black.ask("resign")
    black.close(bye=True)
    pages = [PageWithGames(here, BEN)] if first_comes == "before the offer" else []
    if first_comes == "elsewhere":
        # No page of theirs has been open where the game is, so only the game is followed there.
        pages = [PageWithGames(there, BEN)]
    assert (await white.ask("offer", kind="rematch"))["t"] == "ok"
    later = {"before the offer": (there, here), "after it": (here, there, here), "elsewhere": (here, there)}
    for node in later[first_comes]:
        pages.append(PageWithGames(node, BEN))
        await settle()
    told = [sum(one["t"] == "rematch_offered" for one in page.read()) for page in pages]
    assert told == [1, 0, 0]


async def test_a_game_that_was_made_though_the_answer_was_lost_is_listed(node, store, variants):
    anna = PageWithGames(node, ANNA)
    await anna.told()
    store.lose_answers = 1
    terms = Terms(variants["chess"], False, variants["chess"].start_fen, DAYS, rated=False)
    with pytest.raises(Unavailable):
        await create_open_game(node.rounds.services, terms, ANNA, Color.WHITE)
    assert [one["variant"] for one in (await anna.told())["games"]] == ["chess"]


async def test_a_page_that_keeps_saying_hi_is_cut_off(node):
    anna = PageWithGames(node, ANNA)
    for _ in range(3):
        anna.say("hi", proto=1, games=1)
        assert not anna.outbox.closed
    anna.say("hi", proto=1, games=1)
    assert anna.outbox.closed


async def test_all_that_is_urgent_is_counted_though_the_list_is_cut(node):
    anna = PageWithGames(node, ANNA)
    for _ in range(SHOWN):
        await begun(node)
    await begun(node, TimeControl.realtime(180_000, 2_000))
    await settle()
    told = await anna.told()
    assert (told["waiting"], told["urgent"], told["more"]) == (SHOWN, SHOWN + 1, 1)
