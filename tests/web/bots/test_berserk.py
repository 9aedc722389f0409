"""Bots that are written with berserk play on this site, by changing its base URL and nothing else."""

import random

import berserk
import pytest

from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import parse_fen, start_position
from server.rules.notation.pgn_tags import find_variant
from tests.support.bots.berserk_client import begun, challenge
from tests.support.rules.built_in import VARIANTS
from tests.support.web.people import FOOLS_MATE

PLIES = 12
FORMS = [(one.id, False) for one in VARIANTS.values()] + [(one.id, True) for one in VARIANTS.values() if one.chess960]


async def test_two_bots_play_a_game_from_the_challenge_to_the_end(bots):
    anna, ben = bots
    events = [bot.listen(bot.client.bots.stream_incoming_events()) for bot in bots]
    made = await challenge(anna, ben)
    told = (await events[1].until("challenge"))["challenge"]
    assert (told["id"], told["challenger"]["name"], told["variant"]["key"]) == (made["id"], "AnnaBot", "standard")
    assert told["timeControl"] == {"type": "clock", "limit": 300, "increment": 3, "show": "5+3"}
    await ben.do(ben.client.bots.accept_challenge, made["id"])
    for stream, color in zip(events, ("white", "black"), strict=True):
        begun = (await stream.until("gameStart"))["game"]
        assert (begun["gameId"], begun["color"], begun["isMyTurn"]) == (made["id"], color, color == "white")
    games = [bot.listen(bot.client.bots.stream_game_state(made["id"])) for bot in bots]
    for game in games:
        full = await game.until("gameFull")
        assert (full["white"]["title"], full["white"]["name"], full["initialFen"]) == ("BOT", "AnnaBot", "startpos")
        assert full["state"]["status"] == "started"
    for ply, uci in enumerate(FOOLS_MATE):
        await bots[ply % 2].do(bots[ply % 2].client.bots.make_move, made["id"], uci)
        for game in games:
            state = await game.until("gameState")
            assert state["moves"].split() == FOOLS_MATE[: ply + 1]
    assert (state["status"], state["winner"]) == ("mate", "black")
    for stream, game in zip(events, games, strict=True):
        assert (await stream.until("gameFinish"))["game"]["winner"] == "black"
        await game.ended.wait()


@pytest.mark.parametrize(("variant", "chess960"), FORMS)
async def test_bots_play_every_variant(bots, variant, chess960):
    name = VARIANTS[variant].pgn_tag_960 if chess960 else VARIANTS[variant].pgn_tag
    if chess960 and name == VARIANTS[variant].pgn_tag:
        name += "960"
    game, streams = await begun(*bots, variant=name)
    full = await streams[0].until("gameFull")
    assert find_variant(full["variant"]["key"], VARIANTS) == (VARIANTS[variant], chess960)
    if chess960:
        position = parse_fen(VARIANTS[variant], full["initialFen"], chess960=True)
    else:
        assert full["initialFen"] == "startpos"
        position = start_position(VARIANTS[variant])
    draw, played = random.Random(variant), []
    for ply in range(PLIES):
        # The start of a 960 form is drawn: a random game from it may be over after a few moves.
        move = draw.choice([move for move in legal_moves(position) if legal_moves(play(position, move))])
        await bots[ply % 2].do(bots[ply % 2].client.bots.make_move, game, move.uci)
        position, played = play(position, move), [*played, move.uci]
        assert (await streams[0].until("gameState"))["moves"].split() == played
    await bots[1].do(bots[1].client.bots.resign_game, game)
    while (state := await streams[0].until("gameState"))["status"] == "started":
        pass
    assert (state["status"], state["winner"]) == ("resign", "white")
    pgn = await bots[0].do(bots[0].client.games.export, game, as_pgn=True)
    assert f'[Variant "{full["variant"]["name"]}"]' in pgn
    exported = await bots[0].do(bots[0].client.games.export, game)
    assert len(exported["moves"].split()) == PLIES


async def test_a_bot_reads_and_answers_offers_and_writes(bots):
    anna, ben = bots
    game, (first, second) = await begun(*bots)
    for ply, uci in enumerate(FOOLS_MATE[:2]):
        await bots[ply % 2].do(bots[ply % 2].client.bots.make_move, game, uci)
        await second.until("gameState")
    await anna.do(anna.client.bots.post_message, game, "good luck")
    assert (await second.until("chatLine")) == {
        "type": "chatLine", "room": "player", "username": "AnnaBot", "text": "good luck"
    }  # fmt: skip
    for kind, answer in (("takeback", "no"), ("draw", "no"), ("takeback", "yes")):
        assert await anna.post(f"/api/bot/game/{game}/{kind}/yes") == (200, {"ok": True})
        assert (await second.until("gameState"))[f"w{kind}"]
        assert await ben.post(f"/api/bot/game/{game}/{kind}/{answer}") == (200, {"ok": True})
        state = await second.until("gameState")
        assert f"w{kind}" not in state
    assert state["moves"] == ""
    assert await anna.post(f"/api/bot/game/{game}/draw/no") == (200, {"ok": True}), "there is none to decline"
    for ply, uci in enumerate(FOOLS_MATE[:3]):
        with_draw = {"params": {"offeringDraw": "true"}} if ply == 2 else {}
        assert (await bots[ply % 2].post(f"/api/bot/game/{game}/move/{uci}", **with_draw))[0] == 200
    while not (await second.until("gameState")).get("wdraw"):
        pass
    assert await ben.post(f"/api/bot/game/{game}/draw/yes") == (200, {"ok": True})
    while (state := await first.until("gameState"))["status"] == "started":
        pass
    assert state["status"] == "draw"
    assert "winner" not in state


