"""Programs with which people answer mails: swaks and mutt, each handing a mail to a mail server by SMTP."""

import asyncio
import shutil

import pytest

from tests.support.mail.postfix import OTHER_MACHINE

needs_mail_programs = pytest.mark.skipif(
    not all(map(shutil.which, ("swaks", "mutt"))),
    reason="no swaks or no mutt on the PATH: replies of real mail programs are NOT tested; install swaks and mutt",
)


async def _run(*command, written):
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate(written.encode())
    return process.returncode, said.decode(errors="replace")


def _headers(sender, mail, to=None):
    """Those of an answer to `mail`, as every mail program writes them."""
    return (
        f"From: {sender}\nTo: {to or mail['Reply-To']}\nSubject: Re: {mail['Subject']}\n"
        f"In-Reply-To: {mail['Message-ID']}\nReferences: {mail['Message-ID']}\n"
    )


def _quoted(mail):
    text = mail.get_body(("plain",)).get_content()
    return "\n".join(f"> {line}" for line in text.splitlines())


async def answer_by_swaks(port, sender, mail, text, to=None):
    """Sends an answer from another machine; returns the exit code and what the mail server said."""
    whole = f"{_headers(sender, mail)}Message-ID: <{id(mail)}-{hash(text)}@laptop.test>\n\n{text}\n"
    places = ("--server", "127.0.0.1", "--port", str(port), "--local-interface", OTHER_MACHINE)
    people = ("--from", sender, "--to", to or mail["Reply-To"])
    return await _run("swaks", *places, *people, "--data", "-", written=whole)


async def answer_by_mutt(folder, port, sender, mail, text, to=None):
    """Sends an answer above all of the mail, quoted."""
    (folder / "muttrc").write_text(
        f'set from="{sender}" realname="" hostname="laptop.test" folder="{folder}" header_cache="" copy=no\n'
        f'set smtp_url="smtp://127.0.0.1:{port}/" ssl_starttls=no ssl_force_tls=no\n'
    )
    draft = f"{_headers(sender, mail, to)}\n{text}\n\nOn Monday, somebody wrote:\n{_quoted(mail)}\n"
    return await _run("mutt", "-F", str(folder / "muttrc"), "-H", "-", written=draft)
