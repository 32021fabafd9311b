"""Writes the name in decomposed letters, which counts as the same."""

import unicodedata


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    return [("write_name", {"name": unicodedata.normalize("NFD", task["native"])})]
