"""The JSON Schema of every socket, generated from its messages, for authors of other clients."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from server.realtime.protocol import inbound, lobby_messages, outbound, study_messages, tournament_messages, tv_messages


@cache
def protocol_schema() -> dict[str, Any]:
    """{"inbound": ..., "outbound": ...} of a game's socket, and those of others under "lobby", "study", "tournament"
    and "watch".
    """
    return _socket(inbound.Inbound, outbound.Outbound) | {
        "lobby": _socket(lobby_messages.Inbound, lobby_messages.Outbound),
        "study": _socket(study_messages.Inbound, study_messages.Outbound),
        "tournament": _socket(tournament_messages.Inbound, tournament_messages.Outbound),
        "watch": _socket(tv_messages.Inbound, tv_messages.Outbound),
    }


def _socket(said: Any, told: Any) -> dict[str, Any]:
    """The schema of a socket. `said`, `told`: unions of the messages from and to the browser."""
    sent = TypeAdapter(told).json_schema(mode="serialization")
    for model in sent["$defs"].values():
        model["required"] = [name for name, field in model["properties"].items() if not left_out(field)]
    return {"inbound": TypeAdapter(said).json_schema(), "outbound": sent}


def left_out(field: dict[str, Any]) -> bool:
    """May the field be absent? `encode` omits None, so it is never null, and that option is removed."""
    options = field.get("anyOf", [])
    values = [option for option in options if option != {"type": "null"}]
    if len(values) == len(options):
        return False
    field.pop("default", None)
    del field["anyOf"]
    field.update(values[0] if len(values) == 1 else {"anyOf": values})
    return True
