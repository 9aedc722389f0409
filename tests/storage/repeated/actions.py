"""A site with a little of everything, and all that can be done to it: each handler that changes something, each command
by mail, each chore of its timers. An action is what a person, a mail server or a timer does, and would do again.
"""

import re
from dataclasses import asdict, dataclass, field, replace
from zlib import crc32

from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.joining import Answer, Invitation, JoinRequest
from server.games.player import Player
from server.games.puzzles import Puzzle
from server.games.seeks import Seeker
from server.games.state import OfferKind
from server.games.tournaments.tournament import GameResult, Pairing, Scoring, TournamentTerms
from server.mail.delivery import DeliveryOutcome
from server.mail.inbound.addresses import PersonalAddresses, ReplyAddresses, ReturnPaths, token_for
from server.mail.tokens import mark_of_secret
from server.mail.wishes import UNSUBSCRIBE
from server.realtime.runtime.ids import digest, game_of_board
from server.realtime.services.desk import make_claim
from server.realtime.services.joining import answer_request, ask_to_join, make_invitation
from server.realtime.services.sanctions import mark_of_address
from server.rules.variant.pieces import Color
from server.storage import admin_commands as admin
from server.storage.errors import NotStored
from server.storage.tables.accounts import fold
from server.storage.tables.addresses import MailAddress
from server.storage.tables.outbox import OutboxMail
from server.storage.tables.push import Device
from server.storage.tables.puzzles import Searched, puzzle_document
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.mail_addresses import CONFIRM, MAIL_ADDRESSES, RECOVER
from server.web.games.invitations import MAIL_INVITATIONS, NEVER_INVITE
from server.web.operation.host_commands import carry_out_command
from server.web.operation.housekeeping import invite_first_host
from server.web.operation.puzzle_filling import fill_form
from server.web.operation.shipped_puzzles import bring_puzzles_of
from tests.storage.repeated.site import GIVEN_UP_MS, Browser
from tests.support.puzzles import SMOTHERED
from tests.support.realtime.hand_clock import START
from tests.support.rules.built_in import VARIANTS

PASSWORD, NEW_PASSWORD = "a good long one", "another good one"
DAYS = {"kind": "correspondence", "days": 3}
BLITZ = {"kind": "realtime", "initial": 300, "increment": 2}
SOON_MS = 1_200_000
"""How soon the tournament begins: later than the chores that others do in the end."""
BOX, SECOND_BOX = "anna@example.org", "anna@example.net"
DOMAIN = "mail.example.com"
PGN = (
    '[Event "A small one"]\n[White "Kim"]\n[Black "Lee"]\n[Date "2020.01.02"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n'
)


@dataclass
class World:
    """Who is there, by name, and the ids of what there is."""

    people: dict = field(default_factory=dict)
    ids: dict = field(default_factory=dict)

    def copy(self):
        return World({name: one.copy() for name, one in self.people.items()}, dict(self.ids))

    def __getattr__(self, name):
        return self.people[name] if name in self.people else self.ids[name]


class Hand:
    """One attempt at an action: the site as it is now, and what the person knows."""

    def __init__(self, site, world):
        self.site, self.world = site, world

    async def post(self, who, path, /, **form):
        return await self.site.request(self.world.people[who], "POST", path.format(**self.world.ids), form=form)

    async def send(self, who, path, body=None, method="POST"):
        path = path.format(**self.world.ids)
        return await self.site.request(self.world.people[who], method, path, json_body={} if body is None else body)

    async def delete(self, who, path):
        return await self.site.request(self.world.people[who], "DELETE", path.format(**self.world.ids))

    async def get(self, who, path):
        return await self.site.request(self.world.people[who], "GET", path.format(**self.world.ids))

    async def mail(self, to, text):
        """The same mail until it is taken."""
        return await self.site.mail(self.world.ids[to], text, f"{crc32(text.encode())}@example.net")


async def registered(hand, name):
    hand.world.people[name.lower()] = Browser()
    answer = await hand.post(name.lower(), "/register", name=name, password=PASSWORD)
    assert answer.status == 303, (answer.status, answer.text)
    hand.world.ids[f"{name.lower()}_id"] = (await hand.get(name.lower(), "/api/me")).json()["id"]


async def made_game(hand, white, black, clock, moves=(), **more):
    """A game of these two, with these moves."""
    asked = {"variant": "chess", "color": "white", "clock": clock, **more}
    made = (await hand.send(white, "/api/games", asked)).json()
    answer = await hand.send(black, f"/api/games/{made['id']}/join", {"secret": made["secret"]})
    assert answer.status == 200, answer.text
    for ply, uci in enumerate(moves):
        await moved(hand, made["id"], ply, uci)
    return made["id"]


async def moved(hand, game, ply, uci):
    found = await hand.site.site.rounds.get(game)
    await found.submit(PlayMove(found.game.to_move, uci, ply), hand.site.site.now())


async def made_world(site):
    """Anna, Ben and Carla have accounts, Gina has none, and Robo is a bot."""
    world = World()
    hand = Hand(site, world)
    for name in ("Anna", "Ben", "Carla", "Robo", "Rita", "Hugo"):
        await registered(hand, name)
    world.people |= {"gina": Browser(), "nobody": Browser(), "other_anna": Browser(), "seeker": Browser()}
    await hand.send("gina", "/api/guest")
    await hand.send("seeker", "/api/guest")
    await hand.post("other_anna", "/sign-in", name="Anna", password=PASSWORD)
    world.ids["other_session"] = digest(world.people["other_anna"].cookies[site.site.sessions.cookie])
    await give_tokens(hand)
    await give_lost_games(hand)
    await give_mail(hand)
    await give_games(hand)
    await give_lobby(hand)
    await give_lessons(hand)
    await give_replies(hand)
    await give_desk(hand)
    await give_tournament(hand)
    await site.do_chores()
    return world


