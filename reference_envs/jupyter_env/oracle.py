"""Answers every question with the agent's own tools: proof that the files hold the answer.

It runs the question's solution in a notebook that was given the task without its answer, and
submits what that printed.
"""

import re
from contextlib import closing

from .notebook import Notebook
from .solutions import steps

PRINTED = re.compile(r"^Answer: (.+)$", re.MULTILINE)


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The calls that print the answer, and the answer. Raises LookupError if none was printed."""
    asked = {name: value for name, value in task.items() if name != "answer"}
    calls = steps(task["asks"], task["values"])
    with closing(Notebook(asked, seed)) as notebook:
        for tool, arguments in calls:
            shown = getattr(notebook, tool)(**arguments)
    parts = [shown] if isinstance(shown, str) else shown
    text = "\n".join(part for part in parts if isinstance(part, str))
    found = PRINTED.findall(text)
    if not found:
        raise LookupError(f"the solution of task {task['id']} printed no answer but:\n{text}")
    return [*calls, ("final_answer", {"answer": found[-1].strip()})]
