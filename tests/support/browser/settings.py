"""The settings page in a test: another tab that shows it, and choices on it that the server has kept."""

STYLE = "(each, name) => getComputedStyle(each)[name]"
KEPT = "Kept in this browser"


async def settings(person, path="/settings"):
    """Another tab of the same browser."""
    tab = await person.context.new_page()
    tab.on("pageerror", lambda error: person.problems.append(str(error)))
    await tab.goto(f"{person.site}{path}")
    return tab


async def pick(tab, name, value):
    async with tab.expect_response(lambda answer: answer.url.endswith("/settings")) as sent:
        await tab.locator(f"[name={name}][value='{value}']").check(force=True)
    assert (await sent.value).status == 204


async def switch(tab, name):
    async with tab.expect_response(lambda answer: answer.url.endswith("/settings")) as sent:
        await tab.locator(f".switch[name={name}]").click()
    assert (await sent.value).status == 204
