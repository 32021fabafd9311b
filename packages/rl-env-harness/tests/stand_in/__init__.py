"""An environment in which the agent counts to a number. Its `_shared` is the source tree of rl_env_harness.

The harness imports the environment that it plays: `_shared/env_spec.py`, and the domain next to `_shared`.
Tests import the harness from here, as `stand_in._shared`, to play without rendering anything.
`python -m tools` renders `env.yaml` to `src/rl_env_harness/env_spec.py`.
"""
