"""The people of the site as others see them: profiles, leaderboards, who is here, following, reports.

Who may do what to whom is decided in `games.people`; accounts themselves are in `web.accounts`.
"""
