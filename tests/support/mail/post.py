"""Whoever hands mails over, to replies within one process of live play; the answers are kept instead of sent."""

from server.games.clock import TimeControl
from server.games.terms import Terms
from server.mail.inbound.replies import Replies
from server.mail.inbound.reply_address import ReplyAddresses, token_for
from server.mail.inbound.worker import MailWorker
from server.rules.variant.pieces import Color
from server.storage.protocols.addresses import MailAddress
from server.web.rendering.problems import Problem
from tests.support.realtime.node import BLACK, WHITE

DOMAIN = "mail.example.com"
KEY = bytes(range(32))
DAYS = TimeControl.correspondence(3)


class Mailboxes:
    """The addresses of the two players, each with one. As much of an `AddressStore` as replies need."""

    def __init__(self):
        self.known = {
            player.id: [MailAddress(player.id, f"{player.name.lower()}@example.org", "en", 1, confirmed=2)]
            for player in (WHITE, BLACK)
        }

    async def of(self, owner):
        return self.known.get(owner, [])


class Post:
    """What a mail server would do: it hands mails over, under the address of the mail that they answer."""

    def __init__(self, node, limits):
        self.addresses = ReplyAddresses(DOMAIN, KEY)
        self.node = node
        self.answers = []
        self.room = True
        self.worker = MailWorker()
        self.full = False
        self.replies = Replies(node.rounds, self.addresses, limits, self.worker, self.keep, self.check_room)
        self.sent = 0

    async def keep(self, answer):
        if self.room:
            self.answers.append(answer)
        return self.room

    async def check_room(self, _player):
        if self.full:
            raise Problem(409, "games_at_once", n=1)

    async def challenge(self, variants):
        """White challenges Black by name."""
        chess = variants["chess"]
        terms = Terms(chess, False, chess.start_fen, DAYS, rated=False)
        made = await self.node.rounds.create(terms, WHITE, Color.WHITE, asked=BLACK)
        return (await self.node.rounds.get(made.game.id)).game

    async def game(self, variants, **terms):
        return (await self.node.rounds.get(await self.node.new_game(variants, control=DAYS, **terms))).game

    def now(self, game):
        """The game as it stands."""
        return self.node.rounds.in_memory(game.id).game

    def address(self, game, color, **more):
        """Where the player of `color` answers a mail that shows `game`."""
        name = "wanda" if color is Color.WHITE else "boris"
        return self.addresses.write(token_for(game, color, f"{name}@example.org", **more))

    async def hand_over(self, address, text, message_id="", sender="somebody@example.net", headers=""):
        self.sent += 1
        message_id = message_id or f"<{self.sent}@example.net>"
        content = f"Message-ID: {message_id}\r\n{headers}\r\n{text}\r\n".encode()
        return await self.replies.take(address, sender, content)

    async def reply(self, game, color, text, **more):
        """A reply to the mail that shows the game as it stands now; returns what came of it."""
        assert (await self.hand_over(self.address(self.now(game), color), text, **more)).startswith("250")
        return self.answers[-1].report
