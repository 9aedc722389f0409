"""Tells people later of what they did not want to be told at once: in one mail, of what is still so by then.

Nothing is kept in memory: whatever process looks next finds what is due, and what another had begun when it died.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from aiohttp import web

from server.games.game import Game
from server.games.news import concerned
from server.games.player import Player
from server.mail.composing import Letter
from server.mail.wishes import REMINDER, TURN, Often, how_often
from server.realtime.process.ids import new_id
from server.storage.errors import Unavailable, Unreadable
from server.storage.protocols.addresses import MailAddress
from server.storage.protocols.held import HeldNews, Mailbox
from server.storage.stores import Store
from server.web.notifications.game_letter import heard_last, kind_of
from server.web.notifications.game_mails import KEPT_MS, LINES_READ
from server.web.notifications.letter_writer import LetterWriter

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 60.0
AT_ONCE: Final = 100
"""Mailboxes of one look-up."""
WRITING_MS: Final = 120_000
"""If a mail was not put into the outbox by then, whoever was writing it has stopped."""
SHOWN: Final = 30
"""Games in one mail, the most urgent ones; the others are on a page."""
TOPIC: Final = "digest"
"""In the outbox; no game has that id, so no news of a game takes its place."""


class Digests:
    """Put together in `server.web.mailing`."""

    def __init__(self, store: Store, writer: LetterWriter) -> None:
        self._store = store
        self._writer = writer
        self._mailer = writer.mailer

    async def tell_due(self) -> None:
        """Tells all that is due now. Raises Unavailable."""
        while await self._tell_some():
            pass

    async def _tell_some(self) -> bool:
        """Tells what is due in at most AT_ONCE mailboxes. May there be more? Raises Unavailable."""
        ripe = await self._store.digests.ripe(self._mailer.now(), AT_ONCE)
        told = [await self._tell(mailbox) for mailbox in ripe]
        return len(ripe) == AT_ONCE and any(told)

    async def _tell(self, mailbox: Mailbox) -> bool:
        """Has this process claimed what is due there, and told it? Raises Unavailable."""
        now = self._mailer.now()
        held = await self._store.digests.claim(mailbox, f"digest.{new_id()}", now, now + WRITING_MS)
        if not held:
            return False
        try:
            letter = await self._letter(mailbox, held)
        except Unavailable:
            raise
        except Exception:
            # The others do not wait for it.
            log.exception("a mail about several games could not be written")
            return False
        mail = None if letter is None else self._mailer.for_outbox(letter, mailbox.owner, KEPT_MS, TOPIC)
        if not await self._store.digests.tell(held[0].digest, mail):
            return False
        if mail is not None:
            self._mailer.nudge()
        return True

    async def _letter(self, mailbox: Mailbox, held: Sequence[HeldNews]) -> Letter | None:
        """The mail that says what of `held` is still so, and still wanted; None: nothing is."""
        address = await self._in_effect(mailbox)
        if address is None:
            return None
        wanted = [one for one in held if how_often(address.wishes, one.kind) is not Often.NEVER]
        games: list[tuple[Game, Player]] = []
        for one in await self._most_urgent_first(mailbox.owner, wanted):
            if len(games) == SHOWN:
                return self._writer.about_several(games, address, one.digest, more=True)
            if (found := await self._still_so(one)) is not None:
                games.append(found)
        match games:
            case []:
                return None
            case [(game, player)]:
                rev = next(one.rev for one in wanted if one.game == game.id)
                heard = heard_last(await self._store.chat(game.id, LINES_READ), player)
                return replace(self._writer.about(game, rev, player, heard, address), id=held[0].digest)
        return self._writer.about_several(games, address, held[0].digest, more=False)

    async def _in_effect(self, mailbox: Mailbox) -> MailAddress | None:
        own = await self._store.addresses.of(mailbox.owner)
        return next((one for one in own if one.address == mailbox.address and one.in_effect), None)

    async def _most_urgent_first(self, owner: str, held: Sequence[HeldNews]) -> Sequence[HeldNews]:
        running = await self._store.running_of(owner)
        order = {game.id: place for place, game in enumerate(running)}
        return sorted(held, key=lambda one: order.get(one.game, len(order)))

    async def _still_so(self, held: HeldNews) -> tuple[Game, Player] | None:
        """The game, and who is told of it, if it still waits for them, or has ended as they are to hear."""
        try:
            game = await self._store.load(held.game)
        except Unreadable:
            # It has been logged, and counted as damaged.
            return None
        if game is None or not _is_about(held.kind, game):
            return None
        return next(((game, player) for player in concerned(game) if player.id == held.mailbox.owner), None)


def _is_about(kind: str, game: Game) -> bool:
    """Does the game still stand as news of that kind say?"""
    now = kind_of(game)
    return kind == now or {kind, now} == {TURN, REMINDER}


DIGESTS = web.AppKey("DIGESTS", Digests)
"""Only a site with mail has it."""
