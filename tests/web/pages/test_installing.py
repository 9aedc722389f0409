"""The colours that browsers show around the site are those of its style sheet, which cannot reach there."""

import re
from pathlib import Path

from server.pictures import theme

ROOT = Path(__file__).parents[3]
TOKENS = (ROOT / "static/css/base/tokens.css").read_text(encoding="utf-8")


def token(name):
    """Its colours, light and dark."""
    return re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\);", TOKENS).groups()


async def test_the_bar_of_a_browser_has_the_colour_of_the_page(anna):
    async with anna.http.get("/") as answer:
        page = await answer.text()
    told = dict(re.findall(r'name="theme-color" content="(#\w+)" media="\(prefers-color-scheme: (\w+)\)"', page))
    assert told == dict(zip(token("paper"), ("light", "dark"), strict=True))


async def test_an_installed_site_begins_with_the_colour_of_the_page(anna):
    async with anna.http.get("/app.webmanifest") as answer:
        manifest = await answer.json(content_type=None)
    assert (manifest["background_color"], manifest["theme_color"]) == (token("paper")[0],) * 2


async def test_pictures_and_the_logo_have_the_colours_of_the_light_page(anna):
    names = ("paper", "card", "ink", "soft", "brand", "on-brand")
    shown = (theme.PAPER, theme.CARD, theme.INK, theme.SOFT, theme.ACCENT, theme.ON_ACCENT)
    assert dict(zip(names, shown, strict=True)) == {name: token(name)[0] for name in names}
    async with anna.http.get("/") as answer:
        logo = (await answer.text()).split('class="brand"')[1].split("</svg>")[0]
    assert f'fill="{theme.ACCENT}"' in logo
