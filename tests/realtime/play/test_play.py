"""Two connections play a game: what each of them, and a watcher, receives."""

from server.games.player import Player
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE

SCHOLARS_MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]


async def test_a_game_from_the_first_move_to_mate(node, store, variants):
    game, white, black = await node.pair(variants)
    watcher = Client(node, None)
    await watcher.hi(game)
    assert (white.last("snapshot")["you"], black.last("snapshot")["you"]) == ("white", "black")
    assert "you" not in watcher.last("snapshot")
    for ply, uci in enumerate(SCHOLARS_MATE):
        mover = (white, black)[ply % 2]
        assert (await mover.move(uci, ply))["t"] == "ok"
        assert len(store.games[game].plies) == ply + 1
    for client in (white, black, watcher):
        moves = client.all("moved")
        assert [move["uci"] for move in moves] == SCHOLARS_MATE
        assert moves[-1]["san"] == "Qxf7#"
        over = client.last("over")
        assert over["ended"] == {"result": "1-0", "winner": "white", "reason": "checkmate"}
        numbers = [message["v"] for message in (*moves, over)]
        assert numbers == list(range(numbers[0], numbers[0] + 8))


async def test_everybody_gets_the_legal_moves_of_a_free_seat_to_move(node, variants):
    chosen = variants["chess"]
    terms = Terms(chosen, False, chosen.start_fen, FIVE_MINUTES, rated=False)
    created = await create_open_game(node.rounds.services, terms, WHITE, Color.WHITE)
    white, friend = await node.seat(created.game.id, WHITE), await node.seat(created.game.id, None)
    assert "legal" not in friend.last("snapshot")
    await white.move("e2e4", 0)
    assert "e7e5" in friend.last("moved")["legal"]
    assert "legal" not in white.last("moved")
    assert "e7e5" in (await node.seat(created.game.id, None)).last("snapshot")["legal"]
    await node.rounds.join(created.game.id, created.secret, BLACK)
    await settle()
    assert "legal" not in (await node.seat(created.game.id, None)).last("snapshot")


async def test_only_the_player_to_move_gets_legal_moves(node, variants):
    game, white, black = await node.pair(variants)
    watcher = Client(node, None)
    await watcher.hi(game)
    assert len(white.last("snapshot")["legal"].split()) == 20
    assert "legal" not in black.last("snapshot")
    await white.move("e2e4", 0)
    assert len(black.last("moved")["legal"].split()) == 20
    assert "legal" not in white.last("moved")
    assert "legal" not in watcher.last("moved")


async def test_the_answer_comes_before_the_event_and_names_it(node, variants):
    _, white, _ = await node.pair(variants)
    white.read()
    await white.move("e2e4", 0)
    kinds = [message["t"] for message in white.got]
    assert kinds.index("ok") < kinds.index("moved")
    assert white.last("ok")["v"] == white.last("moved")["v"]


async def test_the_same_move_again_is_answered_as_done(node, store, variants):
    _, white, black = await node.pair(variants)
    await white.move("e2e4", 0)
    writes = store.writes
    again = await white.move("e2e4", 0)
    assert (again["t"], again["dup"]) == ("ok", True)
    await black.move("e7e5", 1)
    assert (await white.move("e2e4", 0))["dup"] is True
    assert store.writes == writes + 1
    assert len(white.all("moved")) == 2


async def test_another_move_for_an_old_ply_is_stale_and_brings_a_snapshot(node, variants):
    _, white, _ = await node.pair(variants)
    await white.move("e2e4", 0)
    answer = await white.move("d2d4", 0)
    assert (answer["t"], answer["code"]) == ("error", "stale")
    assert white.got[-1]["t"] == "snapshot"
    assert [move[0] for move in white.got[-1]["moves"]] == ["e2e4"]


async def test_impossible_moves_are_refused_and_change_nothing(node, store, variants):
    game, white, black = await node.pair(variants)
    watcher = Client(node, None)
    await watcher.hi(game)
    before = store.games[game]
    assert (await black.move("e7e5", 0))["code"] == "not_your_turn"
    assert (await white.move("e2e5", 0))["code"] == "illegal"
    assert (await white.move("zzzz", 0))["code"] == "illegal"
    assert (await watcher.move("e2e4", 0))["code"] == "not_a_player"
    assert store.games[game] is before


async def test_two_tabs_of_one_player_both_play_and_both_see(node, variants):
    game, white, black = await node.pair(variants)
    second = await node.seat(game, BLACK)
    await white.move("e2e4", 0)
    assert (await second.move("e7e5", 1))["t"] == "ok"
    assert black.last("moved")["uci"] == "e7e5"
    second.close()
    await node.tick(2_000)
    assert white.last("crowd")["black"]["here"] == "here"


