"""What is in a chapter, as it is kept: PGN that the rules have judged and written anew, so that nothing is stored that
the board could not show again.
"""

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from server.games.studies.study import Chapter, Study, WrittenChapter, check_room
from server.rules.notation.fen import format_fen
from server.rules.notation.pgn import PgnGame, read_pgn
from server.rules.notation.pgn_tags import escaped
from server.rules.notation.pgn_writer import write_pgn
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant
from server.web.analysis.judging import answer_of, charge_for, steps_of
from server.web.forms.forms import LONGEST_LINE
from server.web.rendering.problems import Problem
from server.web.site import SITE

STUDY_TAGS: Final = ("StudyName", "ChapterName")
"""They follow from the study, and are written when somebody takes it away."""


async def judged(request: web.Request, pgn: str) -> tuple[Variant, bool, str]:
    """The variant, whether its 960 form, and the game as it is kept. Raises InvalidPgn, Problem (400, 429)."""
    await charge_for(request, LONGEST_LINE)
    return await answer_of(request, judging(pgn, request.app[SITE].variants))


def judging(pgn: str, variants: Mapping[str, Variant]) -> SlicedWork[tuple[Variant, bool, str]]:
    """The same in slices. Raises InvalidPgn, Problem (400)."""
    game = yield from read_pgn(pgn, variants)
    steps, _ = steps_of(game.line)
    if len(steps) > LONGEST_LINE:
        raise Problem(400, "chapter_too_long", longest=LONGEST_LINE)
    return game.variant, game.chess960, (yield from kept(game))


def kept(game: PgnGame) -> SlicedWork[str]:
    """The game as PGN, without the names of a study."""
    tags = {name: value for name, value in game.tags.items() if name not in STUDY_TAGS}
    start = format_fen(game.start)
    return (yield from write_pgn(tags, game.variant, game.chess960, start, game.line, game.result, game.comments))


async def new_chapter(request: web.Request, study: Study, chapter: str, name: str, pgn: str) -> WrittenChapter:
    """A chapter of that study, for which its owner has room. Raises as `judged`, NotAllowed."""
    variant, chess960, text = await judged(request, pgn)
    made = WrittenChapter(Chapter(chapter, study.id, study.owner, name, variant.id, chess960), text)
    await check_size(request, study.owner, made.size)
    return made


async def check_size(request: web.Request, owner: str, more: int, studies: int = 0) -> None:
    """Raises NotAllowed if `owner` has no room for `more` bytes, or for so many `studies`."""
    check_room(studies, await request.app[SITE].store.studies.size_of(owner) if more > 0 else 0, more)


def with_names(study: Study, written: WrittenChapter) -> str:
    """The PGN of a chapter to take away: it says what the study and the chapter are called."""
    tags, _, moves = written.pgn.partition("\n\n")
    names = zip(STUDY_TAGS, (study.name, written.chapter.name), strict=True)
    return "\n".join([tags, *(f'[{tag} "{escaped(name)}"]' for tag, name in names)]) + f"\n\n{moves}"
