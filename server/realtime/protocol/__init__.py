"""The wire protocol: every message, its encoding, and the queue of what is to be sent.

Makes no message of a game: `play.views`, `game_events`, `open_seeks`, `your_games` and `tv` do.
"""
