"""The rules pages: complete for every variant, a host's own too; nothing on them that the rules core would refuse."""

import re
import threading
from html import unescape
from itertools import pairwise

import pytest
from aiohttp.test_utils import TestServer

from server import app
from server.app import build_app
from server.language import FOLDER, load_words, name_in_form
from server.rules.catalogue import UNOFFERED, load_catalogue
from server.rules.errors import IllegalMove
from server.rules.movegen import tables
from server.rules.movegen.legal import play
from server.rules.notation.fen import parse_fen, start_position
from server.rules.notation.uci import parse_uci
from server.web.assets import find_assets
from server.web.rules_pages.plain_text import unwrapped
from server.web.rules_pages.prose import read_prose
from server.web.rules_pages.rules_pages import RulesPages
from server.web.variant_words import names_in
from tests.support.rules.built_in import EVERY_VARIANT, VARIANTS
from tests.support.rules.diagram_marks import judge
from tests.support.web.people import Person
from tests.web.rules_pages.reading import LANGUAGES, read

NAMES = {variant.id: variant.name for variant in VARIANTS.values()}
FIGURE = re.compile(
    r'<figure class="diagram[^"]*" data-variant="([^"]+)" data-fen="([^"]+)"( data-shuffled)?>(.*?)</figure>', re.S
)
MARK = re.compile(r'<g class="mark mark-([a-z-]+)"[^>]* data-square="([a-z0-9]+)" data-moves="([^"]+)"')
LINE = re.compile(r'<span class="moves-in-text" data-fen="([^"]+)" data-moves="([^"]+)">([^<]+)</span>')
LOOSE_MOVE = re.compile(r"\b(?:[A-Z]?x?[a-p]\d{1,2}=[A-Z]|[KQRBNACHEGLUMF]x?[a-p]\d{1,2}\b|[A-Z]@[a-p]\d|O-O)")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_mark_of_every_diagram_is_proved(pages, language, variant):
    """Captures and promotions too, each in a position of its own; and the page has all that is judged here."""
    page = pages.composed(variant.id, language)
    parts = [part for section in page.sections for part in (section, *section.parts)]
    figures = [one for part in parts for block in part.blocks for one in getattr(block, "figures", ())]
    for figure in figures:
        judge(figure.diagram)
    assert sum(len(figure.diagram.marks) for figure in figures) > 100


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_mails_have_each_paragraph_on_one_line_and_drawings_as_they_are(pages, language, variant):
    text = pages.read(f"/rules/{variant.id}.txt", language)
    lines = unwrapped(text)
    assert " ".join(text.split()) == " ".join("\n".join(lines).split())
    drawn = [line for line in text.splitlines() if line.startswith("   ")]
    assert [line for line in lines if line.startswith("   ")] == drawn
    assert not any(bullet.startswith("* ") and line.startswith("  ") for bullet, line in pairwise(lines))


def written(language, variant):
    return read_prose(FOLDER / language / "rules", variant, NAMES)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_mark_on_a_page_is_a_legal_move(pages, variant):
    """Judged from what the browser gets: the marks that stand alone on a board are proved one by one elsewhere."""
    page = pages.read(f"/rules/{variant.id}")
    figures = FIGURE.findall(page)
    assert len(figures) > len(variant.roles)
    judged = 0
    for shown, fen, shuffled, inside in figures:
        assert shown == variant.id
        position = parse_fen(variant, unescape(fen), bool(shuffled))
        marks = MARK.findall(inside)
        assert len(marks) == inside.count('class="mark ')
        for use, square, moves in marks:
            first, *_ = moves.split()
            if use == "gate":
                assert first.startswith(square) or first[2:].startswith(square)
            if use in {"move", "both", "reached", "taken", "drop", "gate"}:
                parse_uci(position, first)
                judged += 1
    assert judged > 20


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_line_of_moves_on_a_page_can_be_played(pages, variant):
    for fen, moves, _ in LINE.findall(pages.read(f"/rules/{variant.id}")):
        position = parse_fen(variant, unescape(fen))
        for uci in moves.split():
            position = play(position, parse_uci(position, uci))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_the_prose_names_moves_only_where_they_are_judged(variant, language):
    prose = written(language, variant)
    assert prose.blocks_of("introduction")
    assert prose.blocks_of("strategy")
    assert prose.blocks_of("history")
    blocks = [block for group in (prose.sections, prose.pieces) for found in group.values() for block in found]
    texts = [span.text for block in blocks for span in getattr(block, "spans", ()) if type(span).__name__ == "Text"]
    texts += [figure.caption for block in blocks for figure in getattr(block, "figures", ())]
    refused = re.compile(r"\{refused: (\S+)")
    allowed = {found for text in source(language, variant) for found in refused.findall(text)} | {"R@e4"}
    for text in texts:
        for loose in LOOSE_MOVE.findall(text):
            assert loose in allowed, text
        for square in re.findall(r"\b[a-p]\d{1,2}\b", text):
            assert variant.geometry.parse(square) is not None or square in "".join(allowed), text


