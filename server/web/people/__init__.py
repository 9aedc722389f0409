"""The people of the site: accounts and their pages, profiles, leaderboards.

Who may do what to whom is decided in `games.people`; ratings are counted by the store.
"""
