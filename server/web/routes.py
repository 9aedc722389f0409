"""Every URL of the site but those of studies and of the Bot API, and what a request to it may cost."""

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
from server.web.budgets.limits import Budget
from server.web.budgets.routes import (
    ANSWER,
    BUILT,
    FIELDS,
    FORM,
    FROM_MAIL,
    IMPORT,
    JSON,
    KEPT,
    LINE,
    LIST,
    MAKE,
    OF_ROUTES,
    ONE_GAME,
    OWN,
    PAGE,
    PGN,
    PICTURE,
    SEARCH,
    SOCKET,
    UPLOAD,
    add_budgeted,
)
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
    (web.get("/", home.home), OWN),
    (web.get(f"/{GAME}", pages.play_page), ONE_GAME),
    (web.get("/watch", watch.watch_all), PAGE),
    (web.get("/watch/{variant}", watch.watch_variant), PAGE),
    (web.get("/rules", rules_pages.index), PAGE),
    (web.get("/rules.txt", rules_pages.index_as_text), PAGE),
    (web.get("/rules/{variant}.txt", rules_pages.rules_as_text), PAGE),
    (web.get("/rules/{variant}", rules_pages.rules_of_variant), PAGE),
    (web.get("/variants/{variant}", rules_pages.old_address), PAGE),
    (web.get("/games", archive_pages.games_page), SEARCH),
    (web.get("/games/mine", your_games.mine_page), LIST),
    (web.get("/import", import_pages.import_page), OWN),
    (web.post("/import", import_pages.import_form), Budget("imports", body=UPLOAD)),
    (web.get("/computer", against_computer.computer_page), OWN),
    (web.post("/computer", against_computer.play_computer), Budget(session="create", body=FIELDS)),
    (web.get("/computer/offline", offline.chooser), KEPT),
    (web.get("/computer/offline.json", offline.kept_list), KEPT),
    (web.get("/computer/offline/{variant}", offline.board), KEPT),
    (web.get("/analysis", analysis.chooser), PAGE),
    (web.get("/analysis/{variant}", analysis.analysis_page), OWN),
    (web.get("/puzzles", puzzle_pages.index), OWN),
    (web.get("/puzzles/{variant}", puzzle_pages.puzzles_of_form), OWN),
    (web.get("/players", players.players_page), LIST),
    (web.get("/online", online_pages.online_page), LIST),
    (web.get("/@/{name}", profiles.profile_page), LIST),
    (web.get("/protocol", pages.protocol_page), PAGE),
    (web.get("/api", openapi.api_page), PAGE),
)
"""What people read."""
ACCOUNTS = (
    (web.get("/register", account_pages.register_page), OWN),
    (web.post("/register", account_pages.register), FORM),
    (web.get("/sign-in", account_pages.sign_in_page), OWN),
    (web.post("/sign-in", account_pages.sign_in), Budget("sign_ins_by_address", body=FIELDS)),
    (web.post("/sign-out", account_pages.sign_out), FORM),
    (web.get("/account", account_pages.account_page), OWN),
    (web.get("/account/export", account_pages.export), Budget(session="exports", heavy=True)),
    (web.post("/account/password", account_pages.change_password), FORM),
    (web.post("/account/notifications", account_pages.choose_notification_settings), FORM),
    (web.post("/account/games", account_pages.choose_flagging), FORM),
    (web.post("/account/ties", ties.end_tie), FORM),
    (web.post("/account/listing", online_pages.choose_listing), FORM),
    (web.get("/report", reports.report_page), LIST),
    (web.post("/report", reports.report), Budget("reads", body=JSON)),
    (web.post(f"/@/{{name}}/{ties.CHANGE}", ties.change_tie), Budget("ties_by_address", body=FIELDS)),
    (web.get("/account/tokens", token_pages.tokens_page), OWN),
    (web.post("/account/tokens", token_pages.make_token), FORM),
    (web.post("/account/tokens/revoke", token_pages.revoke_token), FORM),
    (web.post("/account/sign-out-everywhere", account_pages.sign_out_everywhere), FORM),
    (web.post("/account/delete", account_pages.delete), FORM),
)
"""Accounts: register, sign in, manage, delete; whom one follows and has blocked; telling the host."""
SOCKETS = (
    (web.get("/ws", sockets.game_socket, allow_head=False), SOCKET),
    (web.get("/ws/lobby", sockets.lobby_socket, allow_head=False), SOCKET),
    (web.get("/ws/watch", sockets.tv_socket, allow_head=False), SOCKET),
)
"""Sockets."""
API = (
    (web.get("/api/seeks", seeks.read_seeks), Budget("reads")),
    (web.post("/api/seeks", seeks.make_seek), Budget("seeks_by_address", "create", body=JSON)),
    (web.post("/api/seeks/{seek:[0-9A-Za-z]{10}}/accept", seeks.take_seek), ANSWER),
    (web.delete("/api/seeks/{seek:[0-9A-Za-z]{10}}", seeks.withdraw_seek), ANSWER),
    (web.post("/api/games", api.create_game), MAKE),
    (web.get("/api/games", archive_pages.find_games), SEARCH),
    (web.get("/api/games.pgn", archive_pages.all_pgn), Budget("exports")),
    (web.post("/api/import", import_pages.import_games), IMPORT),
    (web.get(f"/api/games/{GAME}", api.read_game), ONE_GAME),
    (web.get(f"/api/games/{GAME}.pgn", api.read_pgn), ONE_GAME),
    (web.post(f"/api/games/{GAME}/join", api.join_game), ANSWER),
    (web.post(f"/api/games/{GAME}/offline", offline_games.bring), Budget(session="join", body=LINE)),
    (web.post(f"/api/games/{GAME}/qr", qr.draw_qr), ANSWER),
    (web.post(f"/api/games/{GAME}/refuse", challenges.refuse), ANSWER),
    (web.post("/api/guest", api.become_guest), Budget(body=JSON)),
    (web.get("/api/online", online_pages.read_online), LIST),
    (web.get("/api/now", site_now.site_now), LIST),
    (web.get("/api/me", api.read_me), PAGE),
    (web.get("/api/me/games", your_games.mine_json), LIST),
    (web.get("/api/me/challenges", challenges.mine_json), LIST),
    (web.get("/api/me/lessons", lessons.own_progress), PAGE),
    (web.post("/api/lessons/{lesson}/{step}", lessons.try_step), Budget(body=FIELDS)),
    (web.post("/api/puzzles", puzzles.next_puzzle), Budget("reads", body=JSON)),
    (web.get("/api/puzzles/{puzzle}", puzzles.read_puzzle), Budget("reads")),
    (web.post("/api/puzzles/{puzzle}", puzzles.try_puzzle), Budget(body=FIELDS)),
    (web.post("/api/puzzles/{puzzle}/solution", puzzles.show_solution), Budget(body=FIELDS)),
    (web.get("/api/variants/{variant}", api.read_variant), KEPT),
    (web.post("/api/variants/{variant}/line", judging.try_line), Budget(body=JSON)),
    (web.post("/api/analysis/pgn", judging.try_pgn), Budget(body=PGN)),
    (web.get("/api/alerts", notifications.read_alerts), PAGE),
    (web.post("/api/alerts", notifications.add_alert), Budget("alerts_by_address", "create", body=JSON)),
    (web.delete("/api/alerts/{alert}", notifications.end_alert), PAGE),
    (web.post("/api/push", notifications.add_device), MAKE),
    (web.get("/api/protocol", api.read_protocol), PAGE),
    (web.get("/api/explorer/{variant}", explorer.explore), Budget("explored")),
    (web.get("/api/openapi.json", openapi.read_document), PAGE),
)
"""The API for our own pages and other programs."""
AROUND = (
    (web.get("/settings", settings.settings_page), OWN),
    (web.post("/settings", settings.change), FORM),
    (web.post("/language", languages.choose), FORM),
    (web.get("/sw.js", notifications.service_worker), PAGE),
    (web.get("/app.webmanifest", installing.manifest), PAGE),
    (web.get("/offline", offline.offline), PAGE),
    (web.get("/health", health.health), Budget("probes", "")),
    (web.get("/ready", health.ready), Budget("probes", "")),
)
"""What else browsers and hosts need."""
PICTURES = (
    (web.get("/card.png", variant_pictures.site_card), PICTURE),
    (web.get("/icon-{size:180|192|512}.png", installing.icon), PICTURE),
    (web.get("/favicon.ico", installing.favicon), PAGE),
    (web.get(f"/{GAME}.txt", text_board.game_as_text), ONE_GAME),
    (web.get(f"/{GAME}/board.svg", game_pictures.board), PICTURE),
    (web.get(f"/{GAME}/board.png", game_pictures.board), PICTURE),
    (web.get(f"/{GAME}/replay.svg", game_pictures.replay), PICTURE),
    (web.get(f"/{GAME}/replay.gif", game_pictures.replay_as_gif), PICTURE),
    (web.get(f"/{GAME}/card.png", game_pictures.card), PICTURE),
    (web.get("/api/variants/{variant}/board.svg", variant_pictures.board_as_svg), PICTURE),
    (web.get("/api/variants/{variant}/board.png", variant_pictures.board_as_png), PICTURE),
    (web.get("/api/variants/{variant}/card.png", variant_pictures.card), PICTURE),
)
"""Only a site with a built client has drawings, and so pictures."""
MAIL = (
    (web.post("/account/mail", mail_pages.add_address), FORM),
    (web.post("/account/mail/wishes", mail_pages.choose_wishes), FORM),
    (web.post("/account/mail/remove", mail_pages.remove_address), FORM),
    (web.get("/mail/confirm", mail_pages.confirm_page), OWN),
    (web.post("/mail/confirm", mail_pages.confirm), FORM),
    (web.get("/forgotten", mail_pages.forgotten_page), OWN),
    (web.post("/forgotten", mail_pages.forgotten), Budget("recoveries_by_address", body=FIELDS)),
    (web.get("/mail/password", mail_pages.password_page), OWN),
    (web.post("/mail/password", mail_pages.set_password), Budget("sign_ins_by_address", body=FIELDS)),
    (web.get("/mail/unsubscribe/{token}", mail_pages.unsubscribe_page), OWN),
    (
        web.post("/mail/unsubscribe/{token}", mail_pages.unsubscribe),
        FROM_MAIL,
    ),
    (web.get("/mail/never/{token}", mail_pages.never_page), OWN),
    (web.post("/mail/never/{token}", mail_pages.never), FROM_MAIL),
    (web.post(f"/api/games/{GAME}/mail", mail_invitations.invite), ANSWER),
)
"""Only a site whose host has set a mail server has mail."""


