"""The wire protocol: every message, its encoding, and the queue of what is to be sent.

Makes no message of a game: the modules `views` of play, lobby and TV do.
"""
