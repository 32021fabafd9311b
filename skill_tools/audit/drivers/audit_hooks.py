"""Stand-ins for the objects that trainers pass to a reward function in addition to texts and columns.

Runs in the venv of an audit, without skill-tools: standard library only. Based on TRL 1.16
(``log_metric``, ``log_extra``, ``trainer_state``) and rLLM of August 2026 (``task``, ``episode``,
``trajectory``, an action with a text).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LACKING = "lacking"
"""The failure kind for a limit of the audit: it cannot provide an object that a trainer has."""
CALLED = "stand_in_of"
"""The attribute of a stand-in that names the object it replaces."""


class Lacking(AttributeError):
    """The error for an attribute that a stand-in does not have, but that the trainer's own object may have."""


class StandIn:
    """A replacement for a trainer's object. The replacement has only the attributes passed to the constructor."""

    def __init__(self, called: str, /, **values: Any) -> None:
        self.__dict__.update(values)
        self.__dict__[CALLED] = called

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        named = self.__dict__.get(CALLED, "object")
        raise Lacking(f"{named}.{attribute}, which the audit's stand-in does not have")


class WatchedValue:
    """A stand-in for a value of a row. Any use of the stand-in is recorded and raises TypeError."""

    used: set[str] = set()

    def __init__(self, column: str) -> None:
        object.__setattr__(self, "column", column)

    def _use(self, *_: Any) -> Any:
        column = object.__getattribute__(self, "column")
        WatchedValue.used.add(column)
        raise TypeError(f"the column {column!r} is watched")

    __getattribute__ = __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = _use
    __str__ = __repr__ = __format__ = __bytes__ = __bool__ = __len__ = __iter__ = __contains__ = (
        _use
    )
    __getitem__ = __int__ = __float__ = __index__ = __add__ = __radd__ = __sub__ = __rsub__ = _use
    __mul__ = __rmul__ = __hash__ = __call__ = __reduce_ex__ = _use


def watched_value(column: str, value: Any) -> Any:
    """Replace a row's value by a watched value.

    A dict keeps its keys, because reward functions read rows by key.
    """
    if isinstance(value, dict):
        return {key: watched_value(column, each) for key, each in value.items()}
    return WatchedValue(column)


class Log:
    """A log function that accepts all values and discards them."""

    def __call__(self, *values: Any, **named: Any) -> None:
        """Discard the values."""


class Action(str):
    """A reply as rLLM passes it: a string whose ``action`` attribute is the same string."""

    @property
    def action(self) -> str:
        """The text of the reply."""
        return str(self)


def trl_hooks() -> dict[str, Any]:
    """Return the objects that TRL's trainers pass by name: two callables, and the trainer's state at the first step."""
    state: dict[str, Any] = {
        "epoch": 0.0,
        **dict.fromkeys(("global_step", "num_input_tokens_seen", "total_flos"), 0),
        "max_steps": 1000,
        "num_train_epochs": 1,
        "train_batch_size": 8,
        "log_history": [],
        **dict.fromkeys(("logging_steps", "eval_steps", "save_steps"), 500),
        **dict.fromkeys(("best_metric", "best_global_step", "best_model_checkpoint"), None),
        **dict.fromkeys(("is_local_process_zero", "is_world_process_zero"), True),
        "is_hyper_param_search": False,
        **dict.fromkeys(("trial_name", "trial_params"), None),
        "stateful_callbacks": {},
    }
    return {
        "trainer_state": StandIn("trainer_state", **state),
        **dict.fromkeys(("log_extra", "log_metric"), Log()),
    }


def rllm_arguments(row: Mapping[str, Any], question: Any, said: str) -> dict[str, Any]:
    """Return the objects that rLLM passes to an evaluator: the task, and an episode with one trajectory of one step."""
    identity = str(row.get("id", row.get("index", "0")))
    common = {"reward": 0.0, "metadata": {}, "info": {}}
    step = {"id": "0", "input": question, "output": said, "action": Action(said)}
    whole = {
        "observation": None,
        "thought": "",
        "model_response": said,
        "done": True,
        "chat_completions": [
            *(question if isinstance(question, list) else [{"role": "user", "content": question}]),
            {"role": "assistant", "content": said},
        ],
    }
    trajectory = {"uid": identity, "name": "agent", "task": dict(row), "output": said}
    steps = [StandIn("step", **step, **whole, **common)]
    run = StandIn("trajectory", **trajectory, steps=steps, result=said, signals={}, **common)
    episode = StandIn(
        "episode",
        id=f"{identity}:0",
        task_id=identity,
        rollout_idx="0",
        session_id=None,
        task=dict(row),
        trajectories=[run],
        artifacts={},
        metrics={},
        is_correct=False,
        termination_reason=None,
        metadata={},
        info={},
    )
    first = {key: step[key] for key in ("id", "input", "output")}
    plain = {**trajectory, "steps": [{**first, "reward": 0.0}]}
    task = StandIn("task", id=identity, instruction=question, metadata=dict(row), sub_dir=None)
    return {"task": task, "metadata": dict(row), "episode": episode, "trajectory": plain}


def written(value: Any) -> Any:
    """Return a value as JSON data.

    A stand-in becomes its name and attributes, from which ``repro`` rebuilds the stand-in.
    """
    if isinstance(value, StandIn):
        return {"stand_in": {name: written(each) for name, each in vars(value).items()}}
    if isinstance(value, Log):
        return {"stand_in": {}}
    if isinstance(value, Mapping):
        return {name: written(each) for name, each in value.items()}
    return [written(each) for each in value] if isinstance(value, list | tuple) else value
