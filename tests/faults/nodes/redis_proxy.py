"""A proxy between a node and Redis in which whole messages are lost, doubled or swapped. Knows how Redis writes one."""

import re

from tests.support.proxy import Proxy

BEGIN = b">3\r\n$7\r\nmessage\r\n"
"""As Redis writes it since RESP3."""
MESSAGE = re.compile(re.escape(BEGIN) + rb"\$\d+\r\n[^\r]*\r\n\$\d+\r\n[^\r]*\r\n")


class RedisProxy(Proxy):
    """`lossy`, `doubled`, `swapped`: the parts of the messages that are lost, come twice, or come behind the next."""

    def __init__(self, target: tuple[str, int], seed: int = 1) -> None:
        super().__init__(target, seed)
        self.disturbed = 0
        self.be_good()

    def be_good(self) -> None:
        """Nothing is lost, doubled or swapped any more."""
        self.lossy = self.doubled = self.swapped = 0.0

    async def _answer(self, far_in, on_the_way, doomed):
        begun, held = b"", b""
        while answer := await far_in.read(65536):
            if self.hole:
                continue
            whole, begun = self._whole(begun + answer)
            for part in whole:
                told, held = self._told(part, held)
                on_the_way.put_nowait((0.0, told))

    @staticmethod
    def _whole(text: bytes) -> tuple[list[bytes], bytes]:
        """The whole messages and other answers in `text`, and the beginning of a message at its end."""
        parts, at = [], 0
        for found in MESSAGE.finditer(text):
            parts += [text[at : found.start()], found.group()]
            at = found.end()
        rest, begin, tail = text[at:].partition(BEGIN)
        return [part for part in (*parts, rest) if part], begin + tail

    def _told(self, part: bytes, held: bytes) -> tuple[bytes, bytes]:
        """What of `part` goes on now, behind which comes what was `held` back, and what is held back next."""
        if not part.startswith(BEGIN):
            return held + part, b""
        fate = self._random.random()
        kinds = (self.lossy, self.doubled, self.swapped)
        self.disturbed += fate < sum(kinds)
        if fate < self.lossy:
            return held, b""
        if fate < self.lossy + self.doubled:
            return part + held + part, b""
        if fate < sum(kinds) and not held:
            return b"", part
        return part + held, b""
