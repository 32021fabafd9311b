"""Real modules that environments get as they are: the episode as files, the harness as a wheel.

`_shared/` is the same in every environment. Its modules import each other, and of an environment
`_shared/env_spec.py`, which is rendered. So that they can be imported, linted and tested here, this
package has what an environment has: `_shared/env_spec.py` is what `stand_in.yaml` renders to, and
`stand_in.py` is its domain. Neither is copied. `plan.EPISODE_MODULES` names those that are copied as
files; all others are the distribution rl-env-harness, which `harness.toml` declares.
"""
