"""What a host offers: name and colour of the site, chats, the variants of new games in their order, and languages."""

import re

import pytest

from server.games.errors import NotAllowed
from server.games.site_settings import LONGEST_NAME, House
from server.web.accent import ENOUGH, INK, LIGHT, ON_BRAND, WHITE, colours_of, contrast, parse_accent
from server.web.rendering.problems import Problem
from tests.support.web.accounts import go, page_of

pytestmark = pytest.mark.usefixtures("unlimited")
SETTINGS, OFFER = "/host/settings", "/host/settings/offer"
DAYS = {"kind": "correspondence", "days": 3}
DARK = ("131715", "1c2220", "0e1110")


async def house_of(site):
    return (await site.store.site_settings.read()).house


async def save(site, host, path=SETTINGS, **fields):
    return await go(host, path, rev=str((await site.store.site_settings.read()).rev), **fields)


async def picture_of(person, path):
    async with person.http.get(path) as answer:
        assert answer.status == 200
        return await answer.read()


async def offer(site, host, variants, languages=("en", "es")):
    fields = {f"language-{one}": "yes" for one in languages}
    for place, one in enumerate(variants, 1):
        fields |= {f"variant-{one}": "yes", f"place-{one}": str(place)}
    return await save(site, host, OFFER, **fields)


async def test_the_site_has_the_name_of_the_host_on_every_page_at_once(site, host, ben):
    assert "<span>Fairyhouse</span>" in await page_of(ben, "/")
    cards = ["/card.png", "/api/variants/chess/card.png"]
    pictures = [await picture_of(ben, one) for one in cards]
    assert await save(site, host, name="Town <b>chess</b>") == f"{SETTINGS}?done"
    for one, before in zip(cards, pictures, strict=True):
        assert await picture_of(ben, one) != before, "the name is in the pictures beside links, too"
    for titled in ("/watch", "/rules"):
        assert "· Town &lt;b&gt;chess&lt;/b&gt;</title>" in await page_of(ben, titled)
    home = await page_of(ben, "/")
    assert "<title>Town &lt;b&gt;chess&lt;/b&gt;: chess variants with a friend</title>" in home
    assert "<span>Town &lt;b&gt;chess&lt;/b&gt;</span>" in home
    assert 'og:site_name" content="Town &lt;b&gt;chess&lt;/b&gt;"' in home
    assert (await ben.get("/app.webmanifest"))["name"] == "Town <b>chess</b>"
    status, page = await save(site, host, name="x" * (LONGEST_NAME + 1))
    assert (status, f"at most {LONGEST_NAME} characters" in page) == (400, True)
    assert await save(site, host, lead="Hello.") == f"{SETTINGS}?done"
    assert (await house_of(site)).name == "Town <b>chess</b>", "a form that says nothing of it leaves it"
    lines = [one.detail for one in await site.store.desk.log(site.now(), 9) if one.deed == "settings"]
    assert lines == ["lead", "name"]


async def test_a_colour_that_cannot_be_read_is_refused_with_the_reason(site, host, ben):
    for wrong, why in (("red", "Give a colour as six"), ("#e0a0b0", "contrast is 1.7 to 1"), ("x;}", "Give")):
        status, page = await save(site, host, accent=wrong)
        assert (status, why in page) == (400, True), wrong
    assert await house_of(site) == House()
    assert await save(site, host, accent=" #7A1F3D ") == f"{SETTINGS}?done"
    (address,) = re.findall(r'href="(/accent-[^"]+)"', await page_of(ben, "/"))
    assert address == "/accent-7a1f3d.css"
    async with ben.http.get(address) as answer:
        assert answer.headers["Content-Type"].startswith("text/css")
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer.headers
        assert "--brand: light-dark(#7a1f3d, #" in await answer.text()
    for pale in ("/accent-e0a0b0.css", "/accent-7a1f3.css"):
        async with ben.http.get(pale) as answer:
            assert answer.status == 404
    assert await save(site, host, accent="") == f"{SETTINGS}?done"
    assert "/accent-" not in await page_of(ben, "/")


def test_whatever_colour_is_taken_all_that_follows_from_it_can_be_read():
    taken = 0
    for number in range(0, 1 << 24, 104_729):
        try:
            accent = parse_accent(f"{number:06x}")
        except Problem:
            continue
        taken += 1
        (brand, dark), (strong, dark_strong), (soft, dark_soft), (clock, dark_clock) = colours_of(accent).values()
        pairs = [
            *((brand, ground) for ground in (*LIGHT, soft)),
            *((dark, ground) for ground in (*DARK, dark_soft, ON_BRAND)),
            *((strong, ground) for ground in (*LIGHT, soft)),
            *((dark_strong, ground) for ground in (*DARK, dark_soft, ON_BRAND)),
            *((INK, soft), ("edf0ec", dark_soft), (WHITE, clock), (WHITE, dark_clock)),
        ]
        assert min(contrast(*pair) for pair in pairs) >= ENOUGH, accent
    assert taken > 40


