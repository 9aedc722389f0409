"""What the site stores, how it is written down, and the engines that store it.

Decides nothing about games and people: it keeps what it is given, whole or not at all.
"""
