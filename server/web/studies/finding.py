"""Who may do what with the study that an address names. To somebody who may not read a study it does not exist: its id
alone tells nothing.
"""

from dataclasses import dataclass

from aiohttp import web

from server.games.studies.study import Chapter, Study, WrittenChapter
from server.web.budgets.limits import charge
from server.web.charging import charge_address
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE


@dataclass(frozen=True, slots=True)
class Found:
    """A study as its reader sees it. `chapters`: in order."""

    study: Study
    chapters: tuple[Chapter, ...]
    mine: bool


async def writer_of(request: web.Request) -> Visitor:
    """The user who is signed in. Raises Problem (403, 429): changes are charged to them."""
    site = request.app[SITE]
    visitor = await site.sessions.member(request)
    if visitor is None:
        raise Problem(403, "study_sign_in")
    charge(site.limits.studies, visitor.user.id, site.now())
    return visitor


async def readable_study(request: web.Request) -> tuple[Study, bool]:
    """The study, and whether it is the reader's own. Raises Problem (404)."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    reader = visitor.user.id if visitor else ""
    study = await site.store.studies.find(request.match_info["study"])
    if study is None or not study.is_open_to(reader):
        charge_address(request, site.limits.misses)
        raise Problem(404, "no_study")
    return study, study.is_of(reader)


async def own_study(request: web.Request) -> Study:
    """The study, which the visitor may change. Raises Problem (403, 404, 429)."""
    await writer_of(request)
    study, mine = await readable_study(request)
    if not mine:
        raise Problem(403, "not_your_study")
    return study


async def find_study(request: web.Request) -> Found:
    """The study with its chapters. Raises Problem (404)."""
    study, mine = await readable_study(request)
    return Found(study, await chapters_of(request, study), mine)


async def chapters_of(request: web.Request, study: Study) -> tuple[Chapter, ...]:
    """Its chapters, in order; damaged ones are left out."""
    stored = {one.id: one for one in await request.app[SITE].store.studies.chapters(study.id)}
    return tuple(stored[one] for one in study.chapters if one in stored)


async def chapter_in(request: web.Request, study: Study, chapter: str) -> WrittenChapter:
    """A chapter of that study. Raises Problem (404)."""
    found = await request.app[SITE].store.studies.chapter(chapter) if chapter in study.chapters else None
    if found is None or found.chapter.study != study.id:
        raise Problem(404, "no_chapter")
    return found
