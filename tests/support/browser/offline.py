"""Somebody whose browser has lost its connection, and the games that it keeps meanwhile."""

import re

KEPT = """async () => {
    const isWhole = async name => !!(await (await caches.open(name)).match('/computer/offline.json'));
    for (;;) {
        const names = (await caches.keys()).filter(name => name.startsWith('computer-'));
        if ((await Promise.all(names.map(isWhole))).includes(true)) return;
        await new Promise(again => setTimeout(again, 50));
    }
}"""
"""Returns once the browser keeps all that a game offline needs."""

GAMES = """act => new Promise((resolve, reject) => {
    const opened = indexedDB.open('fairyhouse', 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore('offline-games', { keyPath: 'id' });
    opened.onsuccess = () => {
        const transaction = opened.result.transaction('offline-games', act ? 'readwrite' : 'readonly');
        const games = transaction.objectStore('offline-games');
        const all = games.getAll();
        all.onsuccess = () => { if (act) for (const one of all.result) games.put({ ...one, ...act }); };
        transaction.oncomplete = () => { opened.result.close(); resolve(all.result); };
    };
})"""
"""The games as they are kept; with an argument, that of each is changed."""

SENT = f"""async () => {{
    while ((await ({GAMES})()).length) await new Promise(again => setTimeout(again, 50));
}}"""
"""Returns once the browser keeps no game any more."""

BOARD = re.compile(r"/computer/offline/(\w+)\?game=([0-9A-Za-z]{10})$")
LOST = re.compile(r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch")
"""What the browser itself says of a request while offline, and of one that a worker cannot answer for that reason."""


async def ready_to_leave(seat, **settings):
    """Somebody whose browser keeps what the computer needs, while there is still a connection."""
    person = await seat(service_workers="allow", **settings)
    await person.page.goto(f"{person.site}/computer")
    await person.page.evaluate(KEPT)
    return person


async def offline_player(seat, **settings):
    person = await ready_to_leave(seat, **settings)
    await go_offline(person)
    return person


async def go_offline(person):
    await person.context.set_offline(True)


async def go_online(person):
    person.problems = [one for one in person.problems if not LOST.search(one)]
    await person.context.set_offline(False)


async def opened_anew(person, address):
    """The page is closed, and another one opened."""
    await person.page.close()
    person.page = await person.context.new_page()
    await person.page.goto(address)
