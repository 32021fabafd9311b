"""The episode and the harness, as an environment has them: imported anew, beside `world`."""

from rl_env_harness import __path__ as __path__
