"""The Bot API as a bot uses it: requests with its token, and streams of lines. Knows no engine and no game."""

from collections.abc import AsyncIterator
from typing import Any, Final

import aiohttp
import orjson

from server.host.site_access import CommandRefused

QUIET_S: Final = 20.0
"""The site writes an empty line more often; without one the connection is dead."""


class Declined(Exception):
    """The site refuses a request, and says why."""


class ApiClient:
    """Speaks to `site` by `token`. Every method raises Declined, aiohttp.ClientError, TimeoutError."""

    def __init__(self, site: str, token: str, http: aiohttp.ClientSession) -> None:
        self._site = site.rstrip("/")
        self._http = http
        self._headers = {"Authorization": f"Bearer {token}"}

    async def get(self, path: str) -> Any:
        """What the site answers, read from JSON."""
        async with self._http.get(self._site + path, headers=self._headers) as answer:
            return await self._said(answer)

    async def post(self, path: str, **fields: str) -> Any:
        """Sends `fields` as a form."""
        async with self._http.post(self._site + path, headers=self._headers, data=fields or None) as answer:
            return await self._said(answer)

    async def lines(self, path: str) -> AsyncIterator[dict[str, Any]]:
        """The lines of a stream, until it ends."""
        patience = aiohttp.ClientTimeout(total=None, sock_read=QUIET_S)
        async with self._http.get(self._site + path, headers=self._headers, timeout=patience) as answer:
            if answer.status >= 400:
                await self._said(answer)
            async for line in answer.content:
                if line.strip():
                    yield orjson.loads(line)

    async def _said(self, answer: aiohttp.ClientResponse) -> Any:
        """Raises CommandRefused if the token is not good for it, as asking again would not help."""
        said = orjson.loads(await answer.read() or b"{}")
        if answer.status in (401, 403):
            raise CommandRefused(f"{self._site} refuses the token: {said.get('error', answer.status)}")
        if answer.status >= 400:
            raise Declined(str(said.get("error") or said.get("message") or answer.status))
        return said
