"""The episode and the harness, imported a second time next to `world`, as in a rendered environment."""

from rl_env_harness import __path__ as __path__