async def give_desk(hand):
    """Hilda is a host, and there is a link for another; somebody was reported, and something is told to everybody."""
    ids, store = hand.world.ids, hand.site.store
    await registered(hand, "Hilda")
    for code in ("first code", "second code"):
        await make_claim(store.desk, digest(code), Player("", "root"), hand.site.site.now())
        if code.startswith("first"):
            assert (await hand.post("hilda", "/host/claim", token=code)).status == 303
    ids["claim"] = "second code"
    assert (await hand.post("hilda", "/host/password", password=PASSWORD)).status == 303
    await registered(hand, "Mona")
    assert (await hand.post("hilda", "/host/roles", name="Mona", role="moderator", password=PASSWORD)).status == 303
    await hand.post("carla", "/report", name="Ben", kind="insults", text="Rude.")
    [report] = await store.reports.open(2)
    ids["report"] = report.id
    assert (await hand.post("hilda", "/host/reports/take", about=ids["ben_id"])).status == 303
    assert (await hand.post("hilda", "/host/notice", id="welcome", text="Welcome.", days="9")).status == 303
    # Whatever is posted in its place is posted later, as a form tells it by when it was.
    hand.site.clock.turn(1_000)
    ids["posted"] = str((await store.notices.current()).posted)
    ids["asks_to_join"] = fold("Nuri")
    for name in ("Nuri", "Rosa"):
        hashed = await hand.site.app[ACCOUNTS].hashing.hash(PASSWORD)
        asked = JoinRequest(fold(name), name, hashed, "I play here.", hand.site.site.now(), f"{name}@mail.example")
        await ask_to_join(store, asked)
        hand.world.people[name.lower()] = Browser()
    hilda = Player(ids["hilda_id"], "Hilda")
    await answer_request(store, fold("Rosa"), Answer.ACCEPTED, hilda, hand.site.site.now())
    ids["invitation"] = "23456789AB"
    now = hand.site.site.now()
    await make_invitation(store, Invitation(ids["invitation"], "", hilda, 1, now, now + DAY_MS))
    hand.world.people["invited"] = Browser()
    await registered(hand, "Sven")
    for name, measure in (("muted", "mute"), ("warned", "warn"), ("unlisted", "hide")):
        ids[name] = f"{name}0"
        about = {"id": ids[name], "person": ids["sven_id"], "measure": measure, "reason": "spam", "length": "7d"}
        assert (await hand.post("hilda", "/host/people", **about, sure="yes")).status == 303
    assert (await hand.post("sven", "/decisions/appeal", sanction=ids["muted"], text="Why?")).status == 303
    await registered(hand, "Vera")
    await store.addresses.add(MailAddress(ids["vera_id"], "vera@chess.example", "en", now, confirmed=now))
    mark = await mark_of_address(store.addresses, "vic@chess.example")
    await store.sanctions.keep_out([mark], now + 9 * DAY_MS)
    about = {"id": "shutout1", "person": ids["vera_id"], "measure": "suspend", "reason": "spam", "length": "ever"}
    assert (await hand.post("hilda", "/host/people", **about, sure="yes")).status == 303


async def give_tournament(hand):
    """An arena and a Swiss that begin soon, each with a result, and a wave of the arena whose process has died before
    it made the games; a section that is full, and one that anybody may enter.
    """
    ids, store, now = hand.world.ids, hand.site.store.tournaments, hand.site.site.now()
    shared = ("chess", False, TimeControl.realtime(60_000, 0), False, now + SOON_MS)
    for kind, terms, waves in (
        ("cup", TournamentTerms("Cup", "arena", *shared, 60), (1, 2)),
        ("swiss", TournamentTerms("Club", "swiss", *shared, 0, Scoring.PLAIN, berserk=False, rounds=3), (1,)),
    ):
        cup = await hand.site.site.live.tournaments.announce(Player(ids["carla_id"], "Carla"), terms, f"{kind} key")
        ids[kind] = cup.id
        for name in ("anna", "ben"):
            player = Player(ids[f"{name}_id"], name.title())
            await hand.site.site.live.tournaments.join(cup.id, Seeker(player, True))
        term = await store.lease(cup.id, "gone", now, now)
        for wave in waves:
            game = game_of_board(await hand.site.store.addresses.signing_key(), cup.id, wave, 0)
            pairing = Pairing(game, wave, 0, ids["anna_id"], ids["ben_id"], terms.starts)
            assert await store.add_wave(cup.id, [pairing], "gone", term)
            if wave == 1:
                assert await store.add_result(cup.id, GameResult(pairing, Color.WHITE, 30, terms.starts))
                ids[f"{kind}_game"] = game
    days = ("chess", False, TimeControl.correspondence(3), False, now, 0, Scoring.PLAIN)
    terms = TournamentTerms("Mail", "robin", *days, berserk=False, size=4, go_on=True)
    live, hugo = hand.site.site.live.tournaments, Player(ids["hugo_id"], "Hugo")
    for name in ("full", "entered", "open"):
        ids[f"{name}_section"] = (await live.announce(hugo, replace(terms, name=name), f"{name} key")).id
    # Whoever goes or withdraws in these tests is in no section that is about to begin: they may do so before or after.
    for name, entrants in (("full", ("carla", "sven", "hilda", "hugo")), ("entered", ("anna", "ben"))):
        for one in entrants:
            await live.join(ids[f"{name}_section"], Seeker(Player(ids[f"{one}_id"], one.title()), True))


async def give_mail(hand):
    """An address that is confirmed and one that is not, and the links that mails have."""
    site, ids, store = hand.site, hand.world.ids, hand.site.store
    mailer = site.app[MAIL_ADDRESSES].mailer
    for box in (BOX, SECOND_BOX):
        answer = await hand.post(
            "anna", "/account/mail", address=box, password=PASSWORD, turns="at_once", messages="daily"
        )
        assert answer.status == 303, (answer.status, answer.text)
    ids["confirm"] = mailer.sign_token(CONFIRM, ids["anna_id"], mark_of_secret(BOX), kept_ms=DAY_MS)
    await hand.post("anna", "/mail/confirm", token=ids["confirm"])
    ids["confirm"] = mailer.sign_token(CONFIRM, ids["anna_id"], mark_of_secret(SECOND_BOX), kept_ms=DAY_MS)
    ids["unsubscribe"] = mailer.sign_token(UNSUBSCRIBE, ids["anna_id"], mark_of_secret(BOX), kept_ms=DAY_MS)
    ids["never"] = mailer.sign_token(NEVER_INVITE, site.app[MAIL_INVITATIONS]._mark("kim@example.org"), kept_ms=DAY_MS)
    account = await store.accounts.find("Anna")
    ids["recover"] = mailer.sign_token(
        RECOVER, account.folded, account.user, mark_of_secret(account.password), kept_ms=DAY_MS
    )


async def give_tokens(hand):
    """Programs of a bot, of somebody who may become one, and of Anna."""
    ids, world = hand.world.ids, hand.world
    await token_for_program(hand, "robo", "bot")
    await token_for_program(hand, "rita", "rita_bot")
    await token_for_program(hand, "anna", "anna_bot")
    ids["anna_token"] = digest(world.people["anna_bot"].token)
    assert (await hand.send("bot", "/api/bot/account/upgrade")).status == 200


