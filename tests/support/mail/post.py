"""Whoever hands mails over, to replies within one process of live play; the answers are kept instead of sent."""

from contextlib import asynccontextmanager

from server.games.clocks.time_control import TimeControl
from server.games.clocks.vacations import Allowance, end_of
from server.games.terms import Terms
from server.mail.inbound.addresses import PersonalAddresses, ReplyAddresses, token_for
from server.mail.inbound.enquiries import Enquiries, VariantNames
from server.mail.inbound.mail_commands import TakeVacation
from server.mail.inbound.mail_report import NotDone
from server.mail.inbound.replies import Addresses, Replies, SiteCalls
from server.mail.inbound.worker import MailWorker
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from server.storage.tables.accounts import Account
from server.storage.tables.addresses import MailAddress
from server.web.rendering.problems import Problem
from tests.support.games import running_game
from tests.support.realtime.node import BLACK, WHITE
from tests.support.rules.built_in import VARIANTS

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


class Accounts:
    """The accounts of the two players. As much of an `AccountStore` as mails need."""

    async def find(self, name):
        named = {player.name.lower(): player for player in (WHITE, BLACK)}
        player = named.get(name.lower())
        return player and Account(player.name.lower(), player.id, player.name, "hash", 1)

    async def of_user(self, user):
        named = {player.id: player.name for player in (WHITE, BLACK)}
        return await self.find(named[user]) if user in named else None

    async def who_flags_by_hand(self, users):
        return frozenset()


class Post:
    """What a mail server would do: it hands mails over, under the address of the mail that they answer."""

    def __init__(self, node, limits):
        self.addresses = ReplyAddresses(DOMAIN, KEY)
        self.node = node
        self.answers = []
        self.room = True
        self.worker = MailWorker()
        self.full = False
        self.site = "Fairyhouse"
        self.personal = PersonalAddresses(DOMAIN, KEY)
        self.challenges, self.away = {}, {}
        names = VariantNames(VARIANTS, {"en": {one.id: one.name for one in VARIANTS.values()}})
        self.replies = Replies(
            node.rounds,
            Addresses(self.addresses, self.personal),
            limits,
            self.worker,
            self.keep,
            SiteCalls(
                Enquiries(node.rounds, node.live.tournaments, names, self.worker, node.clock),
                self.challenge_once,
                self.go_away,
                self.room_for_game,
                lambda: self.site,
            ),
        )
        self.sent = 0

    async def keep(self, answer):
        if self.room:
            self.answers.append(answer)
        return self.room

    @asynccontextmanager
    async def room_for_game(self, _player):
        if self.full:
            raise Problem(409, "games_at_once", n=1)
        yield

    async def challenge_once(self, maker, asked, mail):
        """What the site does with challenges by mail."""
        if asked.name == "Nobody":
            raise NotDone("nobody_of_that_name", name=asked.name)
        is_new = mail not in self.challenges
        self.challenges[mail] = (maker, asked)
        return running_game(), is_new

    async def go_away(self, owner, wanted):
        """What the site does with vacations by mail."""
        if isinstance(wanted, TakeVacation):
            self.away[owner] = wanted.last
        last = self.away.get(owner)
        return Allowance(28, 20, 0 if last is None else end_of(last), None)

    async def write(self, text, color=Color.WHITE, **more):
        """A mail to the site by the player of that color; returns what came of it."""
        assert (await self.hand_over(self.own_address(color), text, **more)).startswith("250")
        return self.answers[-1].report

    def own_address(self, color=Color.WHITE):
        player = WHITE if color is Color.WHITE else BLACK
        return self.personal.write_address(player.name, self.node.store.addresses.known[player.id][0])

    async def challenge(self, variants):
        """White challenges Black by name."""
        chess = variants["chess"]
        terms = Terms(chess, False, chess.start_fen, DAYS, rated=False)
        made = await create_open_game(self.node.rounds.services, terms, WHITE, Color.WHITE, asked=BLACK)
        return (await self.node.rounds.get(made.game.id)).game

    async def game(self, variants, **terms):
        return (await self.node.rounds.get(await self.node.new_game(variants, control=DAYS, **terms))).game

    def now(self, game):
        """The game as it stands."""
        return self.node.rounds.in_memory(game.id).game

    def address(self, game, color, **more):
        """Where the player of `color` answers a mail that shows `game`."""
        name = "wanda" if color is Color.WHITE else "boris"
        return self.addresses.write_address(token_for(game, color, f"{name}@example.org", **more))

    async def hand_over(self, address, text, message_id="", sender="somebody@example.net", headers=""):
        self.sent += 1
        message_id = message_id or f"<{self.sent}@example.net>"
        content = f"Message-ID: {message_id}\r\n{headers}\r\n{text}\r\n".encode()
        return await self.replies.take_mail(address, sender, content)

    async def reply(self, game, color, text, **more):
        """A reply to the mail that shows the game as it stands now; returns what came of it."""
        assert (await self.hand_over(self.address(self.now(game), color), text, **more)).startswith("250")
        return self.answers[-1].report


def sans(game):
    return [ply.san for ply in game.plies]


def keys(report):
    return [sentence.key.partition(".")[2] for sentence in report.done]
