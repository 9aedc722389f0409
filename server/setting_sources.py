"""Where settings come from: the environment, files with secrets, and a TOML file that the host may name.

Says plainly what cannot be used, and never repeats a value, which may be a password.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from server.settings import SECRETS, InvalidSettings, Settings

PREFIX: Final = "FAIRYHOUSE_"
CONFIG: Final = "FAIRYHOUSE_CONFIG"
"""Names the TOML file; no setting itself."""
IN_FILE: Final = "_FILE"
"""At the end of the name of a secret: the value is the path of a file with the secret."""
OF_KUBERNETES: Final = re.compile(r"FAIRYHOUSE_(?:\w+_)?(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_\w+)")
"""What Kubernetes sets where there is a service called fairyhouse, or fairyhouse-redis."""
LINK_OF_KUBERNETES: Final = re.compile(r"(?:tcp|udp|sctp)://")
"""How the value of such a name begins that ends with _PORT, as names of settings do."""
OLD_SIGN: Final = "PUBLIC_URL"
"""The old name that every site on a network had set: without it, no other old one is a setting of this program."""
NEVER_OLD: Final = frozenset({"HOST", "PORT", "LOG_LEVEL", "LOG_FORMAT"})
"""Old names by which shells, compilers and other servers mean something of their own."""


@dataclass(frozen=True, slots=True)
class OldNames:
    """Names without the prefix, by which the settings were known before 1.0.0: those that count, and those that do not
    because they may be another program's.
    """

    read: tuple[str, ...]
    unread: tuple[str, ...]


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings. What is in the environment goes before the same in the TOML file; an empty one is not set. Where
    neither sets anything, old names count, as far as they can be used.

    Raises InvalidSettings.
    """
    given = _given(environment)
    try:
        return Settings.model_validate(_told(given) or _old(given))
    except ValidationError as error:
        raise InvalidSettings("\n".join(map(_sentence, error.errors(include_url=False)))) from None


def old_names(environment: Mapping[str, str] = os.environ) -> OldNames:
    """The old names that are set, but for those whose setting has the same value under its name of today.

    Raises InvalidSettings.
    """
    given = _given(environment)
    read = {} if _told(given) else _old(given)
    names = [name.upper() for name in Settings.model_fields]
    unread = [name for name in names if name in given and name.lower() not in read]
    return OldNames(
        tuple(name for name in names if name.lower() in read),
        tuple(name for name in unread if given.get(PREFIX + name) != given[name]),
    )


def shown_settings(settings: Settings) -> str:
    """All settings as an environment file has them, those with their default as comments, without secrets."""
    lines = []
    for name in Settings.model_fields:
        value = getattr(settings, name)
        text = "" if value is None else _redacted(value) if name in SECRETS else shown_value(value)
        lines.append(f"{'' if name in settings.model_fields_set else '# '}{PREFIX}{name.upper()}={text}\n")
    return "".join(lines)


def shown_value(value: object) -> str:
    """The value of a setting as one would write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _redacted(secret: str) -> str:
    """What can be shown of a secret: of an address all but the name, the password and the query."""
    scheme, given, rest = secret.partition("://")
    if not given:
        return "***"
    # Not by `urlsplit`: a password with a slash that was not escaped would be taken for a part of the path.
    access, at, place = rest.rpartition("@")
    place, asked, _ = place.partition("?")
    return f"{scheme}://{'***' if access else ''}{at}{place}{'?***' if asked else ''}"


def _given(environment: Mapping[str, str]) -> dict[str, str]:
    """What is set, without what Kubernetes sets for its services."""
    given = {name.upper(): value for name, value in environment.items() if value}
    return {
        name: value
        for name, value in given.items()
        if not OF_KUBERNETES.fullmatch(name) and not (name.endswith("_PORT") and LINK_OF_KUBERNETES.match(value))
    }


def _told(given: Mapping[str, str]) -> dict[str, object]:
    return (_from_toml(given[CONFIG]) if CONFIG in given else {}) | _from_environment(given)


def _old(given: Mapping[str, str]) -> dict[str, object]:
    """What old names say, without values that cannot be used: no value of another program may keep a site from
    starting.
    """
    told = {name: given[name.upper()] for name in Settings.model_fields if name.upper() in given.keys() - NEVER_OLD}
    while OLD_SIGN.lower() in told:
        try:
            Settings.model_validate(told)
        except ValidationError as error:
            unusable = {name for one in error.errors() for name in _concerned(one)}
            told = {name: value for name, value in told.items() if name not in unusable}
        else:
            return dict(told)
    return {}


def _from_environment(given: Mapping[str, str]) -> dict[str, object]:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    known |= {CONFIG, *(f"{PREFIX}{name.upper()}{IN_FILE}" for name in SECRETS)}
    strange = [name for name in given if name.startswith(PREFIX) and name not in known]
    if wrong := [_no_setting(name, known) for name in strange]:
        raise InvalidSettings("\n".join(wrong))
    told: dict[str, object] = {}
    for name in Settings.model_fields:
        long = PREFIX + name.upper()
        if value := given.get(long):
            told[name] = value
        if path := given.get(long + IN_FILE) if name in SECRETS else None:
            if value:
                raise InvalidSettings(f"{long} and {long}{IN_FILE} are both set: leave one of them out.")
            told[name] = _text_of(Path(path), long + IN_FILE).strip()
    return told


def _from_toml(path: str) -> dict[str, object]:
    try:
        told = tomllib.loads(_text_of(Path(path), CONFIG))
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettings(f"{path} is no TOML: {error}.") from None
    known = set(Settings.model_fields)
    if wrong := [_no_setting(name, known, f" in {path}") for name in told if name not in known]:
        raise InvalidSettings("\n".join(wrong))
    return told


def _text_of(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise InvalidSettings(f"{name} cannot be used: {path} cannot be read ({why}).") from None


def _no_setting(name: str, known: set[str], where: str = "") -> str:
    short = {one.removeprefix(PREFIX): one for one in known}
    nearest = get_close_matches(name.removeprefix(PREFIX), short, 1)
    hint = f" Do you mean {short[nearest[0]]}?" if nearest else " `fairyhouse --help` lists all."
    return f"{name}{where} is no setting.{hint}"


def _concerned(error: Any) -> Sequence[str]:
    """The settings that an error is about: its own one, or those that do not fit together."""
    return (str(error["loc"][0]),) if error["loc"] else error["ctx"]["error"].settings


def _sentence(error: Any) -> str:
    """What is wrong with one setting, by its name."""
    if not error["loc"]:
        return f"These settings do not fit together: {_reason(error, '')}."
    name = str(error["loc"][0])
    return f"{PREFIX}{name.upper()} cannot be used: {_reason(error, name)}."


def _reason(error: Any, name: str) -> str:
    kind = error["type"]
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind.startswith("bool"):
        return "give true or false"
    if kind == "literal_error":
        return f"give {error['ctx']['expected']}".replace("'", "")
    schema = Settings.model_json_schema()["properties"][name]
    schema = schema.get("anyOf", [schema])[0]
    if schema.get("type") == "integer":
        return f"give a whole number from {schema['minimum']:,} to {schema['maximum']:,}"
    if kind == "string_too_long":
        return f"give at most {schema['maxLength']} characters"
    return "give text"