async def give_lost_games(hand):
    """Games in which Ben's time is over, and those who may claim it have chosen to do so themselves."""
    for who, key in (("anna", "lost"), ("robo", "lost_to_bot")):
        await hand.post(who, "/account/games", by_hand="yes")
        hand.world.ids[key] = await made_game(hand, who, "ben", {**DAYS, "days": 1}, ["e2e4", "e7e5", "g1f3"])
    hand.site.clock.turn(DAY_MS + 60_000)
    await hand.site.do_chores("Heartbeat.beat")


async def give_games(hand):
    """Games that go on or are over, and challenges."""
    site, ids, world = hand.site, hand.world.ids, hand.world
    ids["days"] = await made_game(hand, "anna", "ben", DAYS, ["e2e4", "e7e5"])
    ids["fresh"] = await made_game(hand, "anna", "ben", DAYS)
    ids["guests"] = await made_game(hand, "gina", "ben", DAYS, ["d2d4", "d7d5"])
    ids["bots"] = await made_game(hand, "robo", "ben", DAYS, ["e2e4", "e7e5"])
    ids["bots_late"] = await made_game(hand, "robo", "ben", DAYS, [])
    ids["over"] = await made_game(hand, "anna", "ben", DAYS, ["f2f3", "e7e5", "g2g4", "d8h4"])
    open_game = (await hand.send("anna", "/api/games", {"variant": "chess", "color": "white", "clock": DAYS})).json()
    ids["open"], ids["secret"] = open_game["id"], open_game["secret"]
    ids["asked"] = await challenged(hand, "anna", "Ben")
    ids["asks_anna"] = await challenged(hand, "ben", "Anna")
    ids["asks_bot"] = await challenged(hand, "ben", "Robo")
    ids["of_bot"] = (
        await hand.site.request(world.people["bot"], "POST", "/api/challenge/Ben", form={"days": "3", "color": "white"})
    ).json()["id"]
    ids["offered"] = await made_game(hand, "ben", "anna", DAYS, ["e2e4", "e7e5"])
    found = await site.site.rounds.get(ids["offered"])
    await found.submit(MakeOffer(Color.WHITE, OfferKind.DRAW, "q" * 10), site.site.now())
    ids["paused"] = await made_game(hand, "anna", "ben", DAYS, ["e2e4", "e7e5"])
    found = await site.site.rounds.get(ids["paused"])
    await found.submit(MakeOffer(Color.WHITE, OfferKind.PAUSE), site.site.now())
    await found.submit(AcceptOffer(Color.BLACK, found.game.offers[0].id), site.site.now())
    found = await site.site.rounds.get(ids["days"])
    # Anna gets it by mail tomorrow.
    await site.site.rounds.post_message(found, found.game.black, "players", "see you", site.site.now())


async def give_lobby(hand):
    """Seeks, an alert, a browser, a tie."""
    ids, store = hand.world.ids, hand.site.store
    for who, key, clock in (("ben", "seek", DAYS), ("seeker", "fast_seek", BLITZ), ("anna", "own_seek", BLITZ)):
        asked = {"variants": ["chess"], "clock": clock, "color": "white" if who != "ben" else "random"}
        answer = await hand.send(who, "/api/seeks", asked)
        assert answer.status == 201, answer.text
        ids[key] = answer.json()["seek"]["id"]
    ids["alert"] = (await hand.send("anna", "/api/alerts", {"variants": ["grand"]})).json()["id"]
    await store.push.keep(Device("https://push.example/1", ids["anna_id"], "p", "a", "en"))
    await hand.post("anna", "/@/Ben/follow")
    await hand.post("anna", "/@/Hugo/block")


async def give_lessons(hand):
    """A study, a puzzle, and a vacation of Carla's."""
    ids, store = hand.world.ids, hand.site.store
    told = (await hand.send("anna", "/api/studies", {"name": "Ideas", "chapter": "One", "pgn": "1. e4 e5 *"})).json()
    ids["study"] = told["study"]["id"] if "study" in told else told["id"]
    more = await hand.send("anna", "/api/studies/{study}/chapters", {"name": "Two", "pgn": "1. d4 d5 *"})
    assert more.status == 200, more.text
    study = await store.studies.find_study(ids["study"])
    ids["chapter"] = study.chapters[0]
    ids["study_rev"] = study.rev
    invited = await hand.send("anna", "/api/studies/{study}/members", {"name": "Ben"})
    assert invited.status == 200, invited.text
    puzzle: Puzzle = SMOTHERED
    ids["puzzle"], ids["next_puzzle"] = puzzle.id, puzzle.id[::-1]
    found = [puzzle, replace(puzzle, id=ids["next_puzzle"])]
    await store.puzzles.keep_puzzles(Searched(puzzle.game, puzzle.variant, puzzle.made), found)
    await hand.send("carla", "/api/me/vacation", {"until": "2023-11-20"})


async def give_replies(hand):
    """Where Anna may write to by mail."""
    ids, site, store = hand.world.ids, hand.site, hand.site.store
    mailer = site.app[MAIL_ADDRESSES].mailer
    address = next(one for one in await store.addresses.of(ids["anna_id"]) if one.address == BOX)
    of_games = ReplyAddresses(DOMAIN, mailer.key)
    for game, color in (
        ("days", Color.WHITE),
        ("over", Color.WHITE),
        ("fresh", Color.WHITE),
        ("offered", Color.BLACK),
        ("asks_anna", Color.BLACK),
        ("lost", Color.WHITE),
        ("paused", Color.WHITE),
    ):
        stored = await store.load(ids[game])
        ids[f"reply_{game}"] = of_games.write_address(token_for(stored, color, BOX))
        ids[f"confirm_{game}"] = of_games.write_address(token_for(stored, color, BOX, confirms=True))
    ids["return_path"] = ReturnPaths(DOMAIN, mailer.key, site.site.now).write_address(
        OutboxMail("of-a-turn", address.owner, BOX, "", "", 0, 0, 0), address
    )
    ids["write_to"] = PersonalAddresses(DOMAIN, mailer.key).write_address("Anna", address)


async def token_for_program(hand, who, program):
    answer = await hand.post(
        who, "/account/tokens", name="p", bot_play="yes", read="yes", write="yes", tournaments="yes"
    )
    secret = "fh_" + answer.text.split("fh_")[1][:43]
    hand.world.people[program] = Browser(token=secret)


