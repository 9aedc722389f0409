"""Positions, moves and games as texts: FEN, UCI, SAN, PGN.

Which moves are legal is asked of `movegen`, never decided here.
"""