async def test_a_move_that_is_refused_offers_and_accepts_no_draw(bots):
    anna, ben = bots
    game, (first, _) = await begun(*bots)
    with_draw = {"params": {"offeringDraw": "true"}}
    for ply, uci in enumerate(FOOLS_MATE[:2]):
        await bots[ply % 2].do(bots[ply % 2].client.bots.make_move, game, uci)
    for bot, uci in ((anna, "e2e5"), (ben, "e7e6"), (anna, "zzzz")):
        assert (await bot.post(f"/api/bot/game/{game}/move/{uci}", **with_draw))[0] == 400
    assert await ben.post(f"/api/bot/game/{game}/draw/yes") == (200, {"ok": True})
    assert (await anna.post(f"/api/bot/game/{game}/move/e2e5", **with_draw))[0] == 400
    while not (state := await first.until("gameState")).get("bdraw"):
        assert "wdraw" not in state
    assert await anna.post(f"/api/bot/game/{game}/move/g2g4", **with_draw) == (200, {"ok": True})
    state = await first.until("gameState")
    assert (state["status"], state["moves"].split()) == ("draw", FOOLS_MATE[:3]), "the move and the draw at once"


async def test_a_message_too_many_does_not_end_what_a_client_was_about_to_do(bots, clock):
    """lichess-bot greets in both rooms before its first move, in every game anew, and gives the move up after a 400."""
    anna, _ = bots
    game, (first, _) = await begun(*bots)
    greetings = [("player", "Hi!"), ("player", "Hi!"), *(("spectator", f"Hi, {n}!") for n in range(5))]
    said = [
        await anna.post(f"/api/bot/game/{game}/chat", data={"room": room, "text": text}) for room, text in greetings
    ]
    assert {status for status, _ in said} == {200}
    assert [answer["ok"] for _, answer in said] == [True, False, True, True, True, False, False]
    assert (said[1][1]["error"], said[-1][1]["error"][:18]) == ("You have just said that.", "That was a lot at ")
    await anna.do(anna.client.bots.make_move, game, "e2e4")
    assert (await first.until("gameState"))["moves"] == "e2e4"
    assert (await anna.post(f"/api/bot/game/{game}/chat", data={"text": "x" * 2_000}))[0] == 400


async def test_challenges_are_listed_declined_and_cancelled(bots, monkeypatch):
    monkeypatch.setattr("server.web.bots.streams.KEEP_ALIVE_S", 0.1)
    anna, ben = bots
    streams = [bot.listen(bot.client.bots.stream_incoming_events()) for bot in bots]
    for how, side in (("decline", 0), ("cancel", 1)):
        made = await challenge(anna, ben, variant="Chess960", days=None)
        assert made["variant"]["key"] == "chess960"
        assert (await streams[0].until("challenge"))["challenge"]["id"] == made["id"]
        await streams[1].until("challenge")
        mine, theirs = await anna.do(anna.client.challenges.get_mine), await ben.do(ben.client.challenges.get_mine)
        assert [one["id"] for one in mine["out"]] == [one["id"] for one in theirs["in"]] == [made["id"]]
        if how == "decline":
            await ben.do(ben.client.challenges.decline, made["id"])
        else:
            await anna.do(anna.client.challenges.cancel, made["id"])
        event = await streams[side].next()
        assert event["type"] == f"challenge{'Declined' if how == 'decline' else 'Canceled'}"
        assert event["challenge"]["id"] == made["id"]
        if how == "cancel":
            await streams[0].until("challengeCanceled")
    assert all(stream.silent for stream in streams), "who declines needs not be told"


async def test_what_is_wrong_is_said_as_lichess_says_it(bots):
    anna, ben = bots
    game, _ = await begun(*bots)
    for bot, uci in ((ben, "e7e5"), (anna, "e2e5"), (anna, "zz")):
        with pytest.raises(berserk.exceptions.ResponseError) as refused:
            await bot.do(bot.client.bots.make_move, game, uci)
        assert refused.value.status_code == 400
        assert refused.value.cause["error"]
    with pytest.raises(berserk.exceptions.ResponseError) as refused:
        await challenge(anna, ben, variant="nothing")
    assert refused.value.status_code == 400


async def test_an_account_says_who_it_is(bots, ben):
    anna, other = bots
    account = await anna.do(anna.client.account.get)
    assert (account["id"], account["username"], account["title"]) == ("annabot", "AnnaBot", "BOT")
    tested = await anna.do(anna.client.oauth.test_tokens, anna.token, "fh_nobody's")
    assert tested["fh_nobody's"] is None
    assert tested[anna.token]["userId"] == "annabot"
    assert "bot:play" in tested[anna.token]["scopes"].split(",")
    game, _ = await begun(*bots)
    (playing,) = await anna.do(anna.client.games.get_ongoing)
    assert (playing["gameId"], playing["opponent"]["username"], playing["isMyTurn"]) == (game, "BenBot", True)
    here = list(await other.do(lambda: list(other.client.bots.get_online_bots())))
    assert {one["username"] for one in here} <= {"AnnaBot", "BenBot"}