async def challenged(hand, by, whom):
    answer = await hand.send(by, "/api/games", {"variant": "chess", "color": "white", "clock": DAYS, "to": whom})
    assert answer.status == 201, answer.text
    return answer.json()["id"]


ACTIONS = {}
"""By the method and the address of the route, the words of the mail, or the name of the chore."""
MORE_EACH_TIME = set()
"""What makes another of the same when it is asked for again, since nothing tells that from a wish for two."""
LEAVES_A_GUEST = frozenset({"POST /register (nobody yet)", "POST /register (by an invitation)"})
"""Whoever finds the name taken at the last moment leaves the guest whom they were to be."""
LEAVES = "POST /account/delete"
"""Whoever leaves is not told what happens at that moment, and what their mail said before its move stays said."""
SAYS = "mail TypedMove, Say"
ENDS_GAMES = frozenset({"chore Rounds.check_deadlines", "chore AccountMerges.carry_out_all"})
"""Such a thing may come between what a mail says and its move: the words stay said, and the answer tells of the end."""
SAID_IN_BETWEEN = re.compile(r'chat has .*"well met"|sent lacks {"to": "anna@')
"""Her words, and the digest of those before, which she has answered by speaking."""
ONE_BY_ONE = frozenset({"chore Rounds.remind_players"})
"""What they do to several games they do to one after the other: each may be as in another of the two orders."""
CROSSING = (
    frozenset({"mail MakeOffer", "mail TypedMove, MakeOffer", "mail MakeOffer (a pause)"}),
    frozenset({"mail TypedMove, Say", "mail Resign (confirmed)"}),
    frozenset({"POST /register (a guest with a game)", "POST /sign-in (a guest with a game)"}),
    frozenset({"POST /account/sign-out-everywhere", "POST /account/password", "POST /mail/password"}),
)
"""Of these, two of the same person that cross both count: each is judged by what its author saw."""


def action(*names, more=False):
    def keep(do):
        for name in names:
            ACTIONS[name] = do
        MORE_EACH_TIME.update(names if more else ())
        return do

    return keep


def form(name, who, /, more=False, path="", **fields):
    """A form of a page that is sent."""

    async def do(hand):
        filled = {key: value.format(**hand.world.ids) for key, value in fields.items()}
        return await hand.post(who, path or name.partition(" ")[2].partition(" ")[0], **filled)

    action(name, more=more)(do)


def api(name, who, body=None, more=False, path=""):
    """A request that scripts and programs send."""

    async def do(hand):
        method, _, there = name.partition(" ")
        filled = {
            key: value.format(**hand.world.ids) if isinstance(value, str) else value
            for key, value in (body or {}).items()
        }
        return await hand.send(who, path or there.partition(" ")[0], filled if method == "POST" else None, method)

    action(name, more=more)(do)


# Accounts. The words behind a route say which of its cases this is.
def registering(name, who, called, **more):
    """Whoever is told that the name is taken may have taken it themselves."""

    @action(name, more=True)
    async def register(hand):
        filled = {key: value.format(**hand.world.ids) for key, value in more.items()}
        answer = await hand.post(who, "/register", name=called, password=PASSWORD, **filled)
        if answer.status == 409:
            answer = await hand.post(who, "/sign-in", name=called, password=PASSWORD)
        return answer


registering("POST /register (a guest with a game)", "gina", "Gina")
registering("POST /register (nobody yet)", "nobody", "Norma")
registering("POST /register (by an invitation)", "invited", "Ingrid", invitation="{invitation}")


form("POST /sign-in (a guest with a game)", "gina", path="/sign-in", name="Carla", password=PASSWORD, more=True)
form("POST /sign-in (nobody yet)", "nobody", path="/sign-in", name="Carla", password=PASSWORD, more=True)
form("POST /guest", "gina", name="Zoe")
form("POST /sign-out", "other_anna")
form("POST /account/sign-out-everywhere", "anna")
form("POST /account/sessions/end", "anna", session="{other_session}")
form("POST /account/delete", "anna", password=PASSWORD)
form("POST /account/delete (with a role)", "mona", path="/account/delete", password=PASSWORD)
form("POST /account/notifications", "anna", zone="Europe/Madrid", quiet_from="22:00", quiet_until="07:00")
form("POST /account/games", "carla", by_hand="yes")
form("POST /@/{name}/note", "anna", path="/@/Carla/note", text="Plays fast.")
api("POST /api/games/{game}/note", "anna", {"text": "Castle long."}, path="/api/games/{days}/note")
form("POST /account/profile", "carla", text="I play slowly.")
form("POST /account/listing", "anna", unlisted="yes")
form("POST /account/ties", "anna", kind="follows", other="{ben_id}")
form("POST /report", "anna", name="Ben", kind="insults", text="He was rude.", also_block="yes")
for change in ("follow", "unfollow", "block", "unblock"):
    form(
        f"POST /@/{{name}}/{{change}} {change}",
        "anna",
        path=f"/@/{ {'unfollow': 'Ben', 'unblock': 'Hugo'}.get(change, 'Carla') }/{change}",
    )
form("POST /host/claim", "carla", token="{claim}")
form("POST /host/password", "hilda", password=PASSWORD)
form("POST /host/joining", "hilda", sign_up="closed", guests="link", question="Who are you?")
form("POST /host/settings", "hilda", rev="0", lead="Chess of the library.", privacy="We keep your games.")
offer = {"variant-chess": "yes", "place-chess": "1", "language-en": "yes"}
form("POST /host/settings/offer", "hilda", rev="0", **offer)
form("POST /host/site/backups", "hilda", kept="7")
form("POST /host/site/backup", "hilda", id="backup1")
form("POST /host/site/check", "hilda", id="check1")
form("POST /host/joining/answer", "hilda", answer="accepted", one="{asks_to_join}")


@action("POST /host/site/mail")
async def mail_host(hand):
    """To Hilda's own address, which she has confirmed before."""
    mailer, box = hand.site.app[MAIL_ADDRESSES].mailer, "hilda@chess.example"
    token = mailer.sign_token(CONFIRM, hand.world.ids["hilda_id"], mark_of_secret(box), kept_ms=DAY_MS)
    added = await hand.post("hilda", "/account/mail", address=box, password=PASSWORD, turns="never", messages="never")
    # Nobody confirms an address before they have got the mail about it.
    confirmed = added if added.status >= 400 else await hand.post("hilda", "/mail/confirm", token=token)
    return confirmed if confirmed.status >= 400 else await hand.post("hilda", "/host/site/mail", id="mail1")


