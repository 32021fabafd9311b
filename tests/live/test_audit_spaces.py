"""Gymnasium and PettingZoo environments, and what their drivers do with every kind of space."""

from __future__ import annotations

import base64
import json
import textwrap
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from skill_tools.evidence.trajectory import Trajectory
from tests.audits import audit

from .driven import Driven, driven

pytestmark = pytest.mark.everything("audit")
SHOP = '''
    import random
    import gymnasium as gym
    import numpy as np
    from gymnasium import spaces

    class Shop(gym.Env):
        """Name the good that is wanted.

        Nobody reads this.

        ## Action space
        `good` counts from 1.

        ## Rewards
        None of your business.
        """

        metadata = {"render_modes": ["rgb_array"]}
        reward_range = (0, 2)

        def __init__(self, goods=2, dice="own", render_mode=None):
            self.goods, self.dice, self.render_mode = goods, dice, render_mode
            self.action_space = spaces.Dict({
                "good": spaces.Discrete(goods, start=1),
                "counts": spaces.MultiDiscrete([3, 5]),
                "price": spaces.Box(0.1, 0.5, (), np.float32),
                "grid": spaces.Box(np.array([[0, -1], [2, 3]]), np.array([[1, 1], [5, np.inf]]), dtype=float),
                "flags": spaces.MultiBinary(3),
                "note": spaces.Text(5, charset="abc^-]"),
                "pair": spaces.Tuple((spaces.Discrete(2), spaces.Text(3))),
                "several": spaces.Sequence(spaces.Discrete(3)),
                "byte": spaces.Box(0, 255, (2,), np.uint8),
                "whole": spaces.Box(-(2**63), 2**63 - 1, (1,), np.int64),
            })
            self.observation_space = spaces.Dict({
                "wanted": spaces.Discrete(goods, start=1),
                "noise": spaces.Box(0, 1, (2,), np.float32),
            })

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.wanted = int(self.np_random.integers(1, self.goods + 1))
            return self.see(), {}

        def see(self):
            noise = self.np_random.random(2) if self.dice == "own" else np.random.random(2)
            return {"wanted": np.int64(self.wanted), "noise": noise.astype(np.float32)}

        def step(self, action):
            assert self.action_space.contains(action), action
            return self.see(), 2 * float(action["good"] == self.wanted), True, False, {}

        def render(self):
            return np.full((4, 6, 3), (255, 0, 10), np.uint8)
'''
BOUGHT = {
    "good": 1, "counts": [2, 4], "price": 0.1, "grid": [[0, 1], [2.5, 3]], "flags": [0, 1, 0],
    "note": "a^]", "pair": [1, "x"], "several": [1, 2], "byte": [0, 255], "whole": [-(2**62)],
}  # fmt: skip
OUTSIDE = [
    {"good": 0}, {"good": 3}, {"good": 1.0}, {"good": True}, {"good": 10**30}, {"good": None},
    {"counts": [3, 0]}, {"counts": [0]}, {"counts": [0.0, 0]}, {"price": 0.6}, {"price": "0.1"},
    {"grid": [[0, 1], [6, 3]]}, {"grid": [0, 1, 2, 3]}, {"flags": [0, 1, 2]}, {"note": "xyz"},
    {"note": ""}, {"note": "aaaaaa"}, {"pair": [1]}, {"pair": [2, "x"]}, {"several": [3]},
    {"several": 1}, {"byte": [0, 256]}, {"byte": [0, -1]}, {"byte": [0, 10**30]}, {"whole": [2**63]}, {"more": 1},
]  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(textwrap.dedent(SHOP), "utf-8")
    return tmp_path


def played(found: Driven, *actions: Any, seed: int = 0) -> Trajectory:
    calls = [{"tool": "step", "arguments": {"action": each}} for each in actions]
    return found.play(calls, seed=seed)


@pytest.mark.parametrize(
    ("identity", "limit", "opening"),
    [
        ("CartPole-v1", 500, "Observation: [0.013696168549358845, -0.023021329194307327, "),
        ("FrozenLake-v1", 100, "Observation: 0\n\n\n[S]FFF\nFHFH\nFFFH\nHFFG"),
        ("Blackjack-v1", None, "Observation: [11, 10, 0]"),
    ],
)
def test_gymnasiums_own_environments_are_played(
    identity: str, limit: int | None, opening: str
) -> None:
    found = driven(identity, "gymnasium")
    assert found.found.get("max_turns") == limit
    ended = played(found, 4, 0)
    outside, inside = ended.steps
    assert opening in ended.prompt[0]["content"]
    assert (outside.error, inside.error) == ("refused", None)
    assert inside.text.startswith("Observation: ")


def test_a_right_environment_of_gymnasium_is_not_red() -> None:
    outcome = audit("FrozenLake-v1", "gymnasium", arguments={"is_slippery": False, "render": "none"},
                    num_tasks=2)  # fmt: skip
    assert not outcome.failures
    every = outcome.evidence.every
    assert {t.end for t in every} <= {"terminated", "stopped", "truncated"}
    assert all("SFFF" not in step.text for t in every for step in t.steps)


