"""A runner that runs solvers on cases and keeps the logs. A run that was killed continues where it stopped."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from inspect_ai import eval_set
from inspect_ai.model import get_model

from evals import case as cases
from evals.case import Case
from evals.inspect_task import task
from evals.solvers import scripted
from evals.solvers.outcome import Build

ROOT = Path(__file__).parent.parent
RUNS = ROOT / "runs" / "evals"
GRADED = ("evals", "skill_tools", "reference_envs", "skills", "pyproject.toml")
"""Files that a run's scores depend on. If any of them changes, the run starts again."""


def tell(line: str) -> None:
    """Print a line without buffering."""
    print(line, flush=True)


class Progress:
    """A progress report with one line per sample. A line shows the numbers of finished samples and of all samples."""

    def __init__(self, total: int, say: Callable[[str], None] = tell) -> None:
        self.total, self.done = total, 0
        self._began, self._say, self._lock = time.monotonic(), say, threading.Lock()

    def __call__(self, line: str) -> None:
        """Report one more finished sample."""
        with self._lock:
            self.done += 1
            minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
            self._say(f"[{self.done:>3}/{self.total} {minutes:>2}:{seconds:02}] {line}")


def plan(
    wanted: Sequence[Case], solvers: Iterable[str]
) -> dict[str, dict[str, tuple[Case, Build]]]:
    """Return each solver's plan: for each sample id, the case and the function that builds a solution."""
    planned: dict[str, dict[str, tuple[Case, Build]]] = {}
    for name in solvers:
        if name == "mutant":
            planned[name] = {
                f"{case.name}/{defect}": (case, scripted.mutant(defect))
                for case in wanted
                for defect in case.mutants
            }
        elif name in scripted.SCRIPTED:
            planned[name] = {case.name: (case, scripted.SCRIPTED[name]) for case in wanted}
        else:
            from evals.solvers.agents import agent

            planned[name] = {case.name: (case, agent(name)) for case in wanted}
    return {name: builds for name, builds in planned.items() if builds}


def folder_of(
    planned: dict[str, dict[str, tuple[Case, Build]]], epochs: int, judge: str | None = None
) -> Path:
    """Return the folder for running this plan. Another plan, or a change of the files, has another folder."""
    parts = [str(epochs), *([judge] if judge else [])] + [
        f"{name}:{sample}" for name in planned for sample in planned[name]
    ]
    key = hashlib.sha256("\n".join([*parts, *_contents()]).encode()).hexdigest()[:10]
    return RUNS / key


def run(
    planned: dict[str, dict[str, tuple[Case, Build]]],
    folder: Path,
    epochs: int = 1,
    parallel: int = 2,
    say: Callable[[str], None] = tell,
    judge: str | None = None,
) -> Path:
    """Run the samples of the plan that have no score yet. Return the folder with the logs."""
    logs = folder / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    progress = Progress(sum(map(len, planned.values())) * epochs, say)
    progress.done = _done(logs)
    if progress.done:
        say(f"{progress.done} samples are scored already; going on")
    tasks = [
        task(name, builds, folder / "work", epochs, progress, judge)
        for name, builds in planned.items()
    ]
    ok, _ = eval_set(
        tasks, log_dir=str(logs), model="mockllm/model", display="none", log_buffer=1,
        max_tasks=1, max_samples=parallel, retry_attempts=0, retry_immediate=False, fail_on_error=False,
        log_level="error", log_dir_allow_dirty=True, ctl_server=False,
    )  # fmt: skip
    if not ok:
        say(
            "not every sample could be run; the report says which, and the same command tries again"
        )
    return logs


def _done(logs: Path) -> int:
    from inspect_ai.log import list_eval_logs, read_eval_log

    best: dict[str, int] = {}
    for info in list_eval_logs(str(logs)):
        log = read_eval_log(info, resolve_attachments=False)
        done = sum(1 for sample in log.samples or [] if sample.scores)
        best[log.eval.task] = max(best.get(log.eval.task, 0), done)
    return sum(best.values())


def _contents() -> list[str]:
    found = []
    for name in GRADED:
        path = ROOT / name
        paths = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in paths:
            if file.is_file() and not {"__pycache__", "runs"} & set(file.parts[len(ROOT.parts) :]):
                digest = hashlib.sha256(file.read_bytes()).hexdigest()
                found.append(f"{file.relative_to(ROOT)} {digest}")
    return found


def find_judge(model: str) -> None:
    """If an Inspect model cannot be used, raise CaseError with the reason, such as a missing key."""
    try:
        get_model(model)
    except Exception as error:  # each provider has its own
        raise cases.CaseError(f"--judge {model}: {error}") from error


def chosen(names: Sequence[str]) -> list[Case]:
    """Return the cases with these names, or all cases if there are no names."""
    return [cases.find(name) for name in names] if names else list(cases.every().values())
