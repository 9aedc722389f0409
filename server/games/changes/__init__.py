"""How a game changes: moves, offers, endings. Each change is a plain function on a frozen game."""