def source(language, variant):
    return [(FOLDER / language / "rules" / f"{variant.id}.toml").read_text(encoding="utf-8")]


@pytest.mark.parametrize("language", ["en", "es"])
def test_all_variants_are_listed_by_size(pages, language):
    page = pages.read("/rules", language)
    assert re.findall(r'href="/rules/([0-9]*[a-z]+)"', page) == [
        variant.id for variant in sorted(VARIANTS.values(), key=lambda one: one.geometry.size)
    ]
    assert page.count('class="diagram-svg"') == len(VARIANTS)
    text = pages.read("/rules.txt", language)
    assert all(f"/rules/{variant}.txt" in text for variant in VARIANTS)


SHUFFLED = [variant for variant in VARIANTS.values() if variant.chess960]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", SHUFFLED, ids=lambda variant: variant.id)
def test_a_960_form_has_an_address_of_its_own_with_its_shuffle_and_castling(pages, variant, language):
    address = f"/rules/{variant.id}960"
    page, text = pages.read(address, language), pages.read(f"{address}.txt", language)
    names = names_in(language, VARIANTS)[variant.id]
    words = load_words()[language]
    assert f"<h1>{name_in_form(names.name, True)}</h1>" in page
    assert len(names.differences_960) == 2
    for sentence in (*names.differences_960, words.plain("rules.shuffle_king"), words.plain("rules.shuffle_by_hand")):
        assert sentence in unescape(page)
        assert sentence in re.sub(r"\s+", " ", text)
    shuffled = [fen for _, fen, is_shuffled, _ in FIGURE.findall(page) if is_shuffled]
    assert len(shuffled) >= 4, "a start, before castling, and after each castling"
    assert f'href="{address}"' in pages.read("/rules", language)
    assert f'href="{address}"' in pages.read(f"/rules/{variant.id}", language)
    assert f"{address}.txt" in pages.read("/rules.txt", language)


async def test_plain_text_is_sent_as_such(anna):
    async with anna.http.get("/rules/chess.txt") as answer:
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"


async def test_a_variant_without_a_960_form_has_no_such_address(anna):
    for variant in VARIANTS.values():
        async with anna.http.get(f"/rules/{variant.id}960") as answer:
            assert answer.status == (200 if variant.chess960 else 404)


@pytest.mark.parametrize("variant", SHUFFLED, ids=lambda variant: variant.id)
async def test_beside_a_960_game_stand_its_own_differences(anna, variant):
    game = await anna.challenge(variant=variant.id, chess960=True)
    page = unescape(await read(anna.http, f"/{game['id']}"))
    assert all(sentence in page for sentence in variant.differences_960)
    assert f'href="/rules/{variant.id}960"' in page
    usual = await anna.challenge(variant=variant.id)
    page = unescape(await read(anna.http, f"/{usual['id']}"))
    beside = page.partition('class="differences"')[2].partition("</ul>")[0]
    assert variant.differences[0] in beside
    assert not any(sentence in beside for sentence in variant.differences_960)
    assert f'href="/rules/{variant.id}"' in page


async def test_a_960_position_by_hand_need_not_follow_the_rules_of_the_shuffle(anna):
    """Queen and archbishop on one colour, and both bishops too."""
    fen = "rnbqbkncar/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQBKNCAR w JAja - 0 1"
    assert (await anna.challenge(variant="capablanca", chess960=True, fen=fen))["id"]


