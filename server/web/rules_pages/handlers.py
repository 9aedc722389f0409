"""The handlers of the rules pages: all variants, one variant, and both as plain text."""

import asyncio
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from aiohttp import web

from server.rules.diagrams.diagram import Diagram
from server.rules.diagrams.special_moves import castling_960
from server.rules.movegen.legal import legal_ucis
from server.rules.variant.variant import Variant
from server.web.board_data import board_data, script_safe, to_json
from server.web.languages import language_of
from server.web.lessons import LESSONS, ShownLesson
from server.web.rendering.answers import as_page, compressed
from server.web.rendering.page_cache import cached_for_all
from server.web.rules_pages.drawing import draw, drawn_legend, spoken_legend
from server.web.rules_pages.page import form_at
from server.web.rules_pages.plain_text import WIDTH
from server.web.rules_pages.rules_pages import RULES_PAGES, Wording, group_by_board, wording_for
from server.web.site import SITE, find_variant
from server.web.variant_words import Names, counts_in_words, described

INDENT = "      "


@cached_for_all
async def index(request: web.Request) -> web.Response:
    """GET /rules: every variant that is offered, by the size of its board."""
    rules_pages, wording = request.app[RULES_PAGES], wording_for(request)
    await rules_pages.compile_rules()
    tasks = {lesson.id: [task.id for task in lesson.tasks] for lesson in request.app[LESSONS].lessons.values()}
    return await as_page(
        request,
        "rules/index.html",
        page=script_safe(to_json({"tasks": tasks, "words": wording.say("lessons.tasks_done", n="{n}", all="{all}")})),
        tasks=tasks,
        groups=group_by_board(request.app[SITE].offered, wording),
        shapes=rules_pages.shapes_for(rules_pages.variants),
        draw=draw,
    )


@cached_for_all
async def rules_of_variant(request: web.Request) -> web.Response:
    """GET /rules/{id} and /rules/{id}960: how one variant, or its 960 form, is played, from its own data."""
    rules_pages, wording = request.app[RULES_PAGES], wording_for(request)
    variant, shuffled = find_form(request)
    called = wording.called[variant.id].of_form(shuffled)
    lesson = await find_lesson(request, variant, shuffled)
    facts = {
        "variant": try_board_data(variant, called, shuffled),
        "lesson": None if lesson is None else lesson.facts,
        "words": try_board_words(called, wording) | lesson_words(wording),
    }
    return await as_page(
        request,
        "rules/rules.html",
        page=script_safe(to_json(facts)),
        rules=await rules_pages.page(variant, wording, shuffled),
        lesson=lesson,
        offered=variant.id in request.app[SITE].offered,
        shapes=rules_pages.shapes_for({variant.id: variant}),
        draw=draw,
        spoken=lambda figure: f"{figure.caption} {spoken_legend(figure.diagram, wording.say)}".strip(),
        notes=lambda diagram: tuple(_notes(diagram, wording)),
    )


async def find_lesson(request: web.Request, variant: Variant, shuffled: bool) -> ShownLesson | None:
    """The lesson of a form in the reader's language; None if it has none."""
    book = request.app[LESSONS]
    lesson = book.find_lesson(variant, shuffled)
    # In a thread, as it takes a moment the first time.
    return None if lesson is None else await asyncio.to_thread(book.compose_lesson, language_of(request).code, lesson)


def find_form(request: web.Request) -> tuple[Variant, bool]:
    """The variant that the address names, and whether its 960 form. Raises Problem."""
    found = form_at(request.match_info["variant"], request.app[RULES_PAGES].variants)
    return found or (find_variant(request), False)


def try_board_data(variant: Variant, called: Names, shuffled: bool) -> dict[str, Any]:
    """What the board to try needs; for a 960 form it starts from the position that the page shows."""
    diagrams = castling_960(variant) if shuffled else None
    if diagrams is None:
        return board_data(variant, called)
    shown = {"startFen": diagrams.start.fen, "shuffled": True, "legal": legal_ucis(diagrams.start.position)}
    return {**described(variant, called), **shown}


def try_board_words(called: Names, wording: Wording) -> dict[str, str]:
    """What the board to try says; {result} is filled in by the script."""
    say = wording.say
    return {
        "white": say("rules.try_turn_white"),
        "black": say("rules.try_turn_black"),
        "over": say("rules.try_over", result="{result}"),
        "failed": say("lessons.failed"),
        "board": say("rules.try_board", name=called.name),
    }


def lesson_words(wording: Wording) -> dict[str, str]:
    """What a lesson says; {n} and {all} are filled in by the script."""
    say = wording.say
    return {
        "lessonFailed": say("lessons.failed"),
        "right": say("lessons.right"),
        "next": say("lessons.next"),
        "toTasks": say("lessons.to_tasks"),
        "allDone": say("lessons.all_done"),
        "step": say("lessons.step", n="{n}", all="{all}"),
        "of": say("lessons.of", n="{n}", all="{all}"),
        "done": say("lessons.done"),
    }


def _notes(diagram: Diagram, wording: Wording) -> Iterator[str]:
    """What is written below a picture besides its caption: its marks, and the pockets that are not empty."""
    if legend := drawn_legend(diagram, wording.say):
        yield legend
    yield from counts_in_words(diagram.position, wording.called[diagram.variant.id], wording.say)


@cached_for_all
async def rules_as_text(request: web.Request) -> web.Response:
    """GET /rules/{id}.txt: the same words, and boards of letters."""
    variant, shuffled = find_form(request)
    return as_text(await request.app[RULES_PAGES].text(variant, wording_for(request), shuffled))


@cached_for_all
async def index_as_text(request: web.Request) -> web.Response:
    """GET /rules.txt: every variant that is offered, with the address of its text."""
    wording = wording_for(request)
    lines = [wording.say("rules.title"), "=" * len(wording.say("rules.title")), ""]
    for group in group_by_board(request.app[SITE].offered, wording):
        lines += [wording.say("rules.group", files=group.files, ranks=group.ranks), ""]
        for entry in group.entries:
            tagline = wrap(entry.tagline, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
            lines += [f"  {entry.name}", *tagline, f"{INDENT}/rules/{entry.variant.id}.txt"]
            lines += [f"{INDENT}{entry.name_960}: /rules/{entry.address_960}.txt"] if entry.name_960 else []
            lines.append("")
    return as_text("\n".join(lines))


def as_text(text: str) -> web.Response:
    """The answer with `text` as plain text, compressed."""
    return compressed(web.Response(text=text, content_type="text/plain", charset="utf-8"), len(text))


async def old_address(request: web.Request) -> web.Response:
    """GET /variants/{id}: where these pages used to be; old links still work."""
    raise web.HTTPMovedPermanently(f"/rules/{find_variant(request).id}")
