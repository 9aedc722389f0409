"""The URLs of studies and their chapters."""

from aiohttp import web

from server.web.studies import chapters, handlers, pages

STUDY = "{study:[0-9A-Za-z_-]{22}}"
CHAPTER = "{chapter:[0-9A-Za-z]{10}}"

STUDIES = (
    web.get("/studies", pages.own_page),
    web.get(f"/study/{STUDY}", pages.study_page),
    web.get(f"/study/{STUDY}/{CHAPTER}", pages.study_page),
    web.get("/api/studies", handlers.own_studies),
    web.post("/api/studies", handlers.make_study),
    web.get(f"/api/studies/{STUDY}", handlers.read_study),
    web.post(f"/api/studies/{STUDY}", handlers.change_study),
    web.delete(f"/api/studies/{STUDY}", handlers.delete_study),
    web.post(f"/api/studies/{STUDY}/copy", handlers.copy_study),
    web.get(f"/api/studies/{STUDY}.pgn", chapters.study_pgn),
    web.post(f"/api/studies/{STUDY}/chapters", chapters.add_chapter),
    web.get(f"/api/studies/{STUDY}/chapters/{CHAPTER}", chapters.read_chapter),
    web.post(f"/api/studies/{STUDY}/chapters/{CHAPTER}", chapters.change_chapter),
    web.delete(f"/api/studies/{STUDY}/chapters/{CHAPTER}", chapters.delete_chapter),
    web.get(f"/api/studies/{STUDY}/chapters/{CHAPTER}.pgn", chapters.chapter_pgn),
)
