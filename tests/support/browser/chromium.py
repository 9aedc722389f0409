"""Chromium as tests and pictures want it: which programs, and what they are not to do beside showing pages."""

import shutil

WHOLE = ("chromium", "chromium-browser", "google-chrome")
WITHOUT_WINDOWS = ("chromium-headless-shell", "chrome-headless-shell")
NOT_WANTED = [
    # The menu under the address bar: since Chromium 151 each new window loads two pages of it, also without a screen.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # A process kept ready for another site; there is one site here.
    "SpareRendererForSitePerProcess",
    # The switch counts once, so what Playwright wants off is named again, as far as pages notice it.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # The pages of a person share a process; else the empty page before the first has one of its own.
    "--renderer-process-limit=1",
    f"--disable-features={','.join(NOT_WANTED)}",
]


def installed(programs):
    """The first of them that this machine has, or None."""
    return next(filter(None, map(shutil.which, programs)), None)
