"""Every letter that the site writes, in each language, made by the site's own writers.

`letter_makers` finds the functions of the server that make letters; LETTERS has examples of each, so that a new one
cannot be forgotten (`tests.mail.test_every_letter`).
"""

import ast
import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from server.games.changes.beginning import new_game
from server.games.changes.ending import Resign
from server.games.changes.offers import DeclineOffer, MakeOffer
from server.games.changes.playing import PrepareMoves
from server.games.clocks.time_control import DAY_MS, Speed, TimeControl
from server.games.conditional import Branch
from server.games.joining import Answer, JoinRequest
from server.games.rating import Rating
from server.games.reminders import Remind
from server.games.state import OfferKind
from server.games.tournaments.tournament import (
    MINUTE_MS,
    Entrant,
    Sheet,
    Tournament,
    TournamentNews,
    TournamentTerms,
)
from server.language import load_words
from server.mail.composing import Letter, Letterhead, ReplyTo
from server.mail.inbound.addresses import PersonalAddresses, ReplyAddresses
from server.mail.inbound.answer_text import PARTS_OF_HELP, how_to_answer
from server.mail.inbound.answers import Answers
from server.mail.inbound.command_words import NotACommand
from server.mail.inbound.enquiries import VariantNames
from server.mail.inbound.execute import PersonalMail, RepliedSeat
from server.mail.inbound.mail_report import HelpOn, Leaders, MailReport, OpenSections, OtherGame, SectionTable, Sentence
from server.mail.inbound.received_mail import ReceivedMail
from server.mail.inbound.replies import Addresses, MailAnswer
from server.mail.mailer import Mailer
from server.rules.notation.letters import OWN, letters_of
from server.rules.variant.pieces import Color
from server.storage.protocols.ratings import Category
from server.storage.tables.addresses import MailAddress
from server.web.accounts.mail_addresses import MailAddresses, Recovery
from server.web.budgets.limits import Limits
from server.web.games.invitations import MailInvitations
from server.web.joining import answer_letter
from server.web.languages import LANGUAGES
from server.web.notifications.game_news import GameNews
from server.web.notifications.letters import LetterWriter, rules_address, rules_link, terms_words
from server.web.notifications.tournament_news import write_notice
from server.web.pictures.text_board import text_for, text_of
from server.web.rules_pages.plain_text import unwrapped
from server.web.rules_pages.rules_pages import RulesPages, Wording
from server.web.site import SITE
from server.web.site_room import trial_letter
from server.web.variant_words import names_in
from tests.support.games import (
    BLACK,
    BORIS,
    CARLA,
    START,
    WANDA,
    WHITE,
    after,
    live_game,
    moved,
    open_game,
    proposed_game,
    running_game,
)
from tests.support.rules.built_in import VARIANTS

HERE = "https://play.example.org"
DOMAIN = "mail.example.com"
BY_DAYS = TimeControl.correspondence(3)
WORDS = load_words()
NAMES = {code: names_in(code, VARIANTS) for code in WORDS}
KEY = bytes(range(32))
RULES = RulesPages(VARIANTS, {})
HEAD = Letterhead("games@example.com", DOMAIN, "The Club")
ADDRESSES = Addresses(ReplyAddresses(DOMAIN, KEY), PersonalAddresses(DOMAIN, KEY))


class Kept:
    """A mailer that keeps the letters. As much of a `Mailer` as those who write letters need."""

    def __init__(self):
        self.letters = []
        self.signing = Mailer(None, lambda: HEAD, KEY, lambda: None, lambda: START)
        self.key, self.letterhead, self.now = KEY, self.signing.letterhead, self.signing.now
        self.sign_token = self.signing.sign_token

    async def post_letter(self, letter, _owner, _kept_ms):
        self.letters.append(letter)
        return True


@cache
def letter_makers():
    """The functions of the server that make a `Letter`, each as "file:function"."""
    root = Path(__file__).parents[3]
    found = set()
    for path in (root / "server").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for function in ast.walk(ast.parse(text)) if "Letter(" in text else ():
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and any(
                isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Letter" for call in ast.walk(function)
            ):
                found.add(f"{path.relative_to(root).as_posix()}:{function.name}")
    return found


def games():
    """Games as letters find them: the name of each state, the game, and the colour of its reader."""
    for nth, (state, game, color) in enumerate(_games()):
        yield state, replace(game, id=f"{nth:010}"), color


