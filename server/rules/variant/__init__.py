"""Variants as data, and reading their files."""
