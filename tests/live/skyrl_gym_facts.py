"""Run in SkyRL Gym's venv by test_text_variants.py: drives the counter as SkyRL does, prints facts.

The loop is that of SkyRL's generator: one dict of extras for all samples of a row, `make` on the
caller's thread, `init`, `step` and `close` in a pool.
"""

from __future__ import annotations

import asyncio
import copy
import importlib
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import counter_skyrl
import numpy as np
import pandas as pd
import skyrl_gym
from counter_domain import game
from counter_domain._shared import task_table
from omegaconf import OmegaConf
from skyrl_gym.envs.registration import EnvSpec
from skyrl_gym.metrics import aggregate_for_environment

POOL = ThreadPoolExecutor(16)
NO_WORLD = {"extra_info": {"task": {"id": "b", "target_word": "w", "broken": True}}}
NINE, LOOK, STOP = '<add amount="9"/>', "<look/>", "<end_episode/>"


def row(index: Any, **about: Any) -> dict[str, Any]:
    return {"data_source": "x", "extra_info": {"split": "train", "index": index, **about}}


def make(extras: dict[str, Any], env_config: Any = None) -> Any:
    return skyrl_gym.make("counter", env_config=env_config or {}, extras=extras)


def opened(extras: dict[str, Any], env_config: Any = None) -> tuple[Any, list[dict[str, str]]]:
    env = make(extras, env_config)
    return env, env.init([{"role": "user", "content": "the prompt of the row"}])[0]


def agent_loop(extras: dict[str, Any], max_turns: int) -> dict[str, Any]:
    """One sample of a row, by a policy that reads the target in what it is shown."""
    extras["max_turns"] = max_turns
    env = make(extras)
    chat, _ = POOL.submit(env.init, []).result()
    left = int(chat[-1]["content"].rpartition("target is ")[2].rstrip("."))
    rewards, done = [], False
    while not done:
        amount = min(9, left)
        left -= amount
        output = POOL.submit(env.step, f'I add.\n<add amount="{amount}"/>').result()
        rewards.append(output["reward"])
        done = output["done"]
        chat = [*chat, *output["observations"]]
    metrics = env.get_metrics()
    POOL.submit(env.close).result()
    return {"rewards": rewards, "metrics": metrics, "said": chat[-1]["content"]}


def raised(function: Any, *arguments: Any) -> str:
    try:
        function(*arguments)
    except Exception as error:  # noqa: BLE001 - the fact is which
        return f"{type(error).__name__}: {error}"
    return ""


def made_elsewhere(spec: str) -> list[dict[str, str]]:
    """In another process, which knows only the spec: its entry point is found and works."""
    env = skyrl_gym.make(EnvSpec.from_json(spec), extras=row(3))
    return env.init([])[0]


def samples() -> dict[str, Any]:
    """All rows at once, several samples of each, every one in threads of the pool."""
    rows = [row(index) for index in range(12)]
    before = copy.deepcopy(rows)
    with ThreadPoolExecutor(36) as loops:
        played = list(loops.map(agent_loop, [r for r in rows for _ in range(3)], [6] * 36))
    groups = [played[at : at + 3] for at in range(0, 36, 3)]
    return {
        "won": sum(sum(sample["rewards"]) == 1.0 for sample in played),
        "alike": all(group == [group[0]] * 3 for group in groups),
        "targets": len({group[0]["said"] for group in groups}),
        "untouched": rows == [{**r, "max_turns": 6} for r in before],
        "means": aggregate_for_environment("counter", [sample["metrics"] for sample in played]),
        "types": sorted({type(v).__name__ for s in played for v in s["metrics"].values()}),
        "left": len(game.OPEN),
    }


def rows_of_trainers(output: Path) -> dict[str, Any]:
    """The same task, in every form in which a trainer may hand it over."""
    _, plain = opened(row(4))
    task = {**task_table.task_at("train", 4), "extra": [1, 2]}
    frame = pd.DataFrame([{**task, "extra": np.array([1, 2])}])
    in_numpy = {k: v[0] for k, v in frame.items()}
    whole = make({"extra_info": {"task": in_numpy}, "max_turns": np.int64(2)})
    written = pd.read_json(output, lines=True).to_dict("records")
    config = OmegaConf.create({"anything": {"else": 1}})
    return {
        "numpy": opened(row(np.int64(4), seed=np.int64(4)))[1] == plain,
        "strange": opened({**row(4), "reward_spec": None, "more": [1]}, config)[1] == plain,
        "omegaconf": opened(OmegaConf.create(row(4)), config)[1] == plain,
        "filled": opened(row(4, seed=None, task=None))[1] == plain,
        "reseeded": opened(row(4, seed=5))[1] == opened(row(5))[1],
        "task": whole.init([])[0] == plain and whole.task == task,
        "task types": [type(whole.task["seed"]).__name__, type(whole.task["extra"]).__name__],
        "limit": whole.max_turns,
        "written": [opened(r)[1] == r["prompt"] for r in written],
        "keys": sorted(written[0]),
        "no place": raised(make, {"extra_info": {"split": "train"}}),
        "no index": raised(make, row(12)),
    }


