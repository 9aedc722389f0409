"""What a pasted link shows: a card for every page, and who plays."""

import re

import pytest

from tests.web.pictures.asking import image, picture, played


async def test_a_card_is_what_open_graph_asks_for_and_shows_the_game_as_it_stands(anna, ben):
    game = await played(anna, ben, ("e2e4", "e7e5", "d1h5", "b8c6"))
    before, headers = await picture(anna, f"/{game}/card.png")
    assert (headers["Content-Type"], headers["Cache-Control"]) == ("image/png", "public, no-cache")
    assert image(before).size == (1200, 630)
    async with anna.follow({"id": game}) as white:
        await white.move(4, "h5f7")
    after, _ = await picture(anna, f"/{game}/card.png")
    assert image(before).tobytes() != image(after).tobytes()


@pytest.mark.parametrize("path", ["/api/variants/acedrex/card.png", "/card.png"])
async def test_pages_have_cards(anna, path):
    body, _ = await picture(anna, path)
    assert image(body).size == (1200, 630)
    assert len(image(body).convert("RGB").getcolors(1_000_000)) > 20


async def test_a_pasted_link_shows_the_players_the_state_and_the_card(anna, ben):
    waiting = await anna.challenge(variant="grand")
    running = await anna.challenge(variant="grand")
    await ben.join(running)
    over = await played(anna, ben)
    names = [(await person.get("/api/me"))["name"] for person in (anna, ben)]
    page = (await picture(anna, f"/{waiting['id']}"))[0].decode()
    assert f'<meta property="og:title" content="{names[0]} is waiting for an opponent · Grand Chess">' in page
    page = (await picture(anna, f"/{running['id']}"))[0].decode()
    assert f'<meta property="og:title" content="{names[0]} – {names[1]} · Grand Chess, move 1">' in page
    assert page.count("Open the link to watch every move.") == 2
    page = (await picture(anna, f"/{over}"))[0].decode()
    assert f'<meta property="og:title" content="{names[0]} – {names[1]} · Chess, 0-1">' in page
    assert f'<meta property="og:image" content="http://localhost:8080/{over}/card.png">' in page
    assert f"<title>{names[0]} – {names[1]} · Chess, 0-1 · Fairyhouse</title>" in page
    told = re.findall('(?:name="description"|property="og:description") content="([^"]*)"', page)
    assert [text.startswith(f"{names[0]} – {names[1]} · Chess, 0-1. 2 moves.") for text in told] == [True, True]
    assert "Open the link" not in "".join(told)


@pytest.mark.parametrize(
    ("path", "card"),
    [
        ("/", "/card.png"),
        ("/rules", "/card.png"),
        ("/rules/grand", "/api/variants/grand/card.png"),
        ("/analysis/grand", "/api/variants/grand/card.png"),
    ],
)
async def test_every_page_names_a_card_that_is_there(anna, path, card):
    page = (await picture(anna, path))[0].decode()
    assert page.count('property="og:image"') == 1
    assert f'<meta property="og:image" content="http://localhost:8080{card}">' in page
    await picture(anna, card)


async def test_a_pasted_analysis_shows_its_position(anna):
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    async with anna.http.get("/analysis/chess", params={"fen": fen}) as answer:
        page = await answer.text()
    card = page.partition('property="og:image" content="http://localhost:8080')[2].partition('"')[0]
    shown, _ = await picture(anna, card)
    usual, _ = await picture(anna, "/api/variants/chess/card.png")
    assert image(shown).tobytes() != image(usual).tobytes()
    async with anna.http.get("/analysis/chess", params={"fen": '"><script>'}) as answer:
        assert '"><script>' not in await answer.text()
