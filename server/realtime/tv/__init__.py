"""TV: games in play, for people who watch many at once."""
