"""The rules of every variant: positions, legal moves, endings, and their notations.

Standard library only; no clock, and no I/O but loading the variant files.
"""
