"""Writes it backwards."""


def solve(task, seed):
    return [("answer", {"word": task["word"][::-1]})]
