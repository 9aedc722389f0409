"""The forms that pages send without a script: strict models of their fields, and how they are read. Decides nothing."""

import re
from typing import Annotated, Literal
from urllib.parse import parse_qsl

from aiohttp import web
from pydantic import Field

from server.web.bodies import read_body
from server.web.forms.forms import Form, FormType, validated
from server.web.rendering.problems import Problem

FIELDS = "application/x-www-form-urlencoded"
MAX_FIELDS = 10

LOCAL_PATH = re.compile(r"^(?:/(?:[0-9A-Za-z@][0-9A-Za-z@._~/-]{0,200})?)?$")
"""A path on this site, "" for none. No slash can follow the first one, as that would name another site."""
LOCAL_ADDRESS = re.compile(LOCAL_PATH.pattern.removesuffix("$") + r"(?:\?[0-9A-Za-z%&=+._~,:;@!*()'/-]{0,1000})?$")
"""The same with its query."""
LocalAddress = Annotated[str, Field(pattern=LOCAL_ADDRESS.pattern)]
NameField = Annotated[str, Field(max_length=64)]
Password = Annotated[str, Field(max_length=512)]
"""Only bounds the work; what is allowed is decided elsewhere."""


class Credentials(Form):
    """Registering or signing in. `next`: where to go afterwards."""

    name: NameField
    password: Password
    next: LocalAddress = ""


class NewPassword(Form):
    """`old` is empty if there is no old password to ask for."""

    old: Password = ""
    new: Password


class FlaggingChoice(Form):
    """What somebody chooses for their new correspondence games."""

    by_hand: Literal["", "yes"] = ""


class Listing(Form):
    """Whether somebody is shown among those who are on the site."""

    unlisted: Literal["", "yes"] = ""


class Confirmation(Form):
    password: Password


def local_path(text: str) -> str:
    """`text`, if it is a path on this site, else ""."""
    return text if LOCAL_PATH.fullmatch(text) else ""


def local_address(text: str) -> str:
    """`text`, if it is a page on this site, with or without a query, else ""."""
    return text if LOCAL_ADDRESS.fullmatch(text) else ""


async def read_fields(request: web.Request, form: type[FormType]) -> FormType:
    """The fields as `form`. Raises Problem: not a page's form (415), not in time (408), not of this shape (400)."""
    if request.content_type != FIELDS:
        raise Problem(415, "not_form")
    return fields_of(await read_body(request), form)


def fields_of(body: bytes, form: type[FormType]) -> FormType:
    """The urlencoded `body` as `form`. Raises Problem (400)."""
    return validated(pairs_of(body), form)


def pairs_of(body: bytes, most: int = MAX_FIELDS) -> dict[str, str]:
    """The fields of the urlencoded `body`, `most` of them. Raises Problem (400)."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True, max_num_fields=most)
    except ValueError:
        raise Problem(400, "bad_request", detail="The fields of the form cannot be read.") from None
    if len(dict(pairs)) < len(pairs):
        raise Problem(400, "bad_request", detail="Send each field once.")
    return dict(pairs)
