"""Ratings as a profile shows them. Knows no game."""
