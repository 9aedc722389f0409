"""Every URL of the site, and what a request to it may cost."""

from aiohttp import web

from server.web import (
    accent,
    analysis,
    case_pages,
    chat_pages,
    desk,
    embedding,
    fair_play,
    joining,
    languages,
    lessons,
    person_data,
    puzzles,
    sanctions,
    seeks,
    site_room,
    site_settings,
    sockets,
    studies,
    tournament_api,
    tournament_files,
    tournament_rounds,
    tournament_screen,
    tournaments,
)
from server.web.accounts import account_pages, mail_pages
from server.web.archive import explorer, import_pages
from server.web.archive import search as archive_pages
from server.web.assets import Assets
from server.web.bots import account_api, challenge_api, game_api, streams, token_pages
from server.web.budgets.limits import (
    ANSWER,
    BOT,
    BOT_LISTS,
    BOT_READS,
    BUILT,
    FIELDS,
    FORM,
    FRAME,
    FROM_MAIL,
    IMPORT,
    JSON,
    KEPT,
    LINE,
    LIST,
    MAKE,
    ONE_GAME,
    OWN,
    PAGE,
    PGN,
    PICTURE,
    SEARCH,
    SOCKET,
    UPLOAD,
    Budget,
    add_budgeted,
)
from server.web.games import api, challenges, computer, game_page, invitations, vacations, your_games
from server.web.notifications import handlers as notifications
from server.web.openapi import page as openapi
from server.web.operation import health
from server.web.pages import about, docs, home, pwa, settings, watch
from server.web.people import notes, online, players, profiles, reports, ties
from server.web.pictures import handlers as pictures
from server.web.pictures import text_board
from server.web.rendering.built_files import BuiltFiles
from server.web.rules_pages import handlers as rules_pages

GAME = "{game:[0-9A-Za-z]{10}}"
BOT_GAME = f"/api/bot/game/{GAME}"
STUDY = "{study:[0-9A-Za-z_-]{22}}"
TOURNAMENT = "/tournament/{tournament:[0-9A-Za-z]{10}}"
SWISS = "/swiss/{tournament:[0-9A-Za-z]{10}}"
CHAPTER = "{chapter:[0-9A-Za-z]{10}}"

