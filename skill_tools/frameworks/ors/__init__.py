"""ORS: the facts that differ."""

from skill_tools.frameworks.framework import Framework

ORS = Framework(
    name="ors",
    title="ORS",
    distribution="",
    requirements=(),
    python=">=3.11",
    transport="http",
    docs="",
    summary="",
    loop="",
    reward_and_end="",
    words={},
    gotchas=(),
    warm_imports=(),
)
