"""Everything people read, in each language: server/words/<language>/<area>.json. Knows no page.

A text is found by "area.key". `{name}` in it is replaced; a list holds the plural forms, in the order of the language's
rule (`plural` in language.json, in gettext's syntax), and `n` chooses one of them. English comes first: every other
language must have the same keys and placeholders, or the server does not start.
"""

import gettext
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from markupsafe import Markup, escape

from server.games.people import GUEST_MARK
from server.games.player import DELETED_NAME, level_named
from server.rules.errors import InvalidVariant, Refusal

FOLDER: Final = Path(__file__).resolve().parent / "words"
FIRST: Final = "en"
ABOUT: Final = "language"
"""The file with the name of the language and its plural rule; it holds no texts."""
PLACE: Final = re.compile(r"\{(\w+)\}")

Forms = tuple[str, ...]
"""One text, or its plural forms."""


class InvalidWords(Exception):
    """A language cannot be used; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Language:
    """`code` as in <html lang>, `name` in the language itself, `form` chooses the plural form for a number."""

    code: str
    name: str
    texts: Mapping[str, Forms]
    form: Callable[[int], int]

    def t(self, key: str, /, **values: object) -> Markup:
        """The text as safe markup; the text and the values are escaped, except values that are markup already.

        Raises KeyError if a key or a value is missing: that is a mistake in the page.
        """
        return Markup(PLACE.sub(lambda place: escape(values[place[1]]), escape(self._chosen(key, values))))

    def plain(self, key: str, /, **values: object) -> str:
        """As `t`, in plain text, for anything but a page."""
        return PLACE.sub(lambda place: str(values[place[1]]), self._chosen(key, values))

    def said(self, refusal: Refusal) -> str:
        """The reason for a refusal, as a sentence."""
        return self.plain(refusal.key, **refusal.params)

    def advice(self, refusal: Refusal) -> str:
        """What the person can do next, "" if the language has no such sentence."""
        key = f"{refusal.key}_next"
        return self.plain(key, **refusal.params) if key in self.texts else ""

    def day(self, day: date) -> str:
        """A day of this or the next year: "3 August"."""
        return self.plain("dates.day", day=day.day, month=self.plain(f"dates.month_{day.month}"))

    def full_date(self, day: date | str) -> str:
        """A day of any year, which may be given as ISO 8601 writes it: "3 August 2026"."""
        when = date.fromisoformat(day) if isinstance(day, str) else day
        month = self.plain(f"dates.month_{when.month}")
        return self.plain("dates.date", day=when.day, month=month, year=when.year)

    def person(self, name: str) -> str:
        """How a stored name is shown: as itself, or as that of a guest, a deleted account or the computer."""
        if level := level_named(name):
            return self.plain("computer.name", level=level)
        if name.startswith(GUEST_MARK):
            return self.plain("round.guest_named", name=name.removeprefix(GUEST_MARK))
        return self.plain("round.deleted_account") if name == DELETED_NAME else name

    def _chosen(self, key: str, values: Mapping[str, object]) -> str:
        forms = self.texts[key]
        if len(forms) == 1:
            return forms[0]
        n = values["n"]
        return forms[self.form(n if isinstance(n, int) else 0)]


def load_words(folder: Path = FOLDER) -> Mapping[str, Language]:
    """All languages by code, English first. Raises InvalidWords."""
    codes = sorted((path.name for path in folder.iterdir() if path.is_dir()), key=lambda code: (code != FIRST, code))
    languages = {code: load_language(folder / code) for code in codes}
    if FIRST not in languages:
        raise InvalidWords(f"{folder} has no {FIRST}.")
    for language in languages.values():
        _compare(languages[FIRST], language)
    return MappingProxyType(languages)


@cache
def load_language(folder: Path) -> Language:
    """The texts of one folder, read once. Raises InvalidWords."""
    about = _read(folder / f"{ABOUT}.json")
    try:
        name, form = about["name"], gettext.c2py(about["plural"])
    except (KeyError, ValueError) as error:
        raise InvalidWords(f"{folder.name}/{ABOUT}.json needs name and plural ({error}).") from None
    texts: dict[str, Forms] = {}
    for path in sorted(folder.glob("*.json")):
        if path.stem != ABOUT:
            texts |= {f"{path.stem}.{key}": _forms(path, key, value) for key, value in _read(path).items()}
    return Language(folder.name, name, MappingProxyType(texts), form)


def english() -> Language:
    """English, for programs and where no other language was chosen."""
    return load_language(FOLDER / FIRST)


def _read(path: Path) -> dict[str, str]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidWords(f"{path.parent.name}/{path.name} cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise InvalidWords(f"{path.parent.name}/{path.name} is no object of keys and texts.")
    return content


def _forms(path: Path, key: str, value: object) -> Forms:
    forms = value if isinstance(value, list) else [value]
    if not forms or not all(isinstance(form, str) and form for form in forms):
        raise InvalidWords(f"{path.parent.name}/{path.name}: {key} is neither a text nor a list of texts.")
    return tuple(forms)


def _compare(first: Language, other: Language) -> None:
    """Raises InvalidWords if one of the two has something that the other lacks."""
    for key in sorted(first.texts.keys() - other.texts.keys()):
        raise InvalidWords(f"{_place(other, key)} is missing; {first.code} has it.")
    for key in sorted(other.texts.keys() - first.texts.keys()):
        raise InvalidWords(f"{_place(other, key)} is not in {first.code}.")
    plural_forms = 1 + max(other.form(n) for n in range(200))
    for key, forms in first.texts.items():
        theirs = other.texts[key]
        if (len(forms) > 1) != (len(theirs) > 1) or places(forms) != places(theirs):
            raise InvalidWords(f"{_place(other, key)} has other placeholders or plural forms than in {first.code}.")
        if 1 < len(theirs) < plural_forms:
            raise InvalidWords(f"{_place(other, key)} lacks a plural form.")


def _place(language: Language, key: str) -> str:
    area, _, rest = key.partition(".")
    return f"{language.code}/{area}.json: {rest}"


def places(forms: Forms) -> set[str]:
    """The names of all placeholders; `n` may be left out of a form ("one player")."""
    return {name for form in forms for name in PLACE.findall(form)} - {"n"}


def name_in_form(name: str, chess960: bool) -> str:
    """What a variant of that name is called, or its 960 form: "Chess960", "Capablanca Chess 960"."""
    return f"{name}{' ' * (' ' in name)}960" if chess960 else name


def with_code(text: Markup) -> Markup:
    """`text` with whatever is between backticks as <code>."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(text)))


def preferred(accepted: str, offered: Sequence[str]) -> str | None:
    """The one of `offered` that an Accept-Language header prefers (RFC 9110, 12.5.4), None if it wants none."""
    best, most = None, 0.0
    for part in accepted[:500].split(","):
        tag, _, parameter = part.strip().partition(";")
        code = tag.strip().split("-")[0].lower()
        quality = re.fullmatch(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*", parameter)
        weight = float(quality[1]) if quality else 1.0 if not parameter else 0.0
        if code in offered and weight > most:
            best, most = code, weight
    return best


def about_variant_file(error: InvalidVariant) -> str:
    """What a host reads of a variant file that cannot be used: where and why, in English."""
    reason = error.reason if isinstance(error.reason, str) else load_words()[FIRST].said(error.reason)
    return f"A variant file cannot be used. {error.file}: {error.key}: {reason}"
