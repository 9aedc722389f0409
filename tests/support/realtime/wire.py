"""A bus between the processes of a test, which carries everything at once, twice, or nothing while it is cut."""

from server.realtime.cluster.bus import Beat


class Wire:
    """`nodes`: those that it joins, by their ends. `cut`: the ends of those that hear nobody and are not heard."""

    def __init__(self):
        self.nodes = {}
        self.cut = set()
        self.times = 1

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

    def tell(self, notice):
        for end, node in self._wire.nodes.items():
            if (end is not self or isinstance(notice, Beat)) and not self._wire.cut & {end, self}:
                for _ in range(self._wire.times):
                    node.live.others.hear_notice(notice)

    def follow(self, topic):
        """Everything is heard anyway."""

    def unfollow(self, topic):
        """Everything is heard anyway."""
