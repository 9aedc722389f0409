"""How a game changes: each command, when it is taken, and what it makes of a frozen game.

Permissions were checked before a command is made; nothing here stores or tells.
"""
