"""One message of every kind that a client may send."""

GOOD = [
    {"t": "hi", "proto": 1, "game": "abcdefghij", "epoch": "e1", "v": 12, "secret": "", "watch": 1},
    {"t": "move", "id": 1, "ply": 0, "uci": "e2e4", "computer": 1},
    {"t": "resign", "id": 2, "computer": 1},
    {"t": "abort", "id": 3},
    {"t": "offer", "id": 4, "kind": "draw"},
    {"t": "accept", "id": 5, "offer": 1, "computer": 1},
    {"t": "decline", "id": 6, "offer": 1, "computer": 1},
    {"t": "claim", "id": 7, "result": "win"},
    {"t": "ready", "id": 9},
    {"t": "flagging", "id": 12, "by_hand": True},
    {"t": "conditional", "id": 10, "ply": 1, "steps": ["e7e5", "g1f3", 2, "c7c5", "P@d4"]},
    {"t": "chat", "id": 8, "text": "hello"},
    {"t": "ping"},
    {"t": "pong", "p": "abc"},
    {"t": "bye", "within": 1},
]
