"""What the clocks of a game show and when they stand: time controls, lag, vacations. Knows no game."""
