"""How a game begins for two people: the time to begin is in sight, and a friend takes the seat by a legal move."""

import re

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SOON = re.compile(r"first move within (0:[0-5]\d|1:00)")


async def test_both_read_how_long_the_first_move_may_take(pair):
    white, black = await pair("seirawan")
    await expect(white.page.locator("#seat-bottom .seat-presence")).to_contain_text(SOON)
    await expect(black.page.locator("#seat-top .seat-presence")).to_contain_text(SOON)
    await white.click("e2", "e4")
    await black.sees("e4")
    await expect(white.page.locator("#seat-bottom .seat-presence")).not_to_contain_text("first move")
    await expect(white.page.locator("#seat-top .seat-presence")).to_contain_text(SOON)
    await black.click("e7", "e5")
    await white.sees("e4", "e5")
    await expect(white.page.locator("#seat-top .seat-presence")).not_to_contain_text("first move")


async def test_after_a_game_that_was_not_played_there_is_somewhere_to_go(pair):
    white, black = await pair("chess")
    await expect(white.page.locator("#abort")).to_have_text("Abort")
    await white.page.click("#abort")
    for one in (white, black):
        await expect(one.page.get_by_role("link", name="New opponent")).to_be_visible()
        await expect(one.page.locator("#rematch")).to_be_visible()


async def test_a_friend_who_is_to_move_sees_legal_moves_and_takes_the_seat_by_one(seat):
    black, friend = await seat(), await seat()
    link = await black.challenge("chess", color="black")
    await expect(black.page.locator("#abort")).to_have_text("Withdraw")
    await friend.open(link)
    await expect(friend.page.get_by_role("heading", name="You are invited")).to_be_visible()
    await friend.click("d2")
    await expect(friend.page.locator("square.move-dest")).to_have_count(2)
    await expect(friend.page.locator("square.premove-dest")).to_have_count(0)
    await friend.click("e5")
    await expect(friend.page.locator("#join-game")).to_be_visible()
    await friend.write("Qd4")
    await expect(friend.page.locator("#move-problem")).not_to_be_empty()
    await expect(friend.page.locator("#join-game")).to_be_visible()
    await friend.click("d2", "d4")
    await black.sees("d4")
    await expect(friend.page.locator("#join")).to_be_hidden()


async def test_inviter_and_friend_talk_before_the_first_move_and_their_words_stay(seat):
    inviter, friend = await seat(), await seat()
    link = await inviter.challenge("chess")
    await expect(inviter.page.locator("#seat-top .seat-name")).to_have_text("Waiting for a friend")
    await friend.open(link)
    await expect(inviter.page.locator("#seat-top .seat-name")).to_have_text("Your friend has opened the link.")
    await friend.look_at("chat")
    await friend.page.fill("#chat-text", "Is it you?")
    await friend.page.press("#chat-text", "Enter")
    await expect(inviter.page.locator("#chat-lines")).to_contain_text("Is it you?")
    await inviter.look_at("chat")
    await inviter.page.fill("#chat-text", "It is.")
    await inviter.page.press("#chat-text", "Enter")
    await friend.join()
    for one in (inviter, friend):
        await expect(one.page.locator("#chat-lines li")).to_have_count(2)


async def test_a_guest_finds_their_game_again_and_without_their_cookie_is_told_where_it_is(seat):
    inviter, guest, without_cookie = await seat(), await seat(), await seat()
    link = await inviter.challenge("chess")
    await guest.open(link)
    await guest.join()
    await guest.page.close()
    guest.page = await guest.context.new_page()
    await guest.page.goto(guest.site)
    await guest.page.locator("#your-games .game-tile").click()
    await expect(guest.page.locator("#seat-bottom .seat-presence")).to_contain_text("you")
    await without_cookie.open(link)
    await expect(without_cookie.page.locator("#join-text")).to_contain_text("stays in the browser")


async def test_who_comes_by_keyboard_hears_what_to_do_and_is_at_the_board_once_seated(seat):
    inviter, friend = await seat(), await seat()
    link = await inviter.challenge("chess")
    await expect(inviter.page.locator("#live")).to_contain_text("Send this link to a friend")
    await friend.open(link)
    await expect(friend.page.locator("#live")).to_contain_text("You are invited. You have Black")
    await friend.page.locator("#join-game").press("Enter")
    await expect(friend.page.locator("#board")).to_be_focused()


async def test_whoever_comes_back_to_a_game_that_waits_for_a_friend_finds_the_link(seat):
    inviter = await seat()
    link = await inviter.challenge("chess")
    later = await inviter.context.new_page()
    await later.goto(inviter.page.url)
    await expect(later.get_by_label("Link to this game")).to_have_value(
        re.compile(f"{re.escape(link.rpartition('/')[2])}$")
    )
