"""What players agree on: the game as a value, its clock, its commands and events. Knows no I/O and no waiting."""
