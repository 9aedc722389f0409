"""The chapters of studies: PGN that the rules have judged and written anew, so that whatever is stored can be shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from aiohttp import web
from typing_extensions import TypedDict

from server.games.errors import NotAllowed
from server.games.studies import LONGEST_NAME, MAX_CHAPTERS, Chapter, Study, WrittenChapter, named
from server.realtime.play.chat import ChatForm, clean
from server.realtime.runtime.ids import new_id
from server.rules.errors import InvalidPgn
from server.rules.notation.fen import format_fen
from server.rules.notation.pgn import PgnGame, read_pgn
from server.rules.notation.pgn_file import split_games
from server.rules.notation.pgn_tags import escape_value
from server.rules.notation.pgn_writer import write_pgn
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant
from server.web.analysis import LONGEST_LINE, answer_of, charge_for, steps_of, told_mends, where_in_text
from server.web.fair_play import forbid_keeping
from server.web.languages import language_of
from server.web.rendering.problems import Problem, problem_fields
from server.web.site import SITE

STUDY_TAGS: Final = ("StudyName", "ChapterName")
"""They follow from the study, and are written when somebody takes it away."""
NAME: Final = ChatForm(LONGEST_NAME)


class GameNotice(TypedDict):
    """What was mended in a game of a text, or why it is not kept: `number` and first `line` in the text, from 1.

    `where`: all lines of it in words.
    """

    number: int
    line: int
    where: str
    refused: bool
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class RefusedGame:
    """Why a game of a text is not kept, and where it stands there, as in `JudgedGame`."""

    error: InvalidPgn | Problem
    number: int
    line: int


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game, and how it is kept. `number` and `line`: where it stands in the text, from 1."""

    game: PgnGame
    text: str
    number: int = 1
    line: int = 1


async def judge_game(request: web.Request, pgn: str) -> JudgedGame:
    """The one game of that PGN. Raises InvalidPgn, Problem (400, 429)."""
    await charge_for(request, LONGEST_LINE)
    return await answer_of(request, judging_game(pgn, request.app[SITE].variants))


def judging_game(pgn: str, variants: Mapping[str, Variant]) -> SlicedWork[JudgedGame]:
    """The same in slices. Raises InvalidPgn, Problem (400)."""
    game = yield from read_pgn(pgn, variants)
    steps, _ = steps_of(game.line)
    if len(steps) > LONGEST_LINE:
        raise Problem(400, "chapter_too_long", longest=LONGEST_LINE)
    return JudgedGame(game, (yield from written_game(game)))


def judging_games(pgn: str, variants: Mapping[str, Variant]) -> SlicedWork[Sequence[JudgedGame | RefusedGame]]:
    """Each game of that PGN, or why it is refused. Raises NotAllowed if they are too many."""
    pieces = yield from split_games(pgn, MAX_CHAPTERS)
    if len(pieces) > MAX_CHAPTERS:
        raise NotAllowed("too_many_chapters", n=MAX_CHAPTERS)
    found: list[JudgedGame | RefusedGame] = []
    for piece in pieces:
        try:
            one = yield from judging_game(piece.text, variants)
        except (InvalidPgn, Problem) as error:
            found.append(RefusedGame(error, piece.number, piece.line))
        else:
            found.append(replace(one, number=piece.number, line=piece.line))
    return found


def written_game(game: PgnGame) -> SlicedWork[str]:
    """The game as PGN, without the names of a study."""
    tags = {name: value for name, value in game.tags.items() if name not in STUDY_TAGS}
    start = format_fen(game.start)
    return (yield from write_pgn(tags, game.variant, game.chess960, start, game.line, game.result, game.comments))


async def make_chapters(
    request: web.Request, study: Study, name: str, pgn: str, games: bool
) -> tuple[Sequence[WrittenChapter], list[GameNotice]]:
    """Chapters of that study, called `name` or, if there may be several `games`, after those; and what to say of them.

    Raises InvalidPgn and Problem if none can be kept, or one is of a game that the asker plays, NotAllowed.
    """
    if games:
        await charge_for(request, LONGEST_LINE)
        found = await answer_of(request, judging_games(pgn, request.app[SITE].variants))
    else:
        found = [await judge_game(request, pgn)]
    chapters: list[WrittenChapter] = []
    notices: list[GameNotice] = []
    language = language_of(request)
    for one in found:
        if isinstance(one, RefusedGame):
            fields = problem_fields(language, one.error)
            notices.append(
                {
                    "number": one.number,
                    "line": one.line,
                    "where": where_in_text(language, (one.line,)),
                    "refused": True,
                    "code": str(fields["refusal"]),
                    "message": str(fields["message"]),
                }
            )
            continue
        called = _chapter_name(one, name) if games else named(clean_name(name))
        variant, chess960 = one.game.variant.id, one.game.chess960
        chapters.append(WrittenChapter(Chapter(new_id(), study.id, study.owner, called, variant, chess960), one.text))
        for mend in told_mends(language, [mend.moved_down(one.line - 1) for mend in one.game.mends]):
            notices.append(
                {
                    "number": one.number,
                    "line": mend["line"],
                    "where": mend["where"],
                    "refused": False,
                    "code": mend["code"],
                    "message": mend["message"],
                }
            )
    for one in found:
        if isinstance(one, JudgedGame):
            await check_said(request, one)
            await forbid_keeping(request, study.id, study.owner, one.game)
    if not chapters:
        raise next((one.error for one in found if isinstance(one, RefusedGame)), InvalidPgn("no_moves"))
    return chapters, notices


async def check_said(request: web.Request, one: JudgedGame) -> None:
    """Raises NotAllowed if the host holds back a word of what is said in a game, of its moves or of who plays it."""
    moves = one.text.partition("\n\n")[2]
    said = " ".join((*one.game.tags.values(), moves))
    await answer_of(request, request.app[SITE].live.services.sanctions.checking_text(said))


def _chapter_name(one: JudgedGame, name: str) -> str:
    """What to call the chapter of a game: as in another study, its players, its event, or `name` and its number."""
    tags = {key: value for key, value in one.game.tags.items() if value.strip("?. ")}
    players = " – ".join(tags.get(side, "?") for side in ("White", "Black"))
    asked = (tags.get("ChapterName"), players if {"White", "Black"} & set(tags) else None, tags.get("Event"))
    return next((short for text in asked if text and (short := clean_name(text[:LONGEST_NAME]))), "") or named(
        clean_name(f"{name} {one.number}")
    )


def titled_pgn(study: Study, written: WrittenChapter) -> str:
    """The PGN of a chapter to take away: it says what the study and the chapter are called."""
    tags, _, moves = written.pgn.partition("\n\n")
    names = zip(STUDY_TAGS, (study.name, written.chapter.name), strict=True)
    return "\n".join([tags, *(f'[{tag} "{escape_value(name)}"]' for tag, name in names)]) + f"\n\n{moves}"


def clean_name(name: str) -> str:
    """A name as it is kept: one line, without what could disturb a page."""
    return clean(name, NAME)
