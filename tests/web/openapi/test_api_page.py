"""The API to read: all of the document is on the page, in both languages, without a script."""

import html
import re

import pytest

from server.web.openapi.page import document_of, type_parts


async def page_of(person, language="en"):
    async with person.http.get("/api", headers={"Accept-Language": language}) as answer:
        assert answer.status == 200
        return await answer.text()


@pytest.mark.parametrize(("language", "title"), [("en", "The API"), ("es", "La API")])
async def test_every_operation_and_shape_is_shown(server, anna, language, title):
    shown, made = html.unescape(await page_of(anna, language)), document_of(server.app)
    assert f"<h1>{title}</h1>" in shown
    for path, methods in made["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in shown
    for name in made["components"]["schemas"]:
        assert f'<h3 id="{name}">' in shown


async def test_what_a_token_must_allow_is_said_also_where_any_will_do(anna):
    shown = await page_of(anna)
    assert "<p>Takes any token.</p>" in shown.partition("<code>GET /api/account</code>")[2].partition("<h3")[0]
    assert not re.search(r"that allows:\s*</p>", shown)


async def test_every_link_within_it_leads_somewhere(anna):
    shown = await page_of(anna)
    anchors = set(re.findall(r'id="([^"]+)"', shown))
    assert set(re.findall(r'href="#([^"]+)"', shown)) <= anchors


async def test_the_protocol_page_leads_to_it(anna):
    async with anna.http.get("/protocol") as answer:
        assert 'href="/api"' in await answer.text()


TYPES = {
    "string": {"type": "string"},
    "string 1…40": {"type": "string", "minLength": 1, "maxLength": 40},
    "string /^a$/": {"type": "string", "pattern": "^a$"},
    "integer 0…9": {"type": "integer", "minimum": 0, "maximum": 9},
    '"white" | "black" | null': {"anyOf": [{"enum": ["white", "black"]}, {"type": "null"}]},
    "1": {"const": 1},
    "[string, …]": {"type": "array", "items": {"type": "string"}},
    "[integer, integer]": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}]},
    "{string: boolean}": {"type": "object", "additionalProperties": {"type": "boolean"}},
    "any": {},
}


@pytest.mark.parametrize("read", TYPES)
def test_types_are_read_as_a_programmer_writes_them(read):
    assert "".join(text for text, _ in type_parts(TYPES[read])) == read


def test_a_shape_is_linked_wherever_it_stands():
    assert ("Held", "Held") in type_parts({"type": "array", "items": {"$ref": "#/components/schemas/Held"}})
