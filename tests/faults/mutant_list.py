"""The defences that are switched off one by one, and the test that must find each."""

from tests.faults.mutant import Mutant
from tests.faults.mutants_of.analysis.explaining import OF_EXPLAINING, OF_REPORTS
from tests.faults.mutants_of.analysis.studies import OF_STUDIES
from tests.faults.mutants_of.appearance.looks import OF_LOOKS
from tests.faults.mutants_of.appearance.preferences import OF_PREFERENCES
from tests.faults.mutants_of.bots import OF_BOTS
from tests.faults.mutants_of.budgets import OF_BUDGETS
from tests.faults.mutants_of.chat import OF_CHAT
from tests.faults.mutants_of.clocks import OF_CLOCKS
from tests.faults.mutants_of.computer import OF_THE_COMPUTER
from tests.faults.mutants_of.correspondence.conditional_moves import OF_CONDITIONAL_MOVES
from tests.faults.mutants_of.correspondence.flagging import OF_FLAGGING
from tests.faults.mutants_of.correspondence.reminders import OF_REMINDERS
from tests.faults.mutants_of.correspondence.vacations import OF_VACATIONS
from tests.faults.mutants_of.deletion import OF_DELETION
from tests.faults.mutants_of.edge import OF_EDGE
from tests.faults.mutants_of.engine import OF_FAIRY_STOCKFISH, OF_THE_ENGINE
from tests.faults.mutants_of.events import OF_EVENTS
from tests.faults.mutants_of.explorer import OF_EXPLORER
from tests.faults.mutants_of.games import OF_GAMES
from tests.faults.mutants_of.kept_pages import OF_KEPT_PAGES
from tests.faults.mutants_of.lessons import OF_LESSONS
from tests.faults.mutants_of.mail.addresses import OF_ADDRESSES
from tests.faults.mutants_of.mail.asking import OF_ASKING
from tests.faults.mutants_of.mail.bounces import OF_BOUNCES
from tests.faults.mutants_of.mail.digests import OF_DIGESTS
from tests.faults.mutants_of.mail.messages import OF_MESSAGES
from tests.faults.mutants_of.mail.outgoing import OF_MAIL
from tests.faults.mutants_of.mail.pushes import OF_PUSHES
from tests.faults.mutants_of.mail.reading import OF_READING
from tests.faults.mutants_of.mail.replies import OF_REPLIES
from tests.faults.mutants_of.nodes import OF_NODES
from tests.faults.mutants_of.people import OF_PEOPLE
from tests.faults.mutants_of.puzzles import OF_PUZZLES
from tests.faults.mutants_of.sockets import OF_SOCKETS
from tests.faults.mutants_of.stores import OF_STORES
from tests.faults.mutants_of.ties import OF_TIES
from tests.faults.mutants_of.turns import OF_TURNS

__all__ = ["MUTANTS", "Mutant"]

MUTANTS: tuple[Mutant, ...] = (
    *OF_BOTS,
    *OF_BUDGETS,
    *OF_KEPT_PAGES,
    *OF_SOCKETS,
    *OF_CLOCKS,
    *OF_PEOPLE,
    *OF_PREFERENCES,
    *OF_CHAT,
    *OF_GAMES,
    *OF_EVENTS,
    *OF_REMINDERS,
    *OF_THE_COMPUTER,
    *OF_CONDITIONAL_MOVES,
    *OF_LESSONS,
    *OF_STUDIES,
    *OF_EXPLAINING,
    *OF_REPORTS,
    *OF_PUZZLES,
    *OF_ASKING,
    *OF_READING,
    *OF_REPLIES,
    *OF_DELETION,
    *OF_EXPLORER,
    *OF_MAIL,
    *OF_ADDRESSES,
    *OF_DIGESTS,
    *OF_PUSHES,
    *OF_MESSAGES,
    *OF_BOUNCES,
    *OF_NODES,
    *OF_STORES,
    *OF_EDGE,
    *OF_THE_ENGINE,
    *OF_FAIRY_STOCKFISH,
    *OF_TURNS,
    *OF_FLAGGING,
    *OF_VACATIONS,
    *OF_TIES,
    *OF_LOOKS,
)
