"""Fairyhouse: a server on which people play chess variants in the browser."""

from server.compiled.finding import build_in_use

# Before any other module is imported.
build_in_use()
