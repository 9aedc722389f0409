"""Mutants of how the site looks, and of what people prefer."""
