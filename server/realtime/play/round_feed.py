"""Everybody who follows one round, and what each of them gets to read. Knows outboxes and texts, no sockets.

Nothing here decides anything about the game: it is shown what has been stored. Every event is numbered, encoded once
for all who read the same, kept for those who come back, and put into each outbox; nothing waits.
"""

from collections.abc import Sequence
from typing import Final

from server.games.clock import ClockKind
from server.games.events import Adjourned, ClockPaused, ClockResumed, Ended, Event, Joined, Moved, Ready, TookBack
from server.games.game import Game
from server.games.status import Status
from server.realtime.play import views
from server.realtime.play.event_history import History
from server.realtime.play.events_between import differences
from server.realtime.play.round_presence import RoundPresence
from server.realtime.play.round_subscribers import Channel, Member
from server.realtime.play.snapshot_cache import Snapshots
from server.realtime.process.bus import WaitedInVain
from server.realtime.process.services import Services
from server.realtime.protocol import outbound
from server.realtime.protocol.codec import encode, with_field
from server.rules.variant.pieces import Color
from server.storage.stores import ChatLine

PRESENCE_EVERY_MS: Final = 1_000
CHAT_LINES: Final = 50
HEARD_LINES: Final = 2 * CHAT_LINES
"""Lines that are known again: processes may hear them in another order than they are stored in, the oldest too."""
LAG_STEP_MS: Final = 20
"""A smaller change of a player's lag is not worth telling."""


