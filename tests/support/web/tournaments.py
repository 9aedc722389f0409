"""Tournaments on a site, brought to their end without anybody playing."""

from server.games.tournaments.tournament import GameResult, Pairing, finished
from server.rules.variant.pieces import Color

SWISS = {"key": "swiss12345", "format": "swiss", "variant": "chess", "clock": "180+2", "starts": "15", "name": "Cup"}


async def end_tournament(site, id):
    """Of two who have joined the first by the alphabet beats the other, and it is over. Returns when, ms."""
    kept, now = site.store.tournaments, site.now()
    first, second = sorted(await kept.entrants_of(id), key=lambda one: one.person.name)
    term = await kept.lease(id, "node", now, now + 1_000)
    pairing = Pairing(f"{id[:8]}g1", 1, 0, first.person.id, second.person.id, now)
    assert await kept.add_wave(id, [pairing], "node", term)
    assert await kept.add_result(id, GameResult(pairing, Color.WHITE, 20, now))
    found = await kept.find_tournament(id)
    site.live.tournaments.catch_up()
    view = await site.live.tournaments.look(id)
    assert await kept.change_tournament(finished(found, now, view.sheets))
    site.live.tournaments.catch_up()
    return now
