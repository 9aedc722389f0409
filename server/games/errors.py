"""Why a command was refused. Each class is one code on the wire; the id says more exactly why."""

from server.refusal import Refusal


class Refused(Refusal):
    """A command that the game does not take. The game is unchanged."""


class GameOver(Refused):
    """The game has ended; only a rematch can still be talked about."""

    code = "over"


class GameDeleted(Refused):
    """The game is not stored any more: the host has thrown it away."""

    code = "deleted"


class NotStarted(Refused):
    """The command needs both players, and a seat is still empty."""

    code = "not_started"


class NotYourTurn(Refused):
    """The other side is to move."""

    code = "not_your_turn"


class Stale(Refused):
    """The command was meant for another position, or for an offer that is gone."""

    code = "stale"


class AlreadyPlayed(Refused):
    """The same move of the same player stands at that ply already: it was sent twice, and all is well."""

    code = "dup"


class BadMove(Refused):
    """The rules refuse the move, for the reason that they give."""

    code = "illegal"


class BadTerms(Refused):
    """Nobody may play on such terms."""


class BadClock(BadTerms):
    """Nobody may play by such a clock."""

    code = "bad_clock"


class BadSeek(BadTerms):
    """An opponent for such a game is not sought, though friends may play it."""

    code = "bad_seek"


class NotAllowed(Refused):
    """The command exists, but not now (too late to abort, an offer already made, ...)."""

    code = "not_allowed"


class SeatTaken(Refused):
    """Both seats are filled, or the invitation was used already."""

    code = "seat_taken"


class OwnChallenge(Refused):
    """Nobody plays against themselves by their own link."""

    code = "own_challenge"


class WrongInvitation(Refused):
    """The secret does not open this game; says the same whether wrong, expired or used."""

    code = "wrong_invitation"


class Gone(Refused):
    """The seek was taken or withdrawn before."""

    code = "gone"


class OwnSeek(Refused):
    """Nobody plays against themselves by their own seek."""

    code = "own_seek"


class RegisteredOnly(Refused):
    """A rated game was asked for by somebody without an account."""

    code = "registered_only"


class Playbanned(Refused):
    """Whoever aborts game after game waits before the next opponent; so many minutes `n` are left, rounded up."""

    code = "paused_after_aborts"
