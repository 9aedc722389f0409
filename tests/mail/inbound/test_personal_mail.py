"""Mails to the site by people about no game: who may write them, what they ask, and that nothing is done twice."""

import random
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import RATED_SPEEDS
from server.language import load_words
from server.mail.inbound.addresses import LONGEST_LOCAL, PersonalAddresses
from server.mail.inbound.mail_report import HelpOn, OtherGame, OwnGames
from server.mail.inbound.replies import ReplyLimits, SmtpStatus
from server.rules.variant.pieces import Color
from server.storage.errors import Unreadable
from server.storage.tables.addresses import MailAddress
from server.web.budgets.buckets import RateLimit
from tests.support.mail.post import DOMAIN
from tests.support.realtime.node import WHITE

W, B = Color.WHITE, Color.BLACK
NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}", fullmatch=True)
OWN = MailAddress("white-id", "wanda@example.org", "en", 1, confirmed=2)


def keys(report):
    return [sentence.key.partition(".")[2] for sentence in report.done]


@given(NAMES)
def test_an_address_names_the_account_and_fits_in_any_mail(name):
    site = PersonalAddresses(DOMAIN, bytes(32))
    address = site.write_address(name, OWN)
    assert site.read_address(address) == site.read_address(address.upper())
    assert site.read_address(address).name == name
    assert site.read_address(address).is_of(OWN)
    assert len(address.partition("@")[0]) <= LONGEST_LOCAL
    assert PersonalAddresses(DOMAIN, bytes(31) + b"1").read_address(address) is None


@given(NAMES, st.data())
def test_no_character_of_an_address_can_be_changed(name, data):
    site = PersonalAddresses(DOMAIN, bytes(32))
    local = site.write_address(name, OWN).partition("@")[0]
    nth = data.draw(st.integers(len("me+"), len(local) - 1))
    other = data.draw(st.sampled_from(sorted(set("abcdefghijklmnopqrstuvwxyz234567") - {local[nth]})))
    assert site.read_address(f"{local[:nth]}{other}{local[nth + 1 :]}@{DOMAIN}") is None


def test_an_address_is_made_for_one_confirmed_mailbox():
    token = PersonalAddresses(DOMAIN, bytes(32)).read_address(
        PersonalAddresses(DOMAIN, bytes(32)).write_address("Wanda", OWN)
    )
    for other in (
        replace(OWN, confirmed=3),
        replace(OWN, owner="black-id"),
        replace(OWN, address="w@example.org"),
        replace(OWN, refused=5),
    ):
        assert not token.is_of(other)


async def test_people_ask_for_their_games_and_for_help(post, variants):
    game = await post.game(variants)
    report = await post.write("games\nhelp grand")
    games, topic = report.told
    assert isinstance(games, OwnGames)
    assert [one.id for one in games.games] == [game.id]
    assert topic == HelpOn("grand")
    assert post.answers[-1].address.address == "wanda@example.org"


async def test_the_games_of_anybody_are_listed_and_all_own_ones_shown(post, variants):
    games = [await post.game(variants) for _ in range(2)]
    (told,) = (await post.write("games boris")).told
    assert (told.name, {one.id for one in told.games}) == ("Boris", {game.id for game in games})
    assert (await post.write("games Nobody")).refused.id == "nobody_of_that_name"
    told = (await post.write("all show", B)).told
    assert {(one.game.id, one.color) for one in told} == {(game.id, B) for game in games}


async def test_a_game_that_cannot_be_read_keeps_no_other_out_of_sight(post, variants, monkeypatch):
    damaged, sound = [await post.game(variants) for _ in range(2)]
    get = type(post.node.rounds).get

    async def get_sound(rounds, game_id):
        if game_id == damaged.id:
            raise Unreadable("no such variant")
        return await get(rounds, game_id)

    monkeypatch.setattr(type(post.node.rounds), "get", get_sound)
    listed, shown = (await post.write("show all")).told
    assert ({one.id for one in listed.games}, shown.game.id) == ({damaged.id, sound.id}, sound.id)


async def test_whoever_shows_all_games_and_has_none_is_told_so(post):
    assert (await post.write("show all")).told == [OwnGames([])]