PAGES = (
    (web.get("/", home.home), OWN),
    (web.get(f"/{GAME}", game_page.play_page), ONE_GAME),
    (web.get("/watch", watch.watch_all), PAGE),
    (web.get("/watch/{variant}", watch.watch_variant), PAGE),
    (web.get("/rules", rules_pages.index), PAGE),
    (web.get("/rules.txt", rules_pages.index_as_text), PAGE),
    (web.get("/rules/{variant}.txt", rules_pages.rules_as_text), PAGE),
    (web.get("/rules/{variant}", rules_pages.rules_of_variant), PAGE),
    (web.get("/variants/{variant}", rules_pages.old_address), PAGE),
    (web.get("/games", archive_pages.games_page), SEARCH),
    (web.get("/games/mine", your_games.own_games_page), LIST),
    (web.get("/import", import_pages.import_page), OWN),
    (web.post("/import", import_pages.import_form), Budget("imports", body=UPLOAD)),
    (web.get("/computer", computer.computer_page), OWN),
    (web.post("/computer", computer.play_computer), Budget(session="create", body=FIELDS)),
    (web.get("/computer/offline", pwa.chooser), KEPT),
    (web.get("/computer/offline.json", pwa.kept_list), KEPT),
    (web.get("/computer/offline/{variant}", pwa.board), KEPT),
    (web.get("/analysis", analysis.chooser), PAGE),
    (web.get("/analysis/{variant}", analysis.analysis_page), OWN),
    (web.get("/puzzles", puzzles.index), OWN),
    (web.get("/puzzles/{variant}", puzzles.puzzles_of_form), OWN),
    (web.get("/players", players.players_page), LIST),
    (web.get("/online", online.online_page), LIST),
    (web.get("/@/{name}", profiles.profile_page), LIST),
    (web.get("/protocol", game_page.protocol_page), PAGE),
    (web.get("/api", openapi.api_page), PAGE),
    (web.get("/about", about.about_page), PAGE),
    (web.get("/fair-play", fair_play.fair_play_page), PAGE),
    (web.get("/docs", docs.docs_page), PAGE),
    (web.get("/docs/{page}", docs.docs_page), PAGE),
)
"""What people read."""
ACCOUNTS = (
    (web.get("/register", account_pages.register_page), OWN),
    (web.post("/register", account_pages.register), Budget(body=JSON)),
    (web.post("/guest", account_pages.choose_guest_name), FORM),
    (web.get("/sign-in", account_pages.sign_in_page), OWN),
    (web.post("/sign-in", account_pages.sign_in), Budget("sign_ins", body=FIELDS)),
    (web.post("/sign-out", account_pages.sign_out), FORM),
    (web.get("/account", account_pages.account_page), OWN),
    (web.get("/account/export", account_pages.export), Budget(session="exports", heavy=True)),
    (web.post("/account/password", account_pages.change_password), FORM),
    (web.post("/account/notifications", account_pages.choose_notification_settings), FORM),
    (web.post("/@/{name}/note", notes.write_note_on_person), Budget("ties", body=JSON)),
    (web.post("/account/profile", profiles.write_profile_text), Budget(body=JSON)),
    (web.post("/account/games", account_pages.choose_flagging), FORM),
    (web.post("/account/ties", ties.end_tie), FORM),
    (web.post("/account/listing", online.choose_listing), FORM),
    (web.get("/decisions", sanctions.decisions_page), OWN),
    (web.post("/decisions/read", sanctions.confirm_decision), FORM),
    (web.post("/decisions/appeal", sanctions.appeal), Budget(body=JSON)),
    (web.get("/report", reports.report_page), LIST),
    (web.post("/report", reports.report), Budget("reads", body=JSON)),
    (web.post(f"/@/{{name}}/{ties.CHANGE}", ties.change_tie), Budget("ties", body=FIELDS)),
    (web.get("/account/tokens", token_pages.tokens_page), OWN),
    (web.post("/account/tokens", token_pages.make_token), FORM),
    (web.post("/account/tokens/revoke", token_pages.revoke_token), FORM),
    (web.post("/account/sessions/end", account_pages.end_session), FORM),
    (web.post("/account/sign-out-everywhere", account_pages.sign_out_everywhere), FORM),
    (web.post("/account/delete", account_pages.delete), FORM),
)
"""Accounts: register, sign in, manage, delete; whom one follows and has blocked; telling the host."""
HOST = (
    (web.get("/host", desk.desk_page), OWN),
    (web.get("/host/claim", desk.claim_page), OWN),
    (web.post("/host/claim", desk.claim), Budget("sign_ins", body=FIELDS)),
    (web.post("/host/password", desk.confirm), FORM),
    (web.get("/host/reports", case_pages.reports_page), OWN),
    (web.post("/host/reports/take", case_pages.take_case), FORM),
    (web.post("/host/reports/leave", case_pages.leave_case), FORM),
    (web.post("/host/reports/close", case_pages.close_case), FORM),
    (web.get("/host/people", sanctions.people_page), OWN),
    (web.post("/host/people", sanctions.decide), Budget(body=JSON)),
    (web.post("/host/people/lift", sanctions.lift), FORM),
    (web.post("/host/people/keep", sanctions.keep), FORM),
    (web.get("/host/people/data", person_data.data_page), OWN),
    (web.post("/host/people/data/export", person_data.export_data), Budget("exports", body=FIELDS)),
    (web.post("/host/people/data/address", person_data.correct_address), FORM),
    (web.post("/host/people/data/delete", person_data.delete_person), FORM),
    (web.get("/host/chats", chat_pages.chats_page), OWN),
    (web.post("/host/chats/words", chat_pages.hold_words), Budget(body=JSON)),
    (web.get("/host/joining", joining.joining_page), OWN),
    (web.post("/host/joining", joining.change_joining), FORM),
    (web.post("/host/joining/answer", joining.answer_requests), Budget(body=JSON)),
    (web.post("/host/joining/invitations", joining.invite), FORM),
    (web.post("/host/joining/invitations/end", joining.revoke), FORM),
    (web.get("/host/joining/invitations/{code}", joining.invitation_page), OWN),
    (web.get("/host/notice", desk.notice_page), OWN),
    (web.post("/host/notice", desk.post_notice), Budget(body=JSON)),
    (web.post("/host/notice/restart", desk.announce_restart), FORM),
    (web.post("/host/notice/remove", desk.remove_notice), FORM),
    (web.get("/host/settings", site_settings.settings_page), OWN),
    (web.post("/host/settings", site_settings.change_settings), Budget(body=PGN)),
    (web.get("/host/settings/offer", site_settings.offer_page), OWN),
    (web.post("/host/settings/offer", site_settings.change_offer), Budget(body=JSON)),
    (web.get("/host/site", site_room.site_page), OWN),
    (web.post("/host/site/backup", site_room.back_up_now), FORM),
    (web.post("/host/site/check", site_room.check_site), FORM),
    (web.post("/host/site/backups", site_room.keep_backups), FORM),
    (web.post("/host/site/mail", site_room.send_test_mail), FORM),
    (web.get("/host/roles", desk.roles_page), OWN),
    (web.post("/host/roles", desk.change_role), FORM),
    (web.get("/host/log", desk.log_page), OWN),
)
"""The host's desk."""
SOCKETS = (
    (web.get("/ws", sockets.game_socket, allow_head=False), SOCKET),
    (web.get("/ws/lobby", sockets.lobby_socket, allow_head=False), SOCKET),
    (web.get("/ws/watch", sockets.tv_socket, allow_head=False), SOCKET),
    (web.get("/ws/study", sockets.study_socket, allow_head=False), SOCKET),
    (web.get("/ws/tournament", sockets.tournament_socket, allow_head=False), SOCKET),
)
"""Sockets."""
API = (
    (web.get("/api/seeks", seeks.read_seeks), Budget("reads")),
    (web.post("/api/seeks", seeks.make_seek), Budget("seeks_by_address", "create", body=JSON)),
    (web.post("/api/seeks/{seek:[0-9A-Za-z]{10}}/accept", seeks.take_seek), ANSWER),
    (web.get("/api/seeks/{seek:[0-9A-Za-z]{10}}/game", seeks.read_game_of_seek), Budget("reads")),
    (web.delete("/api/seeks/{seek:[0-9A-Za-z]{10}}", seeks.withdraw_seek), ANSWER),
    (web.post("/api/games", api.create_game), MAKE),
    (web.get("/api/games", archive_pages.find_games), SEARCH),
    (web.get("/api/games.pgn", archive_pages.all_pgn), Budget("exports")),
    (web.post("/api/import", import_pages.import_games), IMPORT),
    (web.get(f"/api/games/{GAME}", api.read_game), ONE_GAME),
    (web.get(f"/api/games/{GAME}.pgn", api.read_pgn), ONE_GAME),
    (web.post(f"/api/games/{GAME}/join", api.join_game), ANSWER),
    (web.post(f"/api/games/{GAME}/offline", computer.bring_offline_game), Budget(session="join", body=LINE)),
    (web.post(f"/api/games/{GAME}/note", notes.write_note_on_game), ANSWER),
    (web.post(f"/api/games/{GAME}/qr", invitations.draw_qr), ANSWER),
    (web.post(f"/api/games/{GAME}/refuse", challenges.refuse_challenge), ANSWER),
    (web.post("/api/guest", api.become_guest), Budget(body=JSON)),
    (web.get("/api/online", online.read_online), LIST),
    (web.get("/api/now", home.site_now), LIST),
    (web.get("/api/me", api.read_me), PAGE),
    (web.get("/api/me/games", your_games.read_own_games), LIST),
    (web.get("/api/me/challenges", challenges.read_own_challenges), LIST),
    (web.get("/api/me/lessons", lessons.own_progress), PAGE),
    (web.post("/api/lessons/{lesson}/{step}", lessons.try_step), Budget(body=FIELDS)),
    (web.post("/api/puzzles", puzzles.next_puzzle), Budget("reads", body=JSON)),
    (web.get("/api/puzzles/{puzzle}", puzzles.read_puzzle), Budget("reads")),
    (web.post("/api/puzzles/{puzzle}", puzzles.try_puzzle), Budget(body=FIELDS)),
    (web.post("/api/puzzles/{puzzle}/solution", puzzles.show_solution), Budget(body=FIELDS)),
    (web.get("/api/variants/{variant}", api.read_variant), KEPT),
    (web.post("/api/variants/{variant}/line", analysis.try_line), Budget(body=JSON)),
    (web.post("/api/analysis/pgn", analysis.try_pgn), Budget(body=PGN)),
    (web.get("/api/alerts", notifications.read_alerts), PAGE),
    (web.post("/api/alerts", notifications.add_alert), Budget("alerts_by_address", "create", body=JSON)),
    (web.delete("/api/alerts/{alert}", notifications.end_alert), PAGE),
    (web.post("/api/push", notifications.add_device), MAKE),
    (web.get("/api/protocol", api.read_protocol), PAGE),
    (web.get("/api/explorer/{variant}", explorer.explore), Budget("explored")),
    (web.get("/api/openapi.json", openapi.read_document), PAGE),
)
"""The API for our own pages and other programs."""
BOT_API = (
    (web.get("/api/account", account_api.account), BOT_READS),
    (web.get("/api/account/playing", account_api.playing), BOT_READS),
    (web.get("/api/user/{name}", account_api.user), BOT_READS),
    (web.get("/api/users/status", account_api.statuses), BOT_READS),
    (web.post("/api/token/test", account_api.test_tokens), BOT),
    (web.get("/api/bot/online", account_api.online), BOT_READS),
    (web.post("/api/bot/account/upgrade", account_api.upgrade), BOT),
    (web.get("/api/stream/event", streams.event_stream, allow_head=False), BOT_READS),
    (web.get(f"/api/bot/game/stream/{GAME}", streams.game_stream, allow_head=False), BOT_READS),
    (web.post(BOT_GAME + "/move/{uci:[0-9A-Za-z@+=-]+}", game_api.move), BOT),
    (web.post(BOT_GAME + "/chat", game_api.chat), BOT),
    (web.get(BOT_GAME + "/chat", game_api.read_chat), BOT_READS),
    (web.post(BOT_GAME + "/abort", game_api.abort), BOT),
    (web.post(BOT_GAME + "/resign", game_api.resign), BOT),
    (web.post(BOT_GAME + "/claim-victory", game_api.claim_victory), BOT),
    (web.post(BOT_GAME + "/claim-draw", game_api.claim_draw), BOT),
    (web.post(BOT_GAME + "/draw/{answer:[a-z]+}", game_api.draw), BOT),
    (web.post(BOT_GAME + "/takeback/{answer:[a-z]+}", game_api.takeback), BOT),
    (web.post("/api/bot/seek/{seek:[0-9A-Za-z]{10}}/take", challenge_api.take_seek), BOT),
    (web.get("/api/challenge", challenge_api.challenges), BOT_READS),
    (web.get(f"/api/challenge/{GAME}/show", challenge_api.show), BOT_READS),
    (web.post(f"/api/challenge/{GAME}/accept", challenge_api.accept), BOT),
    (web.post(f"/api/challenge/{GAME}/decline", challenge_api.decline), BOT),
    (web.post(f"/api/challenge/{GAME}/cancel", challenge_api.cancel), BOT),
    (web.post("/api/challenge/open", challenge_api.open_challenge), BOT),
    (web.post("/api/challenge/ai", challenge_api.computer_challenge), BOT),
    (web.post("/api/challenge/{name}", challenge_api.challenge), BOT),
    (web.get(f"/game/export/{GAME}", game_api.export_game), BOT_READS),
    (web.get("/api/tournament", tournament_api.arenas), BOT_LISTS),
    (web.get(f"/api{TOURNAMENT}", tournament_api.arena), BOT_LISTS),
    (web.get(f"/api{TOURNAMENT}/results", tournament_api.arena_results), BOT_LISTS),
    (web.get(f"/api{TOURNAMENT}/games", tournament_api.arena_games), Budget("exports", "")),
    (web.post(f"/api{TOURNAMENT}/join", tournament_api.join_arena), BOT),
    (web.post(f"/api{TOURNAMENT}/withdraw", tournament_api.withdraw_from_arena), BOT),
    (web.get(f"/api{SWISS}", tournament_api.swiss), BOT_LISTS),
    (web.get(f"/api{SWISS}/results", tournament_api.swiss_results), BOT_LISTS),
    (web.get(f"/api{SWISS}/games", tournament_api.swiss_games), Budget("exports", "")),
    (web.post(f"/api{SWISS}/join", tournament_api.join_swiss), BOT),
    (web.post(f"/api{SWISS}/withdraw", tournament_api.withdraw_from_swiss), BOT),
    (web.get(f"{SWISS}.trf", tournament_files.report_trf), BOT_LISTS),
)
"""The Bot API, by the paths that lichess gave it."""
STUDIES = (
    (web.get("/studies", studies.own_page), OWN),
    (web.get(f"/study/{STUDY}", studies.study_page), OWN),
    (web.get(f"/study/{STUDY}/{CHAPTER}", studies.study_page), OWN),
    (web.get("/api/studies", studies.own_studies), PAGE),
    (web.post("/api/studies", studies.make_study), Budget(body=PGN)),
    (web.get(f"/api/studies/{STUDY}", studies.read_study), PAGE),
    (web.post(f"/api/studies/{STUDY}", studies.change_study), Budget(body=FIELDS)),
    (web.delete(f"/api/studies/{STUDY}", studies.delete_study), PAGE),
    (web.post(f"/api/studies/{STUDY}/copy", studies.copy_study), Budget("exports")),
    (web.get(f"/api/studies/{STUDY}.pgn", studies.study_pgn), Budget("reads")),
    (web.post(f"/api/studies/{STUDY}/members", studies.invite_member), Budget(body=FIELDS)),
    (web.delete(f"/api/studies/{STUDY}/members/{{name}}", studies.remove_member), PAGE),
    (web.post(f"/api/studies/{STUDY}/chapters", studies.add_chapter), Budget(body=PGN)),
    (web.get(f"/api/studies/{STUDY}/chapters/{CHAPTER}", studies.read_chapter), Budget("reads")),
    (web.post(f"/api/studies/{STUDY}/chapters/{CHAPTER}", studies.change_chapter), Budget(body=PGN)),
    (web.delete(f"/api/studies/{STUDY}/chapters/{CHAPTER}", studies.delete_chapter), PAGE),
    (web.get(f"/api/studies/{STUDY}/chapters/{CHAPTER}.pgn", studies.chapter_pgn), Budget("reads")),
)
"""Studies and their chapters."""
TOURNAMENTS = (
    (web.get("/tournaments", tournaments.list_page), LIST),
    (web.get("/tournaments/new", tournaments.new_page), OWN),
    (web.post("/tournaments", tournaments.announce), FORM),
    (web.get(TOURNAMENT, tournaments.tournament_page), OWN),
    (web.get(f"{TOURNAMENT}/now", tournaments.tournament_now), PAGE),
    (web.get(f"/screen{TOURNAMENT.removeprefix('/tournament')}", tournament_screen.screen_page), PAGE),
    (web.get(f"{TOURNAMENT}/rounds", tournament_rounds.rounds_page), OWN),
    (web.post(f"{TOURNAMENT}/result", tournament_rounds.correct_result), FORM),
    (web.get(f"{TOURNAMENT}.csv", tournament_files.standings_csv), LIST),
    (web.get(f"{TOURNAMENT}.json", tournament_files.standings_json), LIST),
    (web.get(f"{TOURNAMENT}.trf", tournament_files.report_trf), LIST),
    (web.get(f"{TOURNAMENT}.pgn", tournament_files.games_pgn), Budget("exports")),
    (web.post(f"{TOURNAMENT}/join", tournaments.join), FORM),
    (web.post(f"{TOURNAMENT}/pause", tournaments.pause), FORM),
    (web.post(f"{TOURNAMENT}/leave", tournaments.leave), FORM),
    (web.post(f"{TOURNAMENT}/again", tournaments.again), FORM),
    (web.post(f"{TOURNAMENT}/berserk", tournaments.berserk), FORM),
    (web.post(f"{TOURNAMENT}/end", tournaments.call_off), FORM),
    (web.post(f"{TOURNAMENT}/out", tournaments.take_out), FORM),
    (web.post(f"{TOURNAMENT}/round", tournaments.begin_round), FORM),
)
"""Tournaments."""
AROUND = (
    (web.get("/settings", settings.settings_page), OWN),
    (web.post("/settings", settings.change), FORM),
    (web.post("/language", languages.choose), FORM),
    (web.get("/sw.js", notifications.service_worker), PAGE),
    (web.get("/accent-{accent:[0-9a-f]{6}}.css", accent.accent_sheet), BUILT),
    (web.get("/app.webmanifest", pwa.manifest), PAGE),
    (web.get("/offline", pwa.offline), PAGE),
    (web.get("/robots.txt", about.robots), PAGE),
    (web.get("/.well-known/security.txt", about.security_contact), PAGE),
    (web.get("/.well-known/change-password", about.password_page), PAGE),
    (web.get("/health", health.health), Budget("probes", "")),
    (web.get("/ready", health.ready), Budget("probes", "")),
)
"""What else browsers and hosts need."""
PICTURES = (
    (web.get("/card.png", pictures.site_card), PICTURE),
    (web.get("/icon-{size:180|192|512}.png", pwa.icon), PICTURE),
    (web.get("/favicon.ico", pwa.favicon), PAGE),
    (web.get(f"/{GAME}.txt", text_board.game_as_text), ONE_GAME),
    (web.get(f"/{GAME}/board.svg", pictures.game_board), PICTURE),
    (web.get(f"/{GAME}/board.png", pictures.game_board), PICTURE),
    (web.get(f"/{GAME}/replay.svg", pictures.replay), PICTURE),
    (web.get(f"/{GAME}/replay.gif", pictures.replay_as_gif), PICTURE),
    (web.get(f"/{GAME}/card.png", pictures.game_card), PICTURE),
    (web.get("/api/variants/{variant}/board.svg", pictures.board_as_svg), PICTURE),
    (web.get("/api/variants/{variant}/board.png", pictures.board_as_png), PICTURE),
    (web.get("/api/variants/{variant}/card.png", pictures.variant_card), PICTURE),
)
"""Only a site with a built client has drawings, and so pictures."""
FRAMES = (
    (web.get(f"/embed/{GAME}", embedding.game_frame), FRAME),
    (web.get("/embed/tv/{variant}", embedding.tv_frame), FRAME),
    (web.get("/oembed", embedding.oembed), FRAME),
    (web.get("/ws/embed", sockets.embed_socket, allow_head=False), Budget("handshakes", "")),
)
"""What other sites show of this one, unless the host allows none to. The board in it is a picture."""
MAIL = (
    (web.post("/account/mail", mail_pages.add_address), FORM),
    (web.post("/account/mail/wishes", mail_pages.choose_wishes), FORM),
    (web.post("/account/mail/remove", mail_pages.remove_address), FORM),
    (web.get("/mail/confirm", mail_pages.confirm_page), OWN),
    (web.post("/mail/confirm", mail_pages.confirm), FORM),
    (web.get("/forgotten", mail_pages.forgotten_page), OWN),
    (web.post("/forgotten", mail_pages.forgotten), Budget("recoveries", body=FIELDS)),
    (web.get("/mail/password", mail_pages.password_page), OWN),
    (web.post("/mail/password", mail_pages.set_password), Budget("sign_ins", body=FIELDS)),
    (web.get("/mail/unsubscribe/{token}", mail_pages.unsubscribe_page), OWN),
    (
        web.post("/mail/unsubscribe/{token}", mail_pages.unsubscribe),
        FROM_MAIL,
    ),
    (web.get("/mail/never/{token}", invitations.never_page), OWN),
    (web.post("/mail/never/{token}", invitations.never), FROM_MAIL),
    (web.post(f"/api/games/{GAME}/mail", invitations.send_invitation), ANSWER),
)
"""Only a site whose host has set a mail server has mail."""


