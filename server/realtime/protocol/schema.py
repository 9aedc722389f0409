"""The JSON Schema of every live line, made from its messages, for whoever writes another client. Knows no sockets."""

from typing import Any

from pydantic import TypeAdapter

from server.realtime.protocol import inbound, lobby_messages, outbound, tv_messages


def protocol_schema() -> dict[str, Any]:
    """{"inbound": ..., "outbound": ...} of a game's line, and the same of the others under "lobby" and "watch"."""
    return _line(inbound.Inbound, outbound.Outbound) | {
        "lobby": _line(lobby_messages.Inbound, lobby_messages.Outbound),
        "watch": _line(tv_messages.Inbound, tv_messages.Outbound),
    }


def _line(said: Any, told: Any) -> dict[str, Any]:
    """`said` and `told` are unions of messages: from the browser, and to it."""
    sent = TypeAdapter(told).json_schema(mode="serialization")
    for model in sent["$defs"].values():
        model["required"] = [name for name, field in model["properties"].items() if not _left_out(field)]
    return {"inbound": TypeAdapter(said).json_schema(), "outbound": sent}


def _left_out(field: dict[str, Any]) -> bool:
    """May it be absent? `encode` leaves out what is None, so such a field is never null; that option is removed."""
    options = field.get("anyOf", [])
    values = [option for option in options if option != {"type": "null"}]
    if len(values) == len(options):
        return False
    field.pop("default", None)
    del field["anyOf"]
    field.update(values[0] if len(values) == 1 else {"anyOf": values})
    return True
