"""A tournament of a site in this process, which tests begin, and whose games they end."""

from dataclasses import replace

from server.games.changes.ending import Resign
from server.games.changes.playing import PlayMove
from server.games.tournaments.arena import FREE_AFTER_MS
from server.realtime.cluster.bus import PeopleInTournament
from server.rules.variant.pieces import Color
from server.web.site import SITE


class Cup:
    """One at that path."""

    def __init__(self, server, path):
        self.site, self.path, self.id = server.app[SITE], path, path.rpartition("/")[2]

    @property
    def live(self):
        return self.site.live.tournaments

    async def begin(self):
        made = await self.site.store.tournaments.find_tournament(self.id)
        now = self.site.now()
        assert await self.site.store.tournaments.change_tournament(
            replace(made, terms=replace(made.terms, starts=now), rev=made.rev + 1)
        )
        self.live.catch_up()
        await self.live.tick()

    async def win(self, color):
        """That side wins every game that is in play. Their pairings."""
        won = (await self.live.look(self.id)).under_way
        for pairing in won:
            found = await self.site.live.rounds.get(pairing.game)
            for ply, (uci, by) in enumerate((("e2e4", Color.WHITE), ("e7e5", Color.BLACK))):
                await found.submit(PlayMove(by, uci, ply), self.site.now())
            await found.submit(Resign(color.other), self.site.now())
        await self.site.live.services.background.finish(5)
        return won

    async def pair(self, clock):
        """Has all who have joined an arena come, and be paired. The first pairing."""
        view = await self.live.look(self.id)
        self.live.hear(PeopleInTournament(self.id, "another", tuple(view.entrants)))
        await self.live.tick()
        clock.turn(FREE_AFTER_MS)
        while not (await self.live.look(self.id)).under_way:
            await self.live.tick()
        return (await self.live.look(self.id)).under_way[0]
