"""Wordle for Verifiers: what its commands look for, one of each kind.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

from .env import WordleEnv, WordleTaskset
from .harness import WordleHarness

__all__ = ["WordleEnv", "WordleHarness", "WordleTaskset"]
