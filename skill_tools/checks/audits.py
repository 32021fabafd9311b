"""AUD: what only an audit sees, of an environment that we did not render."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skill_tools.checks.check import check, warn
from skill_tools.checks.played import cause, difference, named
from skill_tools.play.audited import filler_length, is_nonsense
from skill_tools.play.evidence import Evidence
from skill_tools.play.trajectory import Played, Trajectory

CLOSE = 1e-9
LONG_TEXT = 20_000
"""Characters of an observation that few models can read, and of which a driver keeps no more."""
FEW = 3
"""Episodes of nonsense from which something is concluded."""


@check(
    "AUD001",
    "pays-for-anything",
    fix="make the reward depend on what the agent did; pay nothing for what means nothing",
    needs=["audited", "scored"],
    after=["EPI001"],
)
def pays_for_anything(evidence: Evidence) -> Iterator[str]:
    """Calls that mean nothing do not earn the most that anybody earned.

    Filler and broken calls are what a policy writes before it has learned anything. If they are
    paid in full, there is nothing to learn.
    """
    scored = [t for t in evidence.scored if t.model != "past_done"]
    best = max((t.total for t in scored), default=0.0)
    nonsense = [t for t in scored if is_nonsense(t.model) and t.steps]
    if best > 0 and len(nonsense) >= FEW and all(t.total >= best - CLOSE for t in nonsense):
        shown = min(nonsense, key=lambda each: len(each.steps))
        yield (
            f"{named(shown)}: {_said(shown)} earned {best:g}, the most that anybody earned, and so "
            f"did all {len(nonsense)} episodes of filler and broken calls"
        )


@check(
    "AUD002",
    "pays-by-length",
    fix="judge what a message says; where length matters, bound what it can earn below a solution",
    needs=["audited", "audited.fillers", "scored"],
    after=["EPI001", "AUD001", "AUD005"],
)
def pays_by_length(evidence: Evidence) -> Iterator[str]:
    """Longer filler is not paid more than shorter filler.

    Length is the first thing that a policy learns to inflate.
    """
    by_task: dict[str, list[tuple[int, Trajectory]]] = {}
    for trajectory in evidence.scored:
        length = filler_length(trajectory.model)
        if length is not None and trajectory.steps:
            by_task.setdefault(trajectory.label, []).append((length, trajectory))
    rising = [_rising(sorted(each, key=lambda pair: pair[0])) for each in by_task.values()]
    if rising and all(rising):
        label, several = next(iter(by_task.items()))
        paid = ", ".join(f"{n} characters {t.total:g}" for n, t in sorted(several, key=_length))
        yield f"{named(max(several, key=_length)[1])}: filler earns by its length on {label}: {paid}"


@check(
    "AUD003",
    "reward-never-told",
    fix="set a reward on every step, at the latest on the one that ends the episode",
    needs=["audited", "scored"],
)
def reward_never_told(evidence: Evidence) -> Iterator[str]:
    """Some step, or the end, of some episode tells a reward.

    A trainer reads None as 0 or breaks; either way nothing is learned.
    """
    seen = [evidence.audited.of(t) for t in evidence.scored if t.steps]
    if seen and not any(each.get("told") for each in seen):
        yield f"in {len(seen)} episodes with calls no reward was ever told, only None"


@check(
    "AUD004",
    "nobody-was-paid",
    fix="give a solution with --actions, so that it is known whether anything is ever paid",
    needs=["audited", "scored"],
    after=["AUD001", "AUD003"],
    level="note",
)
def nobody_was_paid(evidence: Evidence) -> Iterator[str]:
    """Somebody earned something, so that the reward can be judged.

    Without a solution, players who know nothing may never be paid: then whether the right actions
    are is not known.
    """
    totals = {t.total for t in evidence.scored}
    if len(totals) == 1 and max(totals) <= 0 and not evidence.audited.solved:
        yield f"all {len(evidence.scored)} episodes earned {max(totals):g}, and no solution was given"


@check(
    "AUD005",
    "replay-differs",
    fix="draw all randomness from the seed that a reset or a task gives",
    needs=["audited", "audited.again", "played"],
    after=["EPI001"],
)
def replay_differs(evidence: Evidence) -> Iterator[str]:
    """The same task, seed and calls pay and end the same when played again, in another process.

    Otherwise a group of rollouts is not of one problem, and no failure can be looked at again. What
    merely reads otherwise is warned of.
    """
    yield from _differing(evidence, evidence.audited.again, "when played again")


@check(
    "AUD006",
    "seed-without-effect",
    fix="use the seed of reset; if there is no chance in this world, say so in its description",
    needs=["audited", "audited.reseeded", "played"],
    after=["EPI001", "AUD005"],
    level="warn",
)
def seed_without_effect(evidence: Evidence) -> Iterator[str]:
    """Another seed gives another episode for the same calls, somewhere.

    A seed that is silently ignored is worse than none: a thousand rollouts are copies of one.
    """
    compared = list(_compared(evidence, evidence.audited.reseeded))
    if compared and not any(difference(a, b, evidence.declaration) for a, b in compared):
        yield f"with another seed all {len(compared)} episodes were the same"


@check(
    "AUD007",
    "sessions-mixed",
    fix="keep all state on the instance that a session makes, none on the class or the module",
    needs=["audited", "audited.together", "played"],
    after=["EPI001", "AUD005"],
)
def sessions_mixed(evidence: Evidence) -> Iterator[str]:
    """Two sessions played in alternation are each as if played alone.

    A trainer holds many at once; what they share, one policy does to another.
    """
    yield from _differing(evidence, evidence.audited.together, "beside another session")


@check(
    "AUD008",
    "one-session-only",
    fix="allow more sessions (OpenEnv: SUPPORTS_CONCURRENT_SESSIONS and max_concurrent_envs)",
    needs=["audited", "audited.together", "played"],
    level="warn",
)
def one_session_only(evidence: Evidence) -> Iterator[str]:
    """A second session can be opened while the first is played.

    Group sampling plays several episodes of a task at once.
    """
    for trajectory in _all(evidence.audited.together):
        if trajectory.end == "failed":
            yield f"of two sessions one failed: {cause(trajectory)[:300]}"
            return


@check(
    "AUD009",
    "tool-schema-unusable",
    fix="give every tool a name of its own, a description and a JSON Schema of type object",
    needs=["audited", "tools"],
)
def tool_schema_unusable(evidence: Evidence) -> Iterator[str]:
    """Every tool has a name of its own, a description, and a schema that a model API takes.

    A model API refuses the whole request for one bad schema, or the model guesses.
    """
    names = [tool.get("name") for tool in evidence.declaration.tools]
    for name in sorted({str(n) for n in names if names.count(n) > 1}):
        yield f"{names.count(name)} tools are called {name!r}"
    for tool in evidence.declaration.tools:
        yield from _schema_defects(tool)


@check(
    "AUD010",
    "listing-disagrees",
    fix="answer every way of asking for tools and tasks from one list",
    needs=["audited"],
)
def listing_disagrees(evidence: Evidence) -> Iterator[str]:
    """Tools and tasks are the same however they are asked for.

    A trainer that counts first and asks later plays another set than it thinks.
    """
    odd = evidence.audited.found.get("odd_tasks")
    yield from map(str, odd if isinstance(odd, list) else [])
    if evidence.audited.facts.get("tools_again") is False:
        yield "the tools are others when they are listed a second time"
    lost = evidence.audited.facts.get("tools_without_route")
    for name in lost if isinstance(lost, list) else []:
        yield f"the rows offer the tool {name!r}, for which the server has no route"


@check(
    "AUD011",
    "state-disagrees",
    fix="keep the episode_id that reset was given in the state, and count every step in step_count",
    needs=["audited", "audited.states"],
)
def state_disagrees(evidence: Evidence) -> Iterator[str]:
    """The state names the episode that reset opened, and counts its steps.

    OpenEnv's contract; who resumes or replays an episode goes by it.
    """
    for (policy, label), seen in evidence.audited.seen.items():
        if found := state_defect(seen.get("states")):
            yield f"{policy} on {label}: {found}"
            return


@check(
    "AUD012",
    "text-cut-off",
    fix="cut or page what a call shows",
    needs=["audited", "played"],
    level="warn",
)
def text_cut_off(evidence: Evidence) -> Iterator[str]:
    """No observation is longer than a model can read.

    It fills the context in one step, or is cut where nobody looked.
    """
    for trajectory in evidence.every:
        length = evidence.audited.of(trajectory).get("longest", 0)
        if isinstance(length, int) and length >= LONG_TEXT:
            yield f"{named(trajectory)}: a text of {length} characters or more"
            return


@check(
    "AUD013",
    "solution-on-show",
    fix="keep what solves a task out of its prompt",
    needs=["audited", "played"],
    plays=["oracle"],
    level="warn",
)
def solution_on_show(evidence: Evidence) -> Iterator[str]:
    """The last thing that a solution says does not stand in the prompt.

    Reading is then enough. In multiple choice, and where an answer is to be found in a text, it is
    right.
    """
    for trajectory in evidence.every:
        last = trajectory.steps[-1].arguments if trajectory.steps else None
        said = [v for v in last.values() if isinstance(v, str)] if isinstance(last, dict) else []
        shown = "\n".join(str(message.get("content")) for message in trajectory.prompt)
        for value in said if trajectory.model == "oracle" else []:
            if len(value) >= 3 and value in shown:
                yield f"{named(trajectory)}: {value[:60]!r}, the solution's last word, is in the prompt"
                break


@check(
    "AUD014",
    "never-over",
    fix="end the episode when it is solved or lost, and after some number of calls in any case",
    needs=["audited", "played"],
    level="warn",
)
def never_over(evidence: Evidence) -> Iterator[str]:
    """Some episode is ended by the environment.

    If `done` never comes, a trainer's own limit is all that ends an episode, and an outcome is
    never paid.
    """
    played = [t for t in evidence.every if t.steps and t.end != "failed"]
    told_at_end = any(t.final_reward or evidence.audited.of(t).get("told") for t in played)
    if played and all(t.end == "stopped" for t in played) and not _ends_outside(evidence):
        most = max(len(t.steps) for t in played)
        paid = "" if told_at_end else ", and nothing was paid"
        yield f"no episode was ended by the environment, the longest after {most} calls{paid}"


def _ends_outside(evidence: Evidence) -> bool:
    """Whether the framework ends episodes when the model stops, and pays then."""
    found = evidence.audited.found
    return "verifiers" in evidence.rollouts or (
        "nemo_gym" in evidence.rollouts and not found.get("stepped")
    )


def state_defect(states: Any) -> str:
    """What is wrong with what the state said after the reset and after each step, or ""."""
    for number, state in enumerate(states if isinstance(states, list) else []):
        if not isinstance(state, dict):
            return "the state is no object"
        if state.get("episode_id") != state.get("asked"):
            return f"reset was given an episode_id, and the state has {state.get('episode_id')!r}"
        if state.get("step_count") != number:
            return f"after {number} steps the state counts {state.get('step_count')!r}"
    return ""


def _schema_defects(tool: Mapping[str, Any]) -> Iterator[str]:
    name, schema = str(tool.get("name"))[:80], tool.get("parameters")
    if not str(tool.get("description") or "").strip():
        yield warn(f"{name} has no description")
    if not isinstance(schema, dict) or not schema:
        yield f"{name} has no schema of its arguments"
        return
    fields = schema.get("properties", {})
    if schema.get("type", "object") != "object" or not isinstance(fields, dict):
        yield f"{name} has a schema that is not of an object with properties"
        return
    required = schema.get("required", [])
    lost = [r for r in required if r not in fields] if isinstance(required, list) else [required]
    if lost:
        yield f"{name} requires {lost[0]!r}, which is none of its properties"
    for field, inner in fields.items():
        if not isinstance(inner, dict | bool):
            yield f"{name}.{str(field)[:80]} has no schema"
        elif isinstance(inner, dict) and str(inner.get("$ref", "#")).startswith("#") is False:
            yield f"{name}.{str(field)[:80]} refers to a schema elsewhere, which nobody fetches"


def _differing(evidence: Evidence, others: Played, when: str) -> Iterator[str]:
    for before, after in _compared(evidence, others):
        what = difference(before, after, evidence.declaration)
        if not what:
            continue
        message = f"{named(before)}: {what} differs {when}"
        if _outcome(before) == _outcome(after):
            yield warn(f"{message}, and nothing that is paid")
        else:
            yield f"{message}: it paid {before.total:g}, then {after.total:g}"


def _compared(evidence: Evidence, others: Played) -> Iterator[tuple[Trajectory, Trajectory]]:
    """Episodes that were played twice, and have a score both times."""
    first = {(t.model, t.label): t for t in evidence.every}
    for after in _all(others):
        before = first.get((after.model, after.label))
        if before and before.end != "failed" and after.end != "failed":
            yield before, after


def _outcome(trajectory: Trajectory) -> tuple[Any, ...]:
    rewards = [(step.reward, step.done) for step in trajectory.steps]
    return rewards, trajectory.final_reward, trajectory.end


def _all(played: Played) -> Iterator[Trajectory]:
    return (t for by_label in played.values() for t in by_label.values())


def _rising(paid: list[tuple[int, Trajectory]]) -> bool:
    totals = [trajectory.total for _, trajectory in paid]
    pairs = list(zip(totals, totals[1:], strict=False))
    return len(totals) >= FEW and all(a <= b + CLOSE for a, b in pairs) and totals[0] < totals[-1]


def _length(pair: tuple[int, Trajectory]) -> int:
    return pair[0]


def _said(trajectory: Trajectory) -> str:
    length = filler_length(trajectory.model)
    return "broken calls" if length is None else f"{length} characters of filler"


CHECKS = (
    pays_for_anything,
    pays_by_length,
    reward_never_told,
    nobody_was_paid,
    replay_differs,
    seed_without_effect,
    sessions_mixed,
    one_session_only,
    tool_schema_unusable,
    listing_disagrees,
    state_disagrees,
    text_cut_off,
    solution_on_show,
    never_over,
)
