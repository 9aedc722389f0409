"""The pages that anybody can open, one of each kind, for tests that look at each of them."""

PAGES = [
    "/",
    "/watch",
    "/games",
    "/import",
    "/rules",
    "/rules/acedrex",
    "/analysis/seirawan",
    "/computer",
    "/puzzles",
    "/players",
    "/register",
    "/sign-in",
    "/protocol",
    "/api",
    "/about",
    "/settings",
    "/games/mine",
    "/online",
    "/offline",
    "/nothing-here",
]
