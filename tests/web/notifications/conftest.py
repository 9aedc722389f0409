"""A push service on this machine."""

from tests.support.web.push_service import reached

__all__ = ["reached"]
