"""The analysis board: its pages, and what they ask of the rules.

Which moves are legal is decided in `server.rules`; what somebody keeps of an analysis is in `web.studies`.
"""
