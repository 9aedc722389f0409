"""The words of pictures of games: the headline above the card of a link, and captions with names, scores and times.

Knows the game as everybody may see it, but no request.
"""

from urllib.parse import urlencode

from markupsafe import Markup

from server.games.changes.beginning import is_proposed
from server.games.clocks.time_control import ClockKind
from server.games.state import Game
from server.language import Language, name_in_form
from server.pictures.scene import Plate
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.web.clock_words import paces


def headline(game: Game, language: Language, called: str) -> Markup:
    """Who plays whom, which variant, and how it stands, as safe markup. `called`: the variant's name."""
    variant = name_in_form(called, game.terms.chess960)
    white, black = (language.person(player.name) if player else None for player in (game.white, game.black))
    if white is None or black is None:
        somebody = white or black
        if somebody is None:
            return language.t("pictures.proposed" if is_proposed(game) else "pictures.open", variant=variant)
        return language.t("pictures.waiting", name=somebody, variant=variant)
    if game.outcome is None:
        number = game.position.fullmove
        return language.t("pictures.running", white=white, black=black, variant=variant, number=number)
    if game.result == "*":
        return language.t("pictures.unfinished", white=white, black=black, variant=variant)
    return language.t("pictures.over", white=white, black=black, variant=variant, result=game.result)


def picture_links(game: Game, language: Language) -> tuple[tuple[str, Markup], ...]:
    """The path and the label of each picture of the game to share."""
    return (
        (f"/{game.id}/board.svg", language.t("pictures.board")),
        (f"/{game.id}/replay.svg", language.t("pictures.replay")),
        (f"/{game.id}/replay.gif", language.t("pictures.replay_gif")),
    )


def card_of_position(variant: Variant, fen: str | None) -> str:
    """The address of the card of a position, or of the start position without one."""
    return f"/api/variants/{variant.id}/card.png" + (f"?{urlencode({'fen': fen})}" if fen else "")


SCORES = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("1/2", "1/2")}
NOBODY = "?"


def plates(game: Game, now: int | None = None) -> tuple[Plate, Plate]:
    """White's and Black's names with their scores or, during the game, what their clocks show at `now` (ms)."""
    white, black = (_note(game, color, now) for color in Color)
    return Plate(_name(game, Color.WHITE), white), Plate(_name(game, Color.BLACK), black)


def _name(game: Game, color: Color) -> str:
    player = game.player(color)
    return player.name if player else NOBODY


def _note(game: Game, color: Color, now: int | None) -> str:
    if game.outcome is not None:
        return SCORES.get(game.result, ("", ""))[color.value]
    left = None if now is None else game.clock.remaining(color, now)
    return "" if left is None or game.terms.control.kind is not ClockKind.REALTIME else clock_text(left)


def clock_text(ms: int) -> str:
    """1:02:03 or 4:05."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def terms_text(game: Game) -> str:
    """The size of the board and the time control, such as 10x10, 5+3."""
    variant, control = game.terms.variant, game.terms.control
    size = f"{variant.files}x{variant.ranks}"
    if control.kind is not ClockKind.REALTIME:
        return size
    return f"{size}, {' / '.join(dict.fromkeys(paces(control)))}"


def variant_name(game: Game) -> str:
    """The English name of the variant, with its form."""
    return name_in_form(game.terms.variant.name, game.terms.chess960)
