"""Finds in the text of a reply what its writer added: not what they quote, nor who wrote it, nor their signature.

Programs wrap what they quote and lose its marks, and the opponent chooses some of its words. So nothing that stands
below a quotation, or below a line that says who wrote it, is a command, and neither is a line of ours, marked or not.
One thing is: a single move at the very end of a mail that says nothing above, below a quotation without a gap in its
marks and an empty line, if nothing but a signature follows. No wrapping leaves anything there; and where a program
stops marking what it quotes, the end of our mail follows, which is known.

Nothing is guessed in favour of a command: whatever is left over is read by a strict grammar (`grammar`).
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Final

from server.language import PLACE, load_words
from server.mail.inbound.addresses import PERSONAL_MAILBOX, REPLY_MAILBOX
from server.mail.inbound.command_words import LOOKS_LIKE_MOVE, command_of, command_words

MAX_LINES: Final = 600
LONGEST: Final = 1_000
"""Characters of a line in which signs of a quotation are looked for; no program writes longer ones."""
QUOTE: Final = re.compile(r"\s{0,3}[>|»＞]")
LETTERHEAD: Final = re.compile(r"\W{0,10}Fairyhouse\b")
"""What each mail of ours begins with."""
HEAD_OF_A_SITE: Final = re.compile(r"[^·]{1,60} · \S")
"""The same of a site that was called otherwise then."""
DASH: Final = "[-‐‑‒–—_*=]"
FORWARDED: Final = re.compile(
    rf"{DASH}{{2,}}[^-‐‑‒–—_*=].{{1,250}}?{DASH}{{2,40}}$|[_‐‑‒–—]{{10,}}$"
    r"|(?:Begin forwarded message|Inicio del mensaje reenviado|Anfang der weitergeleiteten Nachricht"
    r"|Début du message réexpédié|Inizio messaggio inoltrato)\s?:?$"
)
""" "-----Original Message-----" in any language, and the rule that Outlook draws: the rest is somebody else's mail."""
EMPHASISED: Final = re.compile(r"(\*\*|__)[^\s*_]{2,10}\1")
"""A word that was made to stand out, as a program writes bold type in plain text: no rule."""
SIGNED_INLINE: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
HEADER: Final = re.compile(
    r"\*?[^\W\d_][\w .-]{0,30}\*?\s?[:：]\*?(?:\s|$)|[^\W\d_][\w .-]{0,30}\s[:：]|[^\W\d_a-z]{1,6}[:：]", re.IGNORECASE
)
HEADERS_IN_A_ROW: Final = 3
"""So many lines that look like "From: …" one after the other begin somebody else's mail; fewer with an address."""
MAILBOX: Final = re.compile(r"[^\s@<>()]{1,100}@[^\s@<>()]{1,100}\.[^\s@<>()]{1,60}")
OUR_NAME: Final = re.compile(r"\bFairyhouse\b")
OUR_SECRET: Final = re.compile(
    rf"\b(?:{REPLY_MAILBOX}|{PERSONAL_MAILBOX})(?:\+|%2B)[a-z2-7]{{20,}}|/mail/(?:unsubscribe|never)/", re.IGNORECASE
)
"""What gives rights to whoever reads it: an address to answer to, which stands in many attributions, or a link."""
TIME: Final = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\b(?:19|20)\d\d\b|\d{1,2}[/.-]\d{1,2}[/.-]\d\d|\d年")
VERBS: Final = (
    r"wrote|writes|escribió|escribe|ha escrito|a écrit|écrivait|écrit|ha scritto|scrive|schrieb|schreibt|schreef"
    r"|schrijft|escreveu|skrev|skriver|napisał(?:\(a\)|a)?|pisze|пишет|написал(?:\(а\)|а)?|kirjoitti|napsala?(?:\(a\))?"
    r"|píše|írta|yazdı|έγραψε|a scris|va escriure|napísala?|đã viết|menulis|написа|escribiu"
)
JOINED: Final = r"写道|寫道|のメール|님이 작성|이\(가\) 작성"
"""Verbs before which no space stands."""
WROTE: Final = re.compile(rf"(?:\b(?:{VERBS})|{JOINED})\s?[:：]?$", re.IGNORECASE)
SAID: Final = re.compile(rf"\b(?:{VERBS})\b|{JOINED}", re.IGNORECASE)
CITED: Final = re.compile(
    r"(?:In (?:reply|response|answer) to\b.{0,200}?\b(?:message|mail|letter)\b|In (?:message|article) <|Quoting \S"
    r"|(?:In |Als )?Antwort auf\b.{0,200}?\b(?:Nachricht|Mail)\b|Zitat von \S"
    r"|En (?:respuesta|contestación) al?\b.{0,200}?\b(?:mensaje|correo)\b|Citando a \S"
    r"|En réponse (?:à|au)\b.{0,200}?\b(?:message|courriel)\b|In risposta al?\b.{0,200}?\bmessaggio\b)",
    re.IGNORECASE,
)
"""How an attribution begins that needs neither a verb nor a colon at its end."""
ENDS_AS_DATE: Final = re.compile(r"(?:\d|\b[ap]\.?m|\b(?-i:[A-Z]{2,5})|[>)\]])[\"'”»]?[.,:;]?[\"'”»]?$", re.IGNORECASE)
"""The end of one: a time, a zone or an address, where a sentence has words."""
ATTRIBUTES: Final = (TIME, MAILBOX, re.compile("<"), re.compile(rf"\A{CITED.pattern}", re.IGNORECASE), OUR_NAME)
"""What stands in the first line of an attribution that is divided; one of them is enough."""
ATTRIBUTION_LINES: Final = 4
"""A program that wraps lines divides an attribution into at most so many."""
PROGRAMS: Final = (
    r"iPhone|iPad|Android|Outlook|Samsung|Galaxy|Huawei|HUAWEI|Xiaomi|BlackBerry|Proton ?Mail|Yahoo|GMX|K-9|Gmail"
    r"|Thunderbird|Windows|BlueMail|Spark|Aqua Mail|FairEmail|myMail|Mail\.ru|Yandex|Яндекс|Zoho|WEB\.DE|Seznam"
    r"|Mail for|QQ邮箱|网易邮箱"
)
SIGNATURE: Final = re.compile(
    r"--\s?$|—$|[-_*=~]{3,}$"
    r"|(?:Sent (?:from|via|with|by|on|using)|Typed (?:on|with)|Powered by|Get"
    r"|Enviado (?:desde|do|de|con|a|por)|Obtener|Obter|Obtenir"
    r"|Envoyé|Écrit (?:depuis|avec)|Télécharger"
    r"|Gesendet|Mobil|Von meinem|Von unterwegs|Diese Nachricht|Inviato|Mandato dal|Ottieni|Scarica"
    r"|Verzonden|Verstuurd|Outlook voor|Skickat|Sendt"
    r"|Hent|Lähetetty|Wysłan[eo]|Pobierz|Odesláno|Odoslané|Отправлено|Отправлен|Trimis|Küldve|Gönderildi|发自|發自"
    rf"|보낸)\b.{{1,100}}$|発信|.{{0,60}}から送信|(?=.{{0,80}}(?:{PROGRAMS})).{{0,40}}\s.{{0,80}}$"
)
LONGEST_SIGNATURE: Final = 15
"""Lines that may stand below a move that stands below a quotation."""
LINK_ALONE: Final = re.compile(
    r"<(?:https?://|#)[^\s>]*>$|(?:Virus-free|Libre de virus|Virenfrei|Sans virus|Privo di virus|Virusvrij)\b.{0,60}$"
    r"|(?=.{0,200}\bvir(?:us|uses|en)\b).{0,200}\b(?:avast|avg|antivirus\w*|scan\w*|checked|geprüft|comprobado|analizado"
    r"|vérifiée?|analysé|controllat[ao]|verificado|gecontroleerd)\b"
    r"|.{0,60}\b(?:before|consider|antes de|avant d['’]|bevor|prima di|voordat)\b.{0,80}"
    r"\b(?:print(?:ing)?|imprim\w+|ausdrucken|drucken|stampare|afdrukt|printen)\b",
    re.IGNORECASE,
)
"""What virus scanners, and firms that care for trees, put below a mail."""
DISCLAIMER: Final = re.compile(
    r"(?=.*\b(?:e-?mails?|messages?|communication|Nachricht|mensaje|correo|courriel|messaggio|mensagem|bericht)\b)"
    r".*(?:\b(?:confidential|privileged|intended (?:solely|only)|vertraulich|confidencial|confidentiel|riservat"
    r"|vertrouwelijk)|intended recipient)",
    re.IGNORECASE,
)
SHORTEST_DISCLAIMER: Final = 40
CLOSINGS: Final = (
    r"(?:with )?(?:best|kind|kindest|warm|many|all the)(?: regards| wishes| best)?|all the best|regards|rgds|cheers"
    r"|thanks(?: a lot| again)?|thank you|many thanks|thx|yours(?: truly| sincerely| faithfully)?|sincerely|bye|br|kr"
    r"|take care|see you|have a (?:nice|good|great|lovely) (?:day|evening|week|weekend|one)"
    r"|your (?:move|turn)|you.re up"
    r"|saludos(?: cordiales)?|un (?:cordial )?saludo|(?:un |um )?(?:fuerte )?abrazo"
    r"|(?:um )?(?:forte |grande )?abraços?|con los mejores deseos|(?:que tengas )?(?:un )?buen (?:día|fin de semana)"
    r"|gracias|muchas gracias|atentamente|hasta pronto|lg|mfg|vg|gruß|grüße|gruss"
    r"|(?:viele|liebe|beste|schöne|herzliche) (?:grüße|grüsse)|mit freundlichen grüßen|danke"
    r"|schönen (?:tag|abend|sonntag)(?: noch)?|schönes wochenende"
    r"|cordialement|bien cordialement|amicalement|bien à (?:vous|toi)"
    r"|merci|à bientôt|bonne (?:journée|soirée|semaine|continuation)|bon week-end|sincères salutations"
    r"|(?:cordiali |distinti |tanti )?saluti|un saluto|grazie|ciao"
    r"|buona (?:giornata|serata|domenica)|buon (?:weekend|fine settimana)|a presto"
    r"|(?:com os melhores )?cumprimentos|boa (?:tarde|noite|semana)|bom (?:dia|fim de semana)|atenciosamente"
    r"|obrigad[oa]|groet|groeten|groetjes|(?:met vriendelijke|hartelijke) groet(?:en)?|fijne (?:dag|avond)|fijn weekend"
    r"|bedankt|mvh|hilsen|vennlig hilsen"
    r"|med (?:vennlig|venlig) hilsen|(?:vänliga |med vänlig )?hälsning(?:ar)?|tack|takk|tak|terveisin|terv\.?"
    r"|ystävällisin terveisin|kiitos|(?:serdecznie )?pozdrawiam|pozdrowienia|z poważaniem"
    r"|miłego (?:dnia|wieczoru|weekendu)|do zobaczenia|dzięki|s pozdravem|zdraví|děkuji|с уважением|спасибо"
    r"|с наилучшими пожеланиями|всего хорошего|хорошего (?:дня|вечера)|хороших выходных"
    r"|всего доброго|よろしく|よろしくお願いします|ありがとう|谢谢|此致|祝好|감사합니다"
)
OF_PLACE: Final = "(?:from|aus|desde|de|da|di|uit|fra|från|z|из)"
"""As in "greetings from Berlin"."""
CLOSING: Final = re.compile(
    rf"(?:{CLOSINGS})\s?[,.!]{{0,3}}(?:\s(?:{OF_PLACE}\s)?(?P<name>[^\d:]{{1,40}}))?$", re.IGNORECASE
)
GREETING: Final = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|afternoon|day)|hola|buen(?:os|as) (?:días|tardes|noches)|buen día"
    r"|querid[oa]"
    r"|hallo|moin|servus|guten (?:tag|morgen|abend)|liebe[rs]?|bonjour|bonsoir|salut|cher|chère|buongiorno|buonasera"
    r"|salve|ciao|car[oa]|olá|oi|bom dia|boa (?:tarde|noite)|beste|hoi|dag|hei|hej|god dag|moi|terve|cześć|witaj|ahoj"
    r"|dobrý den|привет|здравствуйте|добрый день|こんにちは|你好|您好|안녕하세요)\b"
    r"(?P<name>[^\d:]{0,40}?)\s?[,!.:、，！]?$",
    re.IGNORECASE,
)
SIGNED: Final = re.compile(r"[-–—~]{1,2}\s?(?P<name>[^\W\d_].{0,40})$")
""" "-Ben"."""
SIGNED_LINES: Final = 4
"""Of the names, of somebody and their firm, that may stand below what they write."""
MEANT: Final = frozenset(
    (
        *("yes", "no", "ok", "okay", "sure", "agreed", "agree", "deal", "accepted", "declined", "remis", "nulle"),
        *("patta", "pat", "empate", "patt", "schach", "check", "mate", "checkmate", "jaque", "oo", "ooo", "undo"),
        *("reject", "propose", "confirm", "submit", "queue", "list", "sí", "vale", "ja", "nein", "oui", "non"),
    )
)
"""Words that are no names, whatever they mean here."""
OWN_AREAS: Final = (
    *("mail.", "mail_answers.", "notifications.", "results.", "replies.", "refusals.", "problems.", "tournaments."),
    *("vacation.", "rules.", "round.clocks_in_text", "terms.", "board.", "your_games."),
)
"""The texts from which our mails are made."""
QUOTED_WORDS: Final = re.compile("“[^”]*”|«[^»]*»")
"""Examples in our texts: somebody may well write what they show."""
RUN: Final = 3
MOSTLY: Final = 0.8


