"""Jupyter agent for Verifiers: what its commands look for, one of each kind.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

from .env import JupyterEnv, JupyterTaskset
from .harness import JupyterHarness

__all__ = ["JupyterEnv", "JupyterHarness", "JupyterTaskset"]
