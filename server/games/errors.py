"""Why a command was refused. Each class is a code on the wire; the refusal's id gives the exact reason."""

from server.rules.errors import Refusal


class Refused(Refusal):
    """The game does not allow the command, and is unchanged."""


class GameOver(Refused):
    """The game has ended; only a rematch can still be offered."""

    code = "over"


class GameDeleted(Refused):
    """The host has deleted the game."""

    code = "deleted"


class NotStarted(Refused):
    """The command needs both players, but a seat is still empty."""

    code = "not_started"


class NotYourTurn(Refused):
    """The other side is to move."""

    code = "not_your_turn"


class Stale(Refused):
    """The command refers to another position, or to an offer that is gone."""

    code = "stale"


class AlreadyPlayed(Refused):
    """The player has already played this move at this ply: it was sent twice, which is harmless."""

    code = "dup"


class BadMove(Refused):
    """The move is illegal; the reason is that of the rules."""

    code = "illegal"


class BadTerms(Refused):
    """Such terms are not allowed."""


class BadClock(BadTerms):
    """Such a time control is not allowed."""

    code = "bad_clock"


class BadSeek(BadTerms):
    """Such a game cannot be sought in the lobby, though friends may play it."""

    code = "bad_seek"


class NotAllowed(Refused):
    """The command is not allowed at this point: too late to abort, an offer already made, …"""

    code = "not_allowed"


class DecisionRefused(NotAllowed):
    """What the host, or a person, wants to do about a decision is not allowed. Only pages of the server say why."""

    area = "decisions"


class FormRefused(NotAllowed):
    """What a form asks for is not allowed. No page of a game says so."""

    area = "problems"


class RestartSoon(FormRefused):
    """The site is about to be restarted, and nobody is paired until then."""


class SeatTaken(Refused):
    """Both seats are taken, or the invitation was used already."""

    code = "seat_taken"


class OwnChallenge(Refused):
    """Players cannot accept their own challenge."""

    code = "own_challenge"


class WrongInvitation(Refused):
    """The secret does not open this game. The same answer whether it is wrong, expired or used."""

    code = "wrong_invitation"


class Gone(Refused):
    """The seek was already taken or withdrawn."""

    code = "gone"


class OwnSeek(Refused):
    """Players cannot take their own seek."""

    code = "own_seek"


class RegisteredOnly(Refused):
    """Rated games need an account."""

    code = "registered_only"


class Playbanned(Refused):
    """The player has aborted too many games and must wait `n` more minutes (rounded up)."""

    code = "paused_after_aborts"
