"""Reads the form with which a browser sends a file (multipart/form-data, RFC 7578), strictly. Knows no game.

Everything that a sender could make long is bounded: the boundary, the fields, their headers. Anything that no browser
sends, such as text before the first boundary or a header without a colon, is refused.
"""

from typing import Final

from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header

FIELDS: Final = ("file", "text")
LONGEST_BOUNDARY: Final = 70
"""Characters (RFC 2046, section 5.1.1)."""
MAX_HEADERS: Final = 4
LONGEST_HEADER: Final = 1_024
"""Bytes; it holds the file's name."""


class BadUpload(Exception):
    """No browser sends the form like this."""


class TooLarge(Exception):
    """A field has too many bytes."""


def field_of(body: bytes, content_type: str, most_bytes: int) -> bytes:
    """The chosen file, else the pasted text, b"" when both are empty. Raises BadUpload, TooLarge."""
    boundary = boundary_of(content_type)
    if not body.startswith(b"--" + boundary.encode()):
        raise BadUpload("something before the first boundary")
    fields: dict[str, bytes] = {}
    part: MultipartSegment | None = None
    try:
        with PushMultipartParser(
            boundary,
            max_header_count=MAX_HEADERS,
            max_header_size=LONGEST_HEADER,
            max_segment_count=len(FIELDS),
            strict=True,
        ) as parser:
            for event in parser.parse(body):
                if isinstance(event, MultipartSegment):
                    part = event
                    if part.name not in FIELDS or part.name in fields:
                        raise BadUpload("a field that the form does not have, or already has")
                    fields[part.name] = b""
                elif event is not None and part is not None:
                    # The whole body is there, so each field comes in one piece.
                    fields[part.name] = bytes(event)
    except MultipartError as error:
        raise BadUpload(str(error)) from None
    if any(len(content) > most_bytes for content in fields.values()):
        raise TooLarge
    return fields.get("file") or fields.get("text", b"")


def boundary_of(content_type: str) -> str:
    """Raises BadUpload."""
    _, options = parse_options_header(content_type[:300])
    boundary = options.get("boundary", "")
    if not (0 < len(boundary) <= LONGEST_BOUNDARY and boundary.isascii()):
        raise BadUpload("no boundary that can be one")
    return str(boundary)
