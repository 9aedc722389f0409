"""What comes up beside a running game finds room on a phone: nothing is cut off, and nothing lies over a control."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.phone import Phone
from tests.support.browser.player import all_see, begin
from tests.support.browser.screens import PHONE, areas, laid_out
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def press(page, button):
    """Offers by a control; two of them ask whether it is meant, which a key affirms at once; one is folded away."""
    if button == "#adjourn" and not await page.locator("#more[open]").count():
        await page.click("#more > summary")
    await page.click(button)
    if button in ("#draw", "#resign"):
        await page.press(button, "Enter")


@pytest.fixture
def phone(seat):
    async def take(**settings):
        phone = Phone(await seat(**PHONE, **settings))
        await phone.listen()
        return phone

    return take


@pytest.fixture
def two_phones(phone):
    """White, in Spanish, and Black, in English, at a new game of chess."""

    async def sit_down():
        white, black = await phone(locale="es-ES"), await phone(locale="en-GB")
        white.has_black = False
        await black.player.open(await white.player.challenge("chess"))
        await black.player.join()
        await expect(white.page.locator("#invite")).to_be_hidden()
        return white, black

    return sit_down


async def test_every_notice_is_whole_on_a_phone_in_both_languages(two_phones):
    """What one is offered and what one has offered is read at the same time, each in one language, then the reverse."""
    white, black = await two_phones()
    await white.player.write("e4")
    await black.player.sees("e4")
    await black.player.write("e5")
    await all_see((white.player, black.player), "e4", "e5")
    for kind, asked, asking, offered, offering in (
        ("draw", "offers a draw", "Has ofrecido", "ofrece tablas", "You have offered a draw"),
        (
            "takeback",
            "asks to take back their last move",
            "Has pedido",
            "deshacer",
            "You have asked for a takeback",
        ),
        ("adjourn", "adjourn the game", "Has pedido", "aplazar", "You have asked to adjourn"),
    ):
        await press(white.page, f"#{kind}")
        await black.reads(asked)
        await white.reads(asking)
        await black.answers()
        await expect(white.page.locator("#offers")).to_be_empty()
        await press(black.page, f"#{kind}")
        await white.reads(offered)
        await black.reads(offering)
        await black.answers()
        await expect(white.page.locator("#offers")).to_be_empty()
    for phone, soon, now in (
        (black, "You may claim in", "You may claim the win"),
        (white, "reclamar en", "Puedes reclamar"),
    ):
        phone.opponent("left", since=2000, claim_in=60_000)
        await phone.reads(soon)
        phone.opponent("left", since=10_000, claim_in=0)
        await phone.reads(now)
        await expect(phone.page.locator("#offers button")).to_have_count(2)
        phone.opponent("here")
        await expect(phone.page.locator("#offers")).to_be_empty()
    await press(white.page, "#adjourn")
    await black.reads("adjourn the game")
    await black.page.locator("#offers button").first.click()
    await black.reads("The clocks stand still")
    await white.reads("Los relojes")
    await press(black.page, "#resign")
    await press(white.page, "#rematch")
    await black.reads("offers a rematch")
    await white.reads("revancha")
    await black.answers()
    await press(black.page, "#rematch")
    await black.reads("You have offered a rematch")
    await white.reads("revancha")


@pytest.fixture
def guest(off_screen, phone):
    """Gives somebody on a phone Black in a new game; what is returned is, while it is open, their opponent's line."""

    async def sit_down(variant, black):
        friend = await off_screen()
        game = await friend.challenge(variant=variant)
        await black.player.open(f"{black.player.site}/{game['id']}#{game['secret']}")
        await black.player.join()
        return friend.follow(game)

    return sit_down


LEFT = {"English": "left before the game began", "Español": "se fue antes de que empezara"}


async def test_where_the_opponent_is_can_be_read_beside_the_time_to_begin(guest, phone):
    black = await phone()
    presence = black.page.locator("#seat-top .seat-presence")
    async with await guest("chess", black):
        for language, time, left, lost in (
            ("English", "first move within", r"left \d+ s ago", r"lost \d+ s ago"),
            ("Español", "primera jugada en", r"se fue hace \d+ s", r"desde hace \d+ s"),
        ):
            await black.reads_in(language)
            for here, said in (("left", left), ("lost", lost)):
                black.opponent(here, since=12_000)
                await expect(presence).to_contain_text(re.compile(said))
                await expect(presence).to_contain_text(time)
                await black.is_whole(".seat-name, .seat-presence")
                (seat,) = await areas(black.page, "#seat-top")
                (words,) = await areas(black.page, "#seat-top .seat-presence")
                assert seat[1] <= words[1] <= words[3] <= seat[3], (language, seat, words)


async def test_a_player_whose_opponent_leaves_before_the_game_begins_can_abort_it(guest, phone):
    black = await phone()
    async with await guest("chess", black):
        for language, words in LEFT.items():
            await black.reads_in(language)
            await expect(black.page.locator("#offers")).to_be_empty()
            black.opponent("left", since=2000)
            await black.reads(words)
        await black.page.get_by_role("button", name="Anular").last.click()
        for language, words in reversed(LEFT.items()):
            await expect(black.page.locator("#result")).not_to_be_empty()
            await expect(black.page.locator("#offers")).not_to_contain_text(words)
            await black.reads_in(language)