def test_a_class_with_nested_spaces_is_played_and_what_is_outside_of_them_is_refused(
    shop: Path,
) -> None:
    found = driven(shop, "gymnasium", identity="shop:Shop", arguments={"goods": 2})
    assert found.found["reward_range"] == [0.0, 2.0]
    (tool,) = found.found["tools"]
    check = Draft202012Validator(tool["parameters"])
    assert check.is_valid({"action": BOUGHT})
    cases = [{**BOUGHT, **each} for each in OUTSIDE] + [{"good": 1}]
    # JSON Schema knows no difference between 1 and 1.0.
    # Nor has it a bound that only some readers of JSON know exactly.
    accepted = [{"good": 1.0}, {"counts": [0.0, 0]}, {"whole": [2**63]}]
    valid = [each for each in cases if check.is_valid({"action": each})]
    assert valid == [{**BOUGHT, **each} for each in accepted]
    ended = played(found, *cases, BOUGHT)
    *refused, last = ended.steps
    assert {step.error for step in refused} == {"refused"}
    assert all(" must be " in step.text for step in refused), "and says what is expected"
    assert (last.error, last.done) == (None, True)
    assert last.reward == 2.0 * ('"wanted": 1' in last.text)
    assert json.loads(last.text.removeprefix("Observation: ")).keys() == {"noise", "wanted"}
    prompt = ended.prompt[0]["content"]
    assert prompt.startswith("Name the good that is wanted.\n\n`good` counts from 1.\n\nAn action")
    assert "Nobody" not in prompt


def test_the_seed_decides_an_episode_and_floats_stay_exact(shop: Path) -> None:
    found = driven(shop / "shop.py:Shop", "gymnasium", arguments={"goods": 9})
    one, same, other = (played(found, BOUGHT, seed=seed) for seed in (3, 3, 4))
    assert one.steps[0].text == same.steps[0].text != other.steps[0].text
    shown = json.loads(one.steps[0].text.removeprefix("Observation: "))
    dice = np.random.default_rng(3)
    assert shown["wanted"] == dice.integers(1, 10)
    dice.random(2)  # of the reset
    assert shown["noise"] == dice.random(2).astype(np.float32).tolist()


def test_a_generator_that_the_seed_does_not_reach_is_found(shop: Path) -> None:
    outcome = audit(shop, "gymnasium", id="shop:Shop", arguments={"dice": "global"}, num_tasks=2,
                    repro=shop / "repros")  # fmt: skip
    found = [each for each in outcome.report.findings if each.check == "AUD005"]
    assert {each.status for each in found} == {"warn"}, "the texts differ, and no reward"
    assert any(each.repro for each in found), outcome.report.no_repro


def test_pixels_are_shown_if_they_are_asked_for(shop: Path) -> None:
    found = driven(shop, "gymnasium", identity="shop:Shop", arguments={"render": "rgb_array"})
    _, block = played(found, BOUGHT).steps[0].observation
    shown = Image.open(BytesIO(base64.b64decode(block["data"])))
    assert (shown.size, shown.getpixel((5, 3))) == ((6, 4), (255, 0, 10))
    plain = driven(shop, "gymnasium", identity="shop:Shop")
    assert len(played(plain, BOUGHT).steps[0].observation) == 1


TICTACTOE = "pettingzoo.classic.tictactoe_v3"
PYGAME = ("pygame-ce>=2.5",)


def test_a_seat_plays_tictactoe_against_random_legal_moves() -> None:
    found = driven(TICTACTOE, "pettingzoo", requirements=PYGAME)
    assert (found.found["seat"], found.found["seats"]) == ("player_1", ["player_1", "player_2"])
    ended = played(found, 4, 4, *range(9))
    first, again, *_ = ended.steps
    assert ended.end == "terminated"
    assert "You are player_1." in ended.prompt[0]["content"]
    assert "player_2 played " in first.text
    assert (again.error, "legal actions: 0, 1, " in again.text) == ("refused", True)
    assert ended.total in (-1, 0, 1)
    assert played(found, 4, 4, *range(9)).steps[0].text == first.text, "the seed decides"


def test_another_seat_sees_what_was_played_before_it() -> None:
    found = driven(TICTACTOE, "pettingzoo", requirements=PYGAME, arguments={"seat": "player_2"})
    opening = played(found, 0).prompt[0]["content"]
    (mark,) = [line for line in opening.splitlines() if " played " in line]
    assert mark.startswith("player_1 played ")
    taken = int(mark.rpartition(" ")[2].rstrip("."))
    assert played(found, taken).steps[0].error == "refused"


@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_a_simultaneous_game_pays_the_seat_alike_in_both_apis(api: str) -> None:
    arguments = {"api": api, "max_cycles": 4}
    found = driven(
        "pettingzoo.classic.rps_v2", "pettingzoo", requirements=PYGAME, arguments=arguments
    )
    ended = played(found, *[0] * 6)
    pays = {"player_1 played 0.": 0, "player_1 played 1.": -1, "player_1 played 2.": 1}
    acted = [step for step in ended.steps if step.error is None]
    assert (ended.end, len(acted)) == ("truncated", 4)
    seen = [line for step in acted for line in step.text.splitlines() if " played " in line]
    assert [step.reward for step in acted] == [pays[line] for line in seen]
    assert {step.reward for step in acted} == {0, -1, 1}, "by the seed, all of them"


def test_a_seat_that_does_not_exist_is_named() -> None:
    outcome = audit(TICTACTOE, "pettingzoo", requirements=PYGAME, arguments={"seat": "bob"})
    assert outcome.report.verdict == "not judged"
    assert "the seats are: player_1, player_2" in outcome.report.unjudged[0]
