"""A bus between the processes of a test, which carries everything at once, twice, or nothing while it is cut; an answer
to what is just heard comes a little later.
"""

import asyncio

from server.realtime.cluster.bus import EVERYBODY, Beat, topics_of


class Wire:
    """`nodes`: those that it joins, by their ends. `cut`: the ends of those that hear nobody and are not heard."""

    def __init__(self):
        self.nodes = {}
        self.cut = set()
        self.times = 1
        self.speaking = False

    def end(self):
        return WireEnd(self)

    async def beat(self, clock, seconds):
        """Every process beats, and lets its timers fire, once a second."""
        for _ in range(seconds):
            for node in self.nodes.values():
                await node.live._heartbeat.tell_nodes()
                await node.live._heartbeat.beat()
            for number, node in enumerate(self.nodes.values()):
                await node.tick(0 if number else 1_000)


class WireEnd:
    """The bus of one process; `wire.nodes[end] = node` joins it."""

    alone = False

    def __init__(self, wire):
        self._wire = wire
        self._followed = set()

    def tell(self, notice):
        if self._wire.speaking:
            asyncio.get_running_loop().call_soon(self.tell, notice)
            return
        self._wire.speaking = True
        try:
            self._deliver(notice)
        finally:
            self._wire.speaking = False

    def _deliver(self, notice):
        topics = topics_of(notice)
        for end, node in self._wire.nodes.items():
            if (end is not self or isinstance(notice, Beat)) and not self._wire.cut & {end, self}:
                # Whoever follows two of its topics hears it twice.
                heard = 1 if topics == EVERYBODY else len(end._followed.intersection(topics))
                for _ in range(self._wire.times * heard):
                    node.live.others.hear_notice(notice)

    def follow(self, topic):
        """As `Bus.follow`, at once."""
        self._followed.add(topic)

    def unfollow(self, topic):
        """As `Bus.unfollow`, at once."""
        self._followed.discard(topic)
