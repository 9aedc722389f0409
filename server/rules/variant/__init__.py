"""Variants as data, and reading their files. Knows no position and no move."""
