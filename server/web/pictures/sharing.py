"""What goes with a link to a game: the headline that chat programs show above its card, and pictures to share.

Knows the game as everybody may see it.
"""

from urllib.parse import urlencode

from markupsafe import Markup

from server.games.changes.beginning import is_proposed
from server.games.state import Game
from server.language import Language
from server.rules.variant.variant import Variant


def headline(game: Game, language: Language, called: str) -> Markup:
    """Who plays whom, which variant, and how it stands, as safe markup. `called`: the variant's name."""
    variant = f"{called} 960" if game.terms.chess960 else called
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
