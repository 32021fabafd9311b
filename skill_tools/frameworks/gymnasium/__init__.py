"""Gymnasium environments: the facts that an audit needs to play them.

Docs: https://gymnasium.farama.org. The driver plays releases from 1.0 (seen: 1.4.0).

Unexpected behavior:

- The classic environments need packages of their extras, even for `reset`: name them, as in
  `--requirement "gymnasium[box2d]"`. CartPole, FrozenLake and Blackjack need no extra.
- `step` after the end is undefined: some environments continue and give rewards. Trainers reset instead, so
  the driver makes no such call.
- `reward_range` was removed in 1.0. Classes that still set it state the range of one step.
- `reward_threshold` says when a task counts as solved. It is not a maximum.
- `reset(seed=...)` seeds only the environment's own generator: draws from `random` or `numpy.random`
  differ between episodes, and the audit reports the difference.
- `gymnasium.make` prints the findings of its passive checker to standard error, and continues.
"""

from skill_tools.frameworks.framework import InFolder, Playable

GYMNASIUM = Playable(
    name="gymnasium",
    title="Gymnasium",
    distribution="gymnasium",
    requirements=("gymnasium>=1.0,<2",),
    python=">=3.11,<3.15",
    transport="in-process",
    warm_imports=("gymnasium", "numpy"),
    packages=("gymnasium",),
    configured=True,
    in_folder=InFolder(mark="gymnasium", links=True, id="asked"),
    # No screen and no sound card: pygame draws into memory.
    environment={
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    },
)
