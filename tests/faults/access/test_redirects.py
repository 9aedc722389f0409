"""Nobody is led to another site by a link or a form of this one (A11)."""

import pytest

from tests.support.web.accounts import PASSWORD, go, register, sign_in, sign_out

HOSTS = ("evil.example", "evil.example/path", "localhost:8080@evil.example", "localhost:8080.evil.example")
STARTS = (
    "//",
    "///",
    "////",
    "/\\",
    "\\\\",
    "/\t/",
    "/\n/",
    "/%09/",
    "/%2f",
    "/%2f%2f",
    "/%5c",
    "/.//",
    "/./\\",
    "/;//",
)
SCHEMES = (
    "http://",
    "https://",
    "HTTPS:",
    "http:",
    "ftp://",
    "javascript:alert(1)//",
    "data:text/html,",
    "blob:",
    "\x00//",
)
PAYLOADS = (
    [f"{start}{HOSTS[0]}" for start in (*STARTS, *SCHEMES)]
    + [
        f"{start}{host}"
        for start in ("//", "/\\", "https://", "http:\\\\", "/%2f/", "/\u2215/", "/\uff0f", "\u2028//", " //", "@")
        for host in HOSTS[1:]
    ]
    + ["/\r\nLocation: https://evil.example", "/a\r\nSet-Cookie: sid=1", "/..//evil.example"]
)


@pytest.mark.row("A11")
@pytest.mark.usefixtures("unlimited")
async def test_no_redirect_leaves_the_site(anna, ben, visitor, counted):
    assert len(PAYLOADS) >= 55
    await register(anna, "Anna")
    for number, payload in enumerate(PAYLOADS):
        for answer in (
            await go(ben, "/sign-in", name="Anna", password=PASSWORD, next=payload),
            await go(ben, "/register", name=f"New{number:03}", password=PASSWORD, next=payload),
            await go(ben, "/language", language="es", next=payload),
        ):
            assert is_here(answer), (payload, answer)
        for path in ("/sign-in", "/register"):
            async with ben.http.get(path, params={"next": payload}, allow_redirects=False) as page:
                assert 'name="next" value=""' in await page.text(), payload
    counted("payloads in five places", len(PAYLOADS))


def is_here(answer):
    """A refusal, or a path whose second sign makes it no other site's."""
    if isinstance(answer, tuple):
        return answer[0] == 400
    return answer.startswith("/") and not answer.startswith(("//", "/\\")) and answer.isprintable()


@pytest.mark.row("A11")
@pytest.mark.usefixtures("unlimited")
async def test_no_header_of_a_request_decides_a_redirect(anna, counted):
    await register(anna, "Anna")
    for header in ("Referer", "X-Forwarded-Host", "X-Original-URL", "X-Rewrite-URL", "Forwarded"):
        for path in ("/sign-out", "/sign-in", "/language"):
            fields = {"name": "Anna", "password": PASSWORD} if path == "/sign-in" else {}
            fields = {"language": "en"} if path == "/language" else fields
            headers = {header: "https://evil.example/"}
            async with anna.http.post(path, data=fields, headers=headers, allow_redirects=False) as answer:
                assert answer.headers["Location"] == "/"
    await sign_out(anna)
    assert await sign_in(anna, "Anna") == "/"
    counted("requests", 15)