def ends() -> dict[str, Any]:
    found = {}
    for name, limit, messages in (
        ("limit of one", 1, [LOOK]),
        ("done at the limit", 3, [f"Now {NINE}", f"{LOOK}, then <add amount='8'/>"]),
        ("stopped", 6, [LOOK, STOP]),
        ("one message", 6, [f"{LOOK} and {LOOK} {STOP}"]),
        ("unreadable", 2, ["Hello", "<add amount="]),
        ("no limit", None, [LOOK] * 6),
    ):
        env, _ = opened({**row(0), "max_turns": limit})
        last = [env.step(message) for message in messages][-1]
        found[name] = [last["done"], last["observations"], env.get_metrics(), env.turns]
        env.close()
    return found


def order_of_calls() -> dict[str, Any]:
    early = make(row(0))
    facts: dict[str, Any] = {"before init": raised(early.step, LOOK)}
    facts["metrics before init"] = early.get_metrics()
    early.close()
    with make({**row(0), "max_turns": 1}) as env:
        env.init([])
        env.init([])
        facts["open after two inits"] = len(game.OPEN)
        first = env.step(LOOK)
        after = env.step(LOOK)
        facts["after done"] = [after["done"], after["observations"], after["reward"]]
        facts["told after done"] = after["metadata"]["observation"]
        facts["metadata"] = sorted(first["metadata"])
        facts["metrics after"] = env.get_metrics()
    env.close()
    facts["open after close"] = len(game.OPEN)
    return facts


def failures() -> dict[str, Any]:
    honest = {"on_failure": "raise"}
    env, _ = opened(row(0), honest)
    env.step(LOOK)
    facts: dict[str, Any] = {"step": raised(env.step, '<add amount="1" note="boom"/>')}
    facts["open"] = len(game.OPEN)
    facts["again"] = raised(env.step, LOOK)
    broken = make(NO_WORLD, honest)
    facts["setting up"] = raised(broken.init, [])
    facts["open after all"] = len(game.OPEN)
    broken.close()
    return facts


def training_step() -> dict[str, Any]:
    """A gather as SkyRL's, of good episodes and such as break: early, late and when set up."""

    async def episode(extras: dict[str, Any], messages: list[str]) -> list[Any]:
        env = make({**extras, "max_turns": 6})
        prompt = [{"role": "user", "content": "the prompt of the row"}]
        loop = asyncio.get_running_loop()
        chat, _ = await loop.run_in_executor(POOL, env.init, prompt)
        rewards, done = [], False
        while not done:
            output = await loop.run_in_executor(POOL, env.step, messages[len(rewards)])
            rewards.append(output["reward"])
            done = output["done"]
        after = env.step(LOOK)
        metrics = env.get_metrics()
        env.close()
        told = output["metadata"].get("failure")
        steps = [step["tool"] for step in output["metadata"]["steps"]]
        return [
            chat == prompt,
            rewards,
            output["observations"],
            told,
            steps,
            metrics,
            after["reward"],
        ]

    async def gathered() -> list[list[Any]]:
        boom = '<add amount="1" note="boom"/>'
        played = [(row(0), [LOOK] * 6), (row(0), [LOOK, f"{LOOK} {boom}"]), (row(0), [boom])]
        return await asyncio.gather(*(episode(*each) for each in [*played, (NO_WORLD, [LOOK])]))

    episodes = asyncio.run(gathered())
    means = aggregate_for_environment("counter", [episode[5] for episode in episodes])
    wrong = raised(make, row(0), {"on_failure": "skip"})
    return {"episodes": episodes, "means": means, "open": len(game.OPEN), "wrong": wrong}


def registration() -> dict[str, Any]:
    importlib.reload(counter_skyrl)
    spec = skyrl_gym.registry["counter"].to_json()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        prompt = other.submit(made_elsewhere, spec).result()
    return {"entry": json.loads(spec)["entry_point"], "same": prompt == opened(row(3))[1]}


def main() -> None:
    facts = {"samples": samples(), "ends": ends(), "order": order_of_calls()}
    facts["failures"] = failures()
    facts["training step"] = training_step()
    facts["rows"] = rows_of_trainers(Path("rows.jsonl"))
    facts["registration"] = registration()
    facts["built in"] = sorted(skyrl_gym.registry.keys() - {"counter"})
    facts["prompt"] = opened(row(0))[1]
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
