"""Fairyhouse: a server on which people play chess variants in the browser."""
