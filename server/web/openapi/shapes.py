"""JSON Schemas of shapes, each shape with a name once in all the document. Knows no route."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from server.realtime.protocol.schema import left_out

Schema: TypeAlias = dict[str, Any]
PLACE: Final = "#/components/schemas/{model}"


class Shapes:
    """Collects the schemas of one document."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def sent(self, shape: Any) -> Schema:
        """The schema of what a client sends."""
        return self._schema(shape, "validation")

    def told(self, shape: Any) -> Schema:
        """The schema of what the server answers."""
        return self._schema(shape, "serialization")

    def _schema(self, shape: Any, mode: Any) -> Schema:
        made = TypeAdapter(shape).json_schema(mode=mode, ref_template=PLACE, schema_generator=WithoutTitles)
        for name, schema in made.pop("$defs", {}).items():
            self._name(name, schema)
        if not isinstance(shape, type):
            return made
        self._name(shape.__name__, made)
        return {"$ref": PLACE.format(model=shape.__name__)}

    def _name(self, name: str, schema: Schema) -> None:
        """Raises ValueError if another shape has that name: the document would mean the wrong one."""
        if self.named.setdefault(name, schema) != schema:
            raise ValueError(f"Two different shapes are called {name}.")


class WithoutTitles(GenerateJsonSchema):
    """Titles only repeat the names of fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: Any) -> Schema:
        made = super().model_schema(schema)
        if self.mode == "serialization":
            # As `encode` does, answers leave out what is None in a message.
            fields = made.get("properties", {})
            made["required"] = [name for name, field in fields.items() if not left_out(field)]
        return made

    def generate(self, schema: Any, mode: Any = "validation") -> Schema:
        made = super().generate(schema, mode)
        for each in (made, *made.get("$defs", {}).values()):
            each.pop("title", None)
        return made


def parameters(schema: Schema) -> list[Schema]:
    """The fields of a form as parameters of a query, in the order of its fields."""
    required: Mapping[str, Any] = dict.fromkeys(schema.get("required", ()))
    return [
        {"name": name, "in": "query", "required": name in required, "schema": shape}
        for name, shape in schema.get("properties", {}).items()
    ]
