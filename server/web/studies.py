"""Studies over HTTP: their pages, what scripts and programs ask for, and a chapter or a whole study as PGN to save.

Of two tabs that change the same thing at once the second is refused, as revisions are compared. To people who may not
read a study it does not exist: its id alone tells nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.studies import (
    LONGEST_NAME,
    MAX_CHAPTERS,
    Chapter,
    Member,
    Role,
    SeenStudy,
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
from server.web.study_chapters import GameNotice, check_said, clean_name, judge_game, make_chapters, titled_pgn

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


class Invitation(Form):
    """Somebody with an account who is to be a member, or to have another role."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    role: Literal["read", "write"] = "write"


class ToldMember(TypedDict):
    """A member; `role`: read or write."""

    name: str
    role: str


class Members(TypedDict):
    """All members of a study, in the order of their invitations."""

    members: list[ToldMember]


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
    """`mine`: the asker may change it; `own`: it is theirs. `members`: those, for its owner and its members."""

    mine: bool
    own: bool
    members: list[ToldMember]
    chapters: list[ToldChapter]


class GrownStudy(ToldStudy):
    """The study with new chapters, of which `added` says the ids, and what is to be told of their games."""

    added: list[str]
    notices: list[GameNotice]


class StudyInList(StudyHead):
    """`chapters`: how many."""

    chapters: int


class StudyOfOther(StudyInList):
    """`role` of the asker: read or write."""

    role: str


class StudyList(TypedDict):
    """The asker's studies, the last changed first, and those of others of which they are a member."""

    studies: list[StudyInList]
    others: list[StudyOfOther]


class ToldGame(TypedDict):
    """A chapter and the game in it."""

    chapter: ToldChapter
    game: JudgedPgn


@dataclass(frozen=True, slots=True)
class ReadStudy:
    """A study as its reader sees it. `chapters`: in order; `members`: none, if they are nobody's business."""

    seen: SeenStudy
    chapters: tuple[Chapter, ...]
    members: tuple[Member, ...] = ()

    @property
    def study(self) -> Study:
        """What is read."""
        return self.seen.study


def told_chapter(one: Chapter) -> ToldChapter:
    """The chapter in the list of its study, without moves."""
    return {"id": one.id, "name": one.name, "variant": one.variant, "chess960": one.chess960, "rev": one.rev}


def told_study(found: ReadStudy) -> ToldStudy:
    """The study with the list of its chapters."""
    return {
        **_head(found.study),
        "mine": found.seen.writes,
        "own": found.seen.owns,
        "members": told_members(found.members),
        "chapters": [told_chapter(one) for one in found.chapters],
    }


def told_members(members: Sequence[Member]) -> list[ToldMember]:
    """The members by name."""
    return [{"name": one.person.name, "role": one.role.value} for one in members]


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
    """GET /studies: one's own, the last changed first, and those of others of which one is a member."""
    visitor = await require_account(request, "/studies")
    own = await request.app[SITE].store.studies.studies_of(visitor.user.id)
    return await as_page(
        request,
        "studies/studies.html",
        studies=[(one, instant(one.changed)[:10]) for one in own],
        others=[(one, instant(one.changed)[:10], role) for one, role in await memberships_of(request, visitor)],
    )


