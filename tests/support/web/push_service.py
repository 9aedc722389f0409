"""A push service for tests: speaks TLS with a certificate of its own, keeps what it is sent, and reads it as the
browser would."""

import base64
import json
import os
import ssl
from contextlib import AsyncExitStack, asynccontextmanager

import http_ece
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver
from aiohttp.test_utils import TestServer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from server.storage.tables.push import Device
from server.web.notifications.web_push import WebPush, open_session, read_key
from tests.support.certificates import certificate

NAME = "push.example.org"
NOW = 1_700_000_000_000
CONTACT = "mailto:host@example.org"


def base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def new_host_key():
    """As a host would set it."""
    key = ec.generate_private_key(ec.SECP256R1())
    return base64url(key.private_numbers().private_value.to_bytes(32, "big"))


class Browser:
    """One that has subscribed."""

    def __init__(self, path="/one"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.endpoint = f"https://{NAME}{path}"

    @property
    def subscription(self):
        point = serialization.PublicFormat.UncompressedPoint
        public = self.key.public_key().public_bytes(serialization.Encoding.X962, point)
        return {"endpoint": self.endpoint, "p256dh": base64url(public), "auth": base64url(self.auth)}

    def device(self, owner="anna", language="en"):
        return Device(owner=owner, language=language, **self.subscription)

    def read(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


class PushService:
    """`answers`: status by path; else 201."""

    def __init__(self):
        self.answers = {}
        self.got = []

    async def take(self, request):
        assert Vapid02.verify(request.headers["Authorization"])
        self.got.append((request.path, dict(request.headers), await request.read()))
        status = self.answers.get(request.path, 201)
        return web.Response(status=status, headers={"Location": "https://elsewhere.example.org/"})


class Here(AbstractResolver):
    """Every name leads to this machine."""

    def __init__(self, port):
        self.port = port
        self.asked = []

    async def resolve(self, host, port=0, family=0):
        self.asked.append(host)
        return [{"hostname": host, "host": "127.0.0.1", "port": self.port, "family": 2, "proto": 6, "flags": 0}]

    async def close(self):
        pass


@asynccontextmanager
async def serving(folder):
    """The service, how its name is found, and the path of the certificate to trust for it."""
    cert, key = certificate(folder, NAME)
    service = PushService()
    app = web.Application()
    app.router.add_post("/{path:.*}", service.take)
    inside = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    inside.load_cert_chain(cert, key)
    server = TestServer(app, host="127.0.0.1")
    await server.start_server(ssl=inside)
    yield service, Here(server.port), cert
    await server.close()


@pytest.fixture
async def reached(tmp_path):
    """A push service, and this site's way to it."""
    async with AsyncExitStack() as opened:
        service, resolver, cert = await opened.enter_async_context(serving(tmp_path))
        trust = ssl.create_default_context(cafile=cert)
        push = WebPush(read_key(new_host_key()), CONTACT, open_session(resolver, trust), lambda: NOW)
        opened.push_async_callback(push.close)
        yield service, push
