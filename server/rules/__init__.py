"""The rules of every variant: positions, legal moves, endings and their texts.

Standard library only, no clock, no input or output apart from loading the variant files.
"""
