"""PAR002 to 007 and 009: whether the same actions give the same episodes in every variant."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rl_env_harness.blocks import blocks_of
from rl_env_harness.rollouts.openings import in_one_text

from skill_tools.checks.check import Check
from skill_tools.checks.needs import BASELINE, COMPARED, ROLLOUTS
from skill_tools.checks.reading.contrasts import contrast, other_tools
from skill_tools.checks.reading.episodes import opened, paired, seen
from skill_tools.checks.reading.variation import comparable
from skill_tools.checks.tables.relations import Difference, Pair, Part, Relation, related
from skill_tools.evidence.evidence import BARE, Evidence
from skill_tools.evidence.trajectory import Trajectory

VARIANT_DEFECT = (
    "undo the edit to the variant and render it again; if it is unedited, report the defect"
)


def _with_baseline(evidence: Evidence) -> Iterator[Pair]:
    """Yield each episode of a variant with the baseline's episode of the same script."""
    return (Pair(bare, trajectory) for trajectory, bare in paired(evidence))


def _prompt(evidence: Evidence, each: Pair) -> Difference | None:
    declaration, ours, theirs = evidence.declaration, each.again.prompt, each.first.prompt
    if _acts_in_text(evidence, each.again):
        if not _acts_in_text(evidence, each.first):
            in_text = declaration.open_in_text(theirs, each.first.tools)
            if in_text is None:
                return None
            theirs = in_text
        if _is_one_text(ours) or _is_one_text(theirs):  # some have neither roles nor pictures
            texts = (comparable(in_one_text(each), declaration.varies) for each in (ours, theirs))
            return Difference() if len(set(texts)) > 1 else None
    return Difference() if opened(ours, declaration) != opened(theirs, declaration) else None


def _tools(evidence: Evidence, each: Pair) -> Difference | None:
    wanted = [] if _acts_in_text(evidence, each.again) else each.first.tools
    ours = each.again.tools
    return Difference(other_tools(ours, wanted)) if ours != wanted else None


def _observation(evidence: Evidence, each: Pair) -> Difference | None:
    ours, bare = (
        list(zip(seen(run, evidence.declaration), (s.error for s in run.steps), strict=True))
        for run in (each.again, each.first)
    )
    return _first_step(each, "observation", ours, bare)


def _reward(_: Evidence, each: Pair) -> Difference | None:
    ours, bare = ([step.reward for step in run.steps] for run in (each.again, each.first))
    return _first_step(each, "reward", ours, bare)


def _final_reward(_: Evidence, each: Pair) -> Difference | None:
    ours, bare = each.again.final_reward, each.first.final_reward
    return Difference(f"earned {ours:g} instead of {bare:g} at the end") if ours != bare else None


def _end(_: Evidence, each: Pair) -> Difference | None:
    ours, bare = ((run.end, len(run.steps)) for run in (each.again, each.first))
    words = f"{ours[0]} after {ours[1]} steps, not {bare[0]} after {bare[1]}"
    return Difference(words) if ours != bare else None


def _with_metrics(evidence: Evidence) -> Iterator[Pair]:
    """Yield the pairs of ``_with_baseline`` that have metrics, and one pair per framework without metrics."""
    silent: set[str] = set()
    for each in _with_baseline(evidence):
        if each.again.metrics is None and each.again.framework in silent:
            continue
        if each.first.metrics is not None or each.again.metrics is not None:
            yield each
        if each.again.metrics is None:
            silent.add(each.again.framework)


def _metrics(_: Evidence, each: Pair) -> Difference | None:
    ours, bare = each.again.metrics, each.first.metrics or {}
    if ours is None:
        return Difference("reports none of the metrics that env.yaml declares")
    for name in [*bare, *(ours.keys() - bare.keys())]:
        if ours.get(name) != bare.get(name):
            return Difference(f"{name} is {contrast(ours.get(name), bare.get(name))}")
    return None


def _with_requests(evidence: Evidence) -> Iterator[Pair]:
    """Yield the pairs of ``_with_baseline`` in which an episode made requests to models."""
    return (each for each in _with_baseline(evidence) if each.first.requests or each.again.requests)


def _requests(_: Evidence, each: Pair) -> Difference | None:
    ours, bare = each.again.requests or [], each.first.requests or []
    if len(ours) != len(bare):
        return Difference(f"made {len(ours)} requests to models, not {len(bare)}")
    for left, right in zip(ours, bare, strict=True):
        for what in ("role", "step", "messages", "tools", "schema", "reply"):
            if left.get(what) != right.get(what):
                said = contrast(left.get(what), right.get(what))
                return Difference(f"a request to {left['role']}, {what}: {said}")
    return None


