"""Which requests are refused by their head alone. Decides; knows no connection and no page.

The sentences are for programs: browsers send nothing that is refused here, except a head with too many cookies.
"""

from typing import Final

from aiohttp.http import HttpVersion10, HttpVersion11, RawRequestMessage
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong

MAX_BYTES: Final = 16_384
"""Bytes of the request line and all headers. Browsers send one or two thousand."""
MAX_HEADERS: Final = 100
MAX_IN_LINE: Final = 8_190
"""Bytes of the request line, and of one header."""
SPOKEN: Final = frozenset({HttpVersion10, HttpVersion11})
CONTINUE: Final = "100-continue"


class RefusedHead(HttpProcessingError):
    """A request that is answered with `code` and `message`, after which the connection is closed."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code=code, message=message)


def too_large() -> RefusedHead:
    """The refusal of a head that is larger than is read."""
    return RefusedHead(
        431,
        "The head of the request is larger than this server reads. If a browser sent it, clear this site's cookies.",
    )


def refusal_of(message: RawRequestMessage) -> RefusedHead | None:
    """Why a request that could be parsed is refused; None if it is not.

    The length of a chunked body is not known beforehand, and each chunk, even of one byte, is work for the parser.
    """
    if message.version not in SPOKEN:
        return RefusedHead(505, "Use HTTP/1.1 or 1.0; this server speaks no other version.")
    if message.headers.get("Expect", CONTINUE).lower() != CONTINUE:
        return RefusedHead(417, "The only expectation that is met is 100-continue.")
    if message.chunked or "Transfer-Encoding" in message.headers:
        return RefusedHead(411, "Send the body in one piece, with Content-Length.")
    if message.method == "CONNECT" or message.path == "*":
        return RefusedHead(405, "Ask for the path of a page; this server is no proxy.")
    if message.url.absolute and message.url.authority.lower() != message.headers.get("Host", "").lower():
        return RefusedHead(400, "The address and the Host header name different sites.")
    return None


def unreadable(error: BaseException) -> RefusedHead:
    """The answer to a request that the parser could not read."""
    if isinstance(error, RefusedHead):
        return error
    if isinstance(error, LineTooLong):
        return too_large()
    return RefusedHead(400, "This is not a request that can be read (RFC 9112).")
