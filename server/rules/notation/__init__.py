"""Positions, moves and games as texts: FEN, UCI, SAN, PGN."""
