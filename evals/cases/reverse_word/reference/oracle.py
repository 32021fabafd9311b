"""An oracle that writes the word backwards."""


def solve(task, seed):
    return [("answer", {"word": task["word"][::-1]})]
