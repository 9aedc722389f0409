"""Positions, and their legal moves. Knows no texts but FEN's pieces."""
