"""Knows the word from the world itself."""

from .squares import ColorCodeword


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """NEXT until the last squares, then the word."""
    said = ["NEXT"] * (task["pairs"] - 1) + [ColorCodeword(task, seed).word]
    return [("message", {"text": text}) for text in said]
