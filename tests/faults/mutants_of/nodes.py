"""Defences of games that are played on several nodes, switched off."""

from tests.faults.mutant import Mutant

NODES = "tests/faults/nodes"
OTHERS = "server/realtime/other_processes.py"
BUS = "server/realtime/process/redis_bus.py"
NOTICES = "server/realtime/process/notices"

OF_NODES: tuple[Mutant, ...] = (
    Mutant(
        "a loop goes on whose cancellation was lost",
        "server/realtime/process/background.py",
        "    if task is not None and task.cancelling():\n",
        "    if False:\n",
        "tests/realtime/process/test_cancelled.py",
    ),
    Mutant(
        "a new subscription looks at nothing",
        BUS,
        "        resync(Missed(games, people))\n",
        "        pass\n",
        "tests/realtime/process/test_redis_bus.py::test_after_an_outage_unsent_notices_go_out_and_everybody_refreshes",
    ),
    Mutant(
        "a member of a Redis Cluster is taken for the whole",
        f"{NOTICES}/redis_client.py",
        '    if mode == "cluster":\n',
        "    if False:\n",
        "tests/realtime/process/notices/test_redis_reached.py::test_a_member_of_a_cluster_is_refused",
    ),
    Mutant(
        "nobody looks at a game without a notice",
        OTHERS,
        '        await asyncio.gather(*(self._tried(f"game {one.game.id}", one.refresh()) for one in moved))\n',
        "",
        f"{NODES}/test_notices.py::test_lost_doubled_or_late_notices_leave_both_nodes_agreeing",
    ),
    Mutant(
        "a game is written whatever its revision",
        "server/storage/mongo/saves.py",
        '    return UpdateOne({"_id": save.update.id, "rev": save.update.rev}, ',
        '    return UpdateOne({"_id": save.update.id}, ',
        f"{NODES}/test_node_stopped.py",
    ),
    Mutant(
        "a notice is taken for the game",
        OTHERS,
        "                elif one.game.rev < rev:\n",
        "                else:\n                    replace = __import__('dataclasses').replace\n"
        "                    one.game = replace(one.game, rev=rev)\n",
        f"{NODES}/test_notices.py::test_two_players_on_two_nodes_see_the_same_game",
    ),
    Mutant(
        "each node goes by its own wall",
        "server/app.py",
        "Now(await store.time())",
        "Now()",
        f"{NODES}/test_clocks.py",
    ),
    Mutant(
        "a dead node's games are left alone",
        "server/realtime/play/rounds.py",
        "        for game_id in await self.services.store.due(before, DUE_AT_ONCE):\n",
        "        for game_id in ():\n",
        f"{NODES}/test_one_node_away.py::test_players_of_a_killed_node_go_on_at_the_other",
    ),
    Mutant(
        "a pairing is decided whatever was decided before",
        "server/storage/mongo/seeks.py",
        '            await checked(self._pairings.update_one({"_id": LAST, "rev": rev}, {"$set": decided}))\n',
        '            await checked(self._pairings.update_one({"_id": LAST}, {"$set": decided}))\n',
        f"{NODES}/test_pairing.py",
    ),
    Mutant(
        "a node that stood still gives time to those who were elsewhere",
        "server/realtime/play/stalls.py",
        "    return min(ms, ELSEWHERE_MS) if here else 0\n",
        "    return min(ms, ELSEWHERE_MS)\n",
        "tests/realtime/play/test_stall_of_one_process.py",
    ),
    Mutant(
        "a page of an older release is let in",
        "server/realtime/protocol/protocol_version.py",
        "    if proto == wire.PROTOCOL:\n",
        "    if proto <= wire.PROTOCOL:\n",
        f"{NODES}/test_rolled.py",
    ),
    Mutant(
        "a wrong password of Redis only fills the log",
        f"{NOTICES}/redis_client.py",
        "    except (AuthenticationError, ResponseError) as error:\n",
        "    except ZeroDivisionError as error:\n",
        f"{NODES}/test_redis_access.py",
    ),
    Mutant(
        "who comes while a notice is on its way is not counted",
        f"{NOTICES}/followed.py",
        "        following.company = following.came\n",
        "        following.company = False\n",
        "tests/realtime/process/notices/test_followed.py",
    ),
    Mutant(
        "whoever comes to a game does not say so",
        BUS,
        '                    self._send(topic, "came", {"came": 1})\n',
        "                    pass\n",
        "tests/realtime/process/test_redis_bus.py",
    ),
    Mutant(
        "what was kept while nobody followed a game is told to nobody who comes",
        f"{NOTICES}/followed.py",
        "        following.came = True\n        return following.in_company()\n",
        "        following.came = True\n        following.in_company()\n        return {}\n",
        "tests/realtime/process/notices/test_followed.py",
    ),
    Mutant(
        "a round is loaded and its game not followed",
        "server/realtime/play/rounds.py",
        "        self.services.bus.follow(GameTopic(game_id))\n",
        "",
        "tests/realtime/lobby/test_followed_people.py",
    ),
    Mutant(
        "what a person missed before they were followed stays missed",
        OTHERS,
        '            self.try_to("the games of people here", self._lobby.games.catch_up(missed.people))\n',
        "            pass\n",
        "tests/realtime/lobby/test_followed_people.py",
    ),
)
