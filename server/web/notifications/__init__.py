"""Calling people who are not here: alerts, and the push services of their browsers."""
