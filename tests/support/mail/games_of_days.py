"""What people do in games of days in tests of mail: they come, do one thing, and leave."""

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


async def resign(player, game):
    async with player.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.command(t="resign"))["t"] == "ok"
