"""One catalogue per language, the same in all; people are answered in their own language; text stays text."""

import json
import re

import pytest
from markupsafe import Markup

from server import app
from server.language import FOLDER, PLACE, InvalidWords, Language, load_words, name_in_form, places, preferred
from server.web.assets import find_assets
from tests.support.web.accounts import go

LANGUAGES = load_words()
OTHERS = [code for code in LANGUAGES if code != "en"]
GIVEN = {"hello": "Hello {name}", "games": ["{n} game of {name}", "{n} games of {name}"]}


@pytest.fixture
def catalogue(tmp_path):
    """Writes a catalogue of one area and reads it."""

    def load(**languages):
        for code, texts in languages.items():
            (tmp_path / code).mkdir()
            rule = {"name": code, "plural": texts.pop("plural", "n != 1")}
            (tmp_path / code / "language.json").write_text(json.dumps(rule))
            (tmp_path / code / "area.json").write_text(json.dumps(texts))
        return load_words(tmp_path)

    return load


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_says_everything_with_the_same_places(code):
    english, other = LANGUAGES["en"].texts, LANGUAGES[code].texts
    assert english.keys() == other.keys()
    assert {key: places(forms) for key, forms in english.items()} == {
        key: places(forms) for key, forms in other.items()
    }


@pytest.mark.parametrize("code", OTHERS)
def test_no_sentence_was_left_in_english(code):
    english, other = LANGUAGES["en"].texts, LANGUAGES[code].texts
    same = {key: forms[0] for key, forms in english.items() if forms == other[key]}
    assert [text for text in same.values() if len(re.findall(r"[a-z]{2,}", PLACE.sub("", text))) > 2] == []


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"hello": "Hola {name}"}, "es/area.json: games"),
        ({**GIVEN, "more": "Más"}, "es/area.json: more"),
        ({**GIVEN, "hello": "Hola {nombre}"}, "es/area.json: hello"),
        ({**GIVEN, "games": "{n} partidas de {name}"}, "es/area.json: games"),
        ({**GIVEN, "plural": "n % 10 == 1 ? 0 : n % 10 < 5 ? 1 : 2"}, "es/area.json: games"),
        ({**GIVEN, "hello": 7}, "es/area.json: hello"),
        ({**GIVEN, "hello": ""}, "es/area.json: hello"),
        ({**GIVEN, "plural": "import os"}, "es/language.json"),
    ],
)
def test_a_language_that_differs_is_refused_by_file_and_key(catalogue, other, words):
    with pytest.raises(InvalidWords, match=re.escape(words)):
        catalogue(en=dict(GIVEN), es=other)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "language.json").write_text("{")
    with pytest.raises(InvalidWords, match=r"en/language\.json"):
        load_words(tmp_path)


def test_english_has_to_be_there(catalogue):
    with pytest.raises(InvalidWords, match="no en"):
        catalogue(es=dict(GIVEN))


def test_plural_forms_go_by_the_rule_of_the_language(catalogue):
    polish = "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2"
    forms = ["{n} partia {name}", "{n} partie {name}", "{n} partii {name}"]
    spoken = catalogue(en=dict(GIVEN), pl={**GIVEN, "games": forms, "plural": polish})["pl"]
    said = [spoken.plain("area.games", n=n, name="Ani") for n in (0, 1, 2, 5, 12, 22)]
    assert said == ["0 partii Ani", "1 partia Ani", "2 partie Ani", "5 partii Ani", "12 partii Ani", "22 partie Ani"]


def test_text_is_text_and_markup_that_was_meant_is_kept():
    language = Language("en", "", {"a.b": ("<i> {name} & {link}",)}, lambda n: 0)
    said = language.t("a.b", name="<script>{link}", link=Markup('<a href="/">x</a>'))
    assert said == '&lt;i&gt; &lt;script&gt;{link} &amp; <a href="/">x</a>'
    assert isinstance(said, Markup)
    assert language.plain("a.b", name="<b>", link="&") == "<i> <b> & &"


@pytest.mark.parametrize("key", ["a.c", "a.b"])
def test_a_missing_key_or_value_is_a_mistake_that_is_seen(key):
    with pytest.raises(KeyError):
        Language("en", "", {"a.b": ("{name}",)}, lambda n: 0).t(key)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("es", "es"),
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("fr-FR, fr;q=0.9, ES;q=0.4, en;q=0.3", "es"),
        ("en;q=0.8,es;q=0.81", "es"),
        ("es ; q=0.5, en ; q = 0.4", "es"),
        ("en;q=0.5, es;q=0.5", "en"),
        ("es;q=0, fr", None),
        ("es;q=high", None),
        ("es;q=1.5", None),
        ("fr,de", None),
        ("*", None),
        ("", None),
        (",;=,", None),
    ],
)
def test_the_browsers_preferred_language_is_used(header, language):
    assert preferred(header, ("en", "es")) == language


@pytest.mark.parametrize(
    ("asked", "cookie", "language"),
    [
        ("es", None, "es"),
        ("es", "en", "en"),
        ("en", "es", "es"),
        ("fr", None, "en"),
        ("es", "xx", "es"),
        (None, None, "en"),
    ],
)
async def test_a_page_is_in_the_language_that_was_chosen_else_asked_for_else_english(anna, asked, cookie, language):
    headers = {"Accept-Language": asked} if asked else {}
    async with anna.http.get("/", headers=headers, cookies={"lang": cookie} if cookie else {}) as answer:
        page = await answer.text()
    assert f'<html lang="{language}">' in page
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Vary"] == "Accept-Language, Cookie, Accept-Encoding"
    assert str(LANGUAGES[language].t("home.heading")) in page
    assert f"words-{language}" in page


