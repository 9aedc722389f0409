"""A whole site in this process and people who visit it; connections byte by byte."""

import asyncio

import pytest
import uvloop

from server.web.site import SITE
from tests.support.web.desk import seat_at_desk
from tests.support.web.fixtures import anna, ben, carla, clock, server, settings, unlimited, visitor

__all__ = ["anna", "ben", "carla", "clock", "server", "settings", "unlimited", "visitor"]


def pytest_asyncio_loop_factories():
    """The event loop is that of the server, which takes a quarter less of the processor, too."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture
def site(server):
    return server.app[SITE]


@pytest.fixture
async def host(site, visitor):
    """Hilda, at her desk."""
    hilda = await visitor()
    await seat_at_desk(site, hilda, "Hilda")
    return hilda


@pytest.fixture
async def connect(server):
    """Opens connections to the server, whose bytes are chosen by the test."""
    opened = []

    async def to(first=b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        opened.append(writer)
        writer.write(first)
        return reader, writer

    yield to
    for writer in opened:
        writer.transport.abort()
