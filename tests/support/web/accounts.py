"""What people with accounts do in tests, by the forms that the pages send."""

PASSWORD = "a good long one"


def token_of(person):
    """What the browser's cookie holds."""
    return next(cookie.value for cookie in person.http.cookie_jar if cookie.key == "sid")


async def go(person, path, /, **fields):
    """Sends a form. Where it leads, or the status and the page of a refusal."""
    async with person.http.post(path, data=fields, allow_redirects=False) as answer:
        return answer.headers["Location"] if answer.status == 303 else (answer.status, await answer.text())


async def page_of(person, path="/account"):
    """Its text, or where it leads."""
    async with person.http.get(path, allow_redirects=False) as answer:
        return answer.headers.get("Location") or await answer.text()


async def register(person, name, password=PASSWORD):
    """Where it leads, or the status of the refusal."""
    return place_or_status(await go(person, "/register", name=name, password=password))


async def sign_in(person, name, password=PASSWORD, **more):
    """Where it leads, or the status of the refusal."""
    return place_or_status(await go(person, "/sign-in", name=name, password=password, **more))


async def sign_out(person):
    return await go(person, "/sign-out")


def place_or_status(answer):
    return answer if isinstance(answer, str) else answer[0]
