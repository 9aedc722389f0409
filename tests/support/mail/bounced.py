"""Reports of other mail servers about mails (RFC 3464), as some of them write them."""

from email.policy import SMTP

POSTFIX = """\
From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"
Message-ID: <{mail}@mail.example.net>

This is a MIME-encapsulated message.

--=_b
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--=_b
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net
X-Postfix-Queue-ID: 4F7B21
Arrival-Date: Mon, 23 Nov 2026 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; anna@example.org
Original-Recipient: rfc822;anna@example.org
Action: {action}
Status: {status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; 550 {status} no

--=_b
Content-Description: Undelivered Message
Content-Type: message/rfc822

From: games@chess.example.org
To: anna@example.org
Subject: Chess against Ben: your move

Action: failed
Status: 5.1.1
--=_b--
"""


def report(to="bounce@example.org", status="5.1.1", action="failed", mail="r1"):
    """As postfix writes it. `mail` tells several apart."""
    text = POSTFIX.format(to=to, status=status, action=action, mail=mail)
    return text.replace("\n", SMTP.linesep).encode()
