"""Every URL of the site, on one page."""

from aiohttp import web

from server.web import api, languages, sockets
from server.web.accounts import account_pages, mail_invitations, mail_pages, vacations
from server.web.analysis import judging
from server.web.analysis import pages as analysis
from server.web.archive import explorer, import_pages
from server.web.archive import pages as archive_pages
from server.web.assets import Assets
from server.web.bots import token_pages
from server.web.bots.routes import BOT_API
from server.web.lessons import handlers as lessons
from server.web.lobby import against_computer, challenges, offline_games, qr, seeks, site_now, your_games
from server.web.notifications import handlers as notifications
from server.web.openapi import handlers as openapi
from server.web.operation import health
from server.web.pages import home, installing, offline, pages, settings, watch
from server.web.people import online_pages, players, profiles, reports, ties
from server.web.pictures import game_pictures, text_board, variant_pictures
from server.web.puzzles import handlers as puzzles
from server.web.puzzles import pages as puzzle_pages
from server.web.rendering.built_files import BuiltFiles
from server.web.rules_pages import handlers as rules_pages
from server.web.studies.routes import STUDIES

GAME = "{game:[0-9A-Za-z]{10}}"

PAGES = (
    web.get("/", home.home),
    web.get(f"/{GAME}", pages.play_page),
    web.get("/watch", watch.watch_all),
    web.get("/watch/{variant}", watch.watch_variant),
    web.get("/rules", rules_pages.index),
    web.get("/rules.txt", rules_pages.index_as_text),
    web.get("/rules/{variant}.txt", rules_pages.rules_as_text),
    web.get("/rules/{variant}", rules_pages.rules_of_variant),
    web.get("/variants/{variant}", rules_pages.old_address),
    web.get("/games", archive_pages.games_page),
    web.get("/games/mine", your_games.mine_page),
    web.get("/import", import_pages.import_page),
    web.post("/import", import_pages.import_form),
    web.get("/computer", against_computer.computer_page),
    web.post("/computer", against_computer.play_computer),
    web.get("/computer/offline", offline.chooser),
    web.get("/computer/offline.json", offline.kept_list),
    web.get("/computer/offline/{variant}", offline.board),
    web.get("/analysis", analysis.chooser),
    web.get("/analysis/{variant}", analysis.analysis_page),
    web.get("/puzzles", puzzle_pages.index),
    web.get("/puzzles/{variant}", puzzle_pages.puzzles_of_form),
    web.get("/players", players.players_page),
    web.get("/online", online_pages.online_page),
    web.get("/@/{name}", profiles.profile_page),
    web.get("/protocol", pages.protocol_page),
    web.get("/api", openapi.api_page),
)
"""What people read."""
ACCOUNTS = (
    web.get("/register", account_pages.register_page),
    web.post("/register", account_pages.register),
    web.get("/sign-in", account_pages.sign_in_page),
    web.post("/sign-in", account_pages.sign_in),
    web.post("/sign-out", account_pages.sign_out),
    web.get("/account", account_pages.account_page),
    web.get("/account/export", account_pages.export),
    web.post("/account/password", account_pages.change_password),
    web.post("/account/notifications", account_pages.choose_notification_settings),
    web.post("/account/games", account_pages.choose_flagging),
    web.post("/account/ties", ties.end_tie),
    web.post("/account/listing", online_pages.choose_listing),
    web.get("/report", reports.report_page),
    web.post("/report", reports.report),
    web.post(f"/@/{{name}}/{ties.CHANGE}", ties.change_tie),
    web.get("/account/tokens", token_pages.tokens_page),
    web.post("/account/tokens", token_pages.make_token),
    web.post("/account/tokens/revoke", token_pages.revoke_token),
    web.post("/account/sign-out-everywhere", account_pages.sign_out_everywhere),
    web.post("/account/delete", account_pages.delete),
)
"""Accounts: register, sign in, manage, delete; whom one follows and has blocked; telling the host."""
SOCKETS = (
    web.get("/ws", sockets.game_socket, allow_head=False),
    web.get("/ws/lobby", sockets.lobby_socket, allow_head=False),
    web.get("/ws/watch", sockets.tv_socket, allow_head=False),
)
"""Sockets."""
API = (
    web.get("/api/seeks", seeks.read_seeks),
    web.post("/api/seeks", seeks.make_seek),
    web.post("/api/seeks/{seek:[0-9A-Za-z]{10}}/accept", seeks.take_seek),
    web.delete("/api/seeks/{seek:[0-9A-Za-z]{10}}", seeks.withdraw_seek),
    web.post("/api/games", api.create_game),
    web.get("/api/games", archive_pages.find_games),
    web.get("/api/games.pgn", archive_pages.all_pgn),
    web.post("/api/import", import_pages.import_games),
    web.get(f"/api/games/{GAME}", api.read_game),
    web.get(f"/api/games/{GAME}.pgn", api.read_pgn),
    web.post(f"/api/games/{GAME}/join", api.join_game),
    web.post(f"/api/games/{GAME}/offline", offline_games.bring),
    web.post(f"/api/games/{GAME}/qr", qr.draw_qr),
    web.post(f"/api/games/{GAME}/refuse", challenges.refuse),
    web.post("/api/guest", api.become_guest),
    web.get("/api/online", online_pages.read_online),
    web.get("/api/now", site_now.site_now),
    web.get("/api/me", api.read_me),
    web.get("/api/me/games", your_games.mine_json),
    web.get("/api/me/challenges", challenges.mine_json),
    web.get("/api/me/lessons", lessons.own_progress),
    web.post("/api/lessons/{lesson}/{step}", lessons.try_step),
    web.post("/api/puzzles", puzzles.next_puzzle),
    web.get("/api/puzzles/{puzzle}", puzzles.read_puzzle),
    web.post("/api/puzzles/{puzzle}", puzzles.try_puzzle),
    web.post("/api/puzzles/{puzzle}/solution", puzzles.show_solution),
    web.get("/api/variants/{variant}", api.read_variant),
    web.post("/api/variants/{variant}/line", judging.try_line),
    web.post("/api/analysis/pgn", judging.try_pgn),
    web.get("/api/alerts", notifications.read_alerts),
    web.post("/api/alerts", notifications.add_alert),
    web.delete("/api/alerts/{alert}", notifications.end_alert),
    web.post("/api/push", notifications.add_device),
    web.get("/api/protocol", api.read_protocol),
    web.get("/api/explorer/{variant}", explorer.explore),
    web.get("/api/openapi.json", openapi.read_document),
)
"""The API for our own pages and other programs."""
AROUND = (
    web.get("/settings", settings.settings_page),
    web.post("/settings", settings.change),
    web.post("/language", languages.choose),
    web.get("/sw.js", notifications.service_worker),
    web.get("/app.webmanifest", installing.manifest),
    web.get("/offline", offline.offline),
    web.get("/health", health.health),
    web.get("/ready", health.ready),
)
"""What else browsers and hosts need."""
PICTURES = (
    web.get("/card.png", variant_pictures.site_card),
    web.get("/icon-{size:180|192|512}.png", installing.icon),
    web.get("/favicon.ico", installing.favicon),
    web.get(f"/{GAME}.txt", text_board.game_as_text),
    web.get(f"/{GAME}/board.svg", game_pictures.board),
    web.get(f"/{GAME}/board.png", game_pictures.board),
    web.get(f"/{GAME}/replay.svg", game_pictures.replay),
    web.get(f"/{GAME}/replay.gif", game_pictures.replay_as_gif),
    web.get(f"/{GAME}/card.png", game_pictures.card),
    web.get("/api/variants/{variant}/board.svg", variant_pictures.board_as_svg),
    web.get("/api/variants/{variant}/board.png", variant_pictures.board_as_png),
    web.get("/api/variants/{variant}/card.png", variant_pictures.card),
)
"""Only a site with a built client has drawings, and so pictures."""
MAIL = (
    web.post("/account/mail", mail_pages.add_address),
    web.post("/account/mail/wishes", mail_pages.choose_wishes),
    web.post("/account/mail/remove", mail_pages.remove_address),
    web.get("/mail/confirm", mail_pages.confirm_page),
    web.post("/mail/confirm", mail_pages.confirm),
    web.get("/forgotten", mail_pages.forgotten_page),
    web.post("/forgotten", mail_pages.forgotten),
    web.get("/mail/password", mail_pages.password_page),
    web.post("/mail/password", mail_pages.set_password),
    web.get("/mail/unsubscribe/{token}", mail_pages.unsubscribe_page),
    web.post("/mail/unsubscribe/{token}", mail_pages.unsubscribe),
    web.get("/mail/never/{token}", mail_pages.never_page),
    web.post("/mail/never/{token}", mail_pages.never),
    web.post(f"/api/games/{GAME}/mail", mail_invitations.invite),
)
"""Only a site whose host has set a mail server has mail."""


VACATIONS = (
    web.post("/games/mine/vacation", vacations.take_by_form),
    web.post("/games/mine/vacation/end", vacations.end_by_form),
    web.get("/api/me/vacation", vacations.read_vacation),
    web.post("/api/me/vacation", vacations.take_vacation),
    web.delete("/api/me/vacation", vacations.end_vacation),
)
"""Unless the host has switched vacations off."""


def add_routes(app: web.Application, assets: Assets) -> None:
    """Adds all routes but those of pictures, vacations and mail."""
    app.add_routes((*PAGES, *ACCOUNTS, *SOCKETS, *API, *BOT_API, *STUDIES, *AROUND))
    if assets.static.is_dir():
        app.router.register_resource(BuiltFiles("/static", assets.static, assets.names.values()))


def add_picture_routes(app: web.Application) -> None:
    """Adds the addresses of pictures."""
    app.add_routes(PICTURES)


def add_vacation_routes(app: web.Application) -> None:
    """Adds those of vacations."""
    app.add_routes(VACATIONS)


def add_mail_routes(app: web.Application) -> None:
    """Adds those of mail."""
    app.add_routes(MAIL)