async def test_the_old_addresses_lead_to_the_new_ones(anna):
    async with anna.http.get("/variants/grand", allow_redirects=False) as answer:
        assert answer.status == 301
        assert answer.headers["Location"] == "/rules/grand"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_plain_text_fits_a_terminal(pages, variant, language):
    text = pages.read(f"/rules/{variant}.txt", language)
    assert max(map(len, text.splitlines())) <= 80
    assert not set(text) & set("<>{}") - {"<", ">"}
    files = "   ".join("abcdefghijkl"[: VARIANTS[variant].files])
    assert files in text
    for rank in range(1, VARIANTS[variant].ranks + 1):
        assert re.search(rf"^ +{rank} \|.*\| {rank}$", text, re.M)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_the_plain_text_says_what_the_page_says(pages, variant):
    """Every heading and every generated sentence is in both."""
    page, text = pages.read(f"/rules/{variant.id}"), pages.read(f"/rules/{variant.id}.txt")
    page = page.partition('id="try-piece"')[2].partition("</main>")[0]
    flat = re.sub(r"\s+", " ", text)
    headings = [unescape(one) for one in re.findall(r'<h[23] id="[^"]+-title">([^<]+)</h', page)]
    assert len(headings) > 8
    for heading in headings:
        assert heading in text or heading == load_words()["en"].plain("lessons.tasks")
    for item in re.findall(r"<li>([^<]+)</li>", page):
        assert unescape(item) in flat


OWN = """
parent = "chess"
name = "Dragon Hunt"
tagline = "A dragon on eight files."
differences = ["One piece is new.", "It flies."]
chess960 = false
start = "rdbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RDBQKBNR[] w KQkq - 0 1"
[roles]
d = { name = "dragon", move = "fBsR2ZNN" }
[promotion.p]
to = ["d"]
[pocket]
order = "dqrbnp"
captures = true
drops = true
ranks = { p = [2, 3, 4, 5, 6, 7], d = [1] }
"""


async def test_a_hosts_own_variant_has_a_whole_page(settings, monkeypatch, tmp_path):
    (tmp_path / "dragon.toml").write_text(OWN)
    own = load_catalogue(tmp_path)
    monkeypatch.setattr(app, "load_catalogue", lambda _: own)
    async with TestServer(build_app(settings, find_assets())) as server, Person(server.make_url("/")) as anna:
        page, text = await read(anna.http, "/rules/dragon"), await read(anna.http, "/rules/dragon.txt")
        await read(anna.http, "/rules/dragon", "es")
    for words in (
        "Dragon (D)",
        "The dragon may be dropped only on rank 1 (8 for Black)",
        "The pawn promotes to dragon",
        "The dragon on d4",
    ):
        assert words in unescape(page)
        assert words in re.sub(r"\s+", " ", text)
    assert "leap on in the same direction" in page
    assert "Strategy" not in page
    for _, fen, _, inside in FIGURE.findall(page):
        for use, _, moves in MARK.findall(inside):
            if use in {"move", "both", "drop"}:
                parse_uci(parse_fen(own["dragon"], unescape(fen)), moves.split()[0])


async def test_a_host_may_offer_what_the_others_do_not_yet(settings, monkeypatch):
    """Their files in the host's own folder: each has a whole page, in both languages, made from its rules."""
    own = load_catalogue(UNOFFERED)
    monkeypatch.setattr(app, "load_catalogue", lambda _: own)
    async with TestServer(build_app(settings, find_assets())) as server, Person(server.make_url("/")) as anna:
        for name in own.keys() - VARIANTS:
            page = await read(anna.http, f"/rules/{name}")
            assert own[name].name in unescape(page)
            assert FIGURE.search(page)
            await read(anna.http, f"/rules/{name}", "es")


def test_the_judgement_of_marks_can_fail():
    chess = VARIANTS["chess"]
    with pytest.raises(IllegalMove):
        parse_uci(parse_fen(chess, chess.start_fen), "e2e5")


async def test_unknown_variants_are_not_found(anna):
    unoffered = [f"/rules/{name}" for name in EVERY_VARIANT.keys() - VARIANTS]
    for path in ("/rules/nonesuch", "/rules/nonesuch.txt", "/variants/nonesuch", *unoffered):
        async with anna.http.get(path) as answer:
            assert answer.status == 404


def test_no_page_carries_style_or_script_of_its_own(pages):
    page = pages.read("/rules/acedrex")
    assert " style=" not in page
    assert "<style" not in page
    assert not re.search(r"<script(?! (src|type)=)", page)


async def test_the_first_reader_of_the_list_holds_up_no_moves(monkeypatch):
    threads, encode = [], tables.encode_pieces

    def compiled_here(variant):
        threads.append(threading.current_thread())
        return encode(variant)

    monkeypatch.setattr(tables, "encode_pieces", compiled_here)
    fresh = load_catalogue()
    await RulesPages(fresh, {}).compile_rules()
    for variant in fresh.values():
        assert start_position(variant).variant is variant
    assert len(threads) == len(fresh)
    assert threading.main_thread() not in threads
