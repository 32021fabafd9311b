"""The game is that of nim_python, whichever framework it came from."""

from evals.cases.nim_python.behaviour import losing, refused, splits, winning  # noqa: F401
