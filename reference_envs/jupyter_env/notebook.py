"""A notebook over data files: cells, their outputs, and one answer to one question."""

from pathlib import Path

from rl_env_sandbox import CellResult, Limits, open_sandbox, shown

from .answers import FORMATS, is_correct

DATA = Path(__file__).parent / "data"
PACKAGES = ("ipython", "numpy", "pandas", "matplotlib")
WARM = ("numpy", "pandas", "matplotlib.pyplot")
# The system prompt says these; the model plans with them.
LIMITS = Limits(cell_seconds=30, command_seconds=30, memory_mb=1024, disk_mb=256)

STATE_LIMIT = 6_000
"""Characters of all sources, and of all outputs, in `get_notebook_state`; shared by the cells."""
CELL_LIMIT = 2_000
"""Characters of one source or one cell's outputs there."""


class InvalidAction(Exception):
    """The rules do not allow the action; the model is told why and may try again."""


class Cell:
    """Source code and what running it brought last."""

    def __init__(self, source: str, result: CellResult) -> None:
        self.source = source
        self.result = result


class Notebook:
    """One question. `reward` is 1.0 after the right answer and 0.0 otherwise."""

    def __init__(self, task: dict, seed: int) -> None:
        """Open a session with the task's files; nothing is left to chance, so no `seed` is used."""
        self.reward = 0.0
        self.done = False
        self._task = task
        self._cells: list[Cell] = []
        paths = [DATA / name for name in task["files"]]
        self._files = {path.name: path.read_bytes() for path in paths}
        self._sandbox = open_sandbox(self._files, packages=PACKAGES, warm=WARM, limits=LIMITS)

    def observe(self) -> str:
        """The files, the question, and how the answer is to be written."""
        sizes = [f"- {name} ({len(data):,} bytes)" for name, data in self._files.items()]
        return "\n".join(
            [
                "Files in the working directory:",
                *sizes,
                "",
                f"Question: {self._task['question']}",
                f"Form of the answer: {FORMATS[self._task['kind']]}.",
            ]
        )

    def add_and_execute_code_cell(self, code: str) -> list[str | bytes]:
        """Run a new cell below the others; returns its outputs, images as PNG bytes."""
        self._check_runnable(code, "cell")
        result = self._sandbox.run_code(code)
        self._cells.append(Cell(code, result))
        return shown.cell(result)

    def edit_and_execute_current_cell(self, code: str) -> list[str | bytes]:
        """Replace the last cell and run it; what the old source did to variables stays done."""
        self._check_runnable(code, "cell")
        if not self._cells:
            raise InvalidAction(
                "the notebook has no cell to edit yet; add_and_execute_code_cell makes one"
            )
        result = self._sandbox.run_code(code)
        self._cells[-1] = Cell(code, result)
        return shown.cell(result)

    def execute_shell_command(self, command: str) -> str:
        """Run a command with bash in the working directory; returns what it printed."""
        self._check_runnable(command, "command")
        return shown.command(self._sandbox.run_command(command))

    def get_notebook_state(self) -> str:
        """Every cell with its source and outputs, long ones cut; nothing is run."""
        self._check_open()
        if not self._cells:
            return "The notebook has no cells yet."
        limit = min(CELL_LIMIT, STATE_LIMIT // len(self._cells))
        return "\n\n".join(
            _describe(number, cell, limit) for number, cell in enumerate(self._cells, 1)
        )

    def final_answer(self, answer: str) -> str:
        """Take the answer, once; right or wrong, the episode ends."""
        self._check_open()
        if not answer.strip():
            raise InvalidAction("the answer is empty; nothing was submitted")
        correct = is_correct(self._task, answer)
        self.reward = 1.0 if correct else 0.0
        self.done = True
        return "Correct." if correct else "That is not the answer."

    def close(self) -> None:
        """End the session and remove its files; safe to call twice."""
        self._sandbox.close()

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the answer was submitted; the episode is over")

    def _check_runnable(self, text: str, what: str) -> None:
        self._check_open()
        if not text.strip():
            raise InvalidAction(f"the {what} is empty; nothing was run")
        try:
            data = text.encode()
        except UnicodeEncodeError:
            problem = f"the {what} holds half a character (a lone surrogate); nothing was run"
            raise InvalidAction(problem) from None
        if b"\0" in data:
            raise InvalidAction(f"the {what} holds a zero character; nothing was run")


def _describe(number: int, cell: Cell, limit: int) -> str:
    """One cell as text: its number, its execution count, source and outputs."""
    count = cell.result.execution_count
    ran = f"In [{count}]" if count is not None else "did not run"
    parts = shown.cell(cell.result, limit)
    outputs = "\n".join(part if isinstance(part, str) else "[an image]" for part in parts)
    return "\n".join(
        [
            f"Cell {number} ({ran}):",
            shown.clip(cell.source, limit),
            "Output:",
            shown.clip(outputs, limit),
        ]
    )
