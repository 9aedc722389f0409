"""What only some sites need need not be installed; whoever sets it all the same is told what to install."""

import asyncio
import sys

import pytest
from aiohttp.web import AppRunner

from server import backends
from server.app import build_app
from server.backends import CannotStart, mail_server_of, open_bus, open_push, open_store_of_site
from server.settings import Settings
from server.web.assets import find_assets

MAIL = Settings(smtp_url="smtp://localhost", mail_from="games@example.org")
PUSH = Settings(vapid_private_key="x", vapid_contact="mailto:host@example.org")
NODES = Settings(mongodb_uri="mongodb://localhost", redis_url="redis://localhost")

OURS = ("server.realtime.cluster.redis_bus", "server.storage.mongo.store", "server.storage.mongo.client")
"""What imports such a package, and so cannot be imported again."""


@pytest.mark.parametrize(
    ("package", "module", "use", "said"),
    [
        ("aiosmtplib", "server.mail.smtp", lambda: mail_server_of(MAIL), "SMTP_URL is set.* aiosmtplib .*\\[mail\\]"),
        (
            "pywebpush",
            "server.web.notifications.web_push",
            lambda: open_push(PUSH, lambda: 0),
            "VAPID_PRIVATE_KEY is set.* pywebpush .*\\[push\\]",
        ),
        (
            "redis",
            "server.realtime.cluster.redis_bus",
            lambda: asyncio.run(open_bus(NODES)),
            "REDIS_URL is set.* redis.* .*\\[redis\\]",
        ),
        *(
            (
                driver,
                "server.storage.mongo.store",
                lambda: asyncio.run(open_store_of_site(NODES, {})),
                f"MONGODB_URI is set.* {driver}.* .*\\[mongo\\]",
            )
            for driver in ("motor", "pymongo")
        ),
    ],
)
def test_what_is_not_installed_is_named(package, module, use, said, monkeypatch):
    monkeypatch.delitem(sys.modules, module, raising=False)
    for name in tuple(sys.modules):
        if name in OURS or name.partition(".")[0] == package:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CannotStart, match=said):
        use()


def test_a_defect_of_ours_is_not_taken_for_a_missing_package():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        backends.import_extra("server.no_such_module", "FAIRYHOUSE_X", "mail")


async def test_mail_that_is_not_installed_is_named_before_anything_is_stored(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "server.mail.smtp", raising=False)
    monkeypatch.setitem(sys.modules, "aiosmtplib", None)
    settings = Settings(data_dir=tmp_path / "data", smtp_url="smtp://localhost", mail_from="games@example.org")
    with pytest.raises(CannotStart, match="SMTP_URL is set"):
        await AppRunner(build_app(settings, find_assets())).setup()
    assert not settings.data_dir.exists()
