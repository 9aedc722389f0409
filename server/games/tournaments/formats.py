"""How tournaments can be played, by the word that is stored."""

from typing import Final

from server.games.tournaments.arena import ARENA
from server.games.tournaments.robin import ROBIN
from server.games.tournaments.swiss import SWISS

FORMATS: Final = {"arena": ARENA, "swiss": SWISS, "robin": ROBIN}