def unflow_text(text: str, *, delete_space: bool) -> str:
    """The text of format=flowed (RFC 3676) with its paragraphs on one line each; quoted lines stay as they are."""
    lines: list[str] = []
    open_paragraph = False
    for line in text.splitlines():
        quoted = line.startswith(">")
        flowing = line.endswith(" ") and line != "-- " and not quoted
        line = line if quoted else line.removeprefix(" ")
        if open_paragraph and not quoted and line != "-- ":
            lines[-1] += line
        else:
            lines.append(line)
        if flowing and delete_space:
            lines[-1] = lines[-1][:-1]
        open_paragraph = flowing
    return "\n".join(lines)


def written_lines(text: str, site: str = "") -> tuple[str, ...]:
    """The lines of `text` that its writer added, without empty ones at either end. `site`: what the site is called, if
    its host has chosen a name.
    """
    lines = [_plain(line) for line in text.split("\n", MAX_LINES)[:MAX_LINES]]
    first = next((nth for nth, line in enumerate(lines) if line), 0)
    if lines[first] == SIGNED_INLINE:
        # Its headers end at an empty line.
        lines = lines[next((nth for nth in range(first, len(lines)) if not lines[nth]), first) :]
        first = next((nth for nth, line in enumerate(lines) if line), 0)
    # As a site would have written them that is called as usual.
    known = _with_usual_name(lines, site) if site else lines
    # Some words greet above what is written, and say goodbye below it.
    begin = first + 1 if GREETING.match(known[first][:LONGEST]) or _thanks_above(known[first:]) else first
    end = next((nth for nth in range(begin, len(known)) if _ends_here(known, nth)), len(known))
    above = _without_names(_trimmed(lines[:end]))
    if len(above) == 1 and end < len(lines) and GREETING.match(above[0][:LONGEST]):
        # Whoever answers below what they quote may greet above it.
        above = []
    return tuple(above) if above else _move_below(known[end:])


