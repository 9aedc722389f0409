"""How lichess writes things down for programs. Pure: decides nothing, and asks nobody."""
