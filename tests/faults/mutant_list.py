"""The defences that are switched off one by one, and the test that must find each."""

from tests.faults.mutant import Mutant
from tests.faults.mutants_of_budgets import OF_BUDGETS
from tests.faults.mutants_of_chat import OF_CHAT
from tests.faults.mutants_of_clocks import OF_CLOCKS
from tests.faults.mutants_of_deletion import OF_DELETION
from tests.faults.mutants_of_events import OF_EVENTS
from tests.faults.mutants_of_games import OF_GAMES
from tests.faults.mutants_of_kept_pages import OF_KEPT_PAGES
from tests.faults.mutants_of_nodes import OF_NODES
from tests.faults.mutants_of_people import OF_PEOPLE
from tests.faults.mutants_of_reminders import OF_REMINDERS
from tests.faults.mutants_of_sockets import OF_SOCKETS
from tests.faults.mutants_of_stores import OF_STORES
from tests.faults.mutants_of_the_edge import OF_THE_EDGE
from tests.faults.mutants_of_turns import OF_TURNS

__all__ = ["MUTANTS", "Mutant"]

MUTANTS: tuple[Mutant, ...] = (
    *OF_BUDGETS,
    *OF_KEPT_PAGES,
    *OF_SOCKETS,
    *OF_CLOCKS,
    *OF_PEOPLE,
    *OF_CHAT,
    *OF_GAMES,
    *OF_EVENTS,
    *OF_REMINDERS,
    *OF_DELETION,
    *OF_NODES,
    *OF_STORES,
    *OF_THE_EDGE,
    *OF_TURNS,
)
