"""An oracle that knows the number."""


def solve(task, seed):
    return [("guess", {"number": task["secret"]})]
