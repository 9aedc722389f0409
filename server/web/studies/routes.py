"""The URLs of studies and their chapters."""

from aiohttp import web

from server.web.budgets.limits import Budget
from server.web.budgets.routes import FIELDS, OWN, PAGE, PGN
from server.web.studies import chapters, handlers, pages

STUDY = "{study:[0-9A-Za-z_-]{22}}"
CHAPTER = "{chapter:[0-9A-Za-z]{10}}"

STUDIES = (
    (web.get("/studies", pages.own_page), OWN),
    (web.get(f"/study/{STUDY}", pages.study_page), OWN),
    (web.get(f"/study/{STUDY}/{CHAPTER}", pages.study_page), OWN),
    (web.get("/api/studies", handlers.own_studies), PAGE),
    (web.post("/api/studies", handlers.make_study), Budget(body=PGN)),
    (web.get(f"/api/studies/{STUDY}", handlers.read_study), PAGE),
    (web.post(f"/api/studies/{STUDY}", handlers.change_study), Budget(body=FIELDS)),
    (web.delete(f"/api/studies/{STUDY}", handlers.delete_study), PAGE),
    (web.post(f"/api/studies/{STUDY}/copy", handlers.copy_study), Budget("exports")),
    (web.get(f"/api/studies/{STUDY}.pgn", chapters.study_pgn), Budget("reads")),
    (web.post(f"/api/studies/{STUDY}/chapters", chapters.add_chapter), Budget(body=PGN)),
    (web.get(f"/api/studies/{STUDY}/chapters/{CHAPTER}", chapters.read_chapter), Budget("reads")),
    (web.post(f"/api/studies/{STUDY}/chapters/{CHAPTER}", chapters.change_chapter), Budget(body=PGN)),
    (web.delete(f"/api/studies/{STUDY}/chapters/{CHAPTER}", chapters.delete_chapter), PAGE),
    (web.get(f"/api/studies/{STUDY}/chapters/{CHAPTER}.pgn", chapters.chapter_pgn), Budget("reads")),
)