def _with_usual_name(lines: Sequence[str], site: str) -> list[str]:
    """The lines with the usual name instead of the one of this site, but where it may be meant as a word."""
    name = re.escape(site)
    alone = "" if command_of(site) or LOOKS_LIKE_MOVE.match(site) else r"|\W{0,10}$"
    named = re.compile(
        rf"^(\W{{0,10}}){name}(?=\s·|\s[^:：]{{0,60}}[:：]$" + alone + rf")|(?<=\w)(\W{{1,10}}){name}(?!\w)"
    )
    return [named.sub(r"\1\2Fairyhouse", line) if site in line else line for line in lines]


def _plain(line: str) -> str:
    """The line with ordinary spaces only and without characters that nobody sees."""
    if line.isascii() and line.isprintable():
        return line.strip()
    shown = "".join(" " if unicodedata.category(char) in ("Zs", "Cc") else char for char in line)
    return "".join(char for char in shown if unicodedata.category(char) != "Cf").strip()


def _trimmed(lines: Sequence[str]) -> list[str]:
    filled = [nth for nth, line in enumerate(lines) if line]
    return list(lines[filled[0] : filled[-1] + 1]) if filled else []


def _ends_here(lines: Sequence[str], nth: int) -> bool:
    """Is this line, and what stands below it, not the writer's, or their signature?"""
    line = lines[nth][:LONGEST]
    return (
        bool(line)
        and not EMPHASISED.fullmatch(line)
        and (_is_anothers(lines, nth) or _is_signature(line) or _is_added(lines, nth))
    )


