"""What names a problem: a name that is not known is refused, and never plays another task instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

SLIPS = {
    "openenv": (
        (
            "from server.app import *\n"
            "opened = {name}Environment()\n"
            "print(opened.reset(split='train', index=1).result['task'])\n"
            "opened.reset(split='train', idx=1)"
        ),
        "ValueError: unknown: 'idx'; allowed are split, index, task, seed and max_turns",
    ),
    "ors": (
        (
            "from server import *\n"
            "listed = {name}Environment.list_tasks('train')[1]\n"
            "print({name}Environment(listed)._wanted)\n"
            "{name}Environment({{'split': 'train', 'idx': 1}})"
        ),
        "HTTPException: 400: a task spec with split, idx lacks index",
    ),
    "skyrl_gym": (
        (
            "import {package}_skyrl as variant\n"
            "variant.{name}Env(extras={{'extra_info': {{'split': 'train', 'index': 1, 'seed': 3}}}})\n"
            "variant.{name}Env(extras={{'extra_info': {{'split': 'train', 'index': 1, 'sed': 3}}}})"
        ),
        "ValueError: extra_info has an unknown 'sed'; it has split and index, or a task",
    ),
    "gem": (
        (
            "import {package}_gem as variant\n"
            "variant.{name}Env('train', index=1)\n"
            "variant.{name}Env('train', idx=1)"
        ),
        "TypeError: {name}Env.__init__() got an unexpected keyword argument 'idx'",
    ),
}
"""Per framework: what is right, what is a slip of the pen, and what is said of it."""


@pytest.mark.parametrize("framework", some(SLIPS, usual=("openenv",)))
def test_a_name_that_is_not_known_is_refused(game: Path, framework: str, tmp_path: Path) -> None:
    spec, facts = load(game), FRAMEWORKS[framework]
    names = {"name": spec.class_name, "package": spec.name}
    code, said = (text.format(**names) for text in SLIPS[framework])
    log = tmp_path / "log"
    done = supervise.run(
        [str(variant_venv(spec, game, facts).python), "-c", code],
        cwd=game / framework,
        env=child_environment(facts.environment),
        timeout=120,
        log=log,
    )
    assert done.returncode == 1, done.log_tail
    last = log.read_text("utf-8").splitlines()
    assert any(said in line for line in last), done.log_tail
    assert f'File "<string>", line {code.count(chr(10)) + 1}' in done.log_tail, (
        "the slip, not before"
    )
