"""Tournaments on a site, brought to their end without anybody playing."""

from server.games.tournaments.tournament import GameResult, Pairing, finished
from server.realtime import live
from server.rules.variant.pieces import Color
from server.web.notifications import tournament_news

AN_HOUR_S = 3_600.0
SWISS = {"key": "swiss12345", "format": "swiss", "variant": "chess", "clock": "180+2", "starts": "15", "name": "Cup"}


def stop_timers(monkeypatch):
    """Has sites that start from now on run no tournament and tell no player by themselves."""
    monkeypatch.setattr(live, "TOURNAMENTS_EVERY_S", AN_HOUR_S)
    monkeypatch.setattr(tournament_news, "LOOK_EVERY_S", AN_HOUR_S)


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
