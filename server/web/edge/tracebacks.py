"""Lets go of errors that have been turned into answers. Knows no request.

An error holds every frame that it went through, and a frame holds the request; where the request, its connection or a
template holds the error, that is a ring, which lives until Python looks for rings among what is old: once an hour.
"""


def forget_where(error: BaseException | None) -> None:
    """Takes from `error`, and from those that led to it, where they were raised. Log it before."""
    while error is not None:
        error.__traceback__ = None
        before, error.__context__ = error.__context__, None
        error.__cause__ = None
        error = before
