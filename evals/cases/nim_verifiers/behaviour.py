"""Tests of the same game as in nim_python, independent of the original framework."""

from evals.cases.nim_python.behaviour import losing, refused, splits, winning  # noqa: F401
