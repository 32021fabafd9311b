"""Trajectories as Inspect logs, for `inspect view`."""

from __future__ import annotations

import re
import tempfile
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import reduce
from importlib import import_module
from operator import add
from pathlib import Path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.trajectory import Trajectory, return_of
from skill_tools.files import write_whole
from skill_tools.report.formats.inspect_messages import as_messages, said_last, usage_of

SUFFIX = ".eval"
"""Suffix of a log; Inspect lists JSON logs only if it generated their names."""
SCORER = "return"
"""Name of the score, which is the return of an episode."""
LIMITS = {"turns": "turn", "context_full": "context", "time": "time", "refusals": "custom"}
"""Inspect's limit type for each episode limit of skill-tools."""
SETTINGS = {"temperature", "top_p", "max_tokens", "seed"}
"""Model settings that have the same names in Inspect."""
TOLD_REWARDS = 50
"""Maximum number of step rewards in a score's explanation; the sample's metadata lists all."""


def write_inspect_log(trajectories: Sequence[Trajectory], output: Path) -> list[Path]:
    """Write a log for each environment, model and variant; return the new files.

    ``output`` is a new file, ``NAME.eval``. If there are several logs, each file name states the environment,
    variant and model of the log. Each episode is a sample: its id is the label, its epoch is the sample number
    from 1, and its score is the return. A failed episode has an error and no score. Raises SkillToolsError if
    inspect_ai is not installed, there are no episodes, or a file exists.
    """
    inspect = _inspect()
    if output.suffix != SUFFIX:
        raise SkillToolsError(
            f"{output} is not a name for an Inspect log\n    fix: use a name that ends in {SUFFIX}"
        )
    groups: dict[tuple[str, str, str], list[Trajectory]] = defaultdict(list)
    for each in trajectories:
        environment = each.environment or each.label.partition("/")[0]
        groups[environment, each.framework, each.model].append(each)
    if not groups:
        raise SkillToolsError("there is no episode to write\n    fix: name a file with episodes")
    files = _names(output, list(groups))
    for path in files:
        if path.exists() or path.is_symlink():
            raise SkillToolsError(f"{path} exists\n    fix: name a new file, or move this one")
        if not path.parent.is_dir():
            raise SkillToolsError(
                f"{path.parent} is not a folder\n    fix: create it, or name another"
            )
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        made = [Path(scratch) / f"{number}{SUFFIX}" for number in range(len(files))]
        for (place, episodes), path in zip(groups.items(), made, strict=True):
            inspect.write_eval_log(_log(inspect, *place, episodes), str(path))
        for path, target in zip(made, files, strict=True):
            write_whole(target, path.read_bytes())
    return files


def _inspect() -> SimpleNamespace:
    """Return the names from Inspect that this module uses. Raise SkillToolsError if Inspect is not installed."""
    names: dict[str, Any] = {}
    try:
        for module in ("log", "model", "scorer", "tool"):
            names |= vars(import_module(f"inspect_ai.{module}"))
        names["version"] = import_module("inspect_ai").__version__
    except ImportError as error:
        raise SkillToolsError(
            f"the package inspect-ai, which writes Inspect logs, cannot be imported: {error}\n"
            "    fix: install inspect-ai alongside skill-tools (pip install inspect-ai)"
        ) from error
    return SimpleNamespace(**names)


def _names(output: Path, places: Sequence[tuple[str, str, str]]) -> list[Path]:
    """Return a file name for each log. If two logs would have the same name, the second name gets a number."""
    if len(places) == 1:
        return [output]
    names: list[str] = []
    for place in places:
        name = plain = re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(place))
        while name in names:
            name = f"{plain}-{len(names)}"
        names.append(name)
    return [output.with_name(f"{output.stem}-{name}{SUFFIX}") for name in names]


def _log(
    inspect: SimpleNamespace,
    environment: str,
    framework: str,
    model: str,
    episodes: Sequence[Trajectory],
) -> Any:
    samples = [
        _sample(inspect, each, *place)
        for each, place in zip(episodes, _epochs(episodes), strict=True)
    ]
    now = datetime.now(UTC).isoformat()
    first = episodes[0]
    ids = list(dict.fromkeys(sample.id for sample in samples))
    usage = [found for sample in samples for found in sample.model_usage.values()]
    return inspect.EvalLog(
        status="success",
        eval=inspect.EvalSpec(
            created=now,
            task=environment,
            task_id=uuid.uuid4().hex,
            run_id=uuid.uuid4().hex,
            model=model,
            model_base_url=first.server.get("url"),
            model_generate_config=_config(inspect, first.sampling),
            dataset=inspect.EvalDataset(name=environment, samples=len(ids), sample_ids=ids),
            config=inspect.EvalConfig(epochs=max(sample.epoch for sample in samples)),
            packages={**first.versions, "inspect_ai": inspect.version},
            metadata={"framework": framework, "server": first.server, "sampling": first.sampling},
            tags=[framework],
        ),
        results=_results(inspect, episodes),
        stats=inspect.EvalStats(
            started_at=now,
            completed_at=now,
            model_usage={model: reduce(add, usage)} if usage else {},
        ),
        samples=samples,
    )