async def memberships_of(request: web.Request, visitor: Visitor) -> Sequence[tuple[Study, Role]]:
    """The studies of others of which somebody is a member, but those of people from whom they are kept apart."""
    site, person = request.app[SITE], visitor.user.id
    blocks = site.live.services.blocks
    found = await site.store.studies.memberships_of(person)
    return [(one, role) for one, role in found if not blocks.are_apart(person, one.owner)]


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
    visitor = await site.sessions.find(request)
    answer = await board_page(
        request,
        variant,
        card_of_position(variant, start_of(written.pgn, chapter, variant)),
        {
            **told_study(found),
            "chapter": told_chapter(chapter),
            "names": variant_names(request),
            "reader": visitor.user.name if visitor else "",
            "address": f"{site.settings.address}/study/{found.study.id}",
        },
        study=found.study,
        chapters=named_chapters(request, found),
        chapter=chapter,
        mine=found.seen.writes,
        owns=found.seen.owns,
        member=found.seen.role is not None,
        members=found.members,
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
    """GET /api/studies: the studies of whoever is signed in, and those of others of which they are a member."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    own = await site.store.studies.studies_of(visitor.user.id) if visitor else []
    others = await memberships_of(request, visitor) if visitor else []
    return as_json(
        {
            "studies": [listed_study(one) for one in own],
            "others": [{**listed_study(one), "role": role.value} for one, role in others],
        }
    )


@described(body=NewStudy, answers={200: GrownStudy, 400: RefusedLine})
async def make_study(request: web.Request) -> web.Response:
    """POST /api/studies: make one, private, with a game as its first chapter, or several games. It needs an account."""
    site, visitor = request.app[SITE], await writer_of(request)
    form = await read_form(request, NewStudy)
    await check_may_name(request, form.name)
    name, now = named(clean_name(form.name)), site.now()
    study = Study(new_secret(), visitor.user.id, name, (), now, now)
    try:
        made, notices = await make_chapters(request, study, form.chapter, form.pgn, form.games)
    except InvalidPgn as error:
        return refused_pgn(request, error)
    chapters = tuple(one.chapter for one in made)
    study = replace(study, chapters=tuple(one.id for one in chapters))
    await site.store.studies.add_study(study, made)
    told = told_study(ReadStudy(SeenStudy(study, study.owner), chapters))
    return as_json({**told, "added": list(study.chapters), "notices": notices})


@described(answers={200: ToldStudy})
async def read_study(request: web.Request) -> web.Response:
    """GET /api/studies/{study}: its name and its chapters. Private ones are there for their owner and its members."""
    return as_json(told_study(await find_study(request)))


@described(body=StudyChange, answers={200: ToldStudy}, refused=(409,))
async def change_study(request: web.Request) -> web.Response:
    """POST /api/studies/{study}: rename it, put its chapters into another order or, as its owner, share it or not. 409:
    it has changed since."""
    site, seen = request.app[SITE], await written_study(request)
    study, form = seen.study, await read_form(request, StudyChange)
    if form.shared is not None and not seen.owns:
        raise Problem(403, "not_your_study")
    if form.name is not None:
        await check_may_name(request, form.name)
    if form.shared:
        await check_may_name(request, study.name)
    name = None if form.name is None else clean_name(form.name)
    after = changed(replace(study, rev=form.rev), site.now(), name=name, shared=form.shared)
    if form.chapters is not None:
        after = replace(reordered(after, form.chapters, after.changed), rev=after.rev)
    if not await site.store.studies.change_study(after):
        raise Problem(409, "study_changed")
    site.live.studies.tell_study(after.id)
    return as_json(told_study(await read_as(request, replace(seen, study=after))))


@described(answers={200: Nothing})
async def delete_study(request: web.Request) -> web.Response:
    """DELETE /api/studies/{study}: delete it with all its chapters."""
    site, study = request.app[SITE], await own_study(request)
    await site.store.studies.remove_study(study)
    site.live.studies.tell_study(study.id)
    return as_json({})


@described(answers={200: ToldStudy}, refused=(400,))
async def copy_study(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/copy: a private copy of it, for whoever is signed in."""
    site, visitor = request.app[SITE], await writer_of(request)
    study = (await readable_study(request)).study
    now, owner = site.now(), visitor.user.id
    stored = {one.chapter.id: one for one in await site.store.studies.written_chapters_of(study.id)}
    copies = replace(study, id=new_secret(), owner=owner, shared=False, rev=1, created=now, changed=now)
    chapters = [_copied(stored[one], copies) for one in study.chapters if one in stored]
    copies = replace(copies, chapters=tuple(one.chapter.id for one in chapters))
    await site.store.studies.add_study(copies, chapters)
    return as_json(told_study(ReadStudy(SeenStudy(copies, owner), tuple(one.chapter for one in chapters))))


def _copied(one: WrittenChapter, study: Study) -> WrittenChapter:
    return replace(one, chapter=replace(one.chapter, id=new_id(), study=study.id, owner=study.owner, rev=1))


@described(body=NewChapter, answers={200: GrownStudy, 400: RefusedLine}, refused=(409,))
async def add_chapter(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/chapters: add a game as its last chapter, or several games as chapters of their own."""
    site, seen = request.app[SITE], await written_study(request)
    form = await read_form(request, NewChapter)
    await check_may_name(request, form.name)
    try:
        made, notices = await make_chapters(request, seen.study, form.name, form.pgn, form.games)
    except InvalidPgn as error:
        return refused_pgn(request, error)
    ids = [one.chapter.id for one in made]
    for _ in range(TRIES):
        seen = await written_study(request)
        after = with_chapters(seen.study, ids, site.now())
        if await site.store.studies.add_chapters(after, made):
            site.live.studies.tell_study(after.id)
            told = told_study(await read_as(request, replace(seen, study=after)))
            return as_json({**told, "added": ids, "notices": notices})
    raise Problem(409, "study_changed")


@described(answers={200: ToldGame, 400: RefusedLine})
async def read_chapter(request: web.Request) -> web.Response:
    """GET /api/studies/{study}/chapters/{chapter}: the game in it, judged, with all that is said of moves."""
    study = (await readable_study(request)).study
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
    site, visitor = request.app[SITE], await writer_of(request)
    seen = await written_by(request)
    study = seen.study
    form = await read_form(request, ChapterChange)
    if form.pgn is not None and (study.shared or await members_seen(request, seen)):
        # Others read what is said in it.
        await check_may_name(request, None)
    found = await chapter_in(request, study, request.match_info["chapter"])
    after = replace(found.chapter, rev=form.rev + 1)
    if form.name is not None and form.name != after.name:
        await check_may_name(request, form.name)
        after = replace(after, name=named(clean_name(form.name)))
    text = found.pgn
    if form.pgn is not None:
        try:
            one = await judge_game(request, form.pgn)
        except InvalidPgn as error:
            return refused_pgn(request, error)
        await check_said(request, one)
        await forbid_keeping(request, found.chapter.study, found.chapter.owner, one.game)
        after, text = replace(after, variant=one.game.variant.id, chess960=one.game.chess960), one.text
    written = WrittenChapter(after, text)
    await written_by(request)  # the body and the judging took their time
    if not await site.store.studies.save_chapter(written, site.now()):
        raise Problem(409, "chapter_changed")
    site.live.studies.tell_chapter(study.id, after.id, after.rev, visitor.user.name)
    if after.name != found.chapter.name:
        site.live.studies.tell_study(study.id)
    return as_json(told_chapter(after))


@described(answers={200: ToldStudy}, refused=(409,))
async def delete_chapter(request: web.Request) -> web.Response:
    """DELETE /api/studies/{study}/chapters/{chapter}: delete it, unless it is the only one."""
    site, chapter = request.app[SITE], request.match_info["chapter"]
    for _ in range(TRIES):
        seen = await written_study(request)
        study = seen.study
        if chapter not in study.chapters:
            # A request that was cut short may have left it.
            await site.store.studies.drop_chapter(study.id, chapter)
            raise Problem(404, "no_chapter")
        after = without_chapter(study, chapter, site.now())
        if await site.store.studies.remove_chapter(after, chapter):
            site.live.studies.tell_study(after.id)
            return as_json(told_study(await read_as(request, replace(seen, study=after))))
    raise Problem(409, "study_changed")


@described(body=Invitation, answers={200: Members}, refused=(404,))
async def invite_member(request: web.Request) -> web.Response:
    """POST /api/studies/{study}/members: let somebody with an account read it or write in it, or change what they may.
    Only its owner may."""
    site, study = request.app[SITE], await own_study(request)
    form = await read_form(request, Invitation)
    # Whoever comes reads what is said in it.
    await check_may_name(request, study.name)
    account = await site.store.accounts.find(form.name)
    if account is None:
        raise Problem(404, "no_player")
    if study.is_of(account.user):
        raise NotAllowed("own_member")
    person = Player(account.user, account.name)
    await site.store.studies.keep_member(Member(study.id, study.owner, person, Role(form.role), site.now()))
    site.live.studies.tell_study(study.id)
    return as_json({"members": told_members(await site.store.studies.members_of(study.id))})


@described(answers={200: Members})
async def remove_member(request: web.Request) -> web.Response:
    """DELETE /api/studies/{study}/members/{name}: take somebody out of it, or leave it."""
    site, name = request.app[SITE], request.match_info["name"].casefold()
    await writer_of(request)
    seen = await readable_study(request)
    members = await members_seen(request, seen)
    found = next((one.person.id for one in members if one.person.name.casefold() == name), "")
    if not seen.owns and found != seen.reader:
        raise Problem(403, "not_your_study")
    if found:
        await site.store.studies.remove_member(seen.study.id, found)
        site.live.studies.tell_study(seen.study.id)
    left = members if seen.owns else ()
    return as_json({"members": told_members([one for one in left if one.person.id != found])})


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
    study = (await readable_study(request)).study
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


async def check_may_name(request: web.Request, name: str | None) -> None:
    """Raises NotAllowed if the host has muted the visitor, or holds back a word of the name (None: it stays)."""
    site = request.app[SITE]
    visitor = await site.sessions.member(request)
    site.live.services.sanctions.check_speech(visitor.user.id if visitor else "", "", site.now())
    site.live.services.sanctions.check_text(clean_name(name or ""))


async def readable_study(request: web.Request) -> SeenStudy:
    """The study, and what the visitor may do in it. Raises Problem (404)."""
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    seen = await site.store.studies.look_at(request.match_info["study"], visitor.user.id if visitor else "")
    if seen is None:
        charge_address(request, site.limits.misses)
        raise Problem(404, "no_study")
    return seen


async def written_study(request: web.Request) -> SeenStudy:
    """The study, in which the visitor may write. Raises Problem (403, 404, 429)."""
    await writer_of(request)
    return await written_by(request)


async def written_by(request: web.Request) -> SeenStudy:
    """The same for whom that is charged already. Raises Problem (403, 404)."""
    seen = await readable_study(request)
    if not seen.writes:
        raise Problem(403, "not_your_study")
    return seen


async def own_study(request: web.Request) -> Study:
    """The study, which is the visitor's own. Raises Problem (403, 404, 429)."""
    await writer_of(request)
    seen = await readable_study(request)
    if not seen.owns:
        raise Problem(403, "not_your_study")
    return seen.study


async def find_study(request: web.Request) -> ReadStudy:
    """The study with its chapters. Raises Problem (404)."""
    return await read_as(request, await readable_study(request))


async def read_as(request: web.Request, seen: SeenStudy) -> ReadStudy:
    """The same of a study that is at hand."""
    return ReadStudy(seen, await chapters_of(request, seen.study), await members_seen(request, seen))


async def members_seen(request: web.Request, seen: SeenStudy) -> tuple[Member, ...]:
    """The members, for whom belongs to the study."""
    if not seen.belongs:
        return ()
    return tuple(await request.app[SITE].store.studies.members_of(seen.study.id))


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
