"""Takes pictures of every page at three sizes, light and dark, and puts them on one sheet: `make shots`.

The pages are those of a site with two people and a running and a finished game of each of five variants.
"""

import argparse
import asyncio
import html
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Page

from tests.support.browser.player import Player
from tests.support.browser.site_and_browser import site_and_browser
from tests.support.rules.vectors import records

SIZES = {"360x740": (360, 740), "820x1180": (820, 1180), "1440x900": (1440, 900)}
THEMES = ("light", "dark")
VARIANTS = ("chess", "seirawan", "crazyhouse", "grandhouse", "acedrex")
PLIES = 22
"""How far each running game has gone."""
PASSWORD = "a good long one"
PLACES = {
    "home": "/",
    "watch": "/watch",
    "archive": "/games",
    "learn": "/rules",
    "puzzles": "/puzzles",
    "players": "/players",
    "mine": "/games/mine",
    "profile": "/@/Anna",
    "account": "/account",
    "tokens": "/account/tokens",
    "settings": "/settings",
    "computer": "/computer",
    "online": "/online",
    "sign-in": "/sign-in",
    "import": "/import",
    "protocol": "/protocol",
    "api": "/api",
    "nothing": "/nothing-here",
}


@dataclass(frozen=True, slots=True)
class Shot:
    """A page of that name, of a person who is signed in or not."""

    name: str
    path: str
    signed_in: bool = True


async def main() -> None:
    arguments = read_arguments()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    async with site_and_browser() as (site, browser):
        await take(browser, await furnish(browser, site), site, arguments)
    (arguments.folder / "index.html").write_text(sheet(arguments.folder))
    print(f"{arguments.folder / 'index.html'}")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make shots", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("shots"), help="where the pictures are put")
    parser.add_argument("--only", default="", help="names of pages, or their beginnings, with commas")
    parser.add_argument("--sizes", default=",".join(SIZES), help="with commas")
    parser.add_argument("--themes", default=",".join(THEMES), help="with commas")
    return parser.parse_args()


async def furnish(browser: Browser, site: str) -> tuple[dict[str, str], list[Shot]]:
    """Registers two people, lets them play, and returns Anna's cookie and what there is to see."""
    anna, ben = [await registered(browser, site, name) for name in ("Anna", "Ben")]
    shots = [Shot(name, path) for name, path in PLACES.items()] + [Shot("home-new", "/", signed_in=False)]
    for variant in VARIANTS:
        moves = longest(variant)
        shots += [
            Shot(f"invite-{variant}", await invited(anna, variant)),
            Shot(f"game-{variant}", await played(anna, ben, variant, moves[:PLIES])),
            Shot(f"over-{variant}", await played(anna, ben, variant, moves[:PLIES], resigns=True)),
            Shot(f"rules-{variant}", f"/rules/{variant}"),
            Shot(f"analysis-{variant}", f"/analysis/{variant}"),
        ]
    cookie = next(cookie for cookie in await anna.context.cookies() if cookie["name"] == "sid")
    return {"name": "sid", "value": cookie["value"], "url": site}, shots


async def registered(browser: Browser, site: str, name: str) -> Player:
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"{site}/register")
    await page.fill("[name=name]", name)
    await page.fill("[name=password]", PASSWORD)
    await page.locator("form[action='/register']").evaluate("form => form.requestSubmit()")
    await page.wait_for_url(f"{site}/?registered")
    return Player(context, page, site)


def longest(variant: str) -> list[str]:
    """The moves of the longest recorded game from the usual start."""
    found = [record for record in records(variant) if not record.get("chess960")]
    usual = [record for record in found if record["start_fen"] == found[0]["start_fen"]]
    moves: list[str] = max(usual, key=lambda record: len(record["moves"]))["moves"]
    return moves


async def invited(anna: Player, variant: str) -> str:
    link = await anna.challenge(variant)
    return link.removeprefix(anna.site).partition("#")[0]


async def played(anna: Player, ben: Player, variant: str, moves: list[str], *, resigns: bool = False) -> str:
    clock = {"kind": "realtime", "initial": 10_000, "increment": 20}
    await ben.open(await anna.challenge(variant, rated=True, clock=clock))
    await ben.join()
    for ply, move in enumerate(moves):
        player = ben if ply % 2 else anna
        await player.has(ply)
        await player.write(move)
        await player.has(ply + 1)
    if resigns:
        await ben.resign()
    await ben.page.goto(f"{ben.site}/health")
    return anna.page.url.removeprefix(anna.site).partition("#")[0]


async def take(
    browser: Browser, found: tuple[dict[str, str], list[Shot]], site: str, arguments: argparse.Namespace
) -> None:
    cookie, shots = found
    wanted = tuple(filter(None, arguments.only.split(",")))
    shots = [shot for shot in shots if not wanted or shot.name.startswith(wanted)]
    for size, theme in ((size, theme) for size in arguments.sizes.split(",") for theme in arguments.themes.split(",")):
        width, height = SIZES[size]
        for signed_in in (True, False):
            context = await browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, has_touch=width < 1000
            )
            if signed_in:
                await context.add_cookies([cookie])
            page = await context.new_page()
            for shot in shots:
                if shot.signed_in is signed_in:
                    await picture(page, site + shot.path, arguments.folder / f"{shot.name}-{size}-{theme}.png")
            await context.close()


async def picture(page: Page, address: str, path: Path) -> None:
    """What the window shows once the page has come to rest."""
    await page.goto(address)
    await page.wait_for_load_state("load")
    await page.evaluate("document.fonts.ready")
    await page.wait_for_timeout(400)
    await page.screenshot(path=path)


def sheet(folder: Path) -> str:
    return "\n".join(["<!doctype html><meta charset=utf-8><title>Shots</title>", *figures(folder)])


def figures(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.png")):
        name = html.escape(path.name)
        yield f'<a href="{name}"><img src="{name}" alt="{name}" title="{name}" loading="lazy" height="360"></a>'


asyncio.run(main())
