"""Web push: a short message to a browser whose pages are closed (RFC 8030, 8291, 8292). Knows nothing of its content.

The message is encrypted for the browser, so its push service only carries it. Needs the packages of the extra `push`,
so it is imported only if the host has set a VAPID key; without one a site has no push, and everything else works.
"""

import base64
import hashlib
import logging
from collections.abc import Callable
from ssl import SSLContext
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from aiohttp.abc import AbstractResolver
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, VapidException
from pywebpush import WebPusher, WebPushException

from server.storage.tables.push import Device
from server.web.notifications.push_addresses import PublicOnly, UnknownPushService, check_endpoint

log = logging.getLogger(__name__)

TOKEN_S: Final = 12 * 3600
TIMEOUT: Final = ClientTimeout(total=10)
AT_ONCE: Final = 240
"""Connections: as many as all whom the site tells something at a time have devices, so that none waits for another."""
NAME_KEPT_S: Final = 300
"""A name that cannot be found soon must not keep those of the usual services from being looked up."""


class BadPushKey(Exception):
    """The VAPID key cannot be used; the message says what the host can do."""


def open_session(resolver: AbstractResolver | None = None, trust: SSLContext | None = None) -> ClientSession:
    """A session that connects to public addresses only, follows no redirects and keeps no cookies. Close it.

    Tests pass a resolver and a context to `trust` of their own.
    """
    connector = TCPConnector(
        resolver=resolver or PublicOnly(), limit=AT_ONCE, ttl_dns_cache=NAME_KEPT_S, ssl=trust or True
    )
    return ClientSession(connector=connector, timeout=TIMEOUT, cookie_jar=DummyCookieJar(), trust_env=False)


def read_key(text: str) -> Any:
    """The host's VAPID key: base64url of the 32 bytes, or of the DER form. Raises BadPushKey."""
    try:
        return Vapid02.from_string(text)
    except (ValueError, TypeError, VapidException):
        raise BadPushKey(
            "FAIRYHOUSE_VAPID_PRIVATE_KEY is no key: it is base64url of an EC key on the curve P-256."
        ) from None


class WebPush:
    """Sends messages. `key` is from `read_key`, `contact` the host's mailto: or https: address, `now` gives ms."""

    def __init__(self, key: Any, contact: str, session: ClientSession, now: Callable[[], int]) -> None:
        self._key = key
        self._contact = contact
        self._session = session
        self._now = now
        public = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = base64.urlsafe_b64encode(public).rstrip(b"=").decode()
        """What browsers subscribe with."""

    async def close(self) -> None:
        """Closes the open connections."""
        await self._session.close()

    async def send(self, device: Device, message: bytes, topic: str, stale_s: int) -> bool:
        """Returns False if the browser has ended its subscription. Gives up after some seconds.

        An undelivered message of the same `topic` is replaced by this one, which is dropped after `stale_s` seconds.
        """
        try:
            endpoint = check_endpoint(device.endpoint)
            body = self._encrypted(device, message)
        except UnknownPushService:
            return False
        except (WebPushException, ValueError) as error:
            log.info("a browser's keys cannot be used: %s", error)
            return False
        headers = {**self._permit(endpoint), "TTL": str(stale_s), "Urgency": "high"}
        headers["Topic"] = _hidden(topic, device)
        headers["Content-Encoding"] = "aes128gcm"
        try:
            async with self._session.post(endpoint, data=body, headers=headers, allow_redirects=False) as answer:
                if answer.status not in (200, 201, 202, 404, 410):
                    log.warning("the push service %s answered %d", urlsplit(endpoint).hostname, answer.status)
                return answer.status not in (404, 410)
        except (ClientError, OSError, TimeoutError) as error:
            log.warning("the push service %s cannot be reached: %s", urlsplit(endpoint).hostname, error)
            return True

    def _encrypted(self, device: Device, message: bytes) -> bytes:
        keys = {"p256dh": device.p256dh, "auth": device.auth}
        encoded = WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(message)
        body = encoded["body"]
        assert isinstance(body, bytes)
        return body

    def _permit(self, endpoint: str) -> dict[str, str]:
        """The header that tells the push service who sends the message."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"https://{parts.netloc}", "exp": self._now() // 1000 + TOKEN_S, "sub": self._contact}
        signed: dict[str, str] = self._key.sign(claims)
        return signed


def _hidden(topic: str, device: Device) -> str:
    """`topic` in at most 32 letters of base64url (RFC 8030), from which the push service cannot tell the game."""
    hashed = hashlib.blake2b(topic.encode(), key=device.auth.encode(), digest_size=24).digest()
    return base64.urlsafe_b64encode(hashed).decode()
