"""The site's logo, a house with a pawn for a door, on a 32 x 32 field, as in templates/partials/icons.html."""

HOUSE = (
    "M16 1.5 30.5 13a1.5 1.5 0 0 1-1 2.5H28V28a2.5 2.5 0 0 1-2.5 2.5h-19A2.5 2.5 0 0 1 4 28V15.5H2.5a1.5 1.5 0 0 1-1"
    "-2.5z"
)
PAWN = (
    "M16 10a4.3 4.3 0 0 1 2.8 7.6h1.2v2.2h-1.7c.2 2.6 2 4 3.2 5.7v1.8h-11v-1.8c1.2-1.7 3-3.1 3.2-5.7H12v-2.2h1.2"
    "A4.3 4.3 0 0 1 16 10z"
)
MARGIN = 7
"""Room around the logo in an icon, so that a round mask cuts nothing off."""


def icon_svg(paper: str, roof: str, pawn: str) -> str:
    """A square icon in these colours."""
    field = 32 + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{MARGIN} -{MARGIN} {field} {field}">'
        f'<path fill="{paper}" d="M-{MARGIN}-{MARGIN}h{field}v{field}h-{field}z"/>'
        f'<path fill="{roof}" d="{HOUSE}"/><path fill="{pawn}" d="{PAWN}"/></svg>'
    )
