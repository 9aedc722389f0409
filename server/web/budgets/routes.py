"""The budget of every route, in one place: which limits a request is charged to, how large its body may be, and whether
it is heavy work.

The server does not start if a route is missing here. Knows no handler.
"""

from collections.abc import Mapping
from typing import Final

from server.web.budgets.limits import Budget

JSON: Final = 16_384
"""Bytes of the largest form that a page sends, a line of 600 half-moves, and some to spare."""
FIELDS: Final = 4_096
LINE: Final = 24_576
"""As many half-moves as a game can have."""
PGN: Final = 65_536
FILE: Final = 1_000_000
UPLOAD: Final = FILE + 4_096
"""A file and what the form adds to it."""

PAGE: Final = Budget()
OWN: Final = Budget(heavy=True)
"""A page that is rendered for its reader."""
KEPT: Final = Budget("files")
"""The same for everybody, and rendered once: browsers ask for all of it at a time, to have it offline."""
GAME: Final = Budget("reads", game=True, heavy=True)
LIST: Final = Budget("reads", heavy=True)
SEARCH: Final = Budget("searches", heavy=True)
PICTURE: Final = Budget("reads", "", embedded=True)
FORM: Final = Budget(body=FIELDS)
MAKE: Final = Budget(session="create", body=JSON)
ANSWER: Final = Budget(session="join", body=JSON, game=True)
IMPORT: Final = Budget("imports", body=FILE)
BOT_READS: Final = Budget("bots_by_address", "")
BOT: Final = Budget("bots_by_address", "", body=FIELDS, from_anywhere=True)
"""Who calls is found by a token, never by a cookie, so it may come from anywhere."""
SOCKET: Final = Budget("handshakes_by_address", "handshakes", game=True)

