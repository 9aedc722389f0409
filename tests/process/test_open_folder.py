"""A server that starts warns about a data folder that others can read."""

import pytest

from server.backends import open_store_of_site
from server.settings import Settings


@pytest.mark.parametrize(("mode", "told"), [(0o700, False), (0o750, True), (0o777, True)])
async def test_the_log_says_how_to_close_a_data_folder_open_to_others(tmp_path, mode, told, caplog):
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(mode)
    store = await open_store_of_site(Settings(data_dir=folder), {})
    await store.close()
    assert (f"chmod 700 '{folder}'" in caplog.text) == told
