"""How a page looks to its reader from the first picture on, as text for its template. Decides nothing."""

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Look:
    """`attributes` of the page's first tag, and the `sheet` of another set of pieces; both empty: the usual look."""

    attributes: Markup
    sheet: Markup