async def test_every_offer_can_be_made_and_answered(node, variants):
    _, white, black = await node.opened(variants)
    await white.ask("offer", kind="draw")
    offer = black.last("offered")
    assert (offer["kind"], offer["by"]) == ("draw", "white")
    assert (await black.ask("decline", offer=offer["offer"]))["t"] == "ok"
    assert white.last("offer_closed")["how"] == "declined"
    await white.ask("offer", kind="takeback")
    await black.ask("accept", offer=black.last("offered")["offer"])
    assert (white.last("took_back")["plies"], black.last("took_back")["plies"]) == (0, 0)
    assert "legal" in white.last("took_back")
    assert "legal" not in black.last("took_back")
    assert (await white.move("d2d4", 0))["t"] == "ok"


async def test_resigning_ends_the_game_and_later_commands_are_refused(node, variants):
    _, white, black = await node.opened(variants)
    assert (await black.ask("resign"))["t"] == "ok"
    assert white.last("over")["ended"] == {"result": "1-0", "winner": "white", "reason": "resign"}
    assert (await white.ask("resign"))["code"] == "over"
    assert (await white.move("g1f3", 2))["code"] == "over"
    assert len(white.all("over")) == 1


async def test_a_friend_who_already_watches_becomes_a_player_by_joining(node, variants):
    chess = variants["chess"]
    created = await create_open_game(
        node.rounds.services, Terms(chess, False, chess.start_fen, FIVE_MINUTES, rated=False), WHITE, Color.WHITE
    )
    white = await node.seat(created.game.id, WHITE)
    friend = await node.seat(created.game.id, BLACK)
    assert white.last("snapshot")["invited"] is True
    await node.rounds.join(created.game.id, created.secret, BLACK)
    friend.read()
    assert friend.last("snapshot")["you"] == "black"
    assert white.last("joined")["seat"] == {"id": BLACK.id, "name": BLACK.name, "account": 1}
    assert (await white.move("e2e4", 0))["t"] == "ok"
    assert (await friend.move("e7e5", 1))["t"] == "ok"


async def open_game(node, variants):
    """A game in which Wanda waits, and the secret of the other seat."""
    chosen = variants["chess"]
    terms = Terms(chosen, False, chosen.start_fen, FIVE_MINUTES, rated=False)
    created = await create_open_game(node.rounds.services, terms, WHITE, Color.WHITE)
    return created.game.id, created.secret


async def opened_by(node, player, game, secret):
    client = Client(node, player)
    await client.hi(game, secret=secret)
    return client


async def test_a_friend_with_the_link_can_chat_and_the_inviter_sees_them_arrive(node, variants):
    game, secret = await open_game(node, variants)
    white, watcher = await node.seat(game, WHITE), await node.seat(game, None)
    friend = await opened_by(node, BLACK, game, secret)
    await node.tick(1_000)
    assert (white.last("crowd")["invited"], white.last("crowd")["watchers"]) == (True, 1)
    await white.ask("chat", text="Welcome")
    await friend.ask("chat", text="Hello")
    for one in (white, friend):
        assert [line["line"]["text"] for line in one.all("said")] == ["Welcome", "Hello"]
    assert watcher.all("said") == []
    await node.rounds.join(game, secret, BLACK)
    await settle()
    assert [line["text"] for line in friend.last("snapshot")["chat"]] == ["Welcome", "Hello"]
    await node.tick(1_000)
    assert "invited" not in white.last("crowd")


async def test_a_friend_who_greets_anew_under_a_name_is_not_said_to_have_gone(node, variants):
    game, secret = await open_game(node, variants)
    white = await node.seat(game, WHITE)
    friend = await opened_by(node, None, game, secret)
    await node.pass_time(3)
    told = len(white.all("crowd"))
    friend.close(bye=True)
    await node.tick(300)
    white.read()
    await opened_by(node, BLACK, game, secret)
    await node.tick(2_000)
    assert white.all("crowd")[told:]
    assert all(crowd.get("invited") for crowd in white.all("crowd")[told:])


async def test_a_friend_who_has_gone_is_not_said_to_be_here(node, variants):
    game, secret = await open_game(node, variants)
    white = await node.seat(game, WHITE)
    friend = await opened_by(node, None, game, secret)
    await node.tick(2_000)
    friend.close(bye=True)
    await node.tick(2_000)
    assert "invited" not in white.last("crowd")


async def test_a_wrong_secret_or_a_taken_seat_gives_no_access_to_the_chat(node, variants):
    game, secret = await open_game(node, variants)
    white = await node.seat(game, WHITE)
    stranger = await opened_by(node, None, game, "x" * 22)
    late = await opened_by(node, Player("late-id", "Late"), game, secret)
    await node.rounds.join(game, secret, BLACK)
    await settle()
    await white.ask("chat", text="Only for you")
    for one in (stranger, late, await opened_by(node, Player("later-id", "Later"), game, secret)):
        assert one.all("said") == []
        assert one.last("snapshot")["chat"] == []
