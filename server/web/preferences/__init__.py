"""What visitors choose for themselves: how boards look, move and sound, and where that is kept.

Which notifications somebody wants is asked in `web.accounts`.
"""
