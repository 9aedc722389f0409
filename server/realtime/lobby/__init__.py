"""Seeks, and how two people come to one game.

Which seek suits which is decided in `games.seeks`; challenges by name or link need no lobby, and are in `web.lobby`.
"""
