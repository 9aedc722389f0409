"""All lessons: those of this package, and those in the folder `lessons` beside the host's own variants.

A lesson's file is named as the address of its rules page: "chess.toml", "chess960.toml" for the 960 form.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from server.rules.catalogue import read_folder
from server.rules.errors import InvalidVariant
from server.rules.lesson.lesson import Lesson
from server.rules.lesson.lesson_file import prove, read_lesson
from server.rules.variant.variant import Variant

BUILT_IN: Final = Path(__file__).parent.parent / "lessons"
OWN: Final = "lessons"
"""The host's own, in the folder of their variants."""
SHUFFLED: Final = "960"


def load_lessons(variants: Mapping[str, Variant], extra: Path | None = None) -> Mapping[str, Lesson]:
    """All lessons by id. `extra`: the folder with the host's own variants. Raises InvalidVariant."""
    forms = {one.id + SHUFFLED * form: (one, form) for one in variants.values() for form in {False, one.chess960}}
    found = {name: _lesson(f"{name}.toml", name, forms, content) for name, content in read_folder(BUILT_IN).items()}
    if extra is None or not (extra / OWN).is_dir():
        return MappingProxyType(found)
    for name, content in read_folder(extra / OWN).items():
        file = f"{OWN}/{name}.toml"
        if name in found:
            raise InvalidVariant(file, "file name", "this variant has a lesson already")
        found[name] = _lesson(file, name, forms, content)
        prove(file, found[name])
    return MappingProxyType(found)


def _lesson(file: str, name: str, forms: Mapping[str, tuple[Variant, bool]], content: Mapping[str, Any]) -> Lesson:
    if name not in forms:
        raise InvalidVariant(file, "file name", "there is no variant of that name")
    return read_lesson(file, name, *forms[name], content)


def lesson_of(lessons: Mapping[str, Lesson], variant: Variant, chess960: bool) -> Lesson | None:
    """The lesson of a form: its own, or else that of the variant's usual form."""
    return lessons.get(variant.id + SHUFFLED * chess960) or lessons.get(variant.id)
