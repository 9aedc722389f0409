"""Studies over HTTP: their pages, what scripts and programs ask for, and a chapter or a whole study as PGN to save.

Of two tabs that change the same thing at once the second is refused, as revisions are compared. To people who may not
read a study it does not exist: its id alone tells nothing.
"""

import re
from dataclasses import dataclass, replace
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.studies import (
    LONGEST_NAME,
    MAX_CHAPTERS,
    Chapter,
    Study,
    WrittenChapter,
    changed,
    named,
    reordered,
    with_chapters,
    without_chapter,
)
from server.realtime.runtime.ids import new_id, new_secret
from server.rules.errors import InvalidPgn, RulesError
from server.rules.notation.fen import format_fen
from server.rules.notation.pgn_tags import read_start, read_tags
from server.rules.sliced_work import run_at_once
from server.rules.variant.variant import Variant
from server.web.accounts.account_pages import require_account
from server.web.accounts.export import instant
from server.web.analysis import AskedPgn, JudgedPgn, board_page, judged_pgn, refused_pgn
from server.web.budgets.limits import charge
from server.web.fair_play import forbid_keeping
from server.web.forms import Form, read_form
from server.web.languages import variant_names
from server.web.openapi.operation import PGN, Media, Nothing, RefusedLine, described
from server.web.pictures.captions import card_of_position
from server.web.rendering.answers import as_json, as_page, compressed
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, charge_address
from server.web.study_chapters import GameNotice, clean_name, judge_game, make_chapters, titled_pgn

TRIES: Final = 5
"""Adding or deleting a chapter is tried again, whatever else of the study has changed meanwhile."""
JUDGED: Final = 4_000
"""Bytes of PGN. To judge them costs about as much as to read a game in full."""
TAKEN_AWAY: Final = 100_000
"""The same, to send them as a file."""

NameField = Annotated[str, Field(max_length=4 * LONGEST_NAME)]
Revision = Annotated[int, Field(ge=1, le=2**53)]


class NewStudy(AskedPgn):
    """A study called `name`, whose first chapter is a game as PGN.

    `games`: the PGN may have several, each of which becomes a chapter, called after its players, event or number.
    """

    name: NameField
    chapter: NameField
    games: bool = False


class NewChapter(AskedPgn):
    """One more chapter, a game as PGN; with `games`, each game that the PGN has."""

    name: NameField
    games: bool = False


class StudyChange(Form):
    """What is to be different; null: nothing. `rev`: of the study as known. `chapters`: all ids, in a new order."""

    rev: Revision
    name: NameField | None = None
    shared: bool | None = None
    chapters: Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=MAX_CHAPTERS)] | None = None


class ChapterChange(Form):
    """The same of a chapter. `rev`: of the chapter; `pgn`: all that is to be in it."""

    rev: Revision
    name: NameField | None = None
    pgn: Annotated[str, Field(min_length=1, max_length=50_000)] | None = None


class ToldChapter(TypedDict):
    """`rev` counts the changes of the chapter."""

    id: str
    name: str
    variant: str
    chess960: bool
    rev: int


class StudyHead(TypedDict):
    """`shared`: whoever has the id may read it. Times in ms.

    `rev` counts changes of the study itself, not of what is in its chapters.
    """

    id: str
    name: str
    shared: bool
    rev: int
    created: int
    changed: int


class ToldStudy(StudyHead):
    """`mine`: the asker may change it."""

    mine: bool
    chapters: list[ToldChapter]


class GrownStudy(ToldStudy):
    """The study with new chapters, of which `added` says the ids, and what is to be told of their games."""

    added: list[str]
    notices: list[GameNotice]


class StudyInList(StudyHead):
    """`chapters`: how many."""

    chapters: int


class StudyList(TypedDict):
    """The asker's studies, the last changed first."""

    studies: list[StudyInList]


class ToldGame(TypedDict):
    """A chapter and the game in it."""

    chapter: ToldChapter
    game: JudgedPgn


@dataclass(frozen=True, slots=True)
class ReadStudy:
    """A study as its reader sees it. `chapters`: in order."""

    study: Study
    chapters: tuple[Chapter, ...]
    mine: bool


def told_chapter(one: Chapter) -> ToldChapter:
    """The chapter in the list of its study, without moves."""
    return {"id": one.id, "name": one.name, "variant": one.variant, "chess960": one.chess960, "rev": one.rev}


def told_study(found: ReadStudy) -> ToldStudy:
    """The study with the list of its chapters."""
    return {**_head(found.study), "mine": found.mine, "chapters": [told_chapter(one) for one in found.chapters]}


