"""The colour of buttons and links that a host has chosen, as a style sheet of its own: the pages have no inline styles.

One colour is chosen, for light pages; what goes with it, and all of it for dark pages, follows from it, so that every
text keeps the contrast that WCAG AA asks for. A colour that cannot is refused, with the reason. The address of the
sheet names the colour, so browsers may keep it for ever.
"""

import colorsys
import re
from collections.abc import Iterable
from typing import Final

from aiohttp import web

from server.web.rendering.problems import Problem

COLOUR: Final = re.compile(r"#?([0-9A-Fa-f]{6})")
ENOUGH: Final = 4.5
"""The contrast of text, by WCAG AA."""
VIVID: Final = 7.0
"""That of the colour on dark pages, as the usual one has it."""
STEPS: Final = 50
WHITE: Final = "ffffff"
LIGHT: Final = ("f4f2ec", "ffffff", "eae7de")
DARK: Final = ("131715", "1c2220", "0e1110")
"""--paper, --card and --sunk of static/css/base/tokens.css."""
INK: Final = "1b201d"
ON_BRAND: Final = "07231b"
"""--ink on light pages, and --on-brand on dark ones."""
FOR_EVER: Final = "public, max-age=31536000, immutable"


def parse_accent(written: str) -> str:
    """The colour as six hexadecimal digits in lower case; "" for none. Raises Problem (400): it is no colour, or nobody
    could read it.
    """
    if not written.strip():
        return ""
    found = COLOUR.fullmatch(written.strip())
    if found is None:
        raise Problem(400, "bad_accent")
    accent = found[1].lower()
    least = min(contrast(accent, ground) for ground in LIGHT)
    if least < ENOUGH:
        # Rounded down: 4.49 is not 4.5.
        raise Problem(400, "pale_accent", found=f"{int(least * 10) / 10}", least=f"{ENOUGH}")
    return accent


async def accent_sheet(request: web.Request) -> web.Response:
    """GET /accent-{accent}.css: the colours that follow from it. Raises Problem (404)."""
    accent = request.match_info["accent"]
    try:
        parse_accent(accent)
    except Problem:
        raise Problem(404, "not_found") from None
    return web.Response(text=sheet_of(accent), content_type="text/css", headers={"Cache-Control": FOR_EVER})


def sheet_of(accent: str) -> str:
    """The style sheet of a colour (six digits) that `parse_accent` takes."""
    colours = {name: f"light-dark(#{light}, #{dark})" for name, (light, dark) in colours_of(accent).items()}
    rules = "".join(f"--{name}: {colour};" for name, colour in colours.items())
    return f":root {{{rules}}}\n.brand svg path:first-child {{fill: var(--clock-on);}}\n"


def colours_of(accent: str) -> dict[str, tuple[str, str]]:
    """The colours on light and on dark pages, by their names in tokens.css."""
    dark = _first_read((_with_lightness(accent, step / STEPS) for step in range(STEPS + 1)), VIVID, *DARK, ON_BRAND)
    soft = _first_read((mixed(accent, LIGHT[1], 0.15 - step / 100) for step in range(16)), ENOUGH, accent)
    dark_soft = _first_read((mixed(dark, DARK[1], 0.2 - step / 100) for step in range(21)), ENOUGH, dark)
    clock = (mixed(accent, WHITE, step / STEPS) for step in range(STEPS, -1, -1))
    lively = [one for one in clock if contrast(one, WHITE) >= ENOUGH]
    return {
        "brand": (accent, dark),
        "brand-ink": (mixed(accent, INK, 0.8), mixed(dark, WHITE, 0.7)),
        "brand-soft": (soft, dark_soft),
        "clock-on": (accent, lively[-1]),
    }


def _first_read(colours: Iterable[str], least: float, *grounds: str) -> str:
    """The first of the colours that has so much contrast to all of these."""
    return next(one for one in colours if all(contrast(one, ground) >= least for ground in grounds))


def _with_lightness(colour: str, lightness: float) -> str:
    hue, _, saturation = colorsys.rgb_to_hls(*(part / 255 for part in _channels(colour)))
    return "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, lightness, saturation))


def mixed(one: str, other: str, share: float) -> str:
    """So much of one colour in another."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """That of two colours, as WCAG 2 defines it: 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [part / 255 for part in _channels(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (0, 2, 4))