form(
    "POST /host/joining/answer (refused)", "hilda", path="/host/joining/answer", answer="refused", one="{asks_to_join}"
)
form("POST /host/joining/invitations", "hilda", code="CDEFGHJKMN", note="Poster", uses="3", hours="24")
form("POST /host/joining/invitations/end", "hilda", code="{invitation}")
form("POST /sign-in (who was let in)", "rosa", path="/sign-in", more=True, name="Rosa", password=PASSWORD)
form("POST /host/reports/take", "hilda", about="{ben_id}", more=True)
form("POST /host/reports/leave", "hilda", about="{ben_id}")
form("POST /host/reports/close", "hilda", about="{ben_id}", read="9999999999999", outcome="not_upheld")
deciding = {"id": "shutout0", "person": "{ben_id}", "measure": "suspend", "reason": "insult", "length": "1d"}
form("POST /host/people", "hilda", **deciding, upheld="9999999999999", sure="yes")
whose = {"id": "data0", "person": "{ben_id}", "password": PASSWORD}
form("POST /host/people/data/export", "hilda", **whose)
form("POST /host/people/data/address", "hilda", **whose, new="ben@chess.example")
corrected = {**whose, "person": "{anna_id}", "old": BOX, "new": "anna@chess.example"}
form("POST /host/people/data/address (in place of another)", "hilda", path="/host/people/data/address", **corrected)
form("POST /host/people/data/delete", "hilda", **whose, name="Ben")
shut_out = {**whose, "person": "{vera_id}", "name": "Vera"}
form("POST /host/people/data/delete (who is shut out)", "hilda", path="/host/people/data/delete", **shut_out)
form("POST /host/chats/words", "hilda", words="darn", rev="0")
form("POST /host/people/lift", "hilda", sanction="{muted}")
form("POST /host/people/keep", "hilda", sanction="{muted}")
form("POST /decisions/read", "sven", sanction="{warned}")


@action("POST /decisions/appeal")
async def answer_host(hand):
    """To another decision, once the host has kept the first."""
    await hand.post("hilda", "/host/people/keep", sanction=hand.world.ids["muted"])
    return await hand.post("sven", "/decisions/appeal", sanction=hand.world.ids["unlisted"], text="Nor this.")


form("POST /host/notice", "hilda", id="notice1", text="We move on Sunday.", days="2")
form("POST /host/notice/restart", "hilda", id="restart1", text="We update.", minutes="10")
form("POST /host/notice/remove", "hilda", posted="{posted}")
form("POST /host/roles", "hilda", name="Ben", role="moderator", password=PASSWORD)
form("POST /tournaments", "carla", key="abcdefgh12", variant="chess", clock="60+0", starts="60", lasts="30")
for what, who, said in (
    *(("join", "carla", {}), ("pause", "anna", {}), ("leave", "ben", {}), ("again", "anna", {})),
    *(("berserk", "anna", {}), ("end", "carla", {}), ("out", "carla", {"name": "Ben"})),
    ("round", "carla", {"round": "2"}),
):
    form(f"POST /tournament/{{tournament}}/{what}", who, path=f"/tournament/{{cup}}/{what}", **said)
form(
    "POST /tournament/{tournament}/result",
    "carla",
    path="/tournament/{swiss}/result",
    game="{swiss_game}",
    result="draw",
)
form("POST /account/tokens", "ben", more=True, name="mine", bot_play="yes")
form("POST /account/tokens/revoke", "anna", token="{anna_token}")


@action("POST /account/password", more=True)
async def change_password(hand):
    """Whoever is asked to sign in does so, with the new password if that is good already."""
    answer = await hand.post("anna", "/account/password", old=PASSWORD, new=NEW_PASSWORD)
    if answer.status != 303 or answer.location.startswith("/sign-in"):
        answer = await hand.post("anna", "/sign-in", name="Anna", password=NEW_PASSWORD)
        if answer.status == 403:
            await hand.post("anna", "/sign-in", name="Anna", password=PASSWORD)
            answer = await hand.post("anna", "/account/password", old=PASSWORD, new=NEW_PASSWORD)
    return answer


# Mail addresses.
form("POST /account/mail", "ben", more=True, address="ben@example.org", password=PASSWORD, turns="hourly")
form("POST /account/mail/wishes", "anna", address=BOX, turns="never", results="daily")
form("POST /account/mail/remove", "anna", address=BOX)
form("POST /mail/confirm", "nobody", token="{confirm}")
form("POST /forgotten", "nobody", more=True, name="Anna")


@action("POST /mail/password", more=True)
async def recover(hand):
    """Then they sign in, as the page asks; whoever finds that the link is over tries that, too."""
    answer = await hand.post("nobody", "/mail/password", token="{recover}".format(**hand.world.ids), new=NEW_PASSWORD)
    if answer.status in (303, 410):
        answer = await hand.post("nobody", "/sign-in", name="Anna", password=NEW_PASSWORD)
    return answer


@action("POST /mail/unsubscribe/{token}")
async def unsubscribe(hand):
    return await hand.post("nobody", "/mail/unsubscribe/{unsubscribe}", **{"List-Unsubscribe": "One-Click"})


@action("POST /mail/never/{token}")
async def never(hand):
    return await hand.post("nobody", "/mail/never/{never}", **{"List-Unsubscribe": "One-Click"})


api(
    "POST /api/games/{game}/mail",
    "anna",
    {"fragment": "{secret}", "address": "kim@example.org"},
    path="/api/games/{open}/mail",
    more=True,
)
# Games and the lobby.
form("POST /computer", "anna", more=True, variant="chess", level="2", color="white")
api("POST /api/games", "anna", {"variant": "chess", "color": "white", "clock": DAYS}, more=True)
api(
    "POST /api/games (by name)",
    "carla",
    {"variant": "chess", "color": "white", "clock": DAYS, "to": "Ben"},
    more=True,
    path="/api/games",
)
api("POST /api/games/{game}/join", "carla", {"secret": "{secret}"}, path="/api/games/{open}/join")
api("POST /api/games/{game}/join (a challenge)", "ben", {"secret": ""}, path="/api/games/{asked}/join")
api("POST /api/games/{game}/refuse", "ben", path="/api/games/{asked}/refuse")
api("POST /api/games/{game}/qr", "anna", {"fragment": "{secret}"}, path="/api/games/{open}/qr")
api("POST /api/guest", "nobody", more=True)
api("POST /api/seeks", "carla", {"variants": ["grand"], "clock": DAYS, "color": "white"}, more=True)
api("POST /api/seeks (somebody waits)", "carla", {"variants": ["chess"], "clock": DAYS}, path="/api/seeks", more=True)
api("POST /api/seeks/{seek}/accept", "carla", path="/api/seeks/{seek}/accept")
api("DELETE /api/seeks/{seek}", "anna", path="/api/seeks/{own_seek}")