async def test_with_chats_off_nobody_writes_and_what_was_written_stays(site, host, ben, carla):
    made = await ben.post("/api/games", status=201, variant="chess", clock=DAYS, color="white")
    game = made["id"]
    await carla.post(f"/api/games/{game}/join", secret=made["secret"])
    board = await site.rounds.get(game)
    await site.rounds.post_message(board, board.game.white, "players", "Good luck!", site.now())
    assert await save(site, host, chat="no") == f"{SETTINGS}?done"
    with pytest.raises(NotAllowed, match="chat_off"):
        await site.rounds.post_message(board, board.game.white, "players", "Are you there?", site.now())
    page = await page_of(ben, f"/{game}")
    assert 'id="chat-form" hidden' in page
    assert "Chats are off on this site." in page
    assert [line.text for line in await site.store.chat(game, 9)] == ["Good luck!"]
    assert await save(site, host, chat="yes") == f"{SETTINGS}?done"
    assert "Chats are off" not in await page_of(ben, f"/{game}")


async def test_new_games_are_of_the_variants_that_are_offered_in_the_hosts_order(site, host, ben, carla):
    known = list(site.variants)
    kept = [known[4], known[1], known[2]]
    begun = (await ben.post("/api/games", status=201, variant=known[0], clock=DAYS))["id"]
    assert await offer(site, host, kept) == f"{OFFER}?done"
    home = await page_of(ben, "/")
    assert re.findall(r'name="variant" value="(\w+)"', home)[:3] == kept
    assert f'value="{known[0]}"' not in home
    assert list(site.offered) == kept
    for path in ("/rules", "/analysis", "/computer", "/tournaments/new", "/rules.txt"):
        page = await page_of(host, path)
        assert re.search(rf"\b{kept[0]}\b", page), path
        assert not re.search(rf'(value="|/rules/|/analysis/){known[0]}\b', page), path
    assert await page_of(carla, f"/{begun}"), "a game that was offered before is there"
    assert await page_of(ben, f"/rules/{known[0]}"), "and so are its rules"
    for path, body in (
        ("/api/games", {"variant": known[0], "clock": DAYS}),
        ("/api/seeks", {"variants": [known[0]], "clock": DAYS}),
    ):
        async with ben.http.post(path, json=body) as answer:
            assert (answer.status, (await answer.json())["refusal"]) == (400, "unknown_variant"), path
    rules = await page_of(ben, f"/rules/{known[0]}")
    assert "This site has no new games of this variant." in rules
    assert not re.search(r'href="/(computer\?|#)', rules), "nothing leads to a game that cannot be begun"
    assert f'href="/computer?variant={kept[0]}"' in await page_of(ben, f"/rules/{kept[0]}")
    async with ben.http.get(f"/computer?variant={known[0]}&fen=x") as answer:
        page = await answer.text()
        assert (answer.status, "Choose another one." in page) == (404, True)
        assert f'value="{kept[0]}" selected' in page, "another one can be chosen at once"
    status, page = await go(ben, "/computer", variant=known[0])
    assert (status, "Choose another one." in page) == (404, True)
    assert (await offer(site, host, []))[0] == 400
    assert await offer(site, host, known) == f"{OFFER}?done"
    assert (await house_of(site)).variants == (), "all in the usual order is no choice"


async def test_pages_are_in_the_languages_that_are_offered(site, host, ben):
    spanish = {"Accept-Language": "es"}
    async with ben.http.get("/", headers=spanish) as answer:
        assert answer.headers["Content-Language"] == "es"
    assert await offer(site, host, site.variants, ["en"]) == f"{OFFER}?done"
    async with ben.http.get("/", headers=spanish) as answer:
        assert answer.headers["Content-Language"] == "en"
        assert 'lang="es"' not in await answer.text()
    assert (await go(ben, "/language", language="es"))[0] == 400
    assert await offer(site, host, site.variants, ["es"]) == f"{OFFER}?done"
    async with ben.http.get("/", headers={"Accept-Language": "en"}) as answer:
        assert answer.headers["Content-Language"] == "es"
    status, page = await offer(site, host, site.variants, [])
    assert (status, "Deja al menos un idioma." in page) == (400, True)


async def test_an_offer_that_was_opened_before_undoes_nothing(site, host):
    known = list(site.variants)
    assert await save(site, host, lead="One.") == f"{SETTINGS}?done"
    fields = {"rev": "0", f"variant-{known[0]}": "yes", "language-en": "yes"}
    status, page = await go(host, OFFER, **fields)
    assert (status, "Somebody else has changed the settings" in page) == (409, True)
    assert "the languages of the pages; the variants that are offered" in page
    assert await go(host, OFFER, **{**fields, "rev": "1"}) == f"{OFFER}?done"
    assert (await house_of(site)) == House(lead="One.", languages=("en",), variants=(known[0],))
    for wrong in ({"place-nosuch": "1"}, {f"place-{known[0]}": "x"}):
        assert (await go(host, OFFER, **{**fields, "rev": "2", **wrong}))[0] == 400
