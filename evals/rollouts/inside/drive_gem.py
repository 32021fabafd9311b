"""A driver that plays a GEM environment through gem.make, or through its class if no environment is registered."""

import inspect

import gem
import textual
import wire
from gem.envs.registration import ENV_REGISTRY
from serve import load

settings = wire.settings()
before = set(ENV_REGISTRY)
module = load(__import__("pathlib").Path(settings["file"]))
NAMES = [name for name in ENV_REGISTRY if name not in before]
state = {"env": None, "over": False}


def made(split, index):
    """Return the environment for a split and an index, and whether gem.make accepted the index."""
    named = [name for name in NAMES if split and name.endswith(f":{split}")]
    wanted = {"split": split, "index": index, "seed": index}
    if NAMES:
        name = (named or NAMES)[0]
        for given in ({"index": index}, {"seed": index}, {}):
            try:
                return gem.make(name, **given), "index" in given
            except TypeError:
                continue
    (kind,) = [
        each
        for each in vars(module).values()
        if inspect.isclass(each)
        and issubclass(each, gem.Env)
        and each.__module__ == module.__name__
    ]
    takes = inspect.signature(kind).parameters
    given = {k: v for k, v in wanted.items() if k in takes and v is not None}
    return kind(**given), "index" in given


def open_(split, index):
    """Open a new episode. An environment that accepts no index is seeded with the index."""
    close()
    env, placed = made(split, index)
    state.update(env=env, over=False)
    text, _ = env.reset() if placed else env.reset(seed=index)
    return {"text": text, "tools": [], "done": False}


def call(tool, arguments):
    """Send a model's message that calls a tool."""
    return message(textual.written(tool, arguments))


def message(text):
    """Send a model's message unchanged."""
    answer, reward, terminated, truncated, _ = state["env"].step(text)
    state["over"] = state["over"] or terminated or truncated
    return {"text": answer, "reward": float(reward), "done": bool(terminated or truncated)}


def close():
    """End the episode. If the episode is not over, send a message without a call, which ends it."""
    env, state["env"] = state["env"], None
    if env is None:
        return {}
    final = 0.0 if state["over"] else float(env.step("I stop here.")[1])
    env.close() if hasattr(env, "close") else None
    return {"final": final}


def splits():
    """Return no splits, because GEM has no concept of them.

    An environment's name that ends in a split shows the split, but not its size.
    """
    return {"splits": None}


handlers = {"open": open_, "call": call, "message": message, "close": close, "splits": splits}
wire.answer(handlers)
