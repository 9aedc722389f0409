"""Every command in every status: taken, or refused with the named reason. The table here is written independently."""

import pytest

from server.games.changes.beginning import BothHere, Join, Reseat
from server.games.changes.claiming import Claim
from server.games.changes.ending import Abort, Expire, Flag, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.pausing import CreditStall, KeepTurn, Pause, Resume
from server.games.changes.playing import PlayMove, PrepareMoves
from server.games.errors import (
    BadTerms,
    GameOver,
    NotAllowed,
    NotStarted,
    NotYourTurn,
    Refused,
    SeatTaken,
    Stale,
)
from server.games.game import play
from server.games.reminders import Remind
from server.games.state import OfferKind
from tests.support.games import BLACK, CARLA, INVITE, START, WHITE, live_game, open_game, over_game, running_game

DRAW = MakeOffer(WHITE, OfferKind.DRAW)
TAKEBACK = MakeOffer(WHITE, OfferKind.TAKEBACK)
REMATCH = MakeOffer(WHITE, OfferKind.REMATCH, "next")

# Command: what an open, an unstarted, a running and a finished game answer. "" = taken, "same" = taken, nothing to do.
ANSWERS = {
    Reseat("nobody", CARLA): ("same", "same", "same", "same"),
    Join(CARLA, INVITE): ("", SeatTaken, SeatTaken, GameOver),
    PlayMove(WHITE, "g1f3", 0): ("", "", Stale, GameOver),
    PlayMove(WHITE, "g1f3", 2): (Stale, Stale, "", GameOver),
    PlayMove(WHITE, "g1f3", 2, offers_draw=True): (Stale, Stale, "", GameOver),
    PlayMove(BLACK, "g8f6", 0): (NotYourTurn, NotYourTurn, Stale, GameOver),
    Resign(BLACK): (NotStarted, "", "", GameOver),
    Abort(WHITE): ("", "", NotAllowed, GameOver),
    DRAW: (NotStarted, NotAllowed, "", GameOver),
    TAKEBACK: (NotStarted, NotAllowed, "", GameOver),
    REMATCH: (NotStarted, NotAllowed, NotAllowed, ""),
    AcceptOffer(WHITE, 1, "next"): (NotStarted, Stale, Stale, Stale),
    DeclineOffer(WHITE, 1): (NotStarted, Stale, Stale, Stale),
    Claim(WHITE): (NotStarted, NotAllowed, "", GameOver),
    Flag(): ("same", "same", "same", "same"),
    BothHere(): (NotStarted, "", "same", GameOver),
    Expire(): ("same", "same", "same", "same"),
    Pause(START): (NotStarted, "", "", GameOver),
    Resume(): (NotStarted, "same", "same", GameOver),
    CreditStall(50): (NotStarted, "same", "", GameOver),
    KeepTurn(0, START + 50): (NotStarted, "same", "same", GameOver),
    KeepTurn(2, START + 50): (NotStarted, "same", "", GameOver),
    Remind(): (NotStarted, "same", "same", GameOver),
    PrepareMoves(WHITE, live_game().position, ()): (NotStarted, NotAllowed, NotAllowed, GameOver),
}
GAMES = {"open": open_game, "unstarted": live_game, "running": running_game, "over": over_game}


@pytest.mark.parametrize("place", range(4), ids=list(GAMES))
@pytest.mark.parametrize("command", list(ANSWERS), ids=repr)
def test_every_command_in_every_status(command, place):
    game, answer = list(GAMES.values())[place](), ANSWERS[command][place]
    now = START + 60
    if answer == "":
        after, _ = play(game, command, now)
        assert after.rev == game.rev + 1
        assert after != game
    elif answer == "same":
        after, events = play(game, command, now)
        assert after is game
        assert events == ()
    else:
        with pytest.raises(answer) as refused:
            play(game, command, now)
        assert type(refused.value) is answer


def test_every_reason_has_a_code_of_its_own_on_the_wire():
    codes = [reason.code for reason in Refused.__subclasses__() if reason is not BadTerms]
    assert len(set(codes)) == len(codes)
    assert all(codes)


def test_only_a_rematch_is_refused_as_one(monkeypatch):
    with pytest.raises(NotAllowed) as refused:
        play(running_game(), REMATCH, START)
    assert refused.value.id == "rematch_too_early"
    monkeypatch.setitem(MakeOffer.offered_in, OfferKind.DRAW, MakeOffer.offered_in[OfferKind.REMATCH])
    with pytest.raises(NotAllowed) as refused:
        play(running_game(), DRAW, START)
    assert refused.value.id == "going_on"
