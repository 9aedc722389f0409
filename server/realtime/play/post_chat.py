"""Posting a chat message: it is checked, stored, and shown to those who may read it."""

import asyncio

from server.games.errors import GameDeleted
from server.games.news import spoken_to
from server.games.player import Player
from server.realtime.play.chat.text import form_of
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.reply import NO_REPLY, Reply
from server.realtime.play.round import Round
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.play.rounds import Rounds
from server.realtime.process.bus import ChatPosted, deletion_of
from server.realtime.process.domain_events import MessageWritten
from server.realtime.protocol.command_reply import CommandReply
from server.realtime.protocol.wire import Room
from server.refusal import Refusal
from server.storage.errors import NotStored, Unavailable
from server.storage.stores import ChatLine


class NotAPlayer(Refusal):
    """They may watch, but have no seat or no name."""

    code = "not_a_player"


async def post_chat(
    rounds: Rounds, written: str, reply: CommandReply, now: int, followed: Round, subscriber: RoundSubscriber
) -> None:
    """Posts a message of `subscriber`, which arrived at `now` (ms), in the round they follow."""
    speaker = subscriber.player
    if speaker is None:
        reply.refused(NotAPlayer("chat_without_name"), followed.feed.v)
        return
    room: Room = "players" if subscriber.color is not None or subscriber.invited else "watchers"
    try:
        await post_message(rounds, followed, speaker, room, written, now, reply)
    except Refusal as refusal:
        reply.refused(refusal, followed.feed.v)


async def post_message(
    rounds: Rounds, followed: Round, speaker: Player, room: Room, written: str, now: int, reply: Reply = NO_REPLY
) -> None:
    """Posts what `speaker` wrote, which arrived at `now` (ms). Raises ChatRejected, GameDeleted, StorageDown."""
    services = rounds.services
    form = form_of(followed.game.terms.control, room)
    text = rounds.chat_limiter.accept(speaker.id, followed.game.id, written, now, form)
    line = ChatLine(followed.game.id, room, speaker.id, speaker.name, text, followed.feed.chat.next_at(now))
    reader = spoken_to(followed.game, speaker.id)
    try:
        await services.store.add_chat(line, untold=reader is not None)
    except NotStored:
        # The sender gets the answer before the connection is closed.
        asyncio.get_running_loop().call_soon(rounds.forget, deletion_of(followed.game))
        raise GameDeleted from None
    except Unavailable as error:
        raise StorageDown("chat_not_saved") from error
    # A notice may have made us read it from the store just now.
    reply.done(followed.feed.v + (not followed.feed.chat.knows(line)), False)
    followed.feed.show_chat(line)
    services.bus.tell(ChatPosted(line.game))
    if reader is not None:
        away = followed.game.color_of(reader.id) not in followed.presence.here
        services.events.publish(MessageWritten(followed.game, reader, speaker.id, line.at, away))