def _epochs(episodes: Sequence[Trajectory]) -> Iterator[tuple[str, int]]:
    """Yield the id and epoch of each sample. An episode that repeats an earlier pair gets the next free epoch."""
    taken: set[tuple[str, int]] = set()
    for each in episodes:
        name = each.label.removesuffix(f"#{each.sample}") if each.sample else each.label
        epoch = each.sample + 1
        while (name, epoch) in taken:
            epoch += 1
        taken.add((name, epoch))
        yield name, epoch


def _sample(inspect: SimpleNamespace, episode: Trajectory, name: str, epoch: int) -> Any:
    messages = as_messages(inspect, episode)
    usage = usage_of(inspect, episode)
    opening = next(
        (at for at, each in enumerate(messages) if each.role == "assistant"), len(messages)
    )
    answer = said_last(episode)
    reason = "max_tokens" if episode.end == "cut_off" else "stop"
    said = inspect.ModelOutput.from_content(episode.model, answer, stop_reason=reason)
    said.usage = usage
    limit = LIMITS.get(episode.limit or "")
    most = episode.max_turns if limit == "turn" else 0
    return inspect.EvalSample(
        id=name,
        epoch=epoch,
        input=messages[:opening],
        target="" if episode.most is None else f"{episode.most:g}",
        messages=messages,
        output=said,
        scores=None if episode.total is None else _scores(inspect, episode, answer),
        metadata=_metadata(episode),
        model_usage={episode.model: usage} if usage else {},
        total_time=episode.seconds,
        turn_count=len(episode.turns) or None,
        error=_error(inspect, episode),
        limit=inspect.EvalSampleLimit(type=limit, limit=most or 0, reason=episode.limit)
        if limit
        else None,
    )


def _scores(inspect: SimpleNamespace, episode: Trajectory, answer: str) -> dict[str, Any]:
    metrics = episode.metrics or {}
    return {SCORER: _score(inspect, episode, answer)} | {
        name: inspect.Score(value=value) for name, value in metrics.items()
    }


def _score(inspect: SimpleNamespace, episode: Trajectory, answer: str) -> Any:
    rewards = [f"{step.reward:g}" for step in episode.steps]
    more = [f"and {len(rewards) - TOLD_REWARDS} more"] if len(rewards) > TOLD_REWARDS else []
    told = ", ".join([*rewards[:TOLD_REWARDS], *more]) or "none"
    at_end = f", {episode.final_reward:g} at the end" if episode.final_reward else ""
    how = f"{episode.end} ({episode.limit})" if episode.limit else episode.end
    of_most = "" if episode.most is None else f" of {episode.most:g}"
    explanation = (
        f"return {return_of(episode):g}{of_most}; {how} after {len(rewards)} calls, whose rewards were: "
        f"{told}{at_end}"
    )
    return inspect.Score(value=return_of(episode), answer=answer or None, explanation=explanation)


def _metadata(episode: Trajectory) -> dict[str, Any]:
    return {
        "end": episode.end,
        "limit": episode.limit,
        "split": episode.split,
        "index": episode.index,
        "seed": episode.seed,
        "sample": episode.sample,
        "task_id": episode.task_id,
        "label": episode.label,
        "most": episode.most,
        "rewards": [step.reward for step in episode.steps],
        "final_reward": episode.final_reward,
        "errors": [step.error for step in episode.steps],
    }


def _error(inspect: SimpleNamespace, episode: Trajectory) -> Any:
    failure = episode.failure
    if episode.end != "failed":
        return None
    said = f"{failure.kind}: {failure.message}" if failure else "no reason was recorded"
    log = failure.log if failure else ""
    return inspect.EvalError(message=said, traceback=log, traceback_ansi=log)


def _config(inspect: SimpleNamespace, sampling: Mapping[str, Any]) -> Any:
    known = {name: value for name, value in sampling.items() if name in SETTINGS}
    stop = sampling.get("stop")
    return inspect.GenerateConfig(
        **known, stop_seqs=[stop] if isinstance(stop, str) else stop or None
    )


def _results(inspect: SimpleNamespace, episodes: Sequence[Trajectory]) -> Any:
    """Return the mean and standard error over tasks, first of the return and then of each metric, because Inspect
    shows the first score first.
    """
    scored = [each for each in episodes if each.total is not None]
    found = {SCORER: [(each, return_of(each)) for each in scored]}
    for each in scored:
        for name, value in (each.metrics or {}).items():
            found.setdefault(name, []).append((each, value))
    return inspect.EvalResults(
        total_samples=len(episodes),
        completed_samples=len(scored),
        scores=[
            _mean(inspect, name, values, len(episodes) - len(values))
            for name, values in found.items()
        ],
    )


def _mean(
    inspect: SimpleNamespace, name: str, values: Sequence[tuple[Trajectory, float]], unscored: int
) -> Any:
    tasks: dict[Any, list[float]] = defaultdict(list)
    for each, value in values:
        tasks[each.split, each.index, each.seed, str(each.task_id)].append(value)
    means = [fmean(found) for found in tasks.values()]
    metrics = {"mean": fmean(means)} if means else {}
    metrics |= {"stderr": stdev(means) / len(means) ** 0.5} if len(means) > 1 else {}
    return inspect.EvalScore(
        name=name,
        scorer=name,
        scored_samples=len(values),
        unscored_samples=unscored,
        metrics={k: inspect.EvalMetric(name=k, value=value) for k, value in metrics.items()},
    )