def _first_step(each: Pair, what: str, ours: list[Any], bare: list[Any]) -> Difference | None:
    """Return a description of the first step at which the values differ, or None."""
    for number, (left, right) in enumerate(zip(ours, bare, strict=False), 1):
        if left != right:
            where = "on the bare domain"
            where = where if each.first.framework == BARE else f"in {each.first.framework}"
            words = f"step {number}, {what}: {contrast(left, right)} {where}"
            return Difference(words, step=each.again.steps[number - 1])
    return None


def _acts_in_text(evidence: Evidence, trajectory: Trajectory) -> bool:
    return trajectory.framework in evidence.variants.in_text


def _is_one_text(prompt: list[dict[str, Any]]) -> bool:
    shown = [block for message in prompt for block in blocks_of(message.get("content"))]
    return len(prompt) == 1 and all(block["type"] == "text" for block in shown)


def _row(
    identity: str,
    name: str,
    *parts: Part,
    says: str,
    fix: str = VARIANT_DEFECT,
    words: str = "{who}: {what}",
) -> Check:
    """Return a check that compares each variant with the baseline in some parts of an episode."""
    find = partial(related, (Relation(_with_baseline, parts, words),))
    return Check(
        identity, name, find, fix, (ROLLOUTS, BASELINE, COMPARED), trusts="runs", says=says
    )


CHECKS = (
    _row(
        "PAR002",
        "prompt-differs",
        _prompt,
        words="{who}",
        says="""Every variant opens an episode with the same messages.

        A model that is trained on one prompt should be evaluated on the same prompt. If actions are text, the system
        prompt ends with instructions for writing actions. Nothing else may differ.
        """,
    ),
    _row(
        "PAR003",
        "tools-differ",
        _tools,
        fix="if the variant was edited, undo the edit and render it again. If it is unedited, the framework itself "
        "changes part of the schema: describe the tool without this part, in env.yaml or in the file that env.yaml "
        "names. To rename a tool, rename it in env.yaml, in the domain and in the oracle, then render again",
        says="""Every variant shows the model the same tools, or no tools if actions are text.

        For example, if one framework's schema drops a bound, a model trained there learns to exceed the bound.
        """,
    ),
    _row(
        "PAR004",
        "observation-differs",
        _observation,
        fix=f"{VARIANT_DEFECT}. If the environment has a backend, first check whether the Python version or a time "
        "(as in `ls -l`) causes the difference. To exclude times, declare `varies: [time]` in env.yaml",
        says="""In every variant, the same actions show the same observations and are refused for the same reasons.

        Otherwise two variants are two environments. Agents' programs run on their variant's Python, 3.11 or 3.12.
        Choose `samples` and oracle calls whose output is the same in both versions: for example, avoid tracebacks
        through the standard library. Output that env.yaml lists under `varies` is not compared.
        """,
    ),
    _row(
        "PAR005",
        "reward-differs",
        *(_reward, _final_reward),
        says="""In every variant, the same actions earn the same rewards, at the same steps and in total.

        Two frameworks that reward the same game differently train two policies.
        """,
    ),
    _row(
        "PAR006",
        "end-differs",
        _end,
        says="""In every variant, an episode ends at the same step and for the same reason.

        Trainers estimate a value for the rest of truncated episodes, but not for terminated episodes. An episode that
        ends one step late is a different episode.
        """,
    ),
    Check(
        "PAR007",
        "metrics-differ",
        partial(related, (Relation(_with_metrics, (_metrics,), nothing="no episode has metrics"),)),
        VARIANT_DEFECT,
        (ROLLOUTS, BASELINE, COMPARED),
        trusts="runs",
        says="""The same actions give the same metrics, and every variant reports the metrics that env.yaml declares.

        A metric that one framework computes differently, or not at all, cannot be compared between training runs.
        """,
    ),
    Check(
        "PAR009",
        "requests-differ",
        partial(
            related,
            (Relation(_with_requests, (_requests,), nothing="no model received a request"),),
        ),
        VARIANT_DEFECT,
        (ROLLOUTS, BASELINE, COMPARED),
        after=("PAR004", "PAR005"),
        trusts="runs",
        says="""The same actions send the same requests to the environment's models, and every variant records them.

        A simulated user with a different prompt in one framework is a different user.
        """,
    ),
)
