"""Seeks, and how two people come to one game."""
