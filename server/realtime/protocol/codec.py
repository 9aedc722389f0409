"""Decodes and encodes messages.

Whatever a stranger sends becomes a message of the protocol or BadMessage. Fractional and huge numbers, deep nesting,
unknown tags and keys, repeated keys and excessive length are all refused alike.
"""

import json
from typing import Any, Final, TypeVar

import orjson
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json

from server.language import english
from server.realtime.protocol.inbound import Inbound
from server.realtime.protocol.outbound import Error
from server.realtime.protocol.wire import Message
from server.rules.errors import Refusal

MAX_CHARACTERS: Final = 4096
"""The longest legitimate message, two thousand characters of chat, just fits if each is a line break: two in JSON."""

_inbound: Final[TypeAdapter[Inbound]] = TypeAdapter(Inbound, config=ConfigDict(cache_strings="keys"))
"""Only keys are cached: replies to our pings never repeat, and would fill a megabyte."""


class BadMessage(Refusal):
    """The text is not a message of this protocol; `detail` says why."""

    code = "bad_message"

    def __init__(self, detail: str) -> None:
        super().__init__()
        self.detail = detail


MessageType = TypeVar("MessageType")


def decode(text: str) -> Inbound:
    """The message of a game's page. Raises BadMessage, and nothing else, for any text."""
    return read_message(text, _inbound)


def read_message(text: str, kinds: TypeAdapter[MessageType]) -> MessageType:
    """The message, of one of those kinds, in `text`. Raises BadMessage, and nothing else, for any text."""
    if len(text) > MAX_CHARACTERS:
        raise BadMessage(f"A message has at most {MAX_CHARACTERS} characters.")
    try:
        message = kinds.validate_json(text)
        repeated = _has_repeated_key(text)
    except ValidationError as error:
        raise BadMessage(_explain(error)) from None
    except (ValueError, RecursionError):
        raise BadMessage("That is not JSON.") from None
    if repeated:
        raise BadMessage("A key stands in the message twice.")
    return message


def encode(message: Message, leave_out: str | None = None) -> str:
    """A JSON object without line breaks, without fields that are None and the field `leave_out`."""
    # Not `model_dump_json`, which passes on so many options that it takes half as long again.
    return to_json(message, exclude_none=True, exclude=None if leave_out is None else {leave_out}).decode()


def encode_ok(request: int, v: int, dup: bool) -> str:
    """The encoded `Ok`. Every move is answered by one, and a model would take five times as long as its text."""
    again = ',"dup":true' if dup else ""
    return f'{{"t":"ok","id":{request},"v":{v}{again}}}'


def encode_refusal(refusal: Refusal, request: int | None = None, v: int | None = None) -> str:
    """The encoded error. `request`: the sender's id of the command, if it was one; `v` as in Error."""
    message = refusal.detail or english().said(refusal)
    params = refusal.params or None
    return encode(Error(id=request, code=refusal.code, message=message, refusal=refusal.id, params=params, v=v))


def with_field(encoded: str, name: str, value: object) -> str:
    """An encoded message with one more field, without encoding the others again. `value`: as in JSON."""
    return f'{encoded[:-1]},"{name}":{orjson.dumps(value).decode()}}}'


def _has_repeated_key(text: str) -> bool:
    """Has the object a key twice? Pydantic silently takes the last; a valid message is flat, so counting is enough.

    Every member has a colon. If there are no more colons than different keys, no key is repeated; only texts with
    colons need the slower count.
    """
    if text.count(":") == len(orjson.loads(text)):
        return False
    pairs: list[tuple[str, Any]] = json.loads(text, object_pairs_hook=list)
    return len(pairs) != len({key for key, _ in pairs})


def _explain(error: ValidationError) -> str:
    """The first fault in a sentence, without the sender's text."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    match fault["type"]:
        case "json_invalid" | "string_unicode":
            return "That is not JSON."
        case "union_tag_invalid" | "union_tag_not_found":
            return "The tag `t` is missing or unknown."
        case _:
            place = ".".join(str(part) for part in fault["loc"] if str(part).isidentifier())[:60]
            return f"{place}: {fault['msg']}."
