"""PettingZoo environments, in which the model plays one seat: the facts that an audit needs.

Docs: https://pettingzoo.farama.org. The driver plays both APIs, AEC and parallel (seen: 1.27.0).

The model has the seat of the first agent, or the seat in `--arg seat=player_2`. All other agents draw random
legal actions from a generator seeded by the episode's seed, so a return shows how well the seat does against
random play. The text of an observation lists the other agents' actions.

Unexpected behavior:

- An action mask is in the observation (`observation["action_mask"]`) or in the info; without a mask, every
  action of the space counts as legal. An illegal action would end many games with a penalty. The driver
  refuses such an action instead, and lists the legal actions.
- In the AEC API a reward belongs to the agent, not to the step: `last()` has the sum since the agent's last
  action, which this driver reports.
- An agent that is out of the game must be stepped with None. The episode ends when the seat is out, even if
  other agents play on.
- Most modules need packages of their family's extra: `--requirement "pettingzoo[classic]"`.
- Importing pettingzoo sets SDL_AUDIODRIVER to dsp, which is harmless without a sound card.
"""

from skill_tools.frameworks.framework import InFolder, Playable

PETTINGZOO = Playable(
    name="pettingzoo",
    title="PettingZoo",
    distribution="pettingzoo",
    requirements=("pettingzoo>=1.24,<2",),
    python=">=3.11,<3.15",
    transport="in-process",
    warm_imports=("pettingzoo", "numpy"),
    packages=("pettingzoo",),
    configured=True,
    in_folder=InFolder(mark="pettingzoo", links=True, id="asked"),
    environment={"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
)
