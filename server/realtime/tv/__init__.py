"""TV: games in play, for people who watch many at once. Takes no command: it shows what rounds have stored."""