@action("POST /api/games/{game}/offline")
async def bring(hand):
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    line = {"variant": "chess", "fen": start, "color": "white", "computer": 2, "moves": ["e2e4", "e7e5"]}
    return await hand.send(
        "carla", "/api/games/Offline001/offline", {**line, "end": "resigned", "begun": 9_000, "played": 5_000}
    )


@action("POST /api/import")
async def import_games(hand):
    return await hand.site.request(
        hand.world.anna, "POST", "/api/import", body=PGN.encode(), kind="application/x-chess-pgn"
    )


@action("POST /import")
async def import_form(hand):
    body = f'--cut\r\nContent-Disposition: form-data; name="text"\r\n\r\n{PGN}\r\n--cut--\r\n'.encode()
    return await hand.site.request(
        hand.world.anna, "POST", "/import", body=body, kind="multipart/form-data; boundary=cut"
    )


# What else a person keeps.
api("POST /api/alerts", "anna", {"variants": ["shogun"]})
api("DELETE /api/alerts/{alert}", "anna")
api(
    "POST /api/push",
    "anna",
    {"endpoint": "https://fcm.googleapis.com/fcm/send/1", "p256dh": "B" * 87, "auth": "A" * 22},
)
form("POST /settings", "anna", theme="dark")
form("POST /language", "anna", language="es")
api("POST /api/lessons/{lesson}/{step}", "anna", {"move": "d5c7"}, path="/api/lessons/chess/royal-fork")
api("POST /api/puzzles", "anna", {"form": "chess"})
api("POST /api/puzzles/{puzzle}", "anna", {"moves": ["c4g8", "h6f7"]})
api("POST /api/puzzles/{puzzle} (the next)", "anna", {"moves": ["c4g8", "h6f7"]}, path="/api/puzzles/{next_puzzle}")
api("POST /api/puzzles/{puzzle}/solution", "anna")
api("POST /api/variants/{variant}/line", "anna", {"moves": ["e2e4"]}, path="/api/variants/chess/line")
api("POST /api/analysis/pgn", "anna", {"pgn": "1. e4 *"})
form("POST /games/mine/vacation", "anna", until="2023-11-20")
form("POST /games/mine/vacation/end", "carla")
api("POST /api/me/vacation", "anna", {"until": "2023-11-20"})
api("POST /api/me/vacation (a longer one)", "carla", {"until": "2023-11-22"}, path="/api/me/vacation")
api("DELETE /api/me/vacation", "carla")
# Studies.
api("POST /api/studies", "ben", {"name": "Mine", "chapter": "One", "pgn": "1. c4 *"}, more=True)
api("POST /api/studies/{study}", "anna", {"rev": 2, "name": "Better ideas"})
api("DELETE /api/studies/{study}", "anna")
api("POST /api/studies/{study}/members", "anna", {"name": "Carla", "role": "read"})
api(
    "POST /api/studies/{study}/members (another role)",
    "anna",
    {"name": "Ben", "role": "read"},
    path="/api/studies/{study}/members",
)
api("DELETE /api/studies/{study}/members/{name}", "ben", path="/api/studies/{study}/members/Ben")
api("POST /api/studies/{study}/copy", "anna", more=True)
api("POST /api/studies/{study}/chapters", "anna", {"name": "Three", "pgn": "1. f4 *"}, more=True)
api("POST /api/studies/{study}/chapters/{chapter}", "anna", {"rev": 1, "pgn": "1. e4 e6 *"})
api("DELETE /api/studies/{study}/chapters/{chapter}", "anna")
# Programs.
BOT = "/api/bot/game/{game}"


@action("POST /api/token/test")
async def test_tokens(hand):
    return await hand.site.request(
        Browser(), "POST", "/api/token/test", body=hand.world.bot.token.encode(), kind="text/plain"
    )


form("POST /api/bot/account/upgrade", "rita_bot")
form(BOT.join(("POST ", "/move/{uci}")), "bot", path="/api/bot/game/{bots}/move/g1f3")
form(BOT.join(("POST ", "/move/{uci} (with an offer)")), "bot", path="/api/bot/game/{bots}/move/g1f3?offeringDraw=true")
form(BOT.join(("POST ", "/chat")), "bot", path="/api/bot/game/{bots}/chat", room="player", text="hello", more=True)
form(BOT.join(("POST ", "/abort")), "bot", path="/api/bot/game/{bots_late}/abort")
form(BOT.join(("POST ", "/resign")), "bot", path="/api/bot/game/{bots}/resign")
form(BOT.join(("POST ", "/claim-victory")), "bot", path="/api/bot/game/{lost_to_bot}/claim-victory")
form(BOT.join(("POST ", "/claim-draw")), "bot", path="/api/bot/game/{lost_to_bot}/claim-draw")
form(BOT.join(("POST ", "/draw/{answer}")), "bot", path="/api/bot/game/{bots}/draw/yes")
form(BOT.join(("POST ", "/takeback/{answer}")), "bot", path="/api/bot/game/{bots}/takeback/yes")
form("POST /api/bot/seek/{seek}/take", "bot", path="/api/bot/seek/{seek}/take")
for kind, cup in (("tournament", "cup"), ("swiss", "swiss")):
    for what in ("join", "withdraw"):
        form(f"POST /api/{kind}/{{tournament}}/{what}", "anna_bot", path=f"/api/{kind}/{{{cup}}}/{what}")
form("POST /api/challenge/{game}/accept", "bot", path="/api/challenge/{asks_bot}/accept")
form("POST /api/challenge/{game}/decline", "bot", path="/api/challenge/{asks_bot}/decline")
form("POST /api/challenge/{game}/cancel", "bot", path="/api/challenge/{of_bot}/cancel")
form("POST /api/challenge/open", "bot", more=True, days="3", name="Who wants to")
form("POST /api/challenge/ai", "bot", more=True, level="2", color="white")
form("POST /api/challenge/{name}", "bot", path="/api/challenge/Carla", more=True, days="3", color="white")

