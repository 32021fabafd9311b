"""Recommended changes to an environment according to a model's samples, and a text report of the results."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.learnability.sampled import LevelSamples, ModelStudy
from skill_tools.learnability.samples import CONTEXT, CUT, FAILED

FLAT = 0.5
"""Share of groups without variance from which a level is reported: half of a batch teaches nothing."""
KNOWN = 0.85
"""Share of tasks that all samples (or no samples) pass from which a level is too easy (or too hard)."""
OFTEN = 0.05
"""Share of calls or episodes from which a kind of error is reported."""
CROWDED = 4.0
"""Ratio of the last turn's prompt to the first turn's from which the growth is reported."""
REFUSED = {
    "unreadable": "are unreadable: show the form of a call in the prompt, with an example",
    "invalid_arguments": "have arguments that do not match the schema: give the type, the bounds and an "
    "example in the tool's description",
    "unknown_tool": "name a tool that does not exist: name the tools in the prompt, or add the missing tool",
    "invalid_action": "are refused by the rules: state in the prompt, or in the refusal, what is allowed",
    "episode_over": "come after the end: state in the prompt what ends the episode",
}
"""Kinds of refused calls, in the words of ``episode.Step``, and what to change for each."""
ENDINGS = {
    CUT: "have a message that was cut off: raise --max-tokens, or ask for shorter replies",
    CONTEXT: "fill the model's context: shorten observations, reduce the number of turns, or serve a longer context",
    FAILED: "failed without a score: fix the cause first, see `failure` in the trajectory file",
}
"""Kinds of errors other than refused calls, and what to change for each."""
TURNS_SHOWN = 12
"""Maximum turns whose prompt length is shown; if there are more, evenly spaced ones are shown."""


def levers(study: ModelStudy) -> list[str]:
    """Return the recommended changes to the environment, each beginning with its level or kind of error.

    The list is empty if no change is needed.
    """
    parts = study.levels if len(study.levels) > 1 else [study.overall]
    found = [line for part in parts for line in _of_level(part)]
    return [*found, *_of_errors(study.overall), *_of_context(study)]


def _of_level(part: LevelSamples) -> Iterator[str]:
    name, groups = part.level or "all tasks", part.groups
    flat = groups.zero_gradient or 0.0
    shown = f"{flat:.0%} of {groups.groups} groups have no variance"
    tasks = part.passed[1].tasks if 1 in part.passed else 0
    if tasks and groups.groups and part.solved >= KNOWN * tasks:
        yield (
            f"{name}: too easy: every sample of {part.solved} of {tasks} tasks is solved; make them "
            "harder, or train on others"
        )
    elif tasks and groups.groups and part.unsolved >= KNOWN * tasks:
        yield (
            f"{name}: too hard: no sample of {part.unsolved} of {tasks} tasks is solved, and {shown}; "
            "make them easier, or reward progress"
        )
    elif flat < FLAT:
        return
    elif groups.lowest >= max(groups.passed, groups.between):
        yield (
            f"{name}: {shown}, most of them at the lowest return; make these tasks easier, or reward "
            "progress"
        )
    elif groups.passed >= groups.between:
        yield f"{name}: {shown}, and in most of these every sample passed; make these tasks harder, or train on others"
    else:
        yield (
            f"{name}: {shown}, most of them at one intermediate return; reward differences between "
            "replies, such as distance or time"
        )


def _of_errors(overall: LevelSamples) -> Iterator[str]:
    for kind, trouble in overall.errors.items():
        if kind in REFUSED and trouble.times >= OFTEN * overall.calls:
            yield f"{trouble.times / overall.calls:.0%} of {overall.calls} calls {REFUSED[kind]}"
        elif kind in ENDINGS and trouble.episodes >= OFTEN * overall.episodes:
            share = trouble.episodes / overall.episodes
            yield f"{share:.0%} of {overall.episodes} episodes {ENDINGS[kind]}"


def _of_context(study: ModelStudy) -> Iterator[str]:
    context = study.expense.context
    if len(context) > 1 and context[-1] > CROWDED * context[0] > 0:
        each = (context[-1] - context[0]) / (len(context) - 1)
        yield (
            f"the prompt grows from {context[0]:,.0f} to {context[-1]:,.0f} tokens in {len(context)} "
            f"turns, {each:,.0f} each: shorten observations, or do not repeat earlier text"
        )


def tell_model(study: ModelStudy) -> Iterator[str]:
    """Yield lines with the results: overall, per level, cost, errors, advice, and the reason for the study's end."""
    yield f"{study.model} on {study.environment} ({study.framework}, {study.split})"
    for part in [study.overall, *(study.levels if len(study.levels) > 1 else ())]:
        yield f"  {part.level or 'all'}: {_told(part)}"
    spent = study.expense
    each = f"  an episode: {spent.turns:.1f} turns, {spent.seconds:.1f} s"
    if spent.prompt is not None and spent.completion is not None:
        cost = "" if spent.cost is None else f", cost {spent.cost:.4g}"
        cost += "" if spent.cost_per_episode is None else f" ({spent.cost_per_episode:.4g} each)"
        yield f"{each}, {spent.prompt:,.0f} tokens read and {spent.completion:,.0f} written{cost}"
        step = max(1, -(-len(spent.context) // TURNS_SHOWN))
        yield f"  tokens of a prompt, by turn: {' '.join(f'{n:.0f}' for n in spent.context[::step])}"
    else:
        yield f"{each}; its server does not report tokens"
    if study.overall.errors:
        told = [f"{trouble.times} {kind}" for kind, trouble in study.overall.errors.items()]
        yield f"  errors: {', '.join(told)}"
    yield from (f"  advice: {line}" for line in study.advice)
    if study.ended:
        yield f"  ended: {study.ended}" + (
            f"; {study.left} episodes are left" if study.left else ""
        )


def _told(part: LevelSamples) -> str:
    said = [f"{part.episodes} episodes on {part.tasks} tasks"]
    said += [f"pass@{k} {each.text}" for k, each in part.passed.items()]
    if part.mean_return:
        said.append(f"mean return {part.mean_return.text} (95 %)")
    if part.groups.zero_gradient is not None:
        said.append(f"{part.groups.zero_gradient:.0%} of groups without variance")
    return ", ".join(said)
