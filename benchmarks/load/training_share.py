"""Trains as the variant's train.py does, and writes which part of the time was the environment's.

usage: python training_share.py OUT.json NAME OPTION …, in a rendered `trl` folder; the options are train.py's

Ours is all that happens in the methods of the environment class that TRL calls. OUT.json has `ours` and
`training` in seconds, and how many `calls` and `episodes` there were.
"""

from __future__ import annotations

import functools
import importlib
import json
import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path.cwd()))


def main() -> None:
    """Train, and write what was measured."""
    target, name, *options = sys.argv[1:]
    variant = importlib.import_module(f"{name}_trl")
    (environment,) = (kind for key, kind in vars(variant).items() if key.endswith("Environment"))
    (trainer,) = (
        kind
        for key, kind in vars(variant).items()
        if key.endswith("Trainer") and key != "GRPOTrainer"
    )
    found = {"ours": 0.0, "training": 0.0, "calls": 0, "episodes": 0}

    def timed(method: Callable[..., Any], into: str, counted: str = "") -> Callable[..., Any]:
        @functools.wraps(method)
        def call(*arguments: Any, **settings: Any) -> Any:
            started = time.perf_counter()
            try:
                return method(*arguments, **settings)
            finally:
                found[into] += time.perf_counter() - started
                if counted:
                    found[counted] += 1

        return call

    environment.reset = timed(environment.reset, "ours", "episodes")
    environment._call = timed(environment._call, "ours", "calls")
    environment.get_reward = timed(environment.get_reward, "ours")
    trainer.train = timed(trainer.train, "training")
    sys.argv = ["train.py", *options]
    try:
        runpy.run_path("train.py", run_name="__main__")
    except SystemExit as ended:
        if ended.code:
            raise
    Path(target).write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
