"""Former keyword names of the public functions, accepted for one release with a DeprecationWarning."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def also_known_as(**former: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function accept a keyword by its former name, as in ``also_known_as(tasks="num_tasks")``."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def renamed(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in [name for name in kwargs if name in former]:
                new = former[old]
                if new in kwargs:
                    raise TypeError(
                        f"{function.__name__}() got both {new} and its former name {old}"
                    )
                warnings.warn(
                    f"{function.__name__}({old}=…) is now {new}", DeprecationWarning, stacklevel=2
                )
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return renamed

    return decorate
