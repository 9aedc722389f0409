"""Calling people who are not here: standing offers, and the push services of their browsers."""
