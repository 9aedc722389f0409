"""Studies: their pages, and what their scripts ask for.

Who may read and change a study is decided in `games.studies`.
"""
