"""What people have and decide outside of any game: ties, reports, tokens, the names of guests. Knows no game."""
