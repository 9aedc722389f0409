"""What a person's open pages learn of their running games. Knows no round: it reads what is stored."""