def _is_anothers(lines: Sequence[str], nth: int) -> bool:
    """Is this line quoted, or ours, or does a quotation begin here?"""
    start = lines[nth][:LONGEST]
    return (
        QUOTE.match(start) is not None
        or LETTERHEAD.match(start) is not None
        or (HEAD_OF_A_SITE.match(start) is not None and command_of(start) != "say")
        or OUR_SECRET.search(start) is not None
        or _is_ours(start)
        or FORWARDED.match(start) is not None
        or _begins_headers(lines, nth)
        or _is_attributed(lines, nth)
    )


def _is_signature(line: str) -> bool:
    if command_of(line) == "say":
        return False
    if SIGNATURE.match(line):
        return True
    closing = CLOSING.match(line)
    if closing is not None:
        return closing["name"] is None or _is_name(closing["name"])
    signed = SIGNED.match(line)
    return signed is not None and _is_name(signed["name"])


def _thanks_above(lines: Sequence[str]) -> bool:
    """Does the first line say thanks, or anything else that closes a mail, right above a move or a command?"""
    said = next(iter(_trimmed(lines[1:])), "")
    closes = bool(lines) and CLOSING.fullmatch(lines[0][:LONGEST]) is not None
    return closes and (LOOKS_LIKE_MOVE.match(said[:LONGEST]) is not None or command_of(said) != "")


