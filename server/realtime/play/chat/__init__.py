"""The chat of a round: who may write what and how often, and who reads it.

Knows no connection, and stores nothing: `post_chat` does.
"""
