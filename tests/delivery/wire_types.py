"""The messages of the live lines as TypeScript types, by which the client is checked: one line for each message.

    python -m tests.delivery.wire_types

They are made from the schema that /api/protocol publishes whenever the client is checked, so they cannot differ from
what the server says and takes; nobody keeps them.
"""

import json
from pathlib import Path

from server.realtime.protocol.schema import protocol_schema

FILE = Path(__file__).parents[2] / "static/js/net/wire.d.ts"
HEAD = "/* Made by `make types` from the server's messages. Times are ms; a field without a value is left out. */"


def declarations(schema):
    """The text of the file. Raises ValueError when two lines give one name to different messages."""
    lines = {
        "Game": schema,
        "Lobby": schema["lobby"],
        "Study": schema["study"],
        "Tournament": schema["tournament"],
        "Tv": schema["watch"],
    }
    models, unions = {}, {}
    for line, shapes in lines.items():
        for direction in ("inbound", "outbound"):
            shape = shapes[direction]
            unions[line + direction.title()] = shape
            for name, model in shape["$defs"].items():
                if models.setdefault(name, model) != model:
                    raise ValueError(f"there are two messages called {name}")
    named = sorted(models.items()) + list(unions.items())
    return "\n".join([HEAD, *(f"{about(shape)}export type {name} = {type_of(shape)};" for name, shape in named), ""])


def about(shape):
    """What an editor shows of the message."""
    return f"/** {' '.join(shape['description'].split())} */ " if "description" in shape else ""


def type_of(shape):
    """The type of what has this JSON Schema. Raises ValueError for a kind that no message has needed so far."""
    match shape:
        case {"$ref": reference}:
            return reference.rpartition("/")[2]
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": options} | {"oneOf": options}:
            return " | ".join(map(type_of, options))
        case {"prefixItems": items}:
            return f"[{', '.join(map(type_of, items))}]"
        case {"type": "array", "items": items}:
            return f"Array<{type_of(items)}>"
        case {"type": "object", "properties": fields}:
            required = shape.get("required", ())
            marked = (f"{name}{'' if name in required else '?'}: {type_of(field)}" for name, field in fields.items())
            return f"{{ {'; '.join(marked)} }}"
        case {"type": "object", "additionalProperties": values}:
            return f"Record<string, {type_of(values)}>"
        case {"type": "integer"}:
            return "number"
        case {"type": "string" | "boolean" | "null" as kind}:
            return kind
    raise ValueError(f"no type is known for {shape}")


if __name__ == "__main__":
    FILE.write_text(declarations(protocol_schema()))