MAILS = {
    "TypedMove": ("reply_days", "Nf3"),
    "TypedMove, Say": ("reply_days", "Nf3\nsay well met"),
    "TypedMove, MakeOffer": ("reply_days", "Nf3\ndraw"),
    "MakeOffer": ("reply_days", "draw"),
    "MakeOffer (a pause)": ("reply_days", "pause"),
    "MakeOffer (a rematch)": ("reply_over", "rematch"),
    "AnswerOffer": ("reply_offered", "accept"),
    "AnswerOffer, Say": ("reply_offered", "decline\nsay not yet"),
    "AnswerOffer (a challenge)": ("reply_asks_anna", "accept"),
    "EndPause": ("reply_paused", "resume"),
    "ClaimTime": ("reply_lost", "claim"),
    "Abort": ("reply_fresh", "abort"),
    "Resign": ("reply_days", "resign {days}"),
    "Resign (confirmed)": ("confirm_days", "resign {days}"),
    "Say": ("reply_days", "say good luck"),
    "Preview": ("reply_days", "preview Nf3"),
    "Show": ("reply_days", "show"),
    "Conditional": ("reply_offered", "if Nf3 then Nc6"),
    "ListGames": ("write_to", "games"),
    "ShowAll": ("write_to", "show all"),
    "Help": ("write_to", "help"),
    "ShowGame": ("write_to", "show {days}"),
    "Standings": ("write_to", "standings chess"),
    "Ratings": ("write_to", "ratings Ben"),
    "History": ("write_to", "history Ben"),
    "Challenge": ("write_to", "challenge Carla chess"),
    "TakeVacation": ("write_to", "vacation until 2023-11-20"),
    "AskVacation": ("write_to", "vacation"),
    "ListSections": ("write_to", "robin"),
    "ShowSection": ("write_to", "robin {full_section}"),
    "EnterSection": ("write_to", "enter {open_section}"),
    "WithdrawFrom": ("write_to", "withdraw {entered_section}"),
}
"""To which address which text; named for the commands in it."""


def mailed(name, to, text):
    async def do(hand):
        return await hand.mail(to, text.format(**hand.world.ids))

    action(f"mail {name}")(do)


for words, (to, text) in MAILS.items():
    mailed(words, to, text)


def typed(command):
    """What a host types: a command of the program, which a process carries out that has the store."""
    return type(command).__name__, command


POSTED = START + DAY_MS + 120_000
"""After what is posted when all begins."""
COMMANDS = (
    typed(admin.ResetPassword("Ben", "hash of another one")),
    typed(admin.DeleteGame("{over}", sure=True)),
    typed(admin.DeletePlayer("Rita", sure=True)),
    typed(admin.DeleteProfileText("Carla", sure=True)),
    typed(admin.DeleteImports(0, "", sure=True)),
    typed(admin.PostNotice("We move on Sunday.", POSTED, START + 9 * DAY_MS)),
    typed(admin.RemoveNotice()),
    typed(admin.ListReports()),
    typed(admin.CloseReport("{report}")),
    typed(admin.ClaimHost(digest("third code"))),
    typed(admin.GiveRole("Ben", "moderator")),
    typed(admin.ListRoles()),
    typed(admin.ChooseJoining("closed", "link", "Who are you?")),
    typed(admin.ListJoining()),
    typed(admin.AnswerRequest("Nuri", accept=True, reason="")),
    typed(admin.Invite("CDEFGHJKMP", "Poster", 3, START, START + 9 * DAY_MS)),
    typed(admin.ListInvitations()),
    typed(admin.EndInvitation("{invitation}")),
    typed(admin.ImposeSanction("Ben", "suspend", "insult", "1d", "You were rude.")),
    typed(admin.Pardon("Sven")),
    typed(admin.ListSanctions()),
    typed(admin.AdmitAddress("vic@chess.example")),
    typed(admin.ExportPerson("Ben")),
    typed(admin.KeepPuzzles("game0007", "chess", START, [dict(puzzle_document(replace(SMOTHERED, id="z9y8x7w6v5")))])),
    typed(admin.ListPuzzles("")),
    typed(admin.RemovePuzzles(["{puzzle}"], "", sure=True)),
)


def commanded(name, command):
    async def do(hand):
        filled = {
            key: value.format(**hand.world.ids) if isinstance(value, str) else value
            for key, value in asdict(command).items()
        }
        site = hand.site.site
        if puzzles := filled.get("puzzles"):
            filled["puzzles"] = [one.format(**hand.world.ids) if isinstance(one, str) else one for one in puzzles]
        try:
            said = await carry_out_command(
                site.store, type(command)(**filled), site.now(), site.settings.address, site.live.deleted, "root"
            )
        except NotStored:
            return Refused()
        await site.live.sanctions.tell()
        return said

    action(f"command {name}")(do)


@dataclass
class Refused:
    """What was asked for is not there, or not any more."""

    status: int = 404


for name, command in COMMANDS:
    commanded(name, command)


@action("command RemovePuzzles (of a variant)")
async def remove_all_puzzles(hand):
    site, command = hand.site.site, admin.RemovePuzzles([], "chess", sure=True)
    return await carry_out_command(site.store, command, site.now(), "", site.live.deleted, "root")


# What a process does once after its start.
@action("start invite_first_host")
async def invite_host(hand):
    await invite_first_host(hand.site.site)


@action("start bring_shipped_puzzles")
async def bring_puzzles(hand):
    await bring_puzzles_of(hand.site.site, VARIANTS["grand"])


@action("start fill_puzzles")
async def fill(hand):
    await fill_form(hand.site.site, VARIANTS["chess"], False)


@action("report of a full mailbox")
async def mail_returned(hand):
    return await hand.site.returned_mail(hand.world.return_path)


@action("chore OutboxSender.send_due (a full mailbox)")
async def mail_refused(hand):
    hand.site.mail_server.says = DeliveryOutcome.REFUSED
    await hand.site.do_chores("OutboxSender.send_due")


BEFORE = {
    "command DeleteImports": "POST /api/import",
    "command DeleteProfileText": "POST /account/profile",
    "chore AccountMerges.carry_out_all": "POST /account/delete",
    "chore count_finished": "POST /api/bot/game/{game}/resign",
    "chore Teller.tell_the_rest": "mail TypedMove",
    "chore dispose": "POST /api/bot/game/{game}/abort",
    "chore Archive.file_the_rest": "POST /api/bot/game/{game}/resign",
    "chore ExplorerIndex.step": "chore count_finished",
    "chore forget": "POST /account/delete",
    "chore mail_answers": "POST /host/joining/answer",
    "chore OutboxSender.send_due": "POST /forgotten",
    "chore OutboxSender.send_due (a full mailbox)": "POST /forgotten",
}
"""What happens before, so that there is something to do: that process dies after its first write."""
WHOLE_BEFORE = frozenset({"chore count_finished", "POST /api/import", "POST /account/profile"})
"""After its last one, as there is nothing to do before."""


