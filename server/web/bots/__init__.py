"""Programs that play: personal tokens, and the Bot API of lichess, by the same rules and rounds as open pages.

Programs have no rights here that pages lack.
"""