VACATIONS = (
    (web.post("/games/mine/vacation", vacations.take_vacation_by_form), FORM),
    (web.post("/games/mine/vacation/end", vacations.end_vacation_by_form), FORM),
    (web.get("/api/me/vacation", vacations.read_vacation), PAGE),
    (web.post("/api/me/vacation", vacations.take_vacation), Budget(body=JSON)),
    (web.delete("/api/me/vacation", vacations.end_vacation), PAGE),
)
"""Unless the host has switched vacations off."""


def add_routes(app: web.Application, assets: Assets) -> None:
    """Adds all routes but those of pictures, vacations and mail."""
    add_budgeted(app, (*PAGES, *ACCOUNTS, *HOST, *SOCKETS, *API, *BOT_API, *STUDIES, *TOURNAMENTS, *AROUND))
    if assets.static.is_dir():
        files = BuiltFiles(assets.static, assets.names.values())
        add_budgeted(app, ((web.get("/static/{filename:.*}", files.answer_file), BUILT),))


def add_picture_routes(app: web.Application) -> None:
    """Adds the addresses of pictures."""
    add_budgeted(app, PICTURES)


def add_frame_routes(app: web.Application) -> None:
    """Adds what other sites may show in frames."""
    add_budgeted(app, FRAMES)


def add_vacation_routes(app: web.Application) -> None:
    """Adds those of vacations."""
    add_budgeted(app, VACATIONS)


def add_mail_routes(app: web.Application) -> None:
    """Adds those of mail."""
    add_budgeted(app, MAIL)
