"""The commands of a reply, one a line, and nothing else: whatever is no command has the whole mail refused.

    Nf3                       the move, in any usual spelling
    if e5 then Nf3 if Nc6 then Bb5
                              conditional moves; all such lines of a mail are one tree, instead of what was prepared
    if off                    drop what was prepared
    draw                      offer a draw, or agree to one
    accept, decline           answer the opponent's offer, or withdraw an own one
    takeback                  ask to take the last move back
    rematch                   offer to play again, or agree to it
    pause                     ask to pause the game, or agree to it
    resume                    end the pause
    claim, claim draw         claim the win, or a draw, as the opponent's time is over
    abort                     end the game before both have moved, or withdraw a challenge
    resign GAMEID             resign; the site asks once more
    say words                 tell the opponent something; the words go on until an empty line
    preview Nf3 Nf6 g3        the board after these moves, which are not played
    show, show 12             the board as it stands, or after twelve half-moves
    show GAMEID               any game
    show all                  the boards of all games that go on
    games, games NAME         all own games that go on; somebody's
    standings grand, ratings NAME, history NAME
                              the best players; somebody's ratings, and their last games
    challenge NAME grand 3 days white rated
                              ask somebody to play
    pair NAME NAME grand 3 days rated
                              propose a game to two others
    vacation until 2026-08-03, vacation off, vacation
                              be away through that day; be back; how many days are left
    robin, robin SECTIONID    which sections of everyone against everyone are open; the table of one
    enter SECTIONID, enter grand
                              enter a section
    withdraw SECTIONID        leave it; once it has begun "sure" is to follow
    help, help TOPIC          how to write such mails

Each word is understood in every language of the site (`command_words`). Knows no game: whether a move can be played is
decided where the position is known (`typed_moves`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Final

from server.games.state import OfferKind
from server.mail.inbound.command_words import (
    LOOKS_LIKE_MOVE,
    MAX_LINE,
    MOVE,
    THEIR_WORDS,
    NotACommand,
    command_of,
    command_words,
    first_word,
    joined_move,
    rest_of,
    shortened,
)
from server.mail.inbound.mail_commands import (
    ENQUIRIES,
    Abort,
    AnswerOffer,
    AskVacation,
    Challenge,
    ClaimTime,
    Conditional,
    EndPause,
    EnterSection,
    Help,
    History,
    ListGames,
    ListSections,
    MailCommand,
    MakeOffer,
    Preview,
    Ratings,
    Resign,
    Say,
    Show,
    ShowAll,
    ShowGame,
    ShowSection,
    Standings,
    TakeVacation,
    TypedMove,
    WithdrawFrom,
)

USUAL_DAYS: Final = 3
COLORS: Final = ("white", "black", "random")
DAYS: Final = re.compile(r"(\d{1,2})([^\W\d_]*)", re.ASCII)
"""A number, perhaps with a letter behind it; 960 belongs to the name of a variant."""
BANK: Final = re.compile(r"(\d{1,2})\+(\d{1,2})(?:/(\d{1,2}))?[^\W\d_]*", re.ASCII)
"""A time bank: "10+1", "10+1/30d"."""


def challenge_in(line: str) -> Challenge:
    """The challenge. The name comes first; what is neither time, colour nor "rated" is the variant, in any order.

    Raises NotACommand if something is missing or stands there twice.
    """
    name, *words = _words(line) or [""]
    found = _terms(name, "", words)
    if found is None:
        raise NotACommand("challenge_which", line=shortened(line))
    return found


def pairing_in(line: str) -> Challenge:
    """The game proposed to two others, whose names come first. Raises NotACommand."""
    name, other, *words = [*_words(line), "", ""]
    found = _terms(name, other, [word for word in words if word])
    if found is None:
        raise NotACommand("pair_which", line=shortened(line))
    return found


def _words(line: str) -> list[str]:
    return [word.strip(",.;") for word in rest_of(line).split()]


def _terms(name: str, other: str, words: Sequence[str]) -> Challenge | None:
    """The challenge with the terms in `words`; None if something is missing or stands there twice."""
    known = command_words()
    meant = [known.get(word.lower(), "") for word in words]
    colors = [word for word in meant if word in COLORS]
    ratings = [word for word in meant if word in ("rated", "casual")]
    days = [number for word in words if (number := _days(word)) is not None]
    banks = [found for word in words if (found := BANK.fullmatch(word)) is not None]
    used = {*COLORS, "rated", "casual", "days"}
    variant = [
        word
        for word, meaning in zip(words, meant, strict=True)
        if meaning not in used and _days(word) is None and BANK.fullmatch(word) is None
    ]
    if not name or not variant or max(len(colors), len(ratings), len(days) + len(banks)) > 1:
        return None
    return Challenge(
        name=name,
        variant=" ".join(variant)[:40],
        days=days[0] if days else USUAL_DAYS,
        color=colors[0] if colors else "random",
        rated=ratings == ["rated"],
        other=other,
        bank=(int(banks[0][1]), int(banks[0][2]), int(banks[0][3] or 0)) if banks else None,
    )


def _days(word: str) -> int | None:
    """The number in "3" or "3d"; None if it is no number of days."""
    found = DAYS.fullmatch(word)
    if found is None or (found[2] and command_words().get(found[2].lower()) != "days"):
        return None
    return int(found[1])


PERHAPS_BROKEN: Final = 60
"""No program breaks a line that is shorter than that, with a little to spare for its next word."""


def conditional_in(line: str) -> Conditional:
    """The conditional moves of one line. Raises NotACommand."""
    if command_words().get(rest_of(line).lower()) == "off":
        return Conditional(())
    words = _if_or_then().split(line)
    # What stands between the words, which must be "if" and "then" by turns: "", "if", "e5", "then", "Nf3", …
    moves = [MOVE.fullmatch(one.strip(" ,;:")) for one in words[2::2]]
    turns = ["if", "then"] * (len(moves) // 2)
    if words[0] or [command_words()[word.lower()] for word in words[1::2]] != turns or not all(moves):
        raise NotACommand("if_which", line=shortened(line))
    return Conditional((tuple(joined_move(move["move"]) for move in moves if move),))


def unwrap_lines(lines: Sequence[str]) -> Iterator[str]:
    """`lines` with each line of conditional moves in one piece. Raises NotACommand where that may be wrong.

    Mail programs break long lines. A line that cannot end where it does goes on in the next. But where it may have been
    broken before another "if", the rest would be a line of its own with another meaning, so that is refused.
    """
    open_line, last, saying = "", "", False
    for line in lines:
        saying = bool(line) and (saying or command_of(line) == "say")
        if open_line and line and not saying and _goes_on(open_line, line):
            open_line, last = f"{open_line} {line}", line
            continue
        if open_line:
            if command_of(line) == "if" and len(last) > PERHAPS_BROKEN:
                raise NotACommand("if_broken", line=shortened(line))
            yield open_line
            open_line = ""
        if command_of(line) == "if" and not saying:
            open_line = last = line
        else:
            yield line
    if open_line:
        yield open_line


def _goes_on(begun: str, line: str) -> bool:
    """Is `begun`, of conditional moves, not at its end before `line`? One that is too long is refused as it is."""
    if len(begun) > MAX_LINE:
        return False
    if command_words().get(first_word(line).lower()) == "then":
        return True
    *_, word, rest = ["", *_if_or_then().split(f"{begun} ")]
    return command_words().get(word.lower()) == "then" and not rest.strip()


@cache
def _if_or_then() -> re.Pattern[str]:
    words = "|".join(word for word, meaning in command_words().items() if meaning in ("if", "then"))
    return re.compile(rf"(?:^|(?<=[\s,;]))({words})(?=[\s:])", re.IGNORECASE)


MAX_COMMANDS: Final = 10
MAX_CONDITIONAL: Final = 30
"""Lines of conditional moves."""
MAX_PREVIEW: Final = 40
SECTION: Final = re.compile(r"[0-9A-Za-z]{10}")
LONGEST_NAME: Final = 40
SHOWN: Final = re.compile(r"(?P<game>\w{10})?(?:(?:^|[\s#]+)#?(?P<plies>\d{1,4}))?", re.ASCII)
"""A game's id, a number of half-moves, both, or nothing."""