VACATIONS = (
    (web.post("/games/mine/vacation", vacations.take_by_form), FORM),
    (web.post("/games/mine/vacation/end", vacations.end_by_form), FORM),
    (web.get("/api/me/vacation", vacations.read_vacation), PAGE),
    (web.post("/api/me/vacation", vacations.take_vacation), Budget(body=JSON)),
    (web.delete("/api/me/vacation", vacations.end_vacation), PAGE),
)
"""Unless the host has switched vacations off."""


def add_routes(app: web.Application, assets: Assets) -> None:
    """Adds all routes but those of pictures, vacations and mail."""
    add_budgeted(app, (*PAGES, *ACCOUNTS, *SOCKETS, *API, *BOT_API, *STUDIES, *AROUND))
    if assets.static.is_dir():
        files = BuiltFiles("/static", assets.static, assets.names.values())
        app.router.register_resource(files)
        app[OF_ROUTES].update(dict.fromkeys(files, BUILT))


def add_picture_routes(app: web.Application) -> None:
    """Adds the addresses of pictures."""
    add_budgeted(app, PICTURES)


def add_vacation_routes(app: web.Application) -> None:
    """Adds those of vacations."""
    add_budgeted(app, VACATIONS)


def add_mail_routes(app: web.Application) -> None:
    """Adds those of mail."""
    add_budgeted(app, MAIL)