def _is_added(lines: Sequence[str], nth: int) -> bool:
    """Does here, in a paragraph of its own, begin what firms and virus scanners put below each mail?"""
    line = lines[nth][:LONGEST]
    if nth and lines[nth - 1]:
        return False
    is_disclaimer = len(line) >= SHORTEST_DISCLAIMER and DISCLAIMER.match(line) is not None
    return (is_disclaimer and command_of(line) != "say") or LINK_ALONE.match(line) is not None


def _begins_headers(lines: Sequence[str], nth: int) -> bool:
    if command_of(lines[nth]) == "say":
        return False
    row: list[str] = []
    for line in lines[nth : nth + HEADERS_IN_A_ROW]:
        if not HEADER.match(line[:LONGEST]):
            break
        row.append(line[:LONGEST])
    if len(row) == HEADERS_IN_A_ROW:
        return True
    return len(row) > 1 and MAILBOX.search(row[0]) is not None


def _is_attributed(lines: Sequence[str], nth: int) -> bool:
    """Does it begin to say here who wrote what follows?"""
    first, said = lines[nth], ""
    if command_of(first) and (not first.endswith((":", "：")) or _is_message(lines, nth)):
        return False
    for count, line in enumerate(lines[nth : nth + ATTRIBUTION_LINES], 1):
        if not line or QUOTE.match(line):
            break
        said = f"{said} {line}".strip()
        if len(said) > LONGEST:
            break
        if OUR_SECRET.search(line) and (count == 1 or OUR_NAME.search(first[:LONGEST])):
            return True
        if count > 1 and not any(sign.search(first[:LONGEST]) for sign in ATTRIBUTES):
            # The line above belongs to the writer.
            break
        if _says_who_wrote(said, next((line for line in lines[nth + count : nth + count + 3] if line), "")):
            return True
    return False


def _is_message(lines: Sequence[str], nth: int) -> bool:
    """Is this line, which looks like an attribution, certainly typed, as a message?

    With an address, or above a quotation, it may be one, of somebody who is called like the command.
    """
    follows = next((line for line in lines[nth + 1 : nth + 4] if line), "")
    names_somebody = "<" in lines[nth] or MAILBOX.search(lines[nth][:LONGEST]) is not None
    return command_of(lines[nth]) == "say" and not names_somebody and QUOTE.match(follows) is None