class Audience:
    """The viewers of one round. `game` and `strengths`, the players' ratings, are as they have been shown them."""

    __slots__ = (
        "_channel", "_chat", "_history", "_presence_told_at", "_services", "_snapshots", "_told_lags", "game",
        "presence", "strengths",
    )  # fmt: skip

    def __init__(self, services: Services, game: Game, chat: Sequence[ChatLine], strengths: views.Strengths) -> None:
        self.game = game
        self.strengths = strengths
        self.presence = RoundPresence(services.now())
        self._services = services
        self._channel = Channel()
        self._chat = tuple(chat)
        self._history = History()
        self._presence_told_at = 0
        self._told_lags: dict[Color, int] = {}
        self._snapshots = Snapshots()

    def __len__(self) -> int:
        return len(self._channel)

    @property
    def v(self) -> int:
        """The number of the last event."""
        return self._history.v

    @property
    def watchers(self) -> int:
        return self._channel.watchers

    def snapshot(self, color: Color | None, *, invited: bool = False) -> outbound.Snapshot:
        """The whole game as the player of `color` (None: a watcher, or somebody `invited`) may see it now."""
        return views.snapshot(
            self.game,
            color,
            self._services.now(),
            invited=invited,
            epoch=self._history.epoch,
            v=self.v,
            chat=self._chat[-CHAT_LINES:],
            strengths=self.strengths,
        )

    def snapshot_text(self, color: Color | None, *, invited: bool = False) -> str:
        """The same encoded."""

        def make() -> outbound.Snapshot:
            return self.snapshot(color, invited=invited)

        clocks = views.clocks(self.game, self._services.now())
        return self._snapshots.read(self.game, self.v, (color, invited), make, clocks)

    def _whole(self, member: Member) -> str:
        return self.snapshot_text(member.color, invited=member.invited)

    # --- what happens -----------------------------------------------------------------------------------------------

    def publish(self, event: Event, now: int) -> None:
        """Tell `event`, which made `self.game` what it is; the player to move gets their legal moves with it."""
        self._snapshots.forget()
        message = views.told(event, self.game, self.v + 1, now)
        text = encode(message)
        self._history.append(text, text)
        if isinstance(event, Joined | Moved | TookBack | Adjourned | Ready | ClockResumed | Ended):
            self._services.show(self.game)
        if isinstance(event, ClockPaused | ClockResumed):
            # Nothing can be claimed while the clocks stand; from when on they do not, and one can again, is told here.
            self.presence_changed()
        readers = set(self._readers_of_legal()) if isinstance(event, Moved | TookBack | ClockResumed) else set()
        if not readers:
            self._channel.put(text, text)
            if isinstance(event, Joined | Ended):
                # Behind the event: who sits elsewhere now gets the whole game, which has it already.
                self._reseat()
            if isinstance(event, Ended):
                self._open_watchers_chat()
                if (waited := self.presence.waited_in_vain(self.game)) is not None:
                    self._services.tell_waited(WaitedInVain(self.game.id, waited.id))
            return
        with_legal = with_field(text, "legal", views.legal(self.game))
        for member in self._channel:
            if member not in readers:
                member.outbox.put(text)
                continue
            member.outbox.put(with_legal)
            if member.color is not None:
                self._ping(member, now)

    def _open_watchers_chat(self) -> None:
        """From now on players may read what was said among the watchers: with the whole game, where it belongs."""
        if all(line.room == "players" for line in self._chat[-CHAT_LINES:]):
            return
        self._history.skip()
        nothing = encode(outbound.Nothing(v=self.v))
        for member in self._channel:
            member.outbox.put(nothing if member.color is None else self._whole(member))

    def _readers_of_legal(self) -> Sequence[Member]:
        mover = self.game.to_move
        if views.sees_legal(self.game, mover):
            return self._channel.seated(mover)
        return self._channel.watching() if views.sees_legal(self.game, None) else ()

    def catch_up(self, game: Game, now: int) -> None:
        """Show `game`, which another process has stored: as the events that led there, or whole if those are many."""
        events = differences(self.game, game)
        self.game = game
        if events is None:
            self._history.skip()
            self._services.show(self.game)
            self._reseat()
            for member in self._channel:
                member.outbox.put(self._whole(member))
            return
        for event in events:
            self.publish(event, now)

    def has_heard(self, line: ChatLine) -> bool:
        """Is `line` among the latest that have been shown?"""
        return line in self._chat

    def say(self, line: ChatLine) -> None:
        """Show a line of chat that is stored, to those who may read it; to the others nothing happened."""
        self._chat = (*self._chat[1 - HEARD_LINES :], line)
        v = self.v + 1
        said = encode(outbound.Said(v=v, line=views.chat_line(line)))
        nothing = encode(outbound.Nothing(v=v))
        players = said if views.may_read(line, self.game, Color.WHITE) else nothing
        watchers = said if views.may_read(line, self.game, None) else nothing
        self._history.append(players, watchers)
        self._channel.put(players, watchers)

    def rate(self, strengths: views.Strengths) -> None:
        """Show the players' ratings, if they are others than those that are shown."""
        if strengths != self.strengths:
            self.strengths = strengths
            text = encode(outbound.Rated(v=self.v + 1, white=strengths[0], black=strengths[1]))
            self._history.append(text, text)
            self._channel.put(text, text)

    def _reseat(self) -> None:
        """A seat may have been filled, or given on: who has it now plays in every tab, and who had it watches.

        Nobody is invited to a game that has two players, or is over.
        """
        now = self._services.now()
        for member in self._channel:
            color = None if member.player is None else self.game.color_of(member.player.id)
            invited = member.invited and color is None and self.game.status is Status.OPEN
            if color is member.color and invited is member.invited:
                continue
            self._channel.remove(member)
            self.presence.depart(member.color, now, member.silent, said_goodbye=True)
            member.color, member.invited = color, invited
            self._channel.add(member)
            member.outbox.put(self._whole(member))
            self.presence.arrive(member.color, now, member.silent)
        self.presence_changed()

    # --- who follows ------------------------------------------------------------------------------------------------

    def enter(self, member: Member, epoch: str, v: int, now: int) -> bool:
        """`member` gets what happened after event `v` of `epoch`. True if a player has come who was not here."""
        member.color = None if member.player is None else self.game.color_of(member.player.id)
        member.invited = member.invited and member.color is None
        self._channel.add(member)
        missed = self._history.since(epoch, v, member.color is None and not member.invited)
        if missed is None:
            self._services.stats.snapshots += 1
            member.outbox.put(self._whole(member))
        else:
            self._services.stats.resumes += 1
            self._resume(member, missed, now)
        came = self.presence.arrive(member.color, now, member.silent)
        member.outbox.put_latest(self._presence_text(now))
        self.presence_changed()
        return came

    def _resume(self, member: Member, missed: Sequence[str], now: int) -> None:
        for text in missed:
            member.outbox.put(text)
        legal = views.legal(self.game) if views.sees_legal(self.game, member.color) else None
        member.outbox.put(encode(outbound.Resumed(v=self.v, clock=views.clocks(self.game, now), legal=legal)))

    def leave(self, member: Member, said_goodbye: bool, now: int) -> bool:
        """`member` is gone; `said_goodbye`: the page was closed, the line did not just break.

        True if that was the last connection of a player.
        """
        self._channel.remove(member)
        went = self.presence.depart(member.color, now, member.silent, said_goodbye=said_goodbye)
        self.presence_changed()
        return went

    def silence_changed(self, member: Member, now: int) -> bool:
        """The line of `member` does not answer any more, or does so again. True if that changes where a player is."""
        changed = self.presence.silence_changed(member.color, now, member.silent)
        if changed:
            self.presence_changed()
        return changed

    def presence_changed(self) -> None:
        """Tell everybody who is here; once a second when many come and go."""
        due = self._presence_told_at + PRESENCE_EVERY_MS
        if self._services.now() >= due:
            self._tell_presence()
        else:
            self._services.timers.set((self.game.id, "crowd"), due, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_told_at = now = self._services.now()
        self._told_lags = self._lags()
        self._channel.put_latest(self._presence_text(now))

    def _presence_text(self, now: int) -> str:
        presence = self.presence.message(self.game, now, self._channel.watchers, self._lags())
        return encode(presence.model_copy(update={"invited": True}) if self._channel.has_invited else presence)

    # --- lag --------------------------------------------------------------------------------------------------------

    def _lags(self) -> dict[Color, int]:
        """The round trip of each player who is here, ms; of several tabs, the quickest."""
        rtts = {
            color: [member.meter.rtt for member in self._channel.seated(color) if not member.silent] for color in Color
        }
        return {color: min(here) for color, here in rtts.items() if here}

    def _ping(self, member: Member, now: int) -> None:
        if self.game.terms.control.kind is ClockKind.REALTIME:
            member.outbox.put(encode(outbound.PingOut(p=member.meter.ping(now, self.game.clock.turn is member.color))))

    def ping_players(self, now: int) -> None:
        """Measure both players' lines in a game by minutes, and tell if one has changed much.

        Before the clock starts too: who has a slow line would else pay for it with their first moves.
        """
        if self.game.status is not Status.LIVE:
            return
        for color in Color:
            for member in self._channel.seated(color):
                self._ping(member, now)
        lags = self._lags()
        if any(abs(lags.get(color, 0) - self._told_lags.get(color, 0)) >= LAG_STEP_MS for color in Color):
            self.presence_changed()

    # --- the end of it ----------------------------------------------------------------------------------------------

    def dismiss(self, farewell: str, code: int) -> None:
        """Say `farewell` to everybody and close every connection with `code`."""
        for member in self._channel:
            member.outbox.put(farewell)
            member.outbox.close(code)

    def stop(self) -> None:
        """Nobody will be told anything any more."""
        self._services.timers.clear((self.game.id, "crowd"))
