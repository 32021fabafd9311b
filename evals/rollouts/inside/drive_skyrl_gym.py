"""A driver that plays a SkyRL Gym environment as its generator does: skyrl_gym.make with the extras of a row."""

import inspect
from pathlib import Path

import skyrl_gym
import textual
import wire
from serve import load
from skyrl_gym.envs.base_text_env import BaseTextEnv

settings = wire.settings()
before = set(skyrl_gym.registry)
module = load(Path(settings["file"]))
NAMES = [name for name in skyrl_gym.registry if name not in before]
state = {"env": None, "over": False}


def open_(split, index):
    """Open a new episode on the row of a task."""
    close()
    extras = {"extra_info": {"split": split or "train", "index": index, "seed": None}}
    if NAMES:
        env = skyrl_gym.make(NAMES[0], env_config={}, extras=extras)
    else:
        (kind,) = [
            each
            for each in vars(module).values()
            if inspect.isclass(each)
            and issubclass(each, BaseTextEnv)
            and each.__module__ == module.__name__
        ]
        env = kind(env_config={}, extras=extras)
    state.update(env=env, over=False)
    messages, _ = env.init([])
    return {"text": "\n".join(wire.said(m)["text"] for m in messages), "tools": [], "done": False}


def call(tool, arguments):
    """Send a model's message that calls a tool."""
    return message(textual.written(tool, arguments))


def message(text):
    """Send a model's message unchanged."""
    out = state["env"].step(text)
    if failure := out["metadata"].get("failure"):  # ended, so as not to end a training step
        raise RuntimeError(failure)
    state["over"] = state["over"] or out["done"]
    answer = "\n".join(wire.said(each)["text"] for each in out["observations"])
    answer = answer or str(out["metadata"].get("observation", ""))
    return {"text": answer, "reward": float(out["reward"]), "done": bool(out["done"])}


def close():
    """End the episode. If the episode is not over, send a message without a call, which ends it."""
    env, state["env"] = state["env"], None
    if env is None:
        return {}
    final = 0.0 if state["over"] else float(env.step("I stop here.")["reward"])
    env.close()
    return {"final": final}


def splits():
    """Return no splits, because SkyRL keeps tasks in data sets outside the environment."""
    return {"splits": None}


handlers = {"open": open_, "call": call, "message": message, "close": close, "splits": splits}
wire.answer(handlers)