def before(name):
    """All that happens before, in order."""
    earlier = BEFORE.get(name)
    return [*before(earlier), earlier] if earlier else []


LATER_MS = {
    "chore Lobby.expire_seeks": 3_600_000,
    "chore Tournaments.tick": SOON_MS + 60_000,
    "chore Tournaments.tick_sections": SOON_MS + 60_000,
    "chore TournamentTeller.tell_due": SOON_MS,
    "chore Digests.tell_due": DAY_MS,
    "chore Rounds.remind_players": 5 * DAY_MS // 2,
    "chore Rounds.check_deadlines": 4 * DAY_MS,
    "chore Vacations.follow": 7 * DAY_MS,
    "chore dispose": 8 * DAY_MS,
    "chore forget": 91 * DAY_MS,
}
"""How much later that is."""
AGAIN_AFTER_MS = {"start fill_puzzles": GIVEN_UP_MS + 1}
"""How much later it is done again: until then games that somebody has begun to search are theirs."""
CHANGES_NOTHING = frozenset(
    {
        *(f"command {name}" for name, command in COMMANDS if admin.only_reads(command)),
        "start invite_first_host",
        *("POST /api/games/{game}/qr", "POST /api/puzzles", "POST /api/variants/{variant}/line"),
        *("POST /api/analysis/pgn", "POST /api/token/test", "POST /api/challenge/ai", "POST /host/password"),
        *("chore Heartbeat.beat", "chore Heartbeat.tell_nodes", "chore OtherProcesses.keep_in_touch", "chore beat"),
        *("chore LivePlay._look", "chore LivePlay._ping", "chore LivePlay.leave_pages_if_cut_off"),
        *("chore Tv.refresh", "chore Ties.catch_up"),
        *(
            "chore ShownNotice.refresh",
            "chore LiveSettings.refresh",
            "chore LivePlay.read_bots",
            "chore SanctionWatch.read_sanctions",
            "chore close_what_has_ended",
            "chore start_commands",
        ),
        "chore back_up",
        *(
            "POST /tournament/{tournament}/again",
            "POST /tournament/{tournament}/berserk",
            "POST /tournament/{tournament}/round",
        ),
    }
)
"""What only looks, is always refused, or stores nothing that anybody was promised."""


def done_by_chore(name):
    async def do(hand):
        # Some do what they have seen once before.
        for _ in range(2):
            await hand.site.do_chores(name)

    action(f"chore {name}")(do)


CHORES = (
    *(
        "Heartbeat.beat",
        "Heartbeat.tell_nodes",
        "LivePlay.leave_pages_if_cut_off",
        "Rounds.check_deadlines",
        "LivePlay._look",
        "OtherProcesses.keep_in_touch",
        "Lobby.expire_seeks",
    ),
    *("LivePlay._ping", "Rounds.remind_players", "Vacations.follow", "count_finished", "Tv.refresh", "Ties.catch_up"),
    *(
        "ShownNotice.refresh",
        "LiveSettings.refresh",
        "LivePlay.read_bots",
        "SanctionWatch.read_sanctions",
        "Digests.tell_due",
        "Teller.tell_the_rest",
        "beat",
        "back_up",
        "forget",
    ),
    *(
        "close_what_has_ended",
        "AccountMerges.carry_out_all",
        "start_commands",
        "dispose",
        "Archive.file_the_rest",
        "ExplorerIndex.step",
        "Tournaments.tick",
        "Tournaments.tick_sections",
        "TournamentTeller.tell_due",
    ),
    "mail_answers",
    "OutboxSender.send_due",
)
for chore in CHORES:
    done_by_chore(chore)


ALIKE = frozenset(
    """
    POST /account/notifications
    POST /@/{name}/{change} follow
    POST /@/{name}/{change} unfollow
    POST /@/{name}/{change} unblock
    POST /account/tokens/revoke
    POST /account/mail/wishes
    POST /forgotten
    POST /mail/password
    POST /mail/unsubscribe/{token}
    POST /mail/never/{token}
    POST /api/games/{game}/mail
    POST /computer
    POST /api/games/{game}/join (a challenge)
    POST /api/games/{game}/qr
    POST /api/seeks/{seek}/accept
    POST /api/games/{game}/offline
    POST /import
    DELETE /api/alerts/{alert}
    POST /language
    POST /api/lessons/{lesson}/{step}
    POST /api/puzzles
    POST /api/puzzles/{puzzle} (the next)
    POST /api/puzzles/{puzzle}/solution
    POST /api/variants/{variant}/line
    POST /api/analysis/pgn
    POST /games/mine/vacation/end
    POST /api/me/vacation
    POST /api/me/vacation (a longer one)
    DELETE /api/me/vacation
    POST /api/studies
    POST /api/studies/{study}
    POST /api/studies/{study}/chapters/{chapter}
    DELETE /api/studies/{study}/chapters/{chapter}
    POST /api/bot/game/{game}/move/{uci} (with an offer)
    POST /api/bot/game/{game}/abort
    POST /api/bot/game/{game}/claim-victory
    POST /api/bot/game/{game}/claim-draw
    POST /api/bot/game/{game}/takeback/{answer}
    POST /api/challenge/{game}/accept
    POST /api/challenge/{game}/cancel
    POST /api/challenge/ai
    mail TypedMove
    mail MakeOffer (a pause)
    mail MakeOffer (a rematch)
    mail AnswerOffer (a challenge)
    mail EndPause
    mail ClaimTime
    mail Abort
    mail Preview
    mail Show
    mail Conditional
    mail ListGames
    mail ShowAll
    mail Help
    mail ShowGame
    mail Standings
    mail Ratings
    mail History
    mail AskVacation
    report of a full mailbox
    chore Heartbeat.tell_nodes
    chore Rounds.check_deadlines
    chore LivePlay._look
    chore OtherProcesses.keep_in_touch
    chore LivePlay._ping
    chore LivePlay.leave_pages_if_cut_off
    chore Tv.refresh
    chore Ties.catch_up
    chore ShownNotice.refresh
    chore LiveSettings.refresh
    chore LivePlay.read_bots
    chore SanctionWatch.read_sanctions
    chore beat
    chore back_up
    chore close_what_has_ended
    chore start_commands
    chore Archive.file_the_rest
    """.strip().split("\n    ")
)
"""Each writes nothing, or by the same calls of the store as another action that is not among them."""
