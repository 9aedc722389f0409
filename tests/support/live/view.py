"""A game as a page sees it, followed by the server's messages alone. Fails on a gap or a repetition in the events."""


class View:
    """`epoch` and `v` name the last event; `game` is what a reader sees, None before the first snapshot."""

    def __init__(self) -> None:
        self.epoch, self.v = "", -1
        self.game = None
        self.clock = None
        self.snapshots = self.resumed = self.ends = 0

    @property
    def moves(self) -> list[str]:
        return self.game["moves"] if self.game else []

    def take(self, message) -> None:
        """What any message says of the game."""
        kind = message["t"]
        if kind == "snapshot":
            self._all_anew(message)
        elif kind == "resumed":
            assert message["v"] == self.v, (message["v"], self.v)
            self.resumed += 1
        elif "v" in message and kind not in ("ok", "error"):
            assert message["v"] == self.v + 1, (kind, message["v"], self.v)
            self.v = message["v"]
            self._event(kind, message)
        self.clock = message.get("clock", self.clock)

    def _all_anew(self, message):
        self.snapshots += 1
        self.epoch, self.v = message["epoch"], message["v"]
        self.game = {key: message.get(key) for key in ("fen", "status", "ended", "next")}
        self.game["moves"] = [move[0] for move in message["moves"]]
        self.game["offers"] = sorted(offer["offer"] for offer in message["offers"])

    def _event(self, kind, message):
        game = self.game
        match kind:
            case "moved":
                assert message["ply"] == len(game["moves"])
                game["moves"] = [*game["moves"], message["uci"]]
                game["fen"] = message["fen"]
            case "took_back":
                game["moves"] = game["moves"][: message["plies"]]
                game["fen"] = message["fen"]
            case "offered":
                game["offers"] = sorted([*game["offers"], message["offer"]])
            case "offer_closed":
                game["offers"] = [offer for offer in game["offers"] if offer != message["offer"]]
            case "over":
                assert game["ended"] is None
                self.ends += 1
                game["ended"], game["status"] = message["ended"], "over"
            case "rematch":
                assert game["next"] is None
                game["next"] = message["next"]
