"""Attacks on rights are run against a whole site in this process, with people who visit it by HTTP and by socket."""

from tests.support.web.fixtures import anna, ben, carla, clock, server, settings, unlimited, visitor

__all__ = ["anna", "ben", "carla", "clock", "server", "settings", "unlimited", "visitor"]
