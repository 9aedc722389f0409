"""Where pages come from: this site, or any other that would like to pass for it."""

FOREIGN = [
    None,
    "",
    "null",
    "http://localhost",
    "http://localhost:8081",
    "http://localhost:80800",
    "http://localhost:8080/",
    "http://localhost:8080.evil.org",
    "http://localhost:8080@evil.org",
    "http://LOCALHOST:8080",
    "http://localhost.:8080",
    "http://localhost.evil.org:8080",
    "http://evil.org",
    "http://evil.org:8080",
    "http://evil.org/http://localhost:8080",
    "http://evil-localhost:8080",
    "http://xlocalhost:8080",
    "http://sub.localhost:8080",
    "http://127.0.0.1",
    "http://127.0.0.2:8080",
    "http://0.0.0.0:8080",
    "http://[::1]:8080",
    "https://localhost:8080",
    "https://127.0.0.1:8080",
    "ws://localhost:8080",
    "file://",
    "chrome-extension://localhost:8080",
    "http://localhost:8080 http://evil.org",
    "http://evil.org, http://localhost:8080",
    "//localhost:8080",
    "localhost:8080",
]


ORIGIN = "http://localhost:8080"

CROSS_SITE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
"""What a browser says when a page of another site loads a picture from this one."""
