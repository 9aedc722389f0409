"""How a game changes: moves, offers, endings. Each change is a plain function on a frozen game.

Permissions were checked before, and `games.commands` says when each is taken; nothing here stores or tells.
"""
