"""The part of the host's mail server that hands replies over: the standard library's LMTP, beside the event loop."""

import asyncio
import smtplib
from email.message import EmailMessage
from email.policy import SMTP

SENDER = "somebody@example.net"
A_CONNECTION = 500
"""Mails that are handed over by one connection; the site takes no more than 1,000 by one."""


def written(to, text, message_id=None, **headers):
    """A reply as a mail program writes it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = SENDER, to, "Re: your move"
    if message_id:
        mail["Message-ID"] = message_id
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail.as_bytes(policy=SMTP)


def _hand_over(port, to, content, sender):
    with smtplib.LMTP("127.0.0.1", port, timeout=30) as client:
        client.ehlo("mail.test")
        code, said = client.mail(sender)
        if code < 400:
            code, said = client.rcpt(to)
        if code < 400:
            code, said = client.data(content)
        return f"{code} {said.decode()}"


def _hand_over_many(port, to, content, number):
    codes = []
    for begun in range(0, number, A_CONNECTION):
        with smtplib.LMTP("127.0.0.1", port, timeout=30) as client:
            client.ehlo("mail.test")
            for _ in range(min(A_CONNECTION, number - begun)):
                client.mail(SENDER)
                client.rcpt(to)
                codes.append(client.data(content)[0])
    return codes


async def hand_over_many(port, to, content, number):
    """Hands the same mail over so often, one after the other; returns the codes of the answers."""
    return await asyncio.to_thread(_hand_over_many, port, to, content, number)


async def hand_over(port, to, content, sender=SENDER):
    """Hands a mail over; returns the answer that decides what becomes of it."""
    return await asyncio.to_thread(_hand_over, port, to, content, sender)


async def reply(port, mail, text, **headers):
    """Answers `mail`, as whoever got it would."""
    return await hand_over(port, mail["Reply-To"], written(mail["Reply-To"], text, **headers))
