"""How calls and cases go, as text: for programs that print facts for a test to read."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

import sandbox_cases


def outcome(function: Callable[[], Any]) -> str:
    """What a function raises, as "name: message"; or "returned ..."."""
    try:
        return f"returned {function()!r}"
    except Exception as error:  # noqa: BLE001 - the fact is which
        return f"{type(error).__name__}: {error}"


def played(case: sandbox_cases.Case, sandbox: ModuleType) -> str:
    """The traceback of a case that fails in a session of a rendered package, or nothing."""
    try:
        limits = sandbox.Limits(**case.limits)
        options = {**sandbox_cases.COMMON, **case.options, "limits": limits}
        with contextlib.closing(sandbox.open_sandbox(**options)) as session:
            case.play(session)
    except Exception:  # noqa: BLE001 - told to the test
        return traceback.format_exc()
    return ""
