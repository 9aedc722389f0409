import pytest

from tests.storage.engines import ENGINES, REAL_MONGODB, MongoPlace, SqlitePlace, start_nx


@pytest.fixture(scope="session")
def nx_address(tmp_path_factory):
    server, address = start_nx(tmp_path_factory.mktemp("nx"))
    yield address
    server.kill()
    server.wait()


@pytest.fixture(params=ENGINES)
async def place(request, tmp_path):
    """Where stores are kept: the suite runs on each engine."""
    match request.param:
        case "sqlite":
            where = SqlitePlace(tmp_path)
        case "nx-27017":
            where = MongoPlace(request.getfixturevalue("nx_address"), real=False)
        case _:
            where = MongoPlace(REAL_MONGODB, real=True)
    yield where
    await where.leave()


@pytest.fixture
async def store(place):
    return await place.open()


@pytest.fixture
async def nx_place(nx_address):
    where = MongoPlace(nx_address, real=False)
    yield where
    await where.leave()
