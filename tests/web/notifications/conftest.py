"""A push service on this machine."""

from tests.web.notifications.push_service import reached

__all__ = ["reached"]
