"""A plain reward function with a dataset, as trainers accept it: the facts that an audit needs."""

from skill_tools.frameworks.framework import InFolder, Playable

REWARD_FUNCTION = Playable(
    name="reward_function",
    title="a reward function",
    distribution="",
    requirements=(),
    python=">=3.11,<3.14",
    transport="in-process",
    warm_imports=(),
    packages=(),
    in_folder=InFolder(),
    configured=True,
)
