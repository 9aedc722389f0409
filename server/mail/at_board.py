"""Whether somebody sees for themselves what is new in a game of theirs, asked before they are told. Knows no board."""

from collections.abc import Awaitable, Callable

AtBoard = Callable[[str, str], Awaitable[bool]]
"""Is this player (the second id) at the board of the game now, so that they see what is new? Raises Unavailable."""
