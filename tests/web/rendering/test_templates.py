"""Pages are made beside the games: no template is compiled where moves wait, and none is filled in one go."""

import asyncio
import threading

import jinja2
import pytest

from server.app import build_app, serve
from server.web.assets import find_assets
from server.web.rendering.templates import Templates, compiling
from tests.support.web.fixtures import Served
from tests.support.web.origins import ORIGIN
from tests.support.web.page_pauses import pauses_counted
from tests.support.web.people import Person
from tests.support.web.read_once import Compiled

PAGES = ("/", "/rules", "/rules/grand", "/games", "/players", "/nosuchpage", "/import", "/analysis/grand")


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
    assert {"home.html", "rules.html", "games.html", "partials/diagram.html"} <= compiled.keys()
    assert [name for name, thread in compiled.items() if thread is threading.main_thread()] == []


def test_a_server_that_is_started_compiles_them(settings, monkeypatch):
    served = []
    monkeypatch.setattr("server.app.serve_until_told", lambda app, *_: served.append(app) or asyncio.sleep(0))
    serve(settings)
    assert compiling in served[0].cleanup_ctx


async def test_a_page_is_filled_piece_by_piece_with_a_pause_after_each(anna, monkeypatch):
    pauses = pauses_counted(monkeypatch)
    async with anna.http.get("/rules/grand") as answer:
        assert answer.status == 200
    assert pauses.count("rules.html") > 500


async def test_an_error_in_one_template_breaks_only_its_own_page():
    templates = Templates(jinja2.Environment(loader=jinja2.DictLoader({"bad.html": "{% if %}", "good.html": "good"})))
    await templates.compile_all()
    assert (await templates.find("good.html")).render() == "good"
    with pytest.raises(jinja2.TemplateSyntaxError):
        await templates.find("bad.html")


async def test_a_template_that_cannot_even_be_read_holds_up_no_other():
    class Loader(jinja2.DictLoader):
        def get_source(self, environment, template):
            if template == "bad.html":
                raise ValueError("it is no text")
            return super().get_source(environment, template)

    templates = Templates(jinja2.Environment(loader=Loader({"bad.html": "", "good.html": "good"})))
    await templates.compile_all()
    assert (await templates.find("good.html")).render() == "good"
    with pytest.raises(ValueError, match="it is no text"):
        await templates.find("bad.html")


async def test_a_request_while_a_template_is_compiled_waits_for_it(monkeypatch):
    go_on = threading.Event()
    source = jinja2.FunctionLoader(lambda name: go_on.wait(10) and "made")
    source.list_templates = lambda: ["page.html"]
    templates = Templates(jinja2.Environment(loader=source))
    compiling = asyncio.create_task(templates.compile_all())
    await asyncio.sleep(0)
    asked = asyncio.create_task(templates.find("page.html"))
    await asyncio.sleep(0)
    assert not asked.done()
    go_on.set()
    assert (await asked).render() == "made"
    await compiling


async def test_a_file_that_cannot_be_opened_at_the_start_is_read_when_it_is_asked_for(monkeypatch):
    environment = jinja2.Environment(loader=jinja2.DictLoader({"one.html": "1", "two.html": "2"}), autoescape=True)
    templates, read = Templates(environment), environment.get_template
    with monkeypatch.context() as patch:
        patch.setattr(environment, "get_template", out_of_descriptors)
        await templates.compile_all()
    assert (await templates.find("two.html")).render() == read("two.html").render() == "2"


def out_of_descriptors(name):
    raise OSError(24, "Too many open files")