def read_commands(lines: Sequence[str]) -> tuple[MailCommand, ...]:
    """The commands of a reply. Raises NotACommand, also if there are none.

    A long one takes some 50 ms, so it is called beside the event loop.
    """
    commands: list[MailCommand] = []
    saying: list[str] = []
    for line in (*unwrap_lines(lines), ""):
        if saying:
            if line:
                if is_command(line):
                    raise NotACommand("say_goes_on", line=shortened(line))
                saying.append(line)
                continue
            commands.append(Say("\n".join(saying)))
            saying = []
        elif command_of(line) == "say":
            saying.append(line[len(first_word(line)) :].removeprefix(":").lstrip())
        elif line:
            commands.append(_command(line))
    return _checked(commands)


def words_within(line: str) -> list[str]:
    """The commands that a sentence has in it, such as "I offer a draw", as they stand there."""
    words = (word.strip(".,!?¡¿") for word in line.split())
    return [word.lower() for word in words if command_of(word) in WORDS and command_of(word) not in ("if", "move")]


def is_command(line: str) -> bool:
    """Could this line by itself be meant as a command?"""
    return (command_of(line) in WORDS and len(line.split()) <= 2) or LOOKS_LIKE_MOVE.match(line) is not None


def _checked(read: Sequence[MailCommand]) -> tuple[MailCommand, ...]:
    """The commands, with all lines of conditional moves as one of them, in the place of the first."""
    lines = [line for one in read if isinstance(one, Conditional) for line in one.lines]
    first = next((one for one in read if isinstance(one, Conditional)), None)
    commands = [
        Conditional(tuple(lines)) if one is first else one
        for one in read
        if one is first or not isinstance(one, Conditional)
    ]
    commands = list(_asked_once(commands))
    if not commands:
        raise NotACommand("says_nothing")
    if len(commands) > MAX_COMMANDS:
        raise NotACommand("too_many_commands", most=MAX_COMMANDS)
    typed = [one.text for one in commands if isinstance(one, TypedMove)]
    if len(typed) > 1:
        # A word beside a move is no second one, whatever it is.
        other = next((text for text in typed if LOOKS_LIKE_MOVE.match(text) is None), "")
        raise NotACommand("not_understood", line=shortened(other)) if other else NotACommand("two_moves")
    if len(lines) > MAX_CONDITIONAL:
        raise NotACommand("if_too_many", most=MAX_CONDITIONAL)
    if lines and Conditional(()) in read:
        raise NotACommand("if_off_and_on")
    return tuple(commands)


