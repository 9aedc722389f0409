"""The chapters of a study for the page's script and for programs, and as PGN to take away."""

import re
from dataclasses import replace
from typing import Final

from aiohttp import web

from server.games.studies.study import WrittenChapter, named, with_chapter, without_chapter
from server.realtime.process.ids import new_id
from server.rules.errors import InvalidPgn
from server.web.analysis.judging import judged_pgn, refused_pgn
from server.web.charging import charge_address
from server.web.forms.forms import read_form
from server.web.openapi.operation import PGN, Media, RefusedLine, described
from server.web.rendering.answers import as_json, compressed
from server.web.rendering.problems import Problem
from server.web.site import SITE
from server.web.studies.finding import Found, chapter_in, chapters_of, find_study, own_study, readable_study
from server.web.studies.shapes import (
    ChapterChange,
    NewChapter,
    ToldChapter,
    ToldGame,
    ToldStudy,
    cleaned,
    told_chapter,
    told_study,
)
from server.web.studies.writing import check_size, judged, new_chapter, with_names

TRIES: Final = 5
"""Adding or deleting a chapter is tried again, whatever else of the study has changed meanwhile."""
JUDGED: Final = 4_000
"""Bytes of PGN. To judge them costs about as much as to read a game in full."""
TAKEN_AWAY: Final = 100_000
"""The same, to send them as a file."""


@described(body=NewChapter, answers={200: ToldStudy, 400: RefusedLine}, refused=(409,))
async def add_chapter(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/chapters: add a game as its last chapter."""
    site, study = request.app[SITE], await own_study(request)
    form = await read_form(request, NewChapter)
    chapter = new_id()
    try:
        made = await new_chapter(request, study, chapter, named(cleaned(form.name)), form.pgn)
    except InvalidPgn as error:
        return refused_pgn(request, error)
    for _ in range(TRIES):
        study = await own_study(request)
        after = with_chapter(study, chapter, site.now())
        if await site.store.studies.add_chapter(after, made):
            return as_json(told_study(Found(after, await chapters_of(request, after), mine=True)))
    raise Problem(409, "study_changed")


@described(answers={200: ToldGame, 400: RefusedLine})
async def read_chapter(request: web.Request) -> web.Response:
    """GET /api/studies/{study}/chapters/{chapter}: the game in it, judged, with all that is said of moves."""
    study, _ = await readable_study(request)
    found = await chapter_in(request, study, request.match_info["chapter"])
    charge_for_size(request, found.size // JUDGED)
    try:
        game = await judged_pgn(request, found.pgn)
    except InvalidPgn as error:
        return refused_pgn(request, error)
    return as_json({"chapter": told_chapter(found.chapter), "game": game})


@described(body=ChapterChange, answers={200: ToldChapter, 400: RefusedLine}, refused=(409,))
async def change_chapter(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/chapters/{chapter}: another game in it, or another name. 409: it has changed."""
    site, study = request.app[SITE], await own_study(request)
    form = await read_form(request, ChapterChange)
    found = await chapter_in(request, study, request.match_info["chapter"])
    after = replace(found.chapter, rev=form.rev + 1)
    if form.name is not None:
        after = replace(after, name=named(cleaned(form.name)))
    text = found.pgn
    if form.pgn is not None:
        try:
            variant, chess960, text = await judged(request, form.pgn)
        except InvalidPgn as error:
            return refused_pgn(request, error)
        after = replace(after, variant=variant.id, chess960=chess960)
    written = WrittenChapter(after, text)
    await check_size(request, study.owner, written.size - found.size)
    # Whoever asks again because the first answer was lost has what they asked for.
    if not await site.store.studies.save(written, site.now()) and found != written:
        raise Problem(409, "chapter_changed")
    return as_json(told_chapter(after))


@described(answers={200: ToldStudy}, refused=(409,))
async def delete_chapter(request: web.Request) -> web.Response:
    """DELETE /api/studies/{study}/chapters/{chapter}: delete it, unless it is the only one."""
    site, chapter = request.app[SITE], request.match_info["chapter"]
    for _ in range(TRIES):
        study = await own_study(request)
        if chapter not in study.chapters:
            raise Problem(404, "no_chapter")
        after = without_chapter(study, chapter, site.now())
        if await site.store.studies.remove_chapter(after, chapter):
            return as_json(told_study(Found(after, await chapters_of(request, after), mine=True)))
    raise Problem(409, "study_changed")


@described(answers={200: Media(PGN)})
async def study_pgn(request: web.Request) -> web.Response:
    """GET /api/studies/{study}.pgn: all chapters in order, as one file of several games."""
    found = await find_study(request)
    stored = {one.chapter.id: one for one in await request.app[SITE].store.studies.written(found.study.id)}
    charge_for_size(request, sum(one.size for one in stored.values()) // TAKEN_AWAY)
    texts = [with_names(found.study, stored[one]) for one in found.study.chapters if one in stored]
    return _file(found.study.name, "\n".join(texts))


@described(answers={200: Media(PGN)})
async def chapter_pgn(request: web.Request) -> web.Response:
    """GET /api/studies/{study}/chapters/{chapter}.pgn: the game in it."""
    study, _ = await readable_study(request)
    found = await chapter_in(request, study, request.match_info["chapter"])
    return _file(found.chapter.name, with_names(study, found))


def charge_for_size(request: web.Request, reads: int) -> None:
    """Charges what is long like so many more reads. Raises Problem (429)."""
    if reads:
        charge_address(request, request.app[SITE].limits.reads, reads)


def _file(name: str, text: str) -> web.Response:
    plain = re.sub(r"[^0-9A-Za-z]+", "-", name).strip("-")[:60] or "study"
    headers = {"Content-Disposition": f'attachment; filename="{plain}.pgn"'}
    return compressed(web.Response(text=text, content_type=PGN, charset="utf-8", headers=headers), len(text))
