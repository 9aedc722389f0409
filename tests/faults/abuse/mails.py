"""Shapes of mails, as any stranger can have the host's mail server hand them over: long, deep, broken, many."""

from itertools import count

from tests.faults.abuse.shape import Shape, on_connections
from tests.faults.abuse.targets import Target
from tests.faults.abuse.wire import Attack, Connection

CONNECTIONS = 10
"""Half of what the site takes, and what a mail server usually opens."""
READ, TAKEN = 65_000, 1_040_000
"""Bytes of the largest mail that is read, and of the largest that is taken."""
PLAIN = b"Content-Type: text/plain; charset=utf-8\r\n"
CLOSED = b"\r\n.\r\n"


def filled(line: bytes, size: int = READ) -> bytes:
    """So many bytes of the same line."""
    return line * (size // len(line))


def nested(depth: int) -> bytes:
    """A mail whose parts have parts."""
    parts = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level) for level in range(depth)
    )
    return parts + PLAIN + b"\r\ne5\r\n"


def encoded(how: bytes, body: bytes, charset: bytes = b"utf-8") -> bytes:
    head = b"Content-Type: text/plain; charset=%s\r\nContent-Transfer-Encoding: %s\r\n\r\n"
    return head % (charset, how) + body


HTML = b"Content-Type: text/html\r\n\r\n"
BODIES = (
    PLAIN + b"\r\n" + filled(b"\r\n"),
    PLAIN + b"\r\n" + b"e " * (READ // 2),
    PLAIN + b"\r\n" + filled(b"> > > e4\r\n", 50_000),
    PLAIN + b"\r\n" + filled(b">" * 60 + b" e4\r\n"),
    PLAIN + b"\r\n" + filled(b"e4\r\n"),
    PLAIN + b"\r\n" + filled(b"On Monday Boris <b@example.org> wrote:\r\n"),
    b"Content-Type: text/plain; format=flowed\r\n\r\n" + filled(b"a \r\n"),
    nested(1_000),
    b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + filled(b"--b\r\n\r\ne5\r\n"),
    b"".join(b"X-%d: y\r\n" % number for number in range(5_000)) + b"\r\ne5\r\n",
    b"Subject: " + b"=?utf-8?q?e4?= " * 4_000 + b"\r\n\r\ne5\r\n",
    b"References: " + b"<a@b> " * 10_000 + b"\r\n\r\ne5\r\n",
    b"Content-Type: text/plain" + b"; a*0*=utf-8''%41" * 3_000 + b"\r\n\r\ne5\r\n",
    encoded(b"base64", filled(b"====%%%%e4\r\n")),
    encoded(b"quoted-printable", filled(b"=\r\n")),
    encoded(b"quoted-printable", filled(b"=ZZ=4")),
    encoded(b"8bit", filled(b"xn--a-"), b"punycode"),
    encoded(b"8bit", filled(b"+2AA-"), b"utf-7"),
    encoded(b"x-uuencode", b"begin 644 a\r\n" + filled(b"M" + b"!" * 60 + b"\r\n")),
    HTML + filled(b"<div>"),
    HTML + filled(b"<!--<![CDATA[&#x110000;&"),
    HTML + filled(b"<a href='" * 4),
    PLAIN + b"\r\n" + filled(b"\r\n", TAKEN),
    PLAIN + b"\r\n" + filled(b"\r\n", 10_000_000),
    PLAIN + b"\r\n" + b"e" * TAKEN,
)


async def answered(attack: Attack, line: Connection, command: bytes) -> int:
    """The code of the answer to a command, or to the end of a mail. Raises ConnectionError, Spent, ValueError."""
    await line.send(command)
    while (text := await line.reader.readline())[3:4] == b"-":
        pass
    return int(text[:3])


async def odd_mails(attack: Attack) -> None:
    """Every kind of body to every address that somebody may write to, one after the other on each connection."""
    numbers = count()

    async def one(attack: Attack, line: Connection) -> None:
        # The server greets first; it does not mind who speaks meanwhile.
        await answered(attack, line, b"LHLO attacker.test\r\n")
        await answered(attack, line, b"")
        while attack.goes_on:
            number = next(numbers)
            to = attack.owner.mailboxes[number % len(attack.owner.mailboxes)]
            await answered(attack, line, b"MAIL FROM:<somebody@example.net>\r\n")
            await answered(attack, line, b"RCPT TO:<%s>\r\n" % to.encode())
            if await answered(attack, line, b"DATA\r\n") != 354:
                return
            named = b"From: somebody@example.net\r\nMessage-ID: <%d@attacker.test>\r\n" % number
            code = await answered(attack, line, named + BODIES[number % len(BODIES)] + CLOSED)
            attack.sent.answers[code] += 1

    await on_connections(attack, one, CONNECTIONS, port=attack.owner.mail_port)


def is_mailbox(target: Target) -> bool:
    return target.is_mailbox


MAILS = (Shape("mails as bodies", odd_mails, is_mailbox),)
