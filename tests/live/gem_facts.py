"""Run in GEM's venv by test_text_variants.py: drives the counter through `gem`, prints facts."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import random
import re
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from functools import partial
from typing import Any

import counter_gem
import gem
import numpy as np
from counter_domain import game
from counter_domain._shared import task_table
from gem.envs.registration import ENV_REGISTRY
from gem.vector.sync_vector_env import SyncVectorEnv
from gem.vector.vector_env import AutoresetMode
from gem.wrappers.wrapper_factory import TOKENIZER_REQUIRED, WRAPPER_FACTORY, get_wrapper_fns

TRAIN = "counter:train"
LOOK, STOP = "<look/>", "<end_episode/>"


def add(amount: int) -> str:
    return f'<add amount="{amount}"/>'


def left(text: str) -> int:
    """What is missing to the target, as the last numbers of an observation say."""
    at, target = re.findall(r"counter is at (\d+); the target is (\d+)", text)[-1]
    return int(target) - int(at)


def indices(env: Any, count: int, seed: int | None = None) -> list[int]:
    """The tasks that reset() opens, one after the other."""
    found = [env.reset(seed=seed)[1]["index"]]
    return found + [env.reset()[1]["index"] for _ in range(count - 1)]


def free_worlds() -> None:
    """Close what earlier parts left open, so that a part can count its own."""
    for world in list(game.OPEN):
        world.close()


def raised(function: Any, *arguments: Any, **named: Any) -> str:
    try:
        function(*arguments, **named)
    except Exception as error:  # noqa: BLE001 - the fact is which
        return f"{type(error).__name__}: {error}"
    return ""


def seeds() -> dict[str, Any]:
    env = gem.make(TRAIN, seed=7)
    twice = indices(env, 24)
    one = gem.make(TRAIN, index=3)
    own = one.reset()
    reseeded = gem.make(TRAIN, index=3, seed=5).reset()
    task = task_table.task_at("train", 3)
    return {
        "a pass": sorted(twice[:12]) == list(range(12)) == sorted(twice[12:]),
        "next pass differs": twice[:12] != twice[12:],
        "made again": indices(gem.make(TRAIN, seed=7), 24) == twice,
        "reset again": indices(env, 24, seed=7) == twice,
        "numpy seed": indices(env, 24, seed=np.int64(7)) == twice,
        "as reset with it": indices(gem.make(TRAIN), 24, seed=7) == twice,
        "without a seed": indices(gem.make(TRAIN), 12) == indices(gem.make(TRAIN, seed=0), 12),
        "others differ": len({tuple(indices(gem.make(TRAIN, seed=s), 12)) for s in range(8)}),
        "seeds of the worlds": {env.reset()[1]["seed"] == env._place["index"] for _ in range(9)}
        == {True},
        "one": own[1],
        "one again": one.reset() == own,
        "one reseeded": reseeded[1],
        "one reset": one.reset(seed=5) == reseeded and one.reset() == reseeded,
        "a task": gem.make(TRAIN, task=task).reset()[0] == own[0],
        "a task's place": gem.make(TRAIN, task=task).reset()[1],
        "both": raised(gem.make, TRAIN, index=1, task=task),
        "limit": [gem.make(TRAIN).max_turns, gem.make(TRAIN, max_turns=99).max_turns],
        "messages": own[0].count("The counter is at 0"),
    }


def ends() -> dict[str, Any]:
    found = {}
    for name, limit, script in (
        ("done", 6, lambda n: [add(9)] * (n // 9) + [add(n % 9)] * (n % 9 > 0)),
        ("limit", 2, lambda n: [LOOK, LOOK]),
        ("done at the limit", 6, lambda n: [*[LOOK] * 4, add(n - 1), add(1)]),
        ("stopped", 6, lambda n: [LOOK, STOP]),
        ("stopped at once", 6, lambda n: [STOP]),
        ("unreadable", 2, lambda n: ["Hello", "<add amount="]),
        ("played past the limit", 2, lambda n: [f"{LOOK}{LOOK}{LOOK}"]),
        ("after the limit", 2, lambda n: [LOOK, LOOK, add(1)]),
        ("after the stop", 2, lambda n: [STOP, add(1)]),
    ):
        env = gem.make(TRAIN, index=0, seed=2, max_turns=limit)
        played = [env.step(action) for action in script(left(env.reset()[0]))]
        found[name] = [*played[-1][1:4], sum(step[1] for step in played)]
        found[f"{name}: turns"] = played[-1][4]["turns"]
    return found


def policy(text: str) -> str:
    """Wins, runs into the limit or stops, as the number in the text has it."""
    missing = left(text)
    if missing % 5 == 0:
        return STOP
    return "Hello" if missing % 7 == 0 else add(min(9, missing))


def vector(env: Any, steps: int, seed: int | None) -> list[Any]:
    texts, infos = env.reset(seed=seed)
    seen = [[texts, [info["index"] for info in infos]]]
    for _ in range(steps):
        actions = [policy(text) for text in texts]
        reported, rewards, terminated, truncated, infos = env.step(actions)
        # A wrapper or the step itself may show a text without numbers: go on from the last.
        texts = [b if "target is" in b else a for a, b in zip(texts, reported, strict=True)]
        flags = [array.tolist() for array in (rewards, terminated, truncated)]
        seen.append([reported, flags, [info["index"] for info in infos]])
    return seen


def vectors() -> dict[str, Any]:
    free_worlds()
    fns = get_wrapper_fns("concat_with_action,episode_tracking")
    made = {
        (asynchronous, wrapped): gem.make_vec(
            [TRAIN] * 5, wrappers=fns if wrapped else None, async_mode=asynchronous, seed=40
        )
        for asynchronous in (False, True)
        for wrapped in (False, True)
    }
    runs = {key: vector(env, 40, None) for key, env in made.items()}
    plain = runs[False, False]
    again = vector(made[False, False], 40, 40)
    orders = list(zip(*(step[-1] for step in plain), strict=True))
    flags = [np.array(step[1]) for step in plain[1:]]
    for env in made.values():
        for single in env.envs:
            single.close()
    return {
        "async as sync": runs[True, False] == plain,
        "async as sync, wrapped": runs[True, True] == runs[False, True],
        "wrapped as plain": _flags(runs[False, True]) == _flags(plain),
        "reset to the seed": again == plain,
        "orders": len(set(orders)),
        "tasks gone through": min(len(set(order)) for order in orders),
        "rewards": float(sum(f[0].sum() for f in flags)),
        "terminated": int(sum(f[1].sum() for f in flags)),
        "truncated": int(sum(f[2].sum() for f in flags)),
        "both": int(sum((f[1] * f[2]).sum() for f in flags)),
        "reopened": all(
            "Count to the target" in text
            for step in plain[1:]
            for text, over in zip(step[0], np.add(step[1][1], step[1][2]), strict=True)
            if over
        ),
        "open": len(game.OPEN),
    }


def _flags(seen: list[Any]) -> list[Any]:
    return [step[1:] for step in seen]


def next_step() -> dict[str, Any]:
    fns = [partial(gem.make, TRAIN, seed=s, max_turns=2) for s in (1, 2)]
    env = SyncVectorEnv([TRAIN] * 2, fns, autoreset_mode=AutoresetMode.NEXT_STEP)
    _, first = env.reset()
    env.step([LOOK, LOOK])
    end = env.step([LOOK, STOP])
    after = env.step([LOOK, LOOK])
    order = [indices(gem.make(TRAIN, seed=s), 2) for s in (1, 2)]
    opened = [[a["index"], b["index"]] for a, b in zip(first, after[4], strict=True)]
    return {
        "flags": [end[2].tolist(), end[3].tolist(), after[2].tolist(), after[3].tolist()],
        "last text": end[0][1],
        "last turns": [info["turns"] for info in end[4]],
        "new": ["Count to the target" in text for text in after[0]],
        "new turns": [info["turns"] for info in after[4]],
        "order": opened == order,
    }


def wrappers() -> dict[str, Any]:
    found = {}
    for name in WRAPPER_FACTORY.keys() - set(TOKENIZER_REQUIRED):
        inner = gem.make(TRAIN, seed=3)
        env = get_wrapper_fns(f"{name},episode_tracking")
        env = env[1](env[0](inner)) if name != "episode_tracking" else env[0](inner)
        text, _ = env.reset(seed=3)
        missing = left(text)
        step = env.step(add(min(9, missing - 1)))
        state = env.get_state()
        env.step(f"{LOOK}{STOP}")
        env.set_state(state)
        last = env.step(f"{LOOK}{STOP}")
        seen = f"counter is at {min(9, missing - 1)}" in step[0]
        found[name] = [seen, *last[2:4], last[4]["turns"]]
        env.close()
        found[name].append(env.unwrapped is inner and inner.episode is None)
    return found


SITUATIONS = {
    "before reset": None,
    "opened": [],
    "in the middle": [LOOK, add(2)],
    "after the unreadable": ["Hello", '<add amount="no"/>', "<add", "<tool_call>{</tool_call>"],
    "done": [add(2), "ALL"],
    "truncated": [LOOK] * 6,
    "stopped": [LOOK, STOP],
    "played on after the stop": [LOOK, STOP, add(1), "Hello"],
}


def same_state() -> dict[str, Any]:
    found = {}
    for name, script in SITUATIONS.items():
        env = gem.make(TRAIN, seed=11)
        env.sample_random_action()
        if script is not None:
            for _ in range(5):
                text, _ = env.reset()
            for action in script:
                everything = [add(1)] * (left(text) - 2)
                env.step("".join(everything) if action == "ALL" else action)
        state = json.loads(json.dumps(env.get_state()))
        twin = env.spawn(same_state=True)
        other = gem.make("counter:test")
        other.set_state(state)
        record = deepcopy(env.episode.record()) if env.episode else None
        expected = [going_on(env), *(env.sample_random_action() for _ in range(3))]
        found[name] = [
            (twin.episode.record() if twin.episode else None) == record,
            [going_on(twin), *(twin.sample_random_action() for _ in range(3))] == expected,
            script is None or going_on(other)[:1] == expected[0][:1],
        ]
    return found


def going_on(env: Any) -> list[Any]:
    """What comes of the running episode, and the episodes after it."""
    now = [env.step(action) for action in (LOOK, add(1), "Hello")] if env.episode else []
    return [now, [env.reset() for _ in range(15)]]


def spawn() -> dict[str, Any]:
    env = gem.make(TRAIN, seed=11)
    env.reset()
    env.step(add(1))
    fresh, reseeded, split = env.spawn(), env.spawn(seed=12), env.spawn(split="test")
    group = [env.spawn(same_state=True) for _ in range(3)]
    apart = [child.step(add(number))[0] for number, child in enumerate(group, 1)]
    moved = env.spawn(same_state=True, split="test", max_turns=1)
    going = moved.step(LOOK)
    later = moved.reset()[1]
    single = gem.make(TRAIN, task=task_table.task_at("train", 2)).spawn(index=4)
    return {
        "type": type(fresh) is type(env),
        "fresh": [fresh.episode is None, fresh.seed, indices(fresh, 12) == indices(env, 12, 11)],
        "reseeded": indices(reseeded, 12) == indices(gem.make(TRAIN, seed=12), 12),
        "split": split.reset()[1]["split"],
        "apart": apart,
        "moved": [going[2:4], going[4]["split"], later["split"], moved.step(LOOK)[2:4]],
        "another task": single.reset()[1]["index"],
    }


def random_actions() -> dict[str, Any]:
    env = gem.make(TRAIN, seed=1)
    other = gem.make(TRAIN, seed=1)
    env.reset()
    errors, tools, given = set(), set(), set()
    same = True
    for _ in range(400):
        action = env.sample_random_action()
        same = same and action == other.sample_random_action()
        *_, terminated, truncated, info = env.step(action)
        (step,) = info["steps"]
        errors.add(step["error"])
        tools.add(step["tool"])
        given.add((step["tool"], *step["arguments"]))
        if terminated or truncated:
            env.reset()
    return {"errors": sorted(map(str, errors)), "tools": sorted(tools), "same": same} | {
        "forms of add": sum(form[0] == "add" for form in given)
    }


def global_chance() -> bool:
    random.seed(1)
    np.random.seed(1)
    before = [random.getstate(), np.random.get_state()[1].tolist()]
    env = gem.make_vec([TRAIN] * 3, seed=5)
    env.reset(seed=5)
    env.step([single.sample_random_action() for single in env.envs])
    env.envs[0].spawn(same_state=True)
    return before == [random.getstate(), np.random.get_state()[1].tolist()]


def failures() -> dict[str, Any]:
    free_worlds()
    env = gem.make(TRAIN, seed=2)
    facts: dict[str, Any] = {"before reset": raised(env.step, LOOK)}
    env.reset()
    facts["step"] = raised(env.step, '<add amount="1" note="boom"/>')
    facts["open"] = len(game.OPEN)
    facts["again"] = raised(env.step, LOOK)
    facts["state"] = raised(env.get_state)
    facts["next"] = env.reset()[1]["turns"]
    env.reset()
    facts["open after resets"] = len(game.OPEN)
    env.close()
    env.close()
    facts["open after close"] = len(game.OPEN)
    facts["after close"] = raised(env.step, LOOK)
    broken = gem.make(TRAIN, task={"id": "b", "target_word": "w", "broken": True})
    facts["setting up"] = raised(broken.reset)
    facts["after a broken reset"] = raised(broken.step, LOOK)
    changed = gem.make(TRAIN, seed=2)
    changed.reset()
    changed.step(add(1))
    state = changed.get_state()
    state["steps"] = [{**state["steps"][0], "arguments": {"amount": 1, "note": "boom"}}]
    changed.close()
    facts["replay"] = raised(changed.set_state, state)
    facts["open after all"] = len(game.OPEN)
    return facts


def made_elsewhere(entry_point: str, split: str) -> str:
    """In another process, which knows only the entry point."""
    gem.register("again", entry_point, split=split)
    return gem.make("again", seed=3).reset()[0]


def registration() -> dict[str, Any]:
    importlib.reload(counter_gem)
    spec = ENV_REGISTRY["counter:test"]
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        text = other.submit(made_elsewhere, spec.entry_point, spec.kwargs["split"]).result()
    return {
        "ids": sorted(name for name in ENV_REGISTRY if name.startswith("counter")),
        "entry": spec.entry_point,
        "same": text == gem.make("counter:test", seed=3).reset()[0],
    }


def main() -> None:
    facts = {
        "global chance": global_chance(),
        "seeds": seeds(),
        "ends": ends(),
        "next step": next_step(),
        "wrappers": wrappers(),
        "same state": same_state(),
        "spawn": spawn(),
        "random": random_actions(),
        "failures": failures(),
        "registration": registration(),
        "vectors": vectors(),
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
