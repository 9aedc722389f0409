"""Pages that are rendered once for everybody, and for nobody in particular, with what sees to that switched off."""

from tests.faults.mutant import Mutant

GAME_PAGE = "server/web/pages/pages.py"
TEST_GAME_PAGE = "tests/web/pages/test_game_pages.py"
KEPT = "server/web/rendering/page_cache.py"
TEST_KEPT = "tests/web/rendering/test_page_cache.py"
TEST_NOTICE = "tests/web/operation/test_site_notice.py"
TEST_TEMPLATES = "tests/web/rendering/test_templates.py"

OF_KEPT_PAGES: tuple[Mutant, ...] = (
    Mutant(
        "a player gets the page of strangers",
        GAME_PAGE,
        "    if visitor is not None or request.query_string:\n",
        "    if request.query_string:\n",
        TEST_GAME_PAGE,
    ),
    Mutant(
        "the page of a game is kept while its clock runs",
        GAME_PAGE,
        ' {round_.feed.v} {site.now() // 1000}"',
        '"',
        TEST_GAME_PAGE,
    ),
    Mutant(
        "a kept page has its first reader's name on it",
        KEPT,
        '    return {**context, "visitor": replace(',
        '    return context or {**context, "visitor": replace(',
        TEST_KEPT,
    ),
    Mutant(
        "who asks for a kept page that does not exist has a mark for a name",
        KEPT,
        "                finally:\n                    # A page about a problem has the name on it too.\n",
        "                finally:\n                    pass\n                if True:\n",
        TEST_KEPT,
    ),
    Mutant(
        "a kept page is decompressed for each client that takes no gzip",
        KEPT,
        "        pages.keep(key, plain)\n",
        "",
        TEST_KEPT,
    ),
    Mutant(
        "what anybody may keep carries a cookie",
        "server/web/template_context.py",
        "or others_may_keep(response)):",
        "or False):",
        TEST_KEPT,
    ),
    Mutant(
        "a file carries a cookie",
        "server/web/template_context.py",
        "(response.prepared or for_all(request.path) or",
        "(response.prepared or",
        TEST_KEPT,
    ),
    Mutant(
        "a page that was kept before a notice is shown after it",
        KEPT,
        'kind_of(context) if notice is None else f"{kind_of(context)} {notice.posted}"',
        "kind_of(context)",
        TEST_NOTICE,
    ),
    Mutant(
        "a notice is shown after its time",
        "server/realtime/site_notice.py",
        "found is not None and self._now() < found.until",
        "found is not None",
        TEST_NOTICE,
    ),
    Mutant(
        "open pages are told of a notice at every look",
        "server/realtime/site_notice.py",
        "        if due != self.current:\n",
        "        if True:\n",
        TEST_NOTICE,
    ),
    Mutant(
        "strangers and guests have one page",
        KEPT,
        'kind = "stranger" if visitor is None else "guest" if visitor.user.guest else NAMED',
        'kind = "guest" if visitor is None or visitor.user.guest else NAMED',
        TEST_KEPT,
    ),
    Mutant(
        "pages are rendered for everybody who asks",
        KEPT,
        "                pages.keep(key, page)\n",
        "",
        TEST_KEPT,
    ),
    Mutant(
        "a page is made for each of those who come at once",
        KEPT,
        "        async with pages.making.setdefault(key, asyncio.Lock()):\n            page = pages.find(key)\n",
        "        if True:\n",
        TEST_KEPT,
    ),
    Mutant(
        "kept pages are not counted",
        KEPT,
        "        while self.size > self.most and",
        "        while False and",
        TEST_KEPT,
    ),
    Mutant(
        "the first page waits for its template",
        "server/serving.py",
        "    app.cleanup_ctx.insert(0, compiling)\n",
        "",
        TEST_TEMPLATES,
    ),
    Mutant(
        "who asks for a page compiles its template",
        "server/web/rendering/templates.py",
        "                await asyncio.to_thread(self._compile, name)\n",
        "                self._compile(name)\n",
        TEST_TEMPLATES,
    ),
    Mutant(
        "a template that cannot be read holds up all others",
        "server/web/rendering/templates.py",
        "            except Exception as error:\n",
        "            except jinja2.TemplateError as error:\n",
        TEST_TEMPLATES,
    ),
    Mutant(
        "a page is filled in one go",
        "server/web/rendering/templates.py",
        "        pieces.append(piece)\n        yield\n",
        "        pieces.append(piece)\n    yield\n",
        TEST_TEMPLATES,
    ),
)
