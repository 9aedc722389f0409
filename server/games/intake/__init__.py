"""Games that come from files or from the store: importing them, and checking them against the rules.

Opens neither: texts and games are arguments.
"""
