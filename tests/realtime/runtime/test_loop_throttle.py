"""Turns: few of those who come together begin in one round of the loop, and all of them after one another."""

import asyncio

import pytest

from server.realtime.runtime.limits import LoopThrottle

PER_ITERATION = 2


class Client:
    """Somebody with so many requests, of which the next is ready when the one before has begun."""

    def __init__(self, throttle, requests, began):
        self.throttle, self.requests, self.began = throttle, requests, began

    def go_on(self):
        if self.requests and self.throttle.take_turn(self.go_on):
            self.requests -= 1
            self.began.append(self)
            asyncio.get_running_loop().call_soon(self.go_on)


class Sender(Client):
    """Somebody whose messages have all come."""

    def go_on(self):
        if self.requests and self.throttle.take_turn(self.go_on):
            self.requests -= 1
            self.began.append(self)
            if self.requests:
                self.throttle.wait_turn(self.go_on)


@pytest.mark.parametrize("kind", [Client, Sender])
async def test_few_begin_in_each_iteration_and_clients_take_turns(kind):
    throttle, began = LoopThrottle(PER_ITERATION), []
    clients = [kind(throttle, 4, began) for _ in range(5)]
    for client in clients:
        client.go_on()
    rounds = [len(began)]
    while len(began) < 20:
        await asyncio.sleep(0)
        rounds.append(len(began) - sum(rounds))
    assert max(rounds) == PER_ITERATION
    assert max(began.index(client) for client in clients) < len(clients) + PER_ITERATION


async def test_a_sole_client_does_not_wait():
    throttle, began = LoopThrottle(PER_ITERATION), []
    for _ in range(3):
        Sender(throttle, 1, began).go_on()
        await asyncio.sleep(0)
    assert len(began) == 3


async def test_a_sender_of_many_messages_begins_one_per_iteration():
    throttle, began = LoopThrottle(PER_ITERATION), []
    Sender(throttle, 4, began).go_on()
    for number in range(1, 5):
        assert len(began) == number
        await asyncio.sleep(0)


async def test_a_polite_client_waits_only_for_those_already_waiting():
    throttle, began = LoopThrottle(PER_ITERATION), []
    throttle.let_others_first(lambda: began.append("at once"))
    senders = [Sender(throttle, 1, began) for _ in range(5)]
    for sender in senders:
        sender.go_on()
    throttle.let_others_first(lambda: began.append("behind them"))
    for _ in range(5):
        await asyncio.sleep(0)
    assert began == ["at once", *senders, "behind them"]


async def test_a_failing_turn_holds_up_nobody():
    def broken():
        raise ValueError

    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    throttle, began = LoopThrottle(1), []
    Sender(throttle, 1, began).go_on()
    throttle.wait_turn(broken)
    Sender(throttle, 1, began).go_on()
    for _ in range(3):
        await asyncio.sleep(0)
    assert len(began) == 2
