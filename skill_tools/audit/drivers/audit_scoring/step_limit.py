"""A limit for the lines that a call runs, for code that may loop forever."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any

from audit_bounds import Broken


class _TooManyLines(BaseException):
    """No `Exception`, because scored code catches these."""


class StepLimit:
    """A context in which code on this thread may run at most ``most`` lines.

    Raises:
        Broken: The code ran more lines.
    """

    def __init__(self, most: int) -> None:
        self.left = self.most = most
        self.before: Any = None

    def __enter__(self) -> None:
        self.before = sys.gettrace()
        sys.settrace(self._step)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        sys.settrace(self.before)
        if isinstance(error, _TooManyLines):
            raise Broken("steps", f"more than {self.most} lines ran") from None

    def _step(self, frame: FrameType, event: str, _: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise _TooManyLines
        return self._step