def _says_who_wrote(said: str, following: str) -> bool:
    """Are these lines, put together, an attribution? `following`: the next line that is not empty."""
    said = said.rstrip(" -=*_")
    if WROTE.search(said):
        return said.endswith((":", "：")) or bool(TIME.search(said) or MAILBOX.search(said))
    address, time = MAILBOX.search(said), TIME.search(said)
    if (address is not None or time is not None) and CITED.match(said) and ENDS_AS_DATE.search(said):
        # A sentence of the writer's may begin like that, too, and have their move.
        return not any(LOOKS_LIKE_MOVE.match(word.strip("(),;")) for word in said.split())
    if not said.endswith((":", "：", ">", ")", "]")):
        return False
    if said.endswith((":", "：")):
        dated = time is not None and len(said.split()) > 2
        named = OUR_NAME.search(said) is not None
        return (
            address is not None
            or dated
            or named
            or (QUOTE.match(following) is not None and bool(re.search(r"\d", said)))
        )
    return address is not None and time is not None and SAID.search(said) is not None


@cache
def _own_runs() -> frozenset[tuple[str, ...]]:
    """All that follows on each other in our texts, RUN words at a time."""
    runs: set[tuple[str, ...]] = set()
    for language in load_words().values():
        for key, forms in language.texts.items():
            if key.startswith(OWN_AREAS):
                for form in forms:
                    for piece in PLACE.sub("\n", QUOTED_WORDS.sub("\n", form)).split("\n"):
                        words = _words(piece)
                        runs.update(tuple(words[nth : nth + RUN]) for nth in range(len(words) - RUN + 1))
    return frozenset(runs)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _is_ours(line: str) -> bool:
    """Is the line a part of a text that our mails are made of? A message is only if all of it is."""
    words = _words(line)
    if len(words) < RUN:
        return False
    runs, covered = _own_runs(), set[int]()
    for nth in range(len(words) - RUN + 1):
        if tuple(words[nth : nth + RUN]) in runs:
            covered.update(range(nth, nth + RUN))
    enough = len(words) if command_of(line) == "say" else MOSTLY * len(words)
    return len(covered) >= enough


def _is_name(text: str) -> bool:
    """Could this be what somebody signs with, and nothing else?"""
    words = [word.strip(".,!") for word in text.split()]
    if not 0 < len(words) <= 3 or not all(words):
        return False
    return all(
        re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", word) is not None
        and not word[0].islower()
        and word.lower() not in MEANT
        and word.lower() not in command_words()
        and LOOKS_LIKE_MOVE.match(word) is None
        for word in words
    )


def _without_names(lines: list[str]) -> list[str]:
    """The lines without whom they greet, and without the names below them, which are not part of a message."""
    if _thanks_above(lines):
        lines = _trimmed(lines[1:])
    greeted = GREETING.match(lines[0][:LONGEST]) if lines else None
    name = greeted["name"].strip() if greeted else lines[0] if lines and lines[0].endswith(",") else "?"
    if len(lines) > 1 and (not name or _is_name(name)):
        lines = _trimmed(lines[1:])
    gap = max((nth for nth, line in enumerate(lines) if not line), default=len(lines))
    if all(map(_is_name, lines[gap + 1 :])) and len(lines) - gap - 1 <= SIGNED_LINES:
        lines = _trimmed(lines[:gap])
    if len(lines) > 1 and _is_name(lines[-1]) and (not lines[-2] or LOOKS_LIKE_MOVE.match(lines[-2][:LONGEST])):
        lines = _trimmed(lines[:-1])
    return lines


def _move_below(lines: Sequence[str]) -> tuple[str, ...]:
    """The move of somebody who answers below what they quote; nothing, if a program may have left it there."""
    quoted = [nth for nth, line in enumerate(lines) if QUOTE.match(line)]
    if not quoted:
        return ()
    first = next(nth for nth, line in enumerate(lines) if line)
    begins = quoted[0]
    if begins != first and not (begins - first <= ATTRIBUTION_LINES + 2 and _is_attributed(lines, first)):
        return ()
    marked = all(not line or QUOTE.match(line) for line in lines[begins : quoted[-1]])
    below = list(lines[quoted[-1] + 1 :])
    if not marked or not below or below[0]:
        return ()
    filled = [nth for nth, line in enumerate(below) if line]
    if len(filled) > LONGEST_SIGNATURE or any(_is_anothers(below, nth) for nth in filled):
        return ()
    end = next((nth for nth in filled if _ends_here(below, nth)), len(below))
    written = _without_names(_trimmed(below[:end]))
    return tuple(written) if len(written) == 1 and LOOKS_LIKE_MOVE.match(written[0][:LONGEST]) else ()
