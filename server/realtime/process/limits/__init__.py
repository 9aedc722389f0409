"""How often somebody may do something. Knows no page and no game."""
