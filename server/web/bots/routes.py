"""Every URL of the Bot API, by the paths that lichess gave them."""

from aiohttp import web

from server.web.bots import account_api, challenge_api, event_stream, export, game_commands, game_stream, seeks

GAME = "{game:[0-9A-Za-z]{10}}"
OF_GAME = f"/api/bot/game/{GAME}"

BOT_API = (
    web.get("/api/account", account_api.account),
    web.get("/api/account/playing", account_api.playing),
    web.get("/api/user/{name}", account_api.user),
    web.get("/api/users/status", account_api.statuses),
    web.post("/api/token/test", account_api.test_tokens),
    web.get("/api/bot/online", account_api.online),
    web.post("/api/bot/account/upgrade", account_api.upgrade),
    web.get("/api/stream/event", event_stream.event_stream, allow_head=False),
    web.get(f"/api/bot/game/stream/{GAME}", game_stream.game_stream, allow_head=False),
    web.post(OF_GAME + "/move/{uci:[0-9A-Za-z@+=-]+}", game_commands.move),
    web.post(OF_GAME + "/chat", game_commands.chat),
    web.post(OF_GAME + "/abort", game_commands.abort),
    web.post(OF_GAME + "/resign", game_commands.resign),
    web.post(OF_GAME + "/claim-victory", game_commands.claim_victory),
    web.post(OF_GAME + "/claim-draw", game_commands.claim_draw),
    web.post(OF_GAME + "/draw/{answer:[a-z]+}", game_commands.draw),
    web.post(OF_GAME + "/takeback/{answer:[a-z]+}", game_commands.takeback),
    web.post("/api/bot/seek/{seek:[0-9A-Za-z]{10}}/take", seeks.take_seek),
    web.get("/api/challenge", challenge_api.challenges),
    web.get(f"/api/challenge/{GAME}/show", challenge_api.show),
    web.post(f"/api/challenge/{GAME}/accept", challenge_api.accept),
    web.post(f"/api/challenge/{GAME}/decline", challenge_api.decline),
    web.post(f"/api/challenge/{GAME}/cancel", challenge_api.cancel),
    web.post("/api/challenge/{name}", challenge_api.challenge),
    web.get(f"/game/export/{GAME}", export.export_game),
)
