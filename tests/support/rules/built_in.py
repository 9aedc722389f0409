"""The variants that come with the server, read once for all tests: they are frozen, so nothing is passed on by them."""

from server.rules.catalogue import load_catalogue

VARIANTS = load_catalogue()
EVERY_VARIANT = load_catalogue(unoffered=True)
"""With those that no site offers."""
