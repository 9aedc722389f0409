"""How a game changes: a move, an offer, an end. Each is a plain function on a frozen game."""
