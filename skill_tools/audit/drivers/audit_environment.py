"""Support for environments that use the older Verifiers API, even if the Hugging Face Hub is unreachable.

Runs in the venv of Verifiers, without importing the library itself.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import socket
import sys
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from audit_bounds import Broken, cut
from audit_driver import load_file

REACHED = 3.0
"""Seconds in which a hub must accept a connection; otherwise no data sets are requested."""
HUB = "huggingface.co"
FROM_THE_HUB = re.compile(
    r"OfflineModeIsEnabled|LocalEntryNotFound|on the Hub|Hugging ?Face Hub|huggingface\.co",
    re.IGNORECASE,
)
"""Error messages from libraries about an unavailable data set."""


def prepare() -> None:
    """Before any import, configure the process to avoid the Hugging Face Hub if the Hub is unreachable."""
    proxied = any(os.environ.get(name) for name in ("HTTPS_PROXY", "https_proxy", "HF_ENDPOINT"))
    if "HF_HUB_OFFLINE" not in os.environ and not proxied:
        try:
            socket.create_connection((HUB, 443), REACHED).close()
        except OSError:
            os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"


def load(request: dict[str, Any]) -> Any:
    """Load the environment. Raise Broken, with the fix, if a data set is unavailable."""
    name = request["id"].rpartition("/")[2].replace("-", "_")
    file = Path(request["folder"] or ".") / f"{name}.py"
    try:
        if request["folder"] and file.is_file():
            sys.path.insert(0, str(file.parent))
            module = load_file(name, file)
        else:
            module = importlib.import_module(name)
        if not hasattr(module, "load_environment"):
            raise Broken("environment", f"the module {name} has no load_environment")
        env = module.load_environment(**request["config"])
        if not hasattr(env, "rollout") or not hasattr(env, "rubric"):
            kind = type(env).__name__
            raise Broken(
                "environment",
                f"load_environment returns {kind}, not an Environment (Verifiers before version 1)",
            )
        for each in [*getattr(env, "envs", []), env]:
            if hasattr(each, "build_dataset"):  # since 0.1.10 they may be built on demand
                each.build_dataset()
    except Exception as error:
        raise explain(error) from error
    return env


def explain(error: Exception) -> Exception:
    """Return a loading error. If the Hugging Face Hub caused the error, return an error that contains the fix."""
    chain: list[str] = []
    at: BaseException | None = error
    while at is not None and len(chain) < 8:
        chain.append(f"{type(at).__name__}: {at}")
        at = at.__cause__ or at.__context__
    if isinstance(error, Broken) or not FROM_THE_HUB.search(" ".join(chain)):
        return error
    why = cut(" ".join(str(error).split()), 300)
    return Broken(
        "dataset",
        f"it loads a data set from the Hugging Face Hub, which cannot be reached here: {why}; "
        "fix: audit it on a machine with network, or with the data set in the cache (HF_HOME), "
        "or pass load_environment a different data set with --arg",
    )


def tables_of(env: Any) -> tuple[dict[str, int], str, Any]:
    """Return the sizes of the splits, the split to play (``train`` if it exists), and this split's rows."""
    tables: dict[str, Any] = {}
    try:
        with contextlib.suppress(ValueError):  # there is none
            tables["train"] = env.get_dataset()
        own = ("eval_dataset", "eval_dataset_source")
        if "train" not in tables or any(getattr(env, name, None) is not None for name in own):
            tables["eval"] = env.get_eval_dataset()
    except Exception as error:
        raise explain(error) from error
    split = next(iter(tables))
    return {name: len(table) for name, table in tables.items()}, split, tables[split]


def first_rows(env: Any, split: str, table: Any, count: int) -> list[dict[str, Any]]:
    """Return the first rows of a split.

    For a group of environments, take one row from each environment in turn.
    """
    kept = min(count, len(table))
    sizes = [tables_of(each)[0].get(split, 0) for each in getattr(env, "envs", [])]
    if sum(sizes) != len(table):
        return [table[at] for at in range(kept)]
    began = list(accumulate(sizes, initial=0))
    each_in_turn = (
        first + at
        for at in range(max(sizes))
        for first, size in zip(began, sizes, strict=False)
        if at < size
    )
    return [table[at] for at in islice(each_in_turn, kept)]