BUDGETS: Final[Mapping[str, Budget]] = {
    "GET /": OWN,
    "GET /{game}": GAME,
    "GET /watch": PAGE,
    "GET /watch/{variant}": PAGE,
    "GET /rules": PAGE,
    "GET /rules.txt": PAGE,
    "GET /rules/{variant}": PAGE,
    "GET /rules/{variant}.txt": PAGE,
    "GET /variants/{variant}": PAGE,
    "GET /games": SEARCH,
    "GET /games/mine": LIST,
    "POST /games/mine/vacation": FORM,
    "POST /games/mine/vacation/end": FORM,
    "GET /import": OWN,
    "POST /import": Budget("imports", body=UPLOAD),
    "GET /computer": OWN,
    "POST /computer": Budget(session="create", body=FIELDS),
    "GET /computer/offline": KEPT,
    "GET /computer/offline.json": KEPT,
    "GET /computer/offline/{variant}": KEPT,
    "GET /analysis": PAGE,
    "GET /analysis/{variant}": OWN,
    "GET /studies": OWN,
    "GET /study/{study}": OWN,
    "GET /study/{study}/{chapter}": OWN,
    "GET /puzzles": OWN,
    "GET /puzzles/{variant}": OWN,
    "GET /players": LIST,
    "GET /online": LIST,
    "GET /@/{name}": LIST,
    "GET /protocol": PAGE,
    "GET /api": PAGE,
    # Accounts.
    "GET /register": OWN,
    "POST /register": FORM,
    "GET /sign-in": OWN,
    "POST /sign-in": Budget("sign_ins_by_address", body=FIELDS),
    "POST /sign-out": FORM,
    "GET /account": OWN,
    "GET /account/export": Budget(session="exports", heavy=True),
    "POST /account/password": FORM,
    "POST /account/games": FORM,
    "POST /account/ties": FORM,
    "POST /account/listing": FORM,
    "GET /report": LIST,
    "POST /report": Budget("reads", body=JSON),
    "POST /@/{name}/{change}": Budget("ties_by_address", body=FIELDS),
    "GET /account/tokens": OWN,
    "POST /account/tokens": FORM,
    "POST /account/tokens/revoke": FORM,
    "POST /account/sign-out-everywhere": FORM,
    "POST /account/delete": FORM,
    # Mail.
    "POST /account/notifications": FORM,
    "POST /account/mail": FORM,
    "POST /account/mail/wishes": FORM,
    "POST /account/mail/remove": FORM,
    "GET /mail/confirm": OWN,
    "POST /mail/confirm": FORM,
    "GET /forgotten": OWN,
    "POST /forgotten": Budget("recoveries_by_address", body=FIELDS),
    "GET /mail/password": OWN,
    "POST /mail/password": Budget("sign_ins_by_address", body=FIELDS),
    "GET /mail/unsubscribe/{token}": OWN,
    "GET /mail/never/{token}": OWN,
    "POST /mail/never/{token}": Budget(session="", body=FIELDS, from_anywhere=True),
    "POST /mail/unsubscribe/{token}": Budget(session="", body=FIELDS, from_anywhere=True),
    # Sockets.
    "GET /ws": SOCKET,
    "GET /ws/lobby": SOCKET,
    "GET /ws/watch": SOCKET,
    # What pages and other programs ask for.
    "GET /api/seeks": Budget("reads"),
    "POST /api/seeks": Budget("seeks_by_address", "create", body=JSON),
    "POST /api/seeks/{seek}/accept": ANSWER,
    "DELETE /api/seeks/{seek}": ANSWER,
    "POST /api/games": MAKE,
    "GET /api/games": SEARCH,
    "GET /api/games.pgn": Budget("exports"),
    "POST /api/import": IMPORT,
    "GET /api/games/{game}": GAME,
    "GET /api/games/{game}.pgn": GAME,
    "POST /api/games/{game}/join": ANSWER,
    "POST /api/games/{game}/offline": Budget(session="join", body=LINE),
    "POST /api/games/{game}/qr": ANSWER,
    "POST /api/games/{game}/mail": ANSWER,
    "POST /api/games/{game}/refuse": ANSWER,
    "POST /api/guest": Budget(body=JSON),
    "GET /api/online": LIST,
    "GET /api/now": LIST,
    "GET /api/me": PAGE,
    "GET /api/me/games": LIST,
    "GET /api/me/challenges": LIST,
    "GET /api/me/lessons": PAGE,
    "POST /api/lessons/{lesson}/{step}": Budget(body=FIELDS),
    "POST /api/puzzles": Budget("reads", body=JSON),
    "GET /api/puzzles/{puzzle}": Budget("reads"),
    "POST /api/puzzles/{puzzle}": Budget(body=FIELDS),
    "POST /api/puzzles/{puzzle}/solution": Budget(body=FIELDS),
    "GET /api/me/vacation": PAGE,
    "POST /api/me/vacation": Budget(body=JSON),
    "DELETE /api/me/vacation": PAGE,
    "GET /api/variants/{variant}": KEPT,
    "POST /api/variants/{variant}/line": Budget(body=JSON),
    "POST /api/analysis/pgn": Budget(body=PGN),
    "GET /api/studies": PAGE,
    "POST /api/studies": Budget(body=PGN),
    "GET /api/studies/{study}": PAGE,
    "POST /api/studies/{study}": Budget(body=FIELDS),
    "DELETE /api/studies/{study}": PAGE,
    "POST /api/studies/{study}/copy": Budget("exports"),
    "GET /api/studies/{study}.pgn": Budget("reads"),
    "POST /api/studies/{study}/chapters": Budget(body=PGN),
    "GET /api/studies/{study}/chapters/{chapter}": PAGE,
    "POST /api/studies/{study}/chapters/{chapter}": Budget(body=PGN),
    "DELETE /api/studies/{study}/chapters/{chapter}": PAGE,
    "GET /api/studies/{study}/chapters/{chapter}.pgn": Budget("reads"),
    "GET /api/alerts": PAGE,
    "POST /api/alerts": Budget("alerts_by_address", "create", body=JSON),
    "DELETE /api/alerts/{alert}": PAGE,
    "POST /api/push": MAKE,
    "GET /api/protocol": PAGE,
    "GET /api/explorer/{variant}": Budget("explored"),
    "GET /api/openapi.json": PAGE,
    # The Bot API.
    "GET /api/account": BOT_READS,
    "GET /api/account/playing": BOT_READS,
    "GET /api/user/{name}": BOT_READS,
    "GET /api/users/status": BOT_READS,
    "POST /api/token/test": BOT,
    "GET /api/bot/online": BOT_READS,
    "POST /api/bot/account/upgrade": BOT,
    "GET /api/stream/event": BOT_READS,
    "GET /api/bot/game/stream/{game}": BOT_READS,
    "POST /api/bot/game/{game}/move/{uci}": BOT,
    "POST /api/bot/game/{game}/chat": BOT,
    "POST /api/bot/game/{game}/abort": BOT,
    "POST /api/bot/game/{game}/resign": BOT,
    "POST /api/bot/game/{game}/claim-victory": BOT,
    "POST /api/bot/game/{game}/claim-draw": BOT,
    "POST /api/bot/game/{game}/draw/{answer}": BOT,
    "POST /api/bot/game/{game}/takeback/{answer}": BOT,
    "POST /api/bot/seek/{seek}/take": BOT,
    "GET /api/challenge": BOT_READS,
    "GET /api/challenge/{game}/show": BOT_READS,
    "POST /api/challenge/{game}/accept": BOT,
    "POST /api/challenge/{game}/decline": BOT,
    "POST /api/challenge/{game}/cancel": BOT,
    "POST /api/challenge/{name}": BOT,
    "GET /game/export/{game}": BOT_READS,
    # What browsers and hosts need besides.
    "GET /static": Budget("files", "", game=True),
    "GET /settings": OWN,
    "POST /settings": FORM,
    "POST /language": FORM,
    "GET /sw.js": PAGE,
    "GET /app.webmanifest": PAGE,
    "GET /offline": PAGE,
    "GET /health": Budget("probes", ""),
    "GET /ready": Budget("probes", ""),
    # Pictures.
    "GET /card.png": PICTURE,
    "GET /icon-{size}.png": PICTURE,
    "GET /favicon.ico": PAGE,
    "GET /{game}.txt": GAME,
    "GET /{game}/board.svg": PICTURE,
    "GET /{game}/board.png": PICTURE,
    "GET /{game}/replay.svg": PICTURE,
    "GET /{game}/replay.gif": PICTURE,
    "GET /{game}/card.png": PICTURE,
    "GET /api/variants/{variant}/board.svg": PICTURE,
    "GET /api/variants/{variant}/board.png": PICTURE,
    "GET /api/variants/{variant}/card.png": PICTURE,
}
"""By method and route; HEAD is charged like GET."""
