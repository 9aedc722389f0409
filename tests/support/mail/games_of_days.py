"""What people do in correspondence games in tests of mail: they come, do one thing, and leave."""

DAYS = {"kind": "correspondence", "days": 3}


async def game_of(white, black, clock=DAYS, **asked):
    """A game that White has made and Black has joined."""
    game = await white.challenge(clock=clock, **asked)
    await black.join(game)
    return game


async def play_alone(mover, game, uci, ply):
    """Plays one move and leaves."""
    async with mover.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.move(ply, uci))["t"] == "ok"


async def offer(maker, game, kind):
    """Offers something and leaves."""
    async with maker.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.command(t="offer", kind=kind))["t"] == "ok"


async def say(player, game, text):
    """Says something to the opponent and leaves."""
    async with player.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.command(t="chat", text=text))["t"] == "ok"


async def resign(player, game):
    async with player.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.command(t="resign"))["t"] == "ok"


async def under_way(white, black, days):
    """A game in which both have moved, so that the time runs, and Black is to move."""
    game = await game_of(white, black, {**DAYS, "days": days})
    for ply, (player, uci) in enumerate(((white, "e2e4"), (black, "e7e5"), (white, "g1f3"))):
        await play_alone(player, game, uci, ply)
    return game


async def both_moved(white, black, post_office):
    """A game in which both have moved, and White is to move; no mail waits."""
    game = await game_of(white, black)
    await play_alone(white, game, "e2e4", 0)
    await post_office.delivered(1)
    await play_alone(black, game, "e7e5", 1)
    post_office.mails.clear()
    return game
