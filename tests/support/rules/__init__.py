"""Boards drawn as text, recorded games, and another program to compare with."""
