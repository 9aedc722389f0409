"""What tests of a whole process start from."""

from tests.support.web.fixtures import settings

__all__ = ["settings"]
