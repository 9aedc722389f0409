"""The topics that a process follows, and whether it has company there.

A game whose people all sit at one process need not be told to anybody. So whoever begins to follow a game says so
there, whoever publishes learns how many follow it, and one that is alone keeps to itself what it would have said until
somebody comes: they may have looked at the game before. Knows no Redis.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.realtime.process.bus import GameTopic, Topic

Unsent = Mapping[str, Mapping[str, Any]]
"""The fields of messages, by key."""


@dataclass(slots=True)
class _Following:
    """`heard`: notices of the topic arrive. `company`: so far as is known, others follow it, too. `came`: somebody has
    come since the last message about it was sent off.
    """

    heard: bool = False
    company: bool = True
    came: bool = False
    unsaid: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def in_company(self) -> Unsent:
        """Others follow it. Returns what they are to be told."""
        self.company, unsaid, self.unsaid = True, self.unsaid, {}
        return unsaid


class Followed:
    """The topics of one process."""

    def __init__(self) -> None:
        self._topics: dict[Topic, _Following] = {}
        self.begin: dict[Topic, None] = {}
        """Topics to subscribe to, but first `end`."""
        self.end: dict[Topic, None] = {}
        """Topics to unsubscribe from."""

    def __len__(self) -> int:
        return len(self._topics)

    def follow(self, topic: Topic) -> bool:
        """Is that new?"""
        if topic in self._topics:
            return False
        self._topics[topic] = _Following()
        self.begin[topic] = None
        return True

    def unfollow(self, topic: Topic) -> bool:
        """Is that new?"""
        if self._topics.pop(topic, None) is None:
            return False
        if topic in self.begin:
            del self.begin[topic]
        else:
            self.end[topic] = None
        return True

    def start_again(self) -> None:
        """On a new connection nothing is subscribed to yet. Whoever came unheard shows when these are confirmed."""
        self.begin, self.end = dict.fromkeys(self._topics), {}

    def confirm(self, topic: Topic) -> bool:
        """Notices of `topic` arrive from now on. Is it still followed?"""
        following = self._topics.get(topic)
        if following is None:
            return False
        following.heard = True
        return True

    def somebody_came(self, topic: Topic) -> Unsent:
        """Another process has begun to follow `topic`. Returns what it is to be told."""
        following = self._topics.get(topic)
        if following is None:
            return {}
        following.came = True
        return following.in_company()

    def keeps(self, topic: Topic, key: str, fields: Mapping[str, Any]) -> bool:
        """Is nobody else to be told this? Then it is kept, in place of what had the same key."""
        following = self._topics.get(topic)
        if following is None or not following.heard or following.company:
            return False
        following.unsaid[key] = fields
        return True

    def sending(self, topic: Topic) -> None:
        """A message about `topic` is sent off."""
        if (following := self._topics.get(topic)) is not None:
            following.came = False

    def received_by(self, topic: Topic, processes: int) -> Unsent:
        """That message has reached so many processes, with this one. Returns what is to be said as well."""
        following = self._topics.get(topic)
        # Only to a game does whoever comes say so.
        if following is None or not following.heard or not isinstance(topic, GameTopic):
            return {}
        if processes > 1:
            return following.in_company()
        # Who came meanwhile was not counted.
        following.company = following.came
        return {}
