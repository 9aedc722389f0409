"""`fairyhouse bot`: a UCI engine as an opponent who is always there, through the Bot API like any other bot.

Talks to the site by HTTP alone, and opens no store.
"""
