"""Convert the results of the author's methods for use in an episode. `skill-tools render` overwrites this file."""

import asyncio
import inspect
import json
import os
import reprlib
import threading
from collections.abc import Awaitable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from numbers import Real
from typing import Any

_running: list[asyncio.AbstractEventLoop] = []
_starting = threading.Lock()


class WrongResult(TypeError):
    """Raised if the value of a domain's method or attribute has a type that no variant supports."""


def settled(result: Any) -> Any:
    """Return the result of a method. If the method is `async def`, await the result first.

    All coroutines of a process run on one event loop in its own thread. Resources opened in one call therefore
    still work in the next call, whichever thread calls.
    """
    if not inspect.isawaitable(result):
        return result
    future = asyncio.run_coroutine_threadsafe(_outcome(result), _loop())
    try:
        value, error = future.result()
    except BaseException:  # this thread was interrupted
        future.cancel()
        raise
    if error is not None:
        raise error
    return value


def as_text(value: Any, wanted: str = "text, PNG bytes or a dict") -> str:
    """Return text unchanged, and a dict, dataclass or pydantic model as sorted JSON without spaces.

    Raises WrongResult, with the expected types, for anything else.
    """
    if isinstance(value, str):
        return value
    if _as_json(value) is None:
        raise WrongResult(f"it returned {named(value)}; return {wanted}")
    how: dict[str, Any] = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
    try:
        return json.dumps(value, default=_inner, allow_nan=False, **how)
    except (TypeError, ValueError, RecursionError) as error:
        raise WrongResult(f"it returned {named(value)} that is not JSON: {error}") from error


def as_reward(value: Any, what: str = "the reward") -> float:
    """Return a number from Python, NumPy or another library as a float. Raise WrongResult for anything else."""
    number = _plain_scalar(value)
    if not isinstance(number, int | float):
        raise WrongResult(f"{what} is {named(value)}; set it to a number: float(...)")
    if not -1e300 < number < 1e300:
        raise WrongResult(f"{what} is {named(value)}; set it to a finite number: float(...)")
    return float(number)


def as_metrics(values: Any, declared: Iterable[str]) -> dict[str, float]:
    """Return the declared metrics as numbers. Raise WrongResult if a metric is missing or not declared."""
    names = list(declared)
    if not isinstance(values, Mapping):
        wanted = ", ".join(names)
        raise WrongResult(f"metrics is {named(values)}; set it to a dict of numbers: {wanted}")
    if missing := [name for name in names if name not in values]:
        raise WrongResult(f"the metric {missing[0]!r} is missing; set it from the start: 0.0")
    if unknown := [name for name in values if name not in names]:
        raise WrongResult(f"the metric {unknown[0]!r} is not declared in env.yaml")
    return {name: as_reward(values[name], f"the metric {name!r}") for name in names}


def as_done(value: Any) -> bool:
    """Return whether `done` is true.

    Raise WrongResult for a value that is not a number or boolean, because the text "False" or a method would
    count as true.
    """
    plain = _plain_scalar(value)
    if not isinstance(plain, int | float):
        raise WrongResult(f"done is {named(value)}; set it to True or False: bool(...)")
    return bool(plain)


def named(value: Any) -> str:
    """Return a value and its type as text, for a message."""
    name, shown = type(value).__name__, " ".join(reprlib.repr(value).split())
    if value is None:
        return "None"
    # A default repr has the type and an address, which differs from run to run.
    article = "an" if name[0].lower() in "aeio" else "a"
    return f"{article} {name}" if shown.startswith("<") else f"{shown} ({name})"


async def _outcome(awaited: Awaitable[Any]) -> tuple[Any, BaseException | None]:
    """Return the result of an awaitable, or its exception, as a value.

    Some errors would end the event loop, or be lost, if they were raised here.
    """
    try:
        return await awaited, None
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) and task.cancelling():
            raise
        return None, RuntimeError("it was cancelled")
    except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
        return None, error


def _loop() -> asyncio.AbstractEventLoop:
    with _starting:
        if not _running:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="coroutines", daemon=True).start()
            _running.append(loop)
        return _running[0]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_running.clear)  # a fork lacks this thread


def _as_json(value: Any) -> Any:
    """Return an object as JSON data, or None if the object has no JSON representation."""
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if not isinstance(value, type) and callable(dump := getattr(value, "model_dump", None)):
        return dump(mode="json")
    return None


def _inner(value: Any) -> Any:
    """Return a nested value as JSON data, for `json.dumps`."""
    found = _as_json(value)
    found = _plain_scalar(value) if found is None else found
    if found is value:
        raise TypeError(f"it holds {named(value)}")
    return found


def _plain_scalar(value: Any) -> Any:
    """Return a scalar of NumPy or a similar library as a Python scalar, and any other value unchanged."""
    if isinstance(value, int | float):
        return value
    if getattr(value, "shape", None) == () and callable(item := getattr(value, "item", None)):
        inner = item()
        if isinstance(inner, int | float | str):
            return inner
    return float(value) if isinstance(value, Real) else value  # for example for NumPy's longdouble