def _games():
    begun = running_game(control=BY_DAYS)
    offered = after(begun, MakeOffer(BLACK, OfferKind.DRAW, "offer00000", len(begun.plies)))
    conditional = (Branch("g1f3", (Branch("b8c6"),)),)
    strange = moved(live_game(control=BY_DAYS, variant="grand"), "e3e5 e8e6")
    yield "turn", begun, WHITE
    yield "turn of black", moved(begun, "g1f3"), BLACK
    yield "begun", live_game(control=BY_DAYS), BLACK
    yield "strange pieces", strange, WHITE
    yield "strange pieces of black", moved(strange, "b2c4"), BLACK
    yield "offered", offered, WHITE
    yield "declined", after(offered, DeclineOffer(WHITE, offered.offers[0].id)), BLACK
    yield "over", after(begun, Resign(BLACK)), WHITE
    yield "of a section", replace(begun, tournament="9876543210"), WHITE
    yield "of a section, over", replace(after(begun, Resign(BLACK)), tournament="9876543210"), WHITE
    yield "asked", new_game("game", begun.terms, START, black=BORIS, invites=(WANDA, None)), WHITE
    yield "proposed", proposed_game(control=BY_DAYS), BLACK
    yield "prepared", after(begun, PrepareMoves(BLACK, begun.position, conditional)), BLACK
    yield "reminded", after(begun, Remind(), now=START + 2 * DAY_MS), WHITE


def own_address(color, code):
    player = WANDA if color is WHITE else BORIS
    return player, MailAddress(player.id, f"{player.name.lower()}@example.org", code, 1, confirmed=2)


def writer(code):
    def reply_of(game, color, to, language):
        address = f"play+{'a' * 40}@{DOMAIN}"
        return ReplyTo(address, how_to_answer(game, color, language, letters_of(game.terms.variant, to.letters)))

    return LetterWriter(Kept(), WORDS, NAMES, HERE, reply_of)


async def of_games(code):
    for state, game, color in games():
        player, to = own_address(color, code)
        for heard in ((), ("Good luck!\nand have fun",)):
            news = GameNews(game, player, heard, ["turn"])
            yield f"{state}{', said' if heard else ''}", await writer(code).write_letter(news, 1, to)
    player, to = own_address(WHITE, code)
    game = next(game for _, game, _ in games())
    news = GameNews(game, player, ("Hello!",), ["message"])
    yield "message", await writer(code).write_letter(news, 1, to)


async def digests(code):
    player, to = own_address(WHITE, code)
    told = [GameNews(game, player, (), ["turn"]) for _, game, color in games() if color is WHITE]
    yield "digest", writer(code).write_digest(told, to, "digest", more=True)


def section(**changes):
    terms = TournamentTerms("Club", "robin", "grand", False, BY_DAYS, True, START, 0, size=4, go_on=True)
    made = Tournament("0123456789", CARLA, terms, START, START, called=1, event="0123456789", stage=1, section=2)
    return replace(made, **changes)


def rows():
    people = (WANDA, BORIS, CARLA)
    return [
        Sheet(Entrant(person, 1500, False, START), points=points)
        for person, points in zip(people, (5, 4, 1), strict=True)
    ]


def reports():
    """What an answer can report: everything that it says, each once."""
    game = replace(running_game(control=BY_DAYS), id="0123456789")
    yield "played", MailReport([Sentence("mail_answers.played", {"move": "Nf3"})])
    yield "not understood", MailReport(refused=NotACommand("not_understood", line="I play Nf3"), near=["Nf3"])
    yield "only the subject", MailReport(refused=NotACommand("only_subject", line="Nf3"), is_last=True)
    for topic in ("", "grand", "pbmserv", *(topic for part in PARTS_OF_HELP.values() for topic in part)):
        yield f"help {topic}", MailReport(told=[HelpOn(topic)])
    best = Leaders(Category("grand", False, Speed.CORRESPONDENCE), [("Anna", Rating())])
    yield "lists", MailReport(told=[best, OtherGame(game, Color.WHITE)])
    table = SectionTable(section(winner=WANDA), rows(), True)
    yield "sections", MailReport(told=[OpenSections([(section(called=0), 2)], [section()]), table])


