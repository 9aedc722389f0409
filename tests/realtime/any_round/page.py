"""What one open page knows of a game, from the messages of its socket alone, as static/js/game/model.js reads them.

A page that loses its socket keeps what it knew, and says at its return which event it saw last.
"""

from dataclasses import dataclass, replace

from tests.support.realtime.client import Client

UNNUMBERED = {"ok", "error", "wait", "crowd", "ping", "pong", "restart", "reload"}


@dataclass(frozen=True)
class Seen:
    """The game as a page shows it. `at`: when its clocks came, ms."""

    you: str | None
    status: str
    fen: str
    moves: tuple
    legal: str | None
    clock: dict
    at: int
    offers: tuple
    ended: dict | None
    chat: tuple
    seats: tuple
    adjourned: dict | None
    next: str | None
    away: dict | None
    by_hand: list

    def left(self, side, now):
        """What the clock of `side` shows at `now`, ms; None without a limit."""
        left = self.clock.get(side)
        running = left is not None and self.clock.get("run") == side
        return max(0, left - (now - self.at)) if running else left

    def begin_in(self, now):
        """How long the page says at `now` that the first move may still take, ms; None: it says nothing of it."""
        begin = self.clock.get("begin")
        return None if begin is None else max(0, begin - (now - self.at))

    def shown(self, now):
        """Everything that a person sees of the game at `now`, apart from who is here."""
        return {
            "you": self.you, "status": self.status, "fen": self.fen, "moves": [move[:2] for move in self.moves],
            "legal": self.legal, "white": self.left("white", now), "black": self.left("black", now),
            "run": self.clock.get("run"), "paused": self.clock.get("paused"), "begin": self.begin_in(now),
            "offers": self.offers, "ended": self.ended, "chat": self.chat, "seats": self.seats,
            "adjourned": self.adjourned, "next": self.next, "away": self.away, "by_hand": self.by_hand,
        }  # fmt: skip


def whole(snapshot, now):
    """What a page knows from a snapshot that comes at `now`."""
    return Seen(
        you=snapshot.get("you"),
        status=snapshot["status"],
        fen=snapshot["fen"],
        moves=tuple(tuple(move[:2]) for move in snapshot["moves"]),
        legal=snapshot.get("legal"),
        clock=snapshot["clock"],
        at=now,
        offers=tuple((one["offer"], one["kind"], one["by"]) for one in snapshot["offers"]),
        ended=snapshot.get("ended"),
        chat=tuple((line["name"], line["text"]) for line in snapshot["chat"]),
        seats=(snapshot["white"].get("name"), snapshot["black"].get("name")),
        adjourned=snapshot.get("adjourned"),
        next=snapshot.get("next"),
        away=snapshot.get("away"),
        by_hand=snapshot.get("by_hand") or [False, False],
    )


def after(seen, event, now):
    """What a page that knew `seen` knows after the numbered `event`, which comes at `now`."""
    if "clock" in event:
        seen = replace(seen, clock=event["clock"], at=now)
    match event["t"]:
        case "joined":
            seats = (event["seat"].get("name"), seen.seats[1])
            seats = seats if event["side"] == "white" else (seen.seats[0], event["seat"].get("name"))
            full = seen.status == "open" and all(seats)
            # A watcher could have taken the seat by moving.
            legal = None if full and seen.you is None else seen.legal
            return replace(seen, seats=seats, legal=legal, status="live" if full else seen.status)
        case "moved":
            moves = (*seen.moves[: event["ply"]], (event["uci"], event["san"]))
            return replace(seen, moves=moves, fen=event["fen"], legal=event.get("legal"))
        case "took_back":
            return replace(seen, moves=seen.moves[: event["plies"]], fen=event["fen"], legal=event.get("legal"))
        case "offered":
            return replace(seen, offers=(*seen.offers, (event["offer"], event["kind"], event["by"])))
        case "offer_closed":
            return replace(seen, offers=tuple(one for one in seen.offers if one[0] != event["offer"]))
        case "over":
            return replace(seen, status="over", ended=event["ended"], legal=None, offers=(), adjourned=None, away=None)
        case "clock" if seen.adjourned and event["clock"].get("paused") != "adjourned":
            return replace(seen, status="live", adjourned=None, legal=event.get("legal"))
        case "adjourned":
            return replace(seen, status="adjourned", adjourned=event["adjourned"], legal=None)
        case "vacation":
            return replace(seen, away=event.get("away"))
        case "flagging":
            return replace(seen, by_hand=event["by_hand"])
        case "rematch":
            return replace(seen, next=event["next"])
        case "said":
            return replace(seen, chat=(*seen.chat, (event["line"]["name"], event["line"]["text"])))
        case "clock" | "rated" | "nothing":
            return seen
    raise AssertionError(f"a page knows no event {event['t']}")


class Page:
    """One open page; `player` is None for somebody without a name, `secret` "" for who has no link to a seat."""

    def __init__(self, player, game, secret):
        self.player = player
        self.secret = secret
        self.game = game
        self.client = None
        self.seen = None
        self._epoch, self._v, self._read = "", -1, 0

    @property
    def open(self):
        return self.client is not None and self.client.code is None

    async def come(self, node):
        """Open a socket, or open it again, saying what was seen last."""
        self.client, self._read = Client(node, self.player), 0
        await self.client.hi(self.game, self._epoch, self._v, self.secret)
        self.look(node.clock())

    def go(self, said_goodbye):
        """The page is closed, or its socket breaks."""
        if self.client is not None:
            self.client.close(bye=said_goodbye)
        self.client = None

    def look(self, now):
        """Take in what has come until `now`. Every event follows the one before, or a snapshot comes instead."""
        if self.client is None:
            return
        self.client.read()
        new, self._read = self.client.got[self._read :], len(self.client.got)
        for message in new:
            self._take(message, now)

    def _take(self, message, now):
        if message["t"] == "snapshot":
            self.seen, self._epoch, self._v = whole(message, now), message["epoch"], message["v"]
        elif message["t"] == "resumed":
            assert message["v"] == self._v, "something was left out between the socket that broke and the new one"
            self.seen = replace(self.seen, clock=message["clock"], at=now, legal=message.get("legal"))
        elif message["t"] not in UNNUMBERED:
            assert message["v"] == self._v + 1, f"after event {self._v} came {message}"
            self.seen, self._v = after(self.seen, message, now), message["v"]
