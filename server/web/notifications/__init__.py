"""Notifies people who are away: seek alerts, and the push services of their browsers."""