async def answers(code):
    language, names = WORDS[code], {one: {key: called.name for key, called in NAMES[one].items()} for one in WORDS}
    game = replace(running_game(control=BY_DAYS), id="0123456789")

    def stands(shown, color, _code, tradition):
        how = language, NAMES[code][shown.terms.variant.id], START, letters_of(shown.terms.variant, tradition)
        return text_of(shown, *how) if color is None else text_for(shown, color, *how)

    async def rules(variant, chess960, _code):
        return unwrapped(await RULES.text(VARIANTS[variant], Wording(code, language.plain, NAMES[code]), chess960))

    def links(shown, _code):
        return rules_link(shown, NAMES[code][shown.terms.variant.id], language, rules_address(HERE, shown))

    made = Answers(
        Kept(),
        ADDRESSES,
        WORDS,
        VariantNames(VARIANTS, names),
        HERE,
        stands,
        rules,
        lambda shown, _code: terms_words(shown, NAMES[code][shown.terms.variant.id], language),
        links,
        SimpleNamespace(),
    )
    player, to = own_address(WHITE, code)
    token = SimpleNamespace(color=WHITE)
    seat = RepliedSeat(None, SimpleNamespace(game=game), player, token, OWN, None, None, None)
    for name, report in reports():
        for about, person in (("game", seat), ("site", PersonalMail(player, None, None, None))):
            answer = MailAnswer(person, to, "play@example.com", ReceivedMail("<a@example.org>", False, ()), report)
            context = await made._context(answer)
            yield f"answer, {about}: {name}", made._letter(answer, tuple(made._lines(answer, context)))


async def confirmations(code):
    kept, (_, to) = Kept(), own_address(WHITE, code)
    accounts = SimpleNamespace(now=lambda: START)
    await MailAddresses(None, kept, accounts, HERE, None)._ask_to_confirm(to, "Wanda", WORDS[code])
    yield "confirm", kept.letters[0]


async def recoveries(code):
    kept, (_, to) = Kept(), own_address(WHITE, code)

    async def of(_owner):
        return [to]

    accounts = SimpleNamespace(now=lambda: START, limits=Limits())
    addresses = MailAddresses(SimpleNamespace(of=of), kept, accounts, HERE, None)
    account = SimpleNamespace(user="w", name="Wanda", folded="wanda", password="hash")
    await Recovery(addresses, None)._send_to(account, WORDS[code])
    yield "recover", kept.letters[0]


async def invitations(code):
    sender = MailInvitations(None, None, None, Kept(), HERE)
    for variant in ("chess", "grand"):
        game = open_game(control=BY_DAYS, variant=variant)
        called = NAMES[code][variant]
        yield f"invite {variant}", sender._letter("Wanda", "c@example.org", game, "f" * 40, WORDS[code], called)


async def join_answers(code):
    app = {SITE: SimpleNamespace(settings=SimpleNamespace(address=HERE), now=lambda: START), LANGUAGES: WORDS}
    for answer in (Answer.ACCEPTED, Answer.REFUSED):
        asked = JoinRequest("carla", "Carla", "hash", "Hi", START, "c@example.org", code, answer, reason="We know you.")
        yield f"join {answer}", answer_letter(app, asked)


async def trials(code):
    yield "trial", trial_letter(HERE, own_address(WHITE, code)[1], WORDS[code], "trial", START)


async def news_of_tournaments(code):
    player, to = own_address(WHITE, code)
    table = rows()
    cup = TournamentTerms("Cup", "swiss", "chess", False, TimeControl.realtime(180_000, 0), True, START + MINUTE_MS, 0)
    played = Tournament("9876543210", CARLA, cup, START, START)
    told = {"soon": (TournamentNews.SOON, played), "swiss": (TournamentNews.OVER, played)}
    for name, (news, shown) in {**told, "section": (TournamentNews.OVER, section(winner=WANDA))}.items():
        view = SimpleNamespace(tournament=shown, sheets=table, places={one.person: at for at, one in enumerate(table)})
        mine = next(one for one in table if one.person == player.id)
        yield f"tournament: {name}", write_notice(writer(code), news, view, mine, to, START)


LETTERS = {
    "server/web/notifications/letters.py:game_letter": of_games,
    "server/web/notifications/letters.py:write_digest": digests,
    "server/web/notifications/letters.py:write_notice": news_of_tournaments,
    "server/mail/inbound/answers.py:_letter": answers,
    "server/web/accounts/mail_addresses.py:_ask_to_confirm": confirmations,
    "server/web/accounts/mail_addresses.py:_send_to": recoveries,
    "server/web/games/invitations.py:_letter": invitations,
    "server/web/joining.py:answer_letter": join_answers,
    "server/web/site_room.py:trial_letter": trials,
}


def every_letter(code) -> Iterator[tuple[str, Letter]]:
    """Examples of all letters in the language of that code, each with a name."""

    async def written():
        return [one for make in LETTERS.values() async for one in make(code)]

    yield from asyncio.run(written())
