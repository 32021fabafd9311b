"""The episode of this environment, and, from the package rl-env-harness, what plays and serves it.

The harness plays one environment: its modules import the ones here (`env_spec`, `episode`), and so are
found next to them: `from ._shared import chat`, never `from rl_env_harness import chat`.
"""

from importlib.util import find_spec

_harness = find_spec("rl_env_harness")  # an episode alone needs none
__path__ = [*__path__, *((_harness and _harness.submodule_search_locations) or ())]
