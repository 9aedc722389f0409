"""A site with mail: `mailing` runs what is sent, `replying` what is taken.

Only wires the two up: what mails say is in `web.notifications` and `server.mail`, their pages in `web.accounts`.
"""
