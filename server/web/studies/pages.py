"""The pages of studies: one's own, and the board with a chapter on it."""

from aiohttp import web

from server.games.studies.study import Chapter
from server.rules.errors import RulesError
from server.rules.notation.fen import format_fen
from server.rules.notation.pgn_tags import read_start, read_tags
from server.rules.sliced_work import run_at_once
from server.rules.variant.variant import Variant
from server.web.accounts.account_pages import require_account
from server.web.accounts.export import instant
from server.web.analysis.pages import board_page
from server.web.languages import variant_names
from server.web.pictures.sharing import card_of_position
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem
from server.web.site import SITE
from server.web.studies.finding import Found, chapter_in, find_study
from server.web.studies.shapes import told_chapter, told_study


async def own_page(request: web.Request) -> web.Response:
    """GET /studies: one's own, the last changed first."""
    visitor = await require_account(request, "/studies")
    own = await request.app[SITE].store.studies.of(visitor.user.id)
    return await as_page(request, "studies/studies.html", studies=[(one, instant(one.changed)[:10]) for one in own])


async def study_page(request: web.Request) -> web.Response:
    """GET /study/{study}, /study/{study}/{chapter}: the board with that chapter, or the first."""
    site, found = request.app[SITE], await find_study(request)
    wanted = request.match_info.get("chapter") or (found.chapters[0].id if found.chapters else "")
    written = await chapter_in(request, found.study, wanted)
    chapter = written.chapter
    variant = site.variants.get(chapter.variant)
    if variant is None:
        raise Problem(404, "unknown_variant")
    author = await site.store.accounts.of_user(found.study.owner)
    answer = await board_page(
        request,
        variant,
        card_of_position(variant, start_of(written.pgn, chapter, variant)),
        {
            **told_study(found),
            "chapter": told_chapter(chapter),
            "address": f"{site.settings.address}/study/{found.study.id}",
        },
        study=found.study,
        chapters=listed(request, found),
        chapter=chapter,
        mine=found.mine,
        author=author.name if author else "",
    )
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def listed(request: web.Request, found: Found) -> list[tuple[Chapter, str]]:
    """The chapters with the names of their variants."""
    names = variant_names(request)
    return [(one, names.get(one.variant, one.variant)) for one in found.chapters]


def start_of(pgn: str, chapter: Chapter, variant: Variant) -> str | None:
    """The FEN of the first position; None: that of the variant."""
    try:
        tags, _ = run_at_once(read_tags(pgn))
        return format_fen(read_start(variant, chapter.chess960, tags["FEN"])) if "FEN" in tags else None
    except RulesError:
        return None
