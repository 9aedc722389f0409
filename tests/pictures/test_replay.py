"""An animated game shows at every instant what the rules say, ends with its last position, and stays small."""

import pytest

from server.pictures.board import board_svg
from server.pictures.replay import Pace, piece_tracks, replay_svg
from server.pictures.scene import Plate, View
from tests.pictures.games import random_game
from tests.pictures.svg import NS, alarms, counted, moved, parse, pieces, pockets
from tests.support.rules.built_in import VARIANTS

PACE = Pace()


def instant(scenes, nth):
    """A part of the replay (0 to 1) at which everything of scene `nth` has arrived."""
    begins = PACE.first + (nth - 1) * PACE.step if nth else 0
    return (begins + PACE.step * 0.9) / PACE.length(len(scenes))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("flipped", [False, True])
def test_every_instant_shows_what_a_still_picture_would(variant, flipped, drawings):
    scenes = random_game(variant, 90)
    view = View(VARIANTS[variant], flipped=flipped, coordinates=False)
    replay = replay_svg(scenes, view, drawings, PACE)
    for nth in (0, 1, 2, 17, 33, 60, len(scenes) - 1):
        if nth < len(scenes):
            still = board_svg(scenes[nth], view, drawings)
            part = instant(scenes, nth)
            assert pieces(replay, view, part) == pieces(still, view), f"scene {nth}"
            assert moved(replay, view, part) == moved(still, view), f"scene {nth}"
            assert alarms(replay, view, part) == alarms(still, view), f"scene {nth}"
            assert pockets(replay, view, part) == pockets(still, view), f"scene {nth}"
            assert counted(replay, view, part) == counted(still, view), f"scene {nth}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_last_position_is_seen_to_the_end(variant, drawings):
    scenes = random_game(variant, 150)
    view = View(VARIANTS[variant], coordinates=False)
    replay = replay_svg(scenes, view, drawings, PACE)
    assert pieces(replay, view, 0.99999) == pieces(board_svg(scenes[-1], view, drawings), view)


def test_a_replay_loops_for_ever_at_a_steady_pace(drawings):
    scenes = random_game("crazyhouse", 40)
    root = parse(replay_svg(scenes, View(VARIANTS["crazyhouse"]), drawings, Pace(step=2, first=1, last=3)))
    animations = [one for one in root.iter() if one.tag in (f"{NS}animate", f"{NS}animateTransform")]
    assert {(one.get("dur"), one.get("repeatCount")) for one in animations} == {("84s", "indefinite")}
    assert len(animations) > 30


def test_a_piece_that_never_moves_is_not_animated(drawings):
    scenes = random_game("acedrex", 4)
    resting = [track for track in piece_tracks(scenes) if len(track.path) == 1 and track.gone is None]
    root = parse(replay_svg(scenes, View(VARIANTS["acedrex"]), drawings))
    assert len([one for one in root.iter(f"{NS}use") if len(one) == 0]) == len(resting)


@pytest.mark.parametrize(("variant", "most"), [("acedrex", 60_000), ("grandhouse", 90_000)])
def test_three_hundred_half_moves_stay_small(variant, most, drawings):
    scenes = random_game(variant, 300)
    assert len(scenes) == 301
    assert len(replay_svg(scenes, View(VARIANTS[variant], plates=(Plate("A"), Plate("B"))), drawings)) < most


def test_a_check_is_lit_as_long_as_it_stands(drawings):
    scenes = random_game("chess", 200)
    view = View(VARIANTS["chess"])
    replay = replay_svg(scenes, view, drawings, PACE)
    seen = [alarms(replay, view, instant(scenes, nth)) for nth in range(len(scenes))]
    assert seen == [set() if scene.check is None else {scene.check} for scene in scenes]
    assert sum(map(bool, seen)) > 1