def listed_study(study: Study) -> StudyInList:
    """The study in the list of its owner."""
    return {**_head(study), "chapters": len(study.chapters)}


def _head(study: Study) -> StudyHead:
    return {
        "id": study.id,
        "name": study.name,
        "shared": study.shared,
        "rev": study.rev,
        "created": study.created,
        "changed": study.changed,
    }


async def own_page(request: web.Request) -> web.Response:
    """GET /studies: one's own, the last changed first."""
    visitor = await require_account(request, "/studies")
    own = await request.app[SITE].store.studies.studies_of(visitor.user.id)
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
        chapters=named_chapters(request, found),
        chapter=chapter,
        mine=found.mine,
        author=author.name if author else "",
    )
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def named_chapters(request: web.Request, found: ReadStudy) -> list[tuple[Chapter, str]]:
    """The chapters with the names of their variants."""
    names = variant_names(request)
    return [(one, names.get(one.variant, one.variant)) for one in found.chapters]


def start_of(pgn: str, chapter: Chapter, variant: Variant) -> str | None:
    """The FEN of the first position; None: that of the variant."""
    try:
        tags = run_at_once(read_tags(pgn)).tags
        return format_fen(read_start(variant, chapter.chess960, tags["FEN"])) if "FEN" in tags else None
    except RulesError:
        return None


@described(answers={200: StudyList})
async def own_studies(request: web.Request) -> web.Response:
    """GET /api/studies: the studies of whoever is signed in."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    own = await site.store.studies.studies_of(visitor.user.id) if visitor else []
    return as_json({"studies": [listed_study(one) for one in own]})


@described(body=NewStudy, answers={200: GrownStudy, 400: RefusedLine})
async def make_study(request: web.Request) -> web.Response:
    """POST /api/studies: make one, private, with a game as its first chapter, or several games. It needs an account."""
    site, visitor = request.app[SITE], await writer_of(request)
    form = await read_form(request, NewStudy)
    name, now = named(clean_name(form.name)), site.now()
    study = Study(new_secret(), visitor.user.id, name, (), now, now)
    try:
        made, notices = await make_chapters(request, study, form.chapter, form.pgn, form.games)
    except InvalidPgn as error:
        return refused_pgn(request, error)
    chapters = tuple(one.chapter for one in made)
    study = replace(study, chapters=tuple(one.id for one in chapters))
    await site.store.studies.add_study(study, made)
    told = told_study(ReadStudy(study, chapters, mine=True))
    return as_json({**told, "added": list(study.chapters), "notices": notices})


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
    name = None if form.name is None else clean_name(form.name)
    after = changed(replace(study, rev=form.rev), site.now(), name=name, shared=form.shared)
    if form.chapters is not None:
        after = replace(reordered(after, form.chapters, after.changed), rev=after.rev)
    if not await site.store.studies.change_study(after):
        raise Problem(409, "study_changed")
    return as_json(told_study(ReadStudy(after, await chapters_of(request, after), mine=True)))


@described(answers={200: Nothing})
async def delete_study(request: web.Request) -> web.Response:
    """DELETE /api/studies/{study}: delete it with all its chapters."""
    await request.app[SITE].store.studies.remove_study(await own_study(request))
    return as_json({})


@described(answers={200: ToldStudy}, refused=(400,))
async def copy_study(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/copy: a private copy of it, for whoever is signed in."""
    site, visitor = request.app[SITE], await writer_of(request)
    study, _ = await readable_study(request)
    now, owner = site.now(), visitor.user.id
    stored = {one.chapter.id: one for one in await site.store.studies.written_chapters_of(study.id)}
    copies = replace(study, id=new_secret(), owner=owner, shared=False, rev=1, created=now, changed=now)
    chapters = [_copied(stored[one], copies) for one in study.chapters if one in stored]
    copies = replace(copies, chapters=tuple(one.chapter.id for one in chapters))
    await site.store.studies.add_study(copies, chapters)
    return as_json(told_study(ReadStudy(copies, tuple(one.chapter for one in chapters), mine=True)))


def _copied(one: WrittenChapter, study: Study) -> WrittenChapter:
    return replace(one, chapter=replace(one.chapter, id=new_id(), study=study.id, owner=study.owner, rev=1))


