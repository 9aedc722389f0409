"""The client is checked against the messages that the server has."""

from server.realtime.protocol.schema import protocol_schema
from tests.delivery.wire_types import FILE, declarations


def test_the_wire_types_match_the_schema():
    assert FILE.read_text() == declarations(protocol_schema()), "run `make types`"
