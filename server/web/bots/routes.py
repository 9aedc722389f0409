"""Every URL of the Bot API, by the paths that lichess gave them."""

from aiohttp import web

from server.web.bots import account_api, challenge_api, event_stream, export, game_commands, game_stream, seeks
from server.web.budgets.routes import BOT, BOT_READS

GAME = "{game:[0-9A-Za-z]{10}}"
OF_GAME = f"/api/bot/game/{GAME}"

BOT_API = (
    (web.get("/api/account", account_api.account), BOT_READS),
    (web.get("/api/account/playing", account_api.playing), BOT_READS),
    (web.get("/api/user/{name}", account_api.user), BOT_READS),
    (web.get("/api/users/status", account_api.statuses), BOT_READS),
    (web.post("/api/token/test", account_api.test_tokens), BOT),
    (web.get("/api/bot/online", account_api.online), BOT_READS),
    (web.post("/api/bot/account/upgrade", account_api.upgrade), BOT),
    (web.get("/api/stream/event", event_stream.event_stream, allow_head=False), BOT_READS),
    (web.get(f"/api/bot/game/stream/{GAME}", game_stream.game_stream, allow_head=False), BOT_READS),
    (web.post(OF_GAME + "/move/{uci:[0-9A-Za-z@+=-]+}", game_commands.move), BOT),
    (web.post(OF_GAME + "/chat", game_commands.chat), BOT),
    (web.post(OF_GAME + "/abort", game_commands.abort), BOT),
    (web.post(OF_GAME + "/resign", game_commands.resign), BOT),
    (web.post(OF_GAME + "/claim-victory", game_commands.claim_victory), BOT),
    (web.post(OF_GAME + "/claim-draw", game_commands.claim_draw), BOT),
    (web.post(OF_GAME + "/draw/{answer:[a-z]+}", game_commands.draw), BOT),
    (web.post(OF_GAME + "/takeback/{answer:[a-z]+}", game_commands.takeback), BOT),
    (web.post("/api/bot/seek/{seek:[0-9A-Za-z]{10}}/take", seeks.take_seek), BOT),
    (web.get("/api/challenge", challenge_api.challenges), BOT_READS),
    (web.get(f"/api/challenge/{GAME}/show", challenge_api.show), BOT_READS),
    (web.post(f"/api/challenge/{GAME}/accept", challenge_api.accept), BOT),
    (web.post(f"/api/challenge/{GAME}/decline", challenge_api.decline), BOT),
    (web.post(f"/api/challenge/{GAME}/cancel", challenge_api.cancel), BOT),
    (web.post("/api/challenge/{name}", challenge_api.challenge), BOT),
    (web.get(f"/game/export/{GAME}", export.export_game), BOT_READS),
)