LINES_OF_CHAT = (
    "Good luck, and a game that both of us will like to remember for long",
    "Good luck once more, and a game that both of us will like to remember",
)


async def test_a_line_of_chat_that_is_out_of_sight_is_counted_in_sight(guest, phone):
    black = await phone()
    for variant in ("chess", "grandhouse", "acedrex"):
        black.told = False
        async with await guest(variant, black) as line:
            for number, text in enumerate(LINES_OF_CHAT, 1):
                if number == 2:
                    black.opponent("left", since=2000, claim_in=60_000)
                    await expect(black.page.locator("#offers")).not_to_be_empty()
                await line.send({"t": "chat", "id": number, "text": text})
                await expect(black.page.locator("#chat-unread")).to_have_text(str(number))
                await expect(black.page.locator("#chat-unread")).to_be_in_viewport(ratio=1)
                await black.is_whole("#tabs button, #offers, #turn-line, #controls")


async def test_the_header_and_its_way_to_the_settings_are_whole(phone):
    reader = await phone()
    await reader.player.challenge("acedrex", clock={"kind": "realtime", "initial": 10_800, "increment": 180})
    for language in LEFT:
        await reader.reads_in(language)
        await expect(reader.page.locator(".terms")).to_contain_text("180+180")
        await reader.is_whole(".site-title h1 a, .terms")
        await expect(reader.page.locator("#settings-link")).to_be_in_viewport(ratio=1)


async def test_a_finger_is_not_told_to_rest_a_pointer(seat):
    phone = await seat(**PHONE)
    await phone.challenge("chess")
    for words, shown in ((".for-mouse", "none"), (".for-touch", "inline")):
        style = "each => getComputedStyle(each).display"
        assert await phone.page.locator(words).first.evaluate(style) == shown


async def edges(page, selector):
    await laid_out(page)
    box = await page.locator(selector).first.bounding_box()
    return round(box["x"]), round(box["x"] + box["width"])


async def test_on_tv_a_pocket_stands_whole_below_the_name_of_its_player(off_screen, seat):
    white, black, watcher = await off_screen(), await off_screen(), await seat(**PHONE)
    for variant, moves in (("grandhouse", ["e3e5", "e8e6"]), ("seirawan", ["e2e4", "e7e5"])):
        game = await white.challenge(variant=variant)
        await black.join(game)
        async with white.follow(game) as one, black.follow(game) as other:
            await play((one, other), moves)
            await watcher.page.goto(f"{watcher.site}/watch/{variant}")
            await expect(watcher.page.locator(".tv-pocket")).to_have_count(2)
            (name, *_), (pocket, *_) = [await areas(watcher.page, part) for part in ("#tv .tv-name", "#tv .tv-pocket")]
            (clock, *_), (board,) = [await areas(watcher.page, part) for part in ("#tv .tv-clock", "#tv .small-board")]
        assert name[3] <= pocket[1] < pocket[3] <= board[1], (variant, name, pocket, board)
        assert pocket[2] < clock[0], (variant, pocket, clock)


async def test_on_a_tablet_the_front_page_has_board_and_words_at_one_edge(visitor):
    somebody = await visitor(viewport={"width": 820, "height": 1180})
    (left, _), (words, _) = (
        await edges(somebody.page, ".stage-boards cg-board >> visible=true"),
        await edges(somebody.page, ".caption h2"),
    )
    assert abs(left - words) <= 4, "a board is as wide as whole pixels for each square allow"


async def test_on_a_tablet_the_board_of_the_front_page_has_more_than_half_of_the_width(visitor):
    somebody = await visitor(viewport={"width": 820, "height": 1180})
    (left, right) = await edges(somebody.page, ".stage-boards cg-board >> visible=true")
    assert right - left > 430
    (_, lowest, *_), *_ = await areas(somebody.page, "#lobby")
    assert lowest < 1180, "who waits stands below the board"


async def test_a_way_back_to_a_running_game_covers_no_control_of_another_board(seat):
    reader, friend = await seat(**PHONE), await seat()
    await reader.page.goto(f"{reader.site}/register")
    await reader.page.fill("[name=name]", "Anna")
    await reader.page.fill("[name=password]", "a good long one")
    await reader.page.locator("main form[action='/register']").evaluate("form => form.requestSubmit()")
    await reader.page.wait_for_url(f"{reader.site}/?registered")
    await begin(reader, friend, "chess")
    for ply, san in enumerate(("e4", "e5")):
        await (reader, friend)[ply].write(san)
        for player in (reader, friend):
            await player.has(ply + 1)
    await reader.page.goto(f"{reader.site}/analysis/chess")
    await expect(reader.page.locator("#notification")).to_be_visible()
    ((_, top, _, bottom),) = await areas(reader.page, "#notification")
    (_, board, *_), *_ = await areas(reader.page, "cg-board")
    assert 0 <= top < bottom <= board
    for control in await reader.page.locator(".controls .control:enabled:visible").all():
        await control.click(trial=True)