def _asked_once(commands: Iterable[MailCommand]) -> Iterator[MailCommand]:
    """What is asked twice is answered once: some answers are long."""
    asked: set[MailCommand] = set()
    for one in commands:
        if one not in asked:
            yield one
        if isinstance(one, ENQUIRIES):
            asked.add(one)


ASKED: Final = ("draw", "takeback", "rematch", "pause", "show", "games", "help")
"""Commands that mean the same with a question mark."""


def _command(line: str) -> MailCommand:
    if len(line) > MAX_LINE:
        raise NotACommand("not_understood", line=shortened(line))
    if _is_all(first_word(line)) and command_of(rest_of(line)) in ("show", "games"):
        line = f"{rest_of(line)} {first_word(line)}"
    if line.endswith("?") and command_of(asked := line.rstrip(" ?")) in ASKED and asked == first_word(asked):
        # People ask for what they offer.
        line = asked
    make = WORDS.get(command_of(line))
    if make is not None:
        return make(line)
    theirs = first_word(line).rstrip(".!").lower()
    if theirs in THEIR_WORDS:
        here = THEIR_WORDS[theirs]
        if here == "say":
            raise NotACommand("elsewhere_say", word=theirs)
        raise NotACommand("elsewhere_as", word=theirs, here=here) if here else NotACommand("elsewhere", word=theirs)
    if (move := MOVE.fullmatch(line)) is not None:
        return TypedMove(joined_move(move["move"]))
    raise NotACommand("not_understood", line=shortened(line))


def _alone(command: MailCommand) -> Callable[[str], MailCommand]:
    """Reads a word after which nothing may stand but a full stop."""

    def read(line: str) -> MailCommand:
        if rest_of(line):
            raise NotACommand("not_understood", line=shortened(line))
        return command

    return read


def _resign(line: str) -> Resign:
    if re.fullmatch(r"\w{1,20}", rest_of(line)) is None:
        raise NotACommand("resign_which")
    return Resign(rest_of(line))


def _preview(line: str) -> Preview:
    moves = tuple(word for word in rest_of(line).split() if re.fullmatch(r"\d+\.*", word) is None)
    if not 0 < len(moves) <= MAX_PREVIEW:
        raise NotACommand("preview_which", most=MAX_PREVIEW)
    return Preview(moves)


