"""Games over HTTP: made, joined, proposed, played against the computer, and read as pages, JSON and PGN.

What may be done in one is decided in `server.games`, who is paired with whom in `realtime.lobby`.
"""
