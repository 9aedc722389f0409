"""Two processes that follow a game, and a Redis between them whose every delay is chosen: nobody is left untold.

Each process has two connections, one that listens and one that publishes, and what is on its way on one may be older
than what has arrived on the other.
"""

from collections import deque

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from server.realtime.process.bus import GameTopic, PersonTopic
from server.realtime.process.notices.followed import Followed

GAME = GameTopic("abcdefghij")
PROCESSES = 2
NUMBERS = st.integers(0, PROCESSES - 1)


class Process:
    """`seen`: the newest change that it was told of or found in the store. `broken`: it hears nothing, and has not
    noticed yet. `inbox`: what is on its way from Redis, `outbox`: to it; `answers`: how many a message has reached.
    """

    def __init__(self):
        self.followed = Followed()
        self.follows = self.listens = self.broken = False
        self.inbox, self.outbox, self.answers, self.seen = deque(), deque(), deque(), 0

    def say(self, unsaid):
        self.outbox.extend(fields["rev"] for fields in unsaid.values())


class Delays(RuleBasedStateMachine):
    """`rev`: the newest change of the game in the store."""

    def __init__(self):
        super().__init__()
        self.processes = [Process() for _ in range(PROCESSES)]
        self.rev = 0

    @rule(number=NUMBERS)
    def follow(self, number):
        self.processes[number].follows = True
        self.processes[number].followed.follow(GAME)

    @rule(number=NUMBERS)
    def unfollow(self, number):
        one = self.processes[number]
        # It does so only when nothing has happened for half a minute.
        if not one.inbox and not one.broken:
            one.follows = False
            one.followed.unfollow(GAME)

    @rule(number=NUMBERS)
    def subscribe(self, number):
        one = self.processes[number]
        if one.broken:
            return
        if one.followed.end.pop(GAME, "no") is None:
            one.listens = False
        if one.followed.begin.pop(GAME, "no") is None:
            one.listens = True
            one.inbox.append("confirmed")

    @rule(number=NUMBERS)
    def connection_breaks(self, number):
        one = self.processes[number]
        one.inbox.clear()
        one.listens, one.broken = False, True

    @rule(number=NUMBERS)
    def notices(self, number):
        one = self.processes[number]
        if one.broken:
            one.broken = False
            one.followed.start_again()

    @rule(number=NUMBERS)
    def arrives(self, number):
        one = self.processes[number]
        if not one.inbox:
            return
        match one.inbox.popleft():
            case "confirmed":
                if one.followed.confirm(GAME):
                    one.outbox.append("came")
                    one.seen = self.rev
            case sender, "came":
                if sender is not one:
                    one.say(one.followed.somebody_came(GAME))
            case _, rev:
                one.seen = max(one.seen, rev)

    @rule(number=NUMBERS)
    def change(self, number):
        one = self.processes[number]
        self.rev += 1
        one.seen = self.rev
        if not one.followed.keeps(GAME, "rev", {"rev": self.rev}):
            one.outbox.append(self.rev)

    @rule(number=NUMBERS)
    def publish(self, number):
        one = self.processes[number]
        if one.outbox:
            one.followed.sending(GAME)
            listening = [other for other in self.processes if other.listens]
            for other in listening:
                other.inbox.append((one, one.outbox[0]))
            one.outbox.popleft()
            one.answers.append(len(listening))

    @rule(number=NUMBERS)
    def answer(self, number):
        one = self.processes[number]
        if one.answers:
            one.say(one.followed.received_by(GAME, one.answers.popleft()))

    @rule(number=NUMBERS)
    def when_all_is_quiet_whoever_follows_has_seen_the_newest(self, number):
        self._settle()
        assert all(one.seen == self.rev for one in self.processes if one.follows)
        one = self.processes[number]
        if one.follows and not any(other.follows for other in self.processes if other is not one):
            # The first message may have been needed to find out.
            for _ in range(2):
                self.change(number)
                said = len(one.outbox)
                self._settle()
            assert said == 0

    def _settle(self):
        steps = (self.notices, self.subscribe, self.arrives, self.publish, self.answer)
        while any(
            one.broken or one.inbox or one.outbox or one.answers or one.followed.begin or one.followed.end
            for one in self.processes
        ):
            for number in range(PROCESSES):
                for step in steps:
                    step(number)


TestDelays = Delays.TestCase
TestDelays.settings = settings(max_examples=400, stateful_step_count=40, deadline=None)


def test_who_comes_after_the_last_message_was_counted_is_told_of_the_next():
    delays = Delays()
    for step in (delays.follow, delays.subscribe, delays.arrives, delays.publish):
        step(0)
    for step in (delays.follow, delays.subscribe, delays.arrives, delays.publish):
        step(1)
    delays.arrives(0)
    delays.arrives(0)
    delays.answer(0)
    delays.change(0)
    delays.when_all_is_quiet_whoever_follows_has_seen_the_newest(0)


def test_who_looked_before_a_change_that_nobody_was_told_of_is_told_when_they_have_come():
    delays = Delays()
    delays.follow(0)
    delays.when_all_is_quiet_whoever_follows_has_seen_the_newest(0)
    for step in (delays.follow, delays.subscribe, delays.arrives):
        step(1)
    delays.change(0)
    delays.when_all_is_quiet_whoever_follows_has_seen_the_newest(0)


def test_a_person_has_always_company_because_whoever_comes_to_them_says_nothing():
    followed, person = Followed(), PersonTopic("anna-id")
    followed.follow(person)
    assert followed.confirm(person)
    followed.sending(person)
    followed.received_by(person, 1)
    assert not followed.keeps(person, "key", {})
