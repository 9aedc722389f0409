"""Pages are made beside the games: no template is compiled where moves wait, and none is filled in one go."""

import asyncio
import threading

import jinja2
import pytest
from jinja2.meta import find_referenced_templates

from server.app import build_app
from server.serving import serve
from server.web.assets import find_assets
from server.web.rendering.answers import FIRST, TEMPLATES, Templates, compiling, parts_of
from tests.support.web.fixtures import Served
from tests.support.web.origins import ORIGIN
from tests.support.web.page_pauses import pauses_counted
from tests.support.web.people import Person
from tests.support.web.read_once import Compiled

PAGES = ("/", "/rules", "/rules/grand", "/games", "/players", "/nosuchpage", "/import", "/analysis/grand")
ALL = sorted(str(path.relative_to(find_assets().templates)) for path in find_assets().templates.rglob("*.html"))


@pytest.fixture
def compiled(monkeypatch):
    """The threads on which templates are compiled, by the name of the template."""
    threads, compile_ = {}, jinja2.Environment.compile

    def noted(self, source, name=None, *rest, **more):
        threads[name] = threading.current_thread()
        return compile_(self, source, name, *rest, **more)

    monkeypatch.setattr(jinja2.Environment, "compile", noted)
    monkeypatch.setattr(Compiled, "load_bytecode", lambda *_: None)
    return threads


async def test_no_template_is_compiled_on_the_thread_of_the_games(compiled, settings):
    app = build_app(settings, find_assets())
    app.cleanup_ctx.insert(0, compiling)
    server = Served(app)
    await server.start_server()
    async with Person(server.make_url("/"), ORIGIN) as somebody:
        for path in PAGES:
            async with somebody.http.get(path) as answer:
                assert answer.status in (200, 404)
    await server.close()
    assert {"home/home.html", "rules/rules.html", "archive/games.html", "partials/diagram.html"} <= compiled.keys()
    assert [name for name, thread in compiled.items() if thread is threading.main_thread()] == []


def test_a_server_that_is_started_compiles_the_first_of_them(settings, monkeypatch):
    served = []
    monkeypatch.setattr("server.serving.serve_until_told", lambda app, *_: served.append(app) or asyncio.sleep(0))
    serve(settings)
    assert compiling in served[0].cleanup_ctx


async def test_at_the_start_only_those_are_compiled_that_most_people_ask_for(compiled, settings):
    app = build_app(settings, find_assets())
    await app[TEMPLATES].compile_first()
    assert set(FIRST) < compiled.keys()
    assert not {"rules/rules.html", "archive/games.html", "analysis/analysis.html"} & compiled.keys()


def test_the_parts_of_a_template_are_those_that_a_parser_finds():
    sources = {name: (find_assets().templates / name).read_text() for name in ALL}
    parse = jinja2.Environment().parse
    found = {name: set(find_referenced_templates(parse(source))) for name, source in sources.items()}
    assert {name: parts_of(source) for name, source in sources.items()} == found


async def test_a_page_is_filled_piece_by_piece_with_a_pause_after_each(anna, monkeypatch):
    pauses = pauses_counted(monkeypatch)
    async with anna.http.get("/rules/grand") as answer:
        assert answer.status == 200
    assert pauses.count("rules/rules.html") > 500


async def test_an_error_in_one_template_breaks_only_its_own_page():
    templates = of({"home/home.html": "{% if %}", "good.html": "good"})
    await templates.compile_first()
    assert (await templates.find("good.html")).render() == "good"
    with pytest.raises(jinja2.TemplateSyntaxError):
        await templates.find("home/home.html")


async def test_a_template_that_cannot_even_be_read_holds_up_no_other(compiled):
    class Loader(jinja2.DictLoader):
        def get_source(self, environment, template):
            if template == "home/home.html":
                raise ValueError("it is no text")
            return super().get_source(environment, template)

    templates = Templates(jinja2.Environment(loader=Loader({"error.html": "sorry"})))
    await templates.compile_first()
    assert "error.html" in compiled
    with pytest.raises(ValueError, match="it is no text"):
        await templates.find("home/home.html")


async def test_requests_while_a_template_is_compiled_wait_for_it_and_it_is_compiled_once(monkeypatch):
    go_on, read = threading.Event(), []
    source = jinja2.FunctionLoader(lambda name: (go_on.wait(10) and read.append(name)) or "made")
    templates = Templates(jinja2.Environment(loader=source))
    asked = [asyncio.create_task(templates.find("page.html")) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(one.done() for one in asked)
    go_on.set()
    assert [one.render() for one in await asyncio.gather(*asked)] == ["made"] * 3
    # Once for what it includes, once to compile it.
    assert read == ["page.html"] * 2


async def test_a_file_that_cannot_be_opened_at_the_start_is_read_when_it_is_asked_for(monkeypatch):
    templates = of({"home/home.html": "1", "round/round.html": "2"})
    with monkeypatch.context() as patch:
        patch.setattr(jinja2.DictLoader, "get_source", out_of_descriptors)
        await templates.compile_first()
    assert (await templates.find("round/round.html")).render() == "2"


def of(sources):
    return Templates(jinja2.Environment(loader=jinja2.DictLoader(sources), autoescape=True))


def out_of_descriptors(*_):
    raise OSError(24, "Too many open files")
