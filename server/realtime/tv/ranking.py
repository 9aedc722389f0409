"""Which games are worth watching, and which of them more than others. Pure: knows no channel and no viewer."""

from collections.abc import Iterable

from server.games.status import Status
from server.realtime.play.round import Round

TvRank = tuple[int, int, int, int]


def worth_showing(one: Round) -> bool:
    """Is it a started real-time game, in which something will happen soon?"""
    game = one.game
    return game.status is Status.LIVE and game.started and game.terms.control.by_the_minute


def tv_rank(one: Round) -> TvRank:
    """The larger, the more worth watching: both players here, rated, strong players, many watchers."""
    strength = sum(player.rating for player in one.feed.ratings if player is not None)
    return one.presence.players_here, int(one.game.terms.rated), strength, one.feed.watchers


def spread(best: Iterable[Round]) -> list[Round]:
    """The same rounds, the best of each variant first, so that none fills TV while another is played."""
    first: dict[str, Round] = {}
    others = []
    for one in best:
        if first.setdefault(one.game.terms.variant.id, one) is not one:
            others.append(one)
    return [*first.values(), *others]
