"""What every site has when it starts and no test changes: variants, lessons, words, routes. Made once for all."""

import functools

import jinja2
from aiohttp import web_app

from server import app
from server.language import load_words
from server.rules.catalogue import load_catalogue
from server.rules.lesson.lessons import load_lessons
from server.settings import Settings
from server.web.assets import find_assets
from server.web.board_data import Starts
from server.web.budgets.limits import OF_ROUTES
from server.web.pictures import image_cache
from server.web.pictures.image_cache import DrawingProcess
from server.web.variant_words import names_in
from tests.support.rules.built_in import VARIANTS

KNOWN_STARTS = {}


class Compiled(jinja2.BytecodeCache):
    """Templates are compiled once for all sites."""

    def __init__(self):
        self._code = {}

    def load_bytecode(self, bucket):
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket):
        self._code[bucket.key, bucket.checksum] = bucket.code


set_up_templates = functools.partial(app.aiohttp_jinja2.setup, bytecode_cache=Compiled())
words = functools.cache(load_words)
built_in_names = functools.cache(lambda language: names_in(language, VARIANTS))
built_in_lessons = functools.cache(lambda: load_lessons(VARIANTS))


def variants(own):
    """As `load_catalogue`; with the host's own variants all are read."""
    return load_catalogue(own) if own else VARIANTS


def lessons(catalogue, own):
    """As `load_lessons`; beside the host's own variants all are read."""
    return load_lessons(catalogue, own) if own else built_in_lessons()


def names(language, catalogue):
    """As `names_in`."""
    return built_in_names(language) if catalogue is VARIANTS else names_in(language, catalogue)


def starts(catalogue, names):
    """Worked out once for each language."""
    words = tuple(each.tagline for each in names.values())
    if words not in KNOWN_STARTS:
        KNOWN_STARTS[words] = Starts(catalogue, names)
    return KNOWN_STARTS[words]


def made_once(add):
    """As `add`, which adds routes to an application: those that it made for the first one serve all others."""
    made = {}

    def add_made(application, *from_there):
        router, there = application.router, repr(from_there)
        if there in made:
            resources, budgets = made[there]
            for resource in resources:
                router.register_resource(resource)
            application[OF_ROUTES].update(budgets)
        else:
            before = len(router.resources())
            add(application, *from_there)
            added = list(router.resources())[before:]
            made[there] = added, {route: application[OF_ROUTES][route] for resource in added for route in resource}

    return add_made


ROUTES = {
    add.__name__: made_once(add)
    for add in (app.add_routes, app.add_picture_routes, app.add_vacation_routes, app.add_mail_routes)
}
drawings = functools.cache(image_cache.read_drawings)


class DrawingForAll(DrawingProcess):
    """Started for the first picture of any site: to start it takes longer than all that one test has drawn."""

    def close(self):
        """It draws for the next site, too, and ends with this process."""


DRAWING = DrawingForAll()


def share(replace=setattr):
    """From now on sites in this process share what was read; `replace` may be a monkeypatch's `setattr`."""
    replace(app, "load_catalogue", variants)
    replace(app, "load_lessons", lessons)
    replace(app, "load_words", words)
    replace(app, "names_in", names)
    replace(app, "Starts", starts)
    replace(app.aiohttp_jinja2, "setup", set_up_templates)
    replace(image_cache, "read_drawings", drawings)
    replace(image_cache, "DrawingProcess", lambda: DRAWING)
    for name, add in ROUTES.items():
        replace(app, name, add)
    # What aiohttp keeps would keep the last hundreds of sites alive, with all that they hold.
    replace(web_app, "_cached_build_middleware", web_app._build_middlewares)


def read_all():
    """Reads everything now: for a process that will start sites by forking."""
    share()
    templates = app.aiohttp_jinja2.get_env(app.build_app(Settings(), find_assets()))
    for name in templates.list_templates(extensions=["html"]):
        templates.get_template(name)