@described(body=NewChapter, answers={200: GrownStudy, 400: RefusedLine}, refused=(409,))
async def add_chapter(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/chapters: add a game as its last chapter, or several games as chapters of their own."""
    site, study = request.app[SITE], await own_study(request)
    form = await read_form(request, NewChapter)
    try:
        made, notices = await make_chapters(request, study, form.name, form.pgn, form.games)
    except InvalidPgn as error:
        return refused_pgn(request, error)
    ids = [one.chapter.id for one in made]
    for _ in range(TRIES):
        study = await own_study(request)
        after = with_chapters(study, ids, site.now())
        if await site.store.studies.add_chapters(after, made):
            told = told_study(ReadStudy(after, await chapters_of(request, after), mine=True))
            return as_json({**told, "added": ids, "notices": notices})
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
        after = replace(after, name=named(clean_name(form.name)))
    text = found.pgn
    if form.pgn is not None:
        try:
            one = await judge_game(request, form.pgn)
        except InvalidPgn as error:
            return refused_pgn(request, error)
        await forbid_keeping(request, one.game)
        after, text = replace(after, variant=one.game.variant.id, chess960=one.game.chess960), one.text
    written = WrittenChapter(after, text)
    # Whoever asks again because the first answer was lost has what they asked for.
    if not await site.store.studies.save_chapter(written, site.now()) and found != written:
        raise Problem(409, "chapter_changed")
    return as_json(told_chapter(after))


@described(answers={200: ToldStudy}, refused=(409,))
async def delete_chapter(request: web.Request) -> web.Response:
    """DELETE /api/studies/{study}/chapters/{chapter}: delete it, unless it is the only one."""
    site, chapter = request.app[SITE], request.match_info["chapter"]
    for _ in range(TRIES):
        study = await own_study(request)
        if chapter not in study.chapters:
            # A request that was cut short may have left it.
            await site.store.studies.drop_chapter(study.id, chapter)
            raise Problem(404, "no_chapter")
        after = without_chapter(study, chapter, site.now())
        if await site.store.studies.remove_chapter(after, chapter):
            return as_json(told_study(ReadStudy(after, await chapters_of(request, after), mine=True)))
    raise Problem(409, "study_changed")


@described(answers={200: Media(PGN)})
async def study_pgn(request: web.Request) -> web.Response:
    """GET /api/studies/{study}.pgn: all chapters in order, as one file of several games."""
    found = await find_study(request)
    stored = {one.chapter.id: one for one in await request.app[SITE].store.studies.written_chapters_of(found.study.id)}
    charge_for_size(request, sum(one.size for one in stored.values()) // TAKEN_AWAY)
    texts = [titled_pgn(found.study, stored[one]) for one in found.study.chapters if one in stored]
    return _file(found.study.name, "\n".join(texts))


@described(answers={200: Media(PGN)})
async def chapter_pgn(request: web.Request) -> web.Response:
    """GET /api/studies/{study}/chapters/{chapter}.pgn: the game in it."""
    study, _ = await readable_study(request)
    found = await chapter_in(request, study, request.match_info["chapter"])
    return _file(found.chapter.name, titled_pgn(study, found))


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
    study = await site.store.studies.find_study(request.match_info["study"])
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


async def find_study(request: web.Request) -> ReadStudy:
    """The study with its chapters. Raises Problem (404)."""
    study, mine = await readable_study(request)
    return ReadStudy(study, await chapters_of(request, study), mine)


async def chapters_of(request: web.Request, study: Study) -> tuple[Chapter, ...]:
    """Its chapters, in order; damaged ones are left out."""
    stored = {one.id: one for one in await request.app[SITE].store.studies.chapters_of(study.id)}
    return tuple(stored[one] for one in study.chapters if one in stored)


async def chapter_in(request: web.Request, study: Study, chapter: str) -> WrittenChapter:
    """A chapter of that study. Raises Problem (404)."""
    found = await request.app[SITE].store.studies.find_chapter(chapter) if chapter in study.chapters else None
    if found is None or found.chapter.study != study.id:
        raise Problem(404, "no_chapter")
    return found


def charge_for_size(request: web.Request, reads: int) -> None:
    """Charges what is long like so many more reads. Raises Problem (429)."""
    if reads:
        charge_address(request, request.app[SITE].limits.reads, reads)


def _file(name: str, text: str) -> web.Response:
    plain = re.sub(r"[^0-9A-Za-z]+", "-", name).strip("-")[:60] or "study"
    headers = {"Content-Disposition": f'attachment; filename="{plain}.pgn"'}
    return compressed(web.Response(text=text, content_type=PGN, charset="utf-8", headers=headers), len(text))