async def test_a_challenge_that_waits_is_nobody_elses_business(post, variants):
    await post.challenge(variants)
    ((told,), (own,)) = [(await post.write(text)).told for text in ("games Wanda", "games")]
    assert (list(told.games), len(own.games)) == ([], 1)


async def test_a_message_without_a_game_is_told_where_to_go(post):
    for text, why in (("say hello", "say_needs_game"), ("message Boris hello", "elsewhere_say")):
        assert (await post.write(text)).refused.id == why


async def test_any_game_is_shown(post, variants):
    game = await post.game(variants)
    await post.reply(game, W, "e4")
    (told,) = (await post.write(f"show {game.id}", B)).told
    assert isinstance(told, OtherGame)
    assert told.game.id == game.id
    ((_, position),) = (await post.write(f"show {game.id} 0")).boards
    assert position.side == 0
    assert (await post.write(f"show {game.id} 2")).refused.id == "show_beyond"
    assert (await post.write("show 0123456789")).refused.id == "no_such_game"
    assert (await post.write(f"show {(await post.game(variants)).id} 1")).refused.id == "show_none"


@pytest.mark.parametrize("text", ["e4", "draw", "accept", "resign {game}", "preview e4", "if e5 then Nf3"])
async def test_what_belongs_to_a_game_is_not_done_and_nothing_beside_it(post, variants, text):
    game = await post.game(variants)
    report = await post.write(f"challenge Boris grand\n{text.replace('{game}', game.id)}")
    assert (report.refused.id, report.done, post.challenges) == ("needs_game", [], {})
    assert len(post.now(game).plies) == 0


async def test_a_challenge_is_not_written_in_answer_to_a_game(post, variants):
    game = await post.game(variants)
    assert (await post.reply(game, W, "challenge Boris grand")).refused.id == "needs_no_game"
    assert post.challenges == {}


async def test_a_challenge_that_comes_again_is_made_once(post):
    address = post.own_address()
    await post.hand_over(address, "challenge Boris grand\nchallenge Boris chess", "<1@x>")
    assert keys(post.answers[-1].report) == ["challenged", "challenged"]
    post.replies._done.clear()
    await post.hand_over(address, "challenge Boris grand\nchallenge Boris chess", "<1@x>")
    assert keys(post.answers[-1].report) == ["challenged_before", "challenged_before"]
    assert [asked.variant for _, asked in post.challenges.values()] == ["grand", "chess"]
    assert {maker for maker, _ in post.challenges.values()} == {WHITE}
    await post.hand_over(address, "challenge Boris grand", "<2@x>")
    assert keys(post.answers[-1].report) == ["challenged"]


async def test_what_follows_a_refusal_is_not_done(post):
    report = await post.write("challenge Boris grand\nchallenge Nobody grand\nchallenge Boris chess")
    assert (keys(report), report.refused.id) == (["challenged"], "nobody_of_that_name")
    assert len(post.challenges) == 1


async def test_an_address_dies_with_the_mailbox_that_it_was_made_for(post):
    address = post.own_address()
    again = replace(post.node.store.addresses.known["white-id"][0], confirmed=9)
    post.node.store.addresses.known["white-id"] = [again]
    assert await post.hand_over(address, "games") == SmtpStatus.UNKNOWN
    post.node.store.addresses.known.clear()
    assert await post.hand_over(address, "games") == SmtpStatus.UNKNOWN
    assert post.answers == []


async def test_an_address_that_this_site_did_not_sign_is_unknown(post):
    forged = PersonalAddresses(DOMAIN, bytes(32)).write_address("Wanda", post.node.store.addresses.known["white-id"][0])
    assert await post.hand_over(forged, "games") == SmtpStatus.UNKNOWN
    assert not post.replies.knows_address(forged)


async def test_an_address_for_games_is_none_for_the_site(post, variants):
    game = await post.game(variants)
    swapped = post.address(game, W).replace("play+", "me+")
    assert await post.hand_over(swapped, "games") == SmtpStatus.UNKNOWN


