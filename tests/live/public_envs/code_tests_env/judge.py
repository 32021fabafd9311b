"""Runs the code of a message in a sandbox that sees the arguments of the tests and not their results."""

import json
import re
import shlex

from rl_env_sandbox import Limits, open_sandbox

BLOCK = re.compile(r"^```python[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
SECONDS = 2.0
RUN = """
import json, sys
sys.path.insert(0, ".")
import solution
given = json.loads(sys.argv[1])
got = getattr(solution, sys.argv[2])(*given)
sys.__stdout__.write("\\n" + json.dumps(got))
"""


class InvalidAction(Exception):
    """Never raised: every message is judged."""


class CodeTests:
    """One function, one message."""

    def __init__(self, task: dict, seed: int) -> None:
        self.name, self.cases = task["function"], task["cases"]
        self.reward, self.done = 0.0, False
        self._sandbox = None

    def message(self, text: str) -> str:
        """Judge the code of a message."""
        self.done = True
        blocks = BLOCK.findall(text)
        if len(blocks) == 1:
            files = {"solution.py": blocks[0].encode(), "run.py": RUN.encode()}
            self._sandbox = open_sandbox(files, limits=Limits(command_seconds=SECONDS))
            self.reward = float(all(self._passes(*case) for case in self.cases))
        return "The code was judged."

    def _passes(self, given: list, expected: object) -> bool:
        command = f"python3 run.py {shlex.quote(json.dumps(given))} {shlex.quote(self.name)}"
        ran = self._sandbox.run_command(command, SECONDS)
        last = ran.output.rsplit("\n", 1)[-1]
        try:
            return ran.exit_code == 0 and json.loads(last) == expected
        except ValueError:
            return False

    def close(self) -> None:
        """End the sandbox."""
        if self._sandbox is not None:
            self._sandbox.close()
