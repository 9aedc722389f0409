"""Lets go of the tracebacks of errors that have been turned into answers. Knows no request.

An error holds every frame that it went through, and a frame holds the request. If the request, its connection or a
template holds the error, that is a reference cycle, which lives until the hourly full garbage collection.
"""


def forget_where(error: BaseException | None) -> None:
    """Removes the tracebacks of `error` and of the errors that led to it. Log it first."""
    while error is not None:
        error.__traceback__ = None
        before, error.__context__ = error.__context__, None
        error.__cause__ = None
        error = before
