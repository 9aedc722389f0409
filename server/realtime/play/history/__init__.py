"""What a page has missed: the numbered events of a round, and its state as a whole.

Decides nothing, and reads no store.
"""