async def test_the_choice_is_kept_for_a_year_and_leads_back(anna):
    assert await go(anna, "/language", language="es", next="/games?player=a%20b&variant=chess") == (
        "/games?player=a%20b&variant=chess"
    )
    kept = next(cookie for cookie in anna.http.cookie_jar if cookie.key == "lang")
    assert (kept.value, kept["max-age"], kept["httponly"]) == ("es", "31536000", True)
    async with anna.http.get("/rules") as answer:
        assert answer.headers["Content-Language"] == "es"


@pytest.mark.parametrize("place", ["//other.example", "https://other.example", "/\\other.example", "/a b", "/a\r\nb"])
async def test_the_choice_leads_nowhere_else(anna, place):
    status, _ = await go(anna, "/language", language="es", next=place)
    assert status == 400


async def test_an_unknown_language_and_another_site_choose_nothing(anna):
    assert (await go(anna, "/language", language="tlh"))[0] == 400
    async with anna.http.post(
        "/language", data={"language": "es"}, headers={"Origin": "https://other.example"}
    ) as answer:
        assert answer.status == 403
    assert not [cookie for cookie in anna.http.cookie_jar if cookie.key == "lang"]


@pytest.mark.parametrize("path", ["/games?player=%3Cb%3E&result=won", "/rules/chess", "/0123456789"])
async def test_every_page_has_the_choice_and_names_itself(anna, path):
    async with anna.http.get(path) as answer:
        page = await answer.text()
    assert f'name="next" value="{Markup.escape(path)}"' in page
    assert re.search(r'value="es" lang="es">Español</button>', page)
    assert re.search(r'value="en" lang="en" aria-current="true">English</button>', page)


async def test_a_refusal_is_translated_and_keeps_its_code(anna):
    headers = {"Accept-Language": "es", "Origin": str(anna.http._base_url).rstrip("/")}
    async with anna.http.get("/0123456789", headers=headers) as answer:
        page = await answer.text()
    assert "No hay ninguna partida en esta dirección." in page
    assert "Comprueba que copiaste el enlace entero" in page
    async with anna.http.get("/api/games/0123456789", headers=headers) as answer:
        message = "No hay ninguna partida en esta dirección."
        assert await answer.json() == {
            "error": message,
            "code": "no_game",
            "message": message,
            "refusal": "no_game",
        }
        assert answer.headers["Content-Language"] == "es"


async def test_pieces_keep_their_english_name_for_drawing_and_are_called_in_the_language(anna):
    async with anna.http.get("/", headers={"Accept-Language": "es"}) as answer:
        page = await answer.text()
    shown = json.loads(re.search(r'<script type="application/json" id="page">(.*?)</script>', page, re.S)[1])
    acedrex = next(variant for variant in shown["variants"] if variant["id"] == "acedrex")
    assert (acedrex["roles"]["g"]["name"], acedrex["roles"]["g"]["called"]) == ("giraffe", "jirafa")
    assert acedrex["tagline"].startswith("Un gigante medieval")


@pytest.mark.parametrize("code", OTHERS)
def test_every_built_in_variant_has_its_words(code):
    said = {path.stem for path in (FOLDER / code / "variants").glob("*.json")} - {"_articles", "_pieces"}
    assert said == {path.stem for path in (FOLDER.parent / "rules" / "data" / "variants").glob("*.toml")}
    pieces = json.loads((FOLDER / code / "variants" / "_pieces.json").read_text())
    assert all(isinstance(name, str) and name for name in pieces.values())
    articles = json.loads((FOLDER / code / "variants" / "_articles.json").read_text())
    assert articles.keys() == pieces.keys()


STILTED = re.compile(
    r"\bthe own\b|\bmen\b|\bReally\?|\b[Pp]ut off\b|standing offer|As the record|[Kk]eep the game|\bone's own\b"
    r"|\bin hand\b|\bpieces in (the|your) hand\b|does not stand any more|cómo se juega [A-Z]|[Ss]egún consta"
)


@pytest.mark.parametrize("code", sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))
def test_no_text_uses_the_turns_of_phrase_that_players_stumbled_over(code):
    for file in sorted((FOLDER / code).rglob("*.*")):
        assert not (found := STILTED.search(file.read_text(encoding="utf-8"))), f"{file}: {found[0]}"


def test_a_site_does_not_start_with_a_language_that_cannot_be_used(settings, monkeypatch):
    def broken():
        raise InvalidWords("es/area.json: hello is missing; en has it.")

    monkeypatch.setattr(app, "load_words", broken)
    with pytest.raises(app.CannotStart, match=r"es/area\.json: hello"):
        app.build_app(settings, find_assets())


def test_a_960_form_is_one_word_if_its_variant_is():
    """As the client says it (tests/js/words.test.mjs)."""
    assert name_in_form("Chess", True) == "Chess960"
    assert name_in_form("Ajedrez de Capablanca", True) == "Ajedrez de Capablanca 960"
    assert name_in_form("Chess", False) == "Chess"
