"""Studies for the page's script and for programs: read, make, copy, change, delete.

What two tabs change at once is compared by revision: the second is refused, and told so.
"""

from dataclasses import replace

from aiohttp import web

from server.games.studies.study import Study, WrittenChapter, changed, named, reordered
from server.realtime.process.ids import new_id, new_secret
from server.rules.errors import InvalidPgn
from server.web.analysis.judging import refused_pgn
from server.web.forms.forms import read_form
from server.web.openapi.operation import Nothing, RefusedLine, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE
from server.web.studies.finding import Found, chapters_of, find_study, own_study, readable_study, writer_of
from server.web.studies.shapes import NewStudy, StudyChange, StudyList, ToldStudy, cleaned, in_list, told_study
from server.web.studies.writing import check_size, new_chapter


@described(answers={200: StudyList})
async def own_studies(request: web.Request) -> web.Response:
    """GET /api/studies: the studies of whoever is signed in."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    own = await site.store.studies.of(visitor.user.id) if visitor else []
    return as_json({"studies": [in_list(one) for one in own]})


@described(body=NewStudy, answers={200: ToldStudy, 400: RefusedLine})
async def make_study(request: web.Request) -> web.Response:
    """POST /api/studies: make one, private, with a game as its first chapter. It needs an account."""
    site, visitor = request.app[SITE], await writer_of(request)
    form = await read_form(request, NewStudy)
    own, chapter = await site.store.studies.of(visitor.user.id), new_id()
    name, now = named(cleaned(form.name)), site.now()
    study = Study(new_secret(), visitor.user.id, name, (chapter,), now, now)
    await check_size(request, study.owner, 0, len(own) + 1)
    try:
        made = await new_chapter(request, study, chapter, named(cleaned(form.chapter)), form.pgn)
    except InvalidPgn as error:
        return refused_pgn(request, error)
    await site.store.studies.add(study, [made])
    return as_json(told_study(Found(study, (made.chapter,), mine=True)))


@described(answers={200: ToldStudy})
async def read_study(request: web.Request) -> web.Response:
    """GET /api/studies/{study}: its name and its chapters. Private ones are there for their owner only."""
    return as_json(told_study(await find_study(request)))


@described(body=StudyChange, answers={200: ToldStudy}, refused=(409,))
async def change_study(request: web.Request) -> web.Response:
    """POST /api/studies/{study}: rename it, share it or not, or put its chapters into another order. 409: it has
    changed since."""
    site, study = request.app[SITE], await own_study(request)
    form = await read_form(request, StudyChange)
    name = None if form.name is None else cleaned(form.name)
    after = changed(replace(study, rev=form.rev), site.now(), name=name, shared=form.shared)
    if form.chapters is not None:
        after = replace(reordered(after, form.chapters, after.changed), rev=after.rev)
    if not await site.store.studies.change(after):
        raise Problem(409, "study_changed")
    return as_json(told_study(Found(after, await chapters_of(request, after), mine=True)))


@described(answers={200: Nothing})
async def delete_study(request: web.Request) -> web.Response:
    """DELETE /api/studies/{study}: delete it with all its chapters."""
    await request.app[SITE].store.studies.remove(await own_study(request))
    return as_json({})


@described(answers={200: ToldStudy}, refused=(400,))
async def copy_study(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/copy: a private copy of it, for whoever is signed in."""
    site, visitor = request.app[SITE], await writer_of(request)
    study, _ = await readable_study(request)
    now, owner = site.now(), visitor.user.id
    stored = {one.chapter.id: one for one in await site.store.studies.written(study.id)}
    copies = replace(study, id=new_secret(), owner=owner, shared=False, rev=1, created=now, changed=now)
    chapters = [_copied(stored[one], copies) for one in study.chapters if one in stored]
    copies = replace(copies, chapters=tuple(one.chapter.id for one in chapters))
    own = await site.store.studies.of(owner)
    await check_size(request, owner, sum(one.size for one in chapters), len(own) + 1)
    await site.store.studies.add(copies, chapters)
    return as_json(told_study(Found(copies, tuple(one.chapter for one in chapters), mine=True)))


def _copied(one: WrittenChapter, study: Study) -> WrittenChapter:
    return replace(one, chapter=replace(one.chapter, id=new_id(), study=study.id, owner=study.owner, rev=1))
