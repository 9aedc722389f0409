"""Fairyhouse: a server on which people play chess variants in the browser."""

from server.compiled.finding import rules_in_use

# Before any of the rules is imported.
rules_in_use()
