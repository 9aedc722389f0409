"""The pages that anybody can open, for tests that look at each of them."""

PAGES = [
    "/",
    "/watch",
    "/watch/grand",
    "/games",
    "/import",
    "/rules",
    "/rules/grand",
    "/rules/acedrex",
    "/analysis",
    "/analysis/seirawan",
    "/players",
    "/register",
    "/sign-in",
    "/protocol",
    "/settings",
    "/games?player=nobody",
    "/games/mine",
    "/online",
    "/offline",
    "/nothing-here",
]
