"""What becomes of a line of chat: it is judged, stored, and shown to those who may read it. Knows no connections."""

from server.games.errors import GameDeleted
from server.realtime.play.chat_limiter import Unsayable
from server.realtime.play.round import Round
from server.realtime.play.round_subscribers import Member
from server.realtime.play.rounds import Rounds
from server.realtime.process.bus import Spoken, deletion_of
from server.realtime.protocol.requests import Answer
from server.storage.errors import NotStored, Unavailable
from server.storage.stores import ChatLine


async def say(rounds: Rounds, written: str, answer: Answer, now: int, followed: Round, member: Member) -> None:
    """A `member` of the round that they follow wrote a line that arrived at `now` (ms)."""
    speaker = member.player
    if speaker is None:
        answer.failed("not_a_player", "Choose a name before you chat.", followed.audience.v)
        return
    services = rounds.services
    try:
        text = rounds.speakers.hear(speaker.id, followed.game.id, written, now)
        room = "players" if member.color is not None or member.invited else "watchers"
        line = ChatLine(followed.game.id, room, speaker.id, speaker.name, text, now)
        await services.store.add_chat(line)
    except Unsayable as error:
        answer.failed(error.code, str(error), followed.audience.v)
    except NotStored:
        deleted = GameDeleted()
        answer.failed(deleted.code, str(deleted), followed.audience.v)
        rounds.forget(deletion_of(followed.game))
    except Unavailable:
        answer.failed("storage", "The server could not save this message. Try again.", followed.audience.v)
    else:
        # Who listens to another process may have found it in the store just now.
        heard = followed.audience.has_heard(line)
        answer.done(followed.audience.v + (not heard), False)
        if not heard:
            followed.audience.say(line)
        services.bus.tell(Spoken(line.game))
