"""The episode of this environment, and the package rl-env-harness, which plays and serves the episode.

The harness plays one environment. The harness's modules import the modules in this folder (`env_spec`,
`episode`), so the harness must be found next to them: `from ._shared import chat`, never `from rl_env_harness
import chat`.
"""

from importlib.util import find_spec

_harness = find_spec("rl_env_harness")  # an episode alone does not need it
__path__ = [*__path__, *((_harness and _harness.submodule_search_locations) or ())]