def _is_all(word: str) -> bool:
    return command_words().get(word.lower()) == "all"


def _games(line: str) -> ListGames:
    if not rest_of(line) or _is_all(rest_of(line)):
        return ListGames()
    return ListGames(_name_in(line))


def _show(line: str) -> Show | ShowGame | ShowAll:
    if _is_all(rest_of(line)):
        return ShowAll()
    found = SHOWN.fullmatch(rest_of(line))
    if found is None:
        raise NotACommand("show_which")
    plies = int(found["plies"]) if found["plies"] else None
    return ShowGame(found["game"], plies) if found["game"] else Show(plies)


def _standings(line: str) -> Standings:
    if not 0 < len(rest_of(line)) <= LONGEST_NAME:
        raise NotACommand("standings_which")
    return Standings(rest_of(line))


def _about(make: Callable[[str], MailCommand]) -> Callable[[str], MailCommand]:
    """Reads a word after which a player's name stands."""

    return lambda line: make(_name_in(line))


def _name_in(line: str) -> str:
    if re.fullmatch(r"[\w-]{1,40}", rest_of(line)) is None:
        raise NotACommand("about_whom", line=shortened(line))
    return rest_of(line)


def _vacation(line: str) -> TakeVacation | AskVacation:
    known, (first, *more) = command_words(), (rest_of(line).lower().split() or [""])
    if not first:
        return AskVacation()
    if known.get(first) == "off" and not more:
        return TakeVacation(None)
    written = more[-1:] if known.get(first) == "until" else [first, *more]
    try:
        (day,) = written
        return TakeVacation(date.fromisoformat(day))
    except ValueError:
        raise NotACommand("vacation_which") from None


def _robin(line: str) -> ListSections | ShowSection:
    if not rest_of(line):
        return ListSections()
    if SECTION.fullmatch(rest_of(line)) is None:
        raise NotACommand("section_which")
    return ShowSection(rest_of(line))


def _enter(line: str) -> EnterSection:
    """What is entered is a section in any case, so the word for it may be left out."""
    words = rest_of(line).split()
    if words and command_words().get(words[0].lower()) == "robin":
        words = words[1:]
    wanted = " ".join(words)
    if not 0 < len(wanted) <= LONGEST_NAME:
        raise NotACommand("enter_which")
    return EnterSection(wanted)


def _withdraw(line: str) -> WithdrawFrom:
    section, *more = rest_of(line).split() or [""]
    meant = [command_words().get(word.lower()) for word in more]
    if SECTION.fullmatch(section) is None or meant not in ([], ["sure"]):
        raise NotACommand("withdraw_which")
    return WithdrawFrom(section, sure=bool(meant))


def _claim(line: str) -> ClaimTime:
    what = rest_of(line).lower()
    if what and command_words().get(what) != "draw":
        raise NotACommand("not_understood", line=shortened(line))
    return ClaimTime(as_draw=bool(what))


def _help(line: str) -> Help:
    topic = rest_of(line)[:LONGEST_NAME].lower()
    return Help(command_words().get(topic, topic))


def _move(line: str) -> TypedMove:
    found = MOVE.fullmatch(rest_of(line))
    if found is None:
        raise NotACommand("not_understood", line=shortened(line))
    return TypedMove(joined_move(found["move"]))


WORDS: Final[Mapping[str, Callable[[str], MailCommand]]] = {
    "if": conditional_in,
    "draw": _alone(MakeOffer(OfferKind.DRAW)),
    "takeback": _alone(MakeOffer(OfferKind.TAKEBACK)),
    "rematch": _alone(MakeOffer(OfferKind.REMATCH)),
    "pause": _alone(MakeOffer(OfferKind.PAUSE)),
    "resume": _alone(EndPause()),
    "accept": _alone(AnswerOffer(accepts=True)),
    "decline": _alone(AnswerOffer(accepts=False)),
    "claim": _claim,
    "abort": _alone(Abort()),
    "resign": _resign,
    "preview": _preview,
    "show": _show,
    "games": _games,
    "standings": _standings,
    "ratings": _about(Ratings),
    "history": _about(History),
    "challenge": challenge_in,
    "pair": pairing_in,
    "vacation": _vacation,
    "robin": _robin,
    "enter": _enter,
    "withdraw": _withdraw,
    "help": _help,
    "move": _move,
}