async def test_a_conversation_with_a_program_ends_here_too(post):
    post.replies._limits = ReplyLimits(*(RateLimit(10**9, 1) for _ in range(3)), RateLimit(6, 3600))
    for _ in range(20):
        assert await post.hand_over(post.own_address(), "I am away until Monday.") == SmtpStatus.DONE
    assert len(post.answers) == 6


@pytest.mark.parametrize("language", load_words().values(), ids=lambda language: language.code)
async def test_standings_are_asked_for_by_the_words_for_speeds_in_any_language(post, language, monkeypatch):
    async def nobody(*_):
        return []

    monkeypatch.setattr(post.node.store.ratings, "leaders", nobody, raising=False)
    for speed in RATED_SPEEDS:
        for word in language.plain(f"mail_words.{speed}").split():
            (leaders,) = (await post.write(f"standings grand {word}")).told
            assert (leaders.category.variant, leaders.category.speed) == ("grand", speed)


async def test_variants_are_found_by_any_name_and_those_near_are_named(post):
    assert (await post.write("standings grnd")).refused.params["near"].startswith("grand")
    assert (await post.write("ratings Nobody")).refused.id == "nobody_of_that_name"


async def test_a_game_between_two_others_is_proposed_once(post):
    for _ in range(2):
        await post.hand_over(post.own_address(), "pair Anna Boris grand 10+1 rated", "<1@x>")
        post.replies._done.clear()
    ((_, asked),) = post.challenges.values()
    assert (asked.name, asked.other, asked.variant, asked.bank) == ("Anna", "Boris", "grand", (10, 1, 0))
    assert [keys(answer.report) for answer in post.answers] == [["proposed"], ["proposed_before"]]


@pytest.mark.parametrize(
    ("text", "away", "said"),
    [
        ("vacation until 2026-08-03", date(2026, 8, 3), ["now", "left"]),
        ("vacaciones hasta 2026-08-03", date(2026, 8, 3), ["now", "left"]),
        ("vacation off", None, ["back", "left"]),
    ],
)
async def test_people_go_away_and_come_back(post, text, away, said):
    assert keys(await post.write(text)) == said
    assert post.away == {"white-id": away}


async def test_asking_for_vacations_takes_none(post):
    assert keys(await post.write("vacation")) == ["back", "left"]
    assert post.away == {}


async def test_an_opponent_is_not_sent_away_in_a_game(post, variants):
    game = await post.game(variants)
    assert (await post.reply(game, W, "vacation until 2026-08-03")).refused.id == "needs_no_game"
    assert post.away == {}


@pytest.mark.parametrize("case", range(3))
async def test_however_mails_come_each_makes_its_challenges_once_and_no_forged_one_any(post, seed, case):
    draw = random.Random(f"{seed} {case}")
    forger, sent, made = PersonalAddresses(DOMAIN, bytes(32)), [], {}
    for nth in range(150):
        kind = draw.choice(["new", "new", "again", "after a restart", "forged", "of a mailbox that is gone"])
        if kind == "new" or not sent:
            color = draw.choice(list(Color))
            text = draw.choice(["challenge Boris grand", "pair Anna Boris chess\nchallenge Anna chess", "games", "e4"])
            sent.append((color, text, f"<{nth}@x>"))
        color, text, name = draw.choice(sent[-3:])
        known = post.node.store.addresses.known["white-id" if color is W else "black-id"]
        before, address = len(post.challenges), post.own_address(color)
        if kind == "after a restart":
            post.replies._done.clear()
        if kind == "forged":
            address = forger.write_address("Wanda" if color is W else "Boris", known[0])
        if kind == "of a mailbox that is gone":
            known[0] = replace(known[0], confirmed=known[0].confirmed + 1)
            made = {key: count for key, count in made.items() if key[0] is not color}
            sent = [one for one in sent if one[0] is not color]
        status = await post.hand_over(address, text, name)
        lines = text.count("challenge") + text.count("pair")
        if kind in ("forged", "of a mailbox that is gone"):
            assert len(post.challenges) == before
            assert status == SmtpStatus.UNKNOWN or (kind != "forged" and status == SmtpStatus.DONE)
        else:
            assert len(post.challenges) - before == (0 if (color, name) in made else lines)
            made[color, name] = lines
