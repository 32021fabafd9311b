"""AUD: the tools, tasks, states, observations and episode ends of an environment that we did not render."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from skill_tools.checks.check import Hit, Place, check, note, place_of, skip, warn
from skill_tools.checks.needs import AUDITED, PLAYED, SCORED, STATES, TOOLS
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.probed import on_tasks
from skill_tools.checks.reading.texts import stands_in
from skill_tools.checks.rules.audits.rewards import NO_CALL, played_a_call
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory, return_of

LONG_TEXT = 20_000
"""Length in characters of an observation that few models can read; drivers keep no more."""
STATING = r"(?:\b(?:is|are|was|be|equals?|answers?|solutions?|secret|key|password)\b|[=:])[\s'\"`(\[{]{0,3}"
"""Matches what comes before a value that a text states."""
LONGEST = 200
"""Number of characters of an argument to search for as a statement."""
SHORTEST = 3
"""Minimum length of an argument to search for in a prompt."""


@check(
    "AUD009",
    "tool-schema-unusable",
    fix="give every tool a unique name, a description and a JSON Schema of type object",
    needs=[AUDITED, TOOLS],
    trusts="nothing",
)
def tool_schema_unusable(evidence: Evidence) -> Iterator[Hit]:
    """Every tool has a unique name, a description, and a schema that model APIs accept.

    Otherwise a model API refuses the whole request because of one bad schema, or the model guesses what a tool does.
    """
    names = [tool.get("name") for tool in TOOLS.of(evidence)]
    for name in sorted({str(n) for n in names if names.count(n) > 1}):
        message = f"{names.count(name)} tools have the name {name!r}"
        yield Hit(message, place=Place(tool=name))
    for tool in TOOLS.of(evidence):
        yield from _schema_defects(tool)
    if not names:
        yield skip("the environment offers no tool")


@check(
    "AUD010",
    "listing-disagrees",
    fix="serve every way of listing tools and tasks from one list",
    needs=[AUDITED],
    trusts="nothing",
)
def listing_disagrees(evidence: Evidence) -> Iterator[Hit]:
    """Every way of listing tools and tasks gives the same list.

    If a trainer counts tasks in one way and requests tasks in another, it trains on other tasks than it reports.
    """
    audited = AUDITED.of(evidence)
    facts = audited.facts
    odd, lost = audited.found.get("odd_tasks"), facts.get("tools_without_route")
    for difference in odd if isinstance(odd, list) else []:
        yield Hit(str(difference))
    if facts.get("tools_again") is False:
        yield Hit("a second listing returns different tools")
    for name in lost if isinstance(lost, list) else []:
        message = f"the rows offer the tool {name!r}, for which the server has no route"
        yield Hit(message, place=Place(tool=str(name)))
    if (odd, lost, facts.get("tools_again")) == (None, None, None):
        yield skip("the framework lists tools and tasks in only one way")


@check(
    "AUD011",
    "state-disagrees",
    fix="in the state, store the episode_id passed to reset and count every step in step_count",
    needs=[AUDITED, STATES],
    trusts="nothing",
)
def state_disagrees(evidence: Evidence) -> Iterator[Hit]:
    """The state contains the id of the episode that `reset` opened, and the episode's number of steps.

    This is OpenEnv's contract: clients resume or replay an episode by its id.
    """
    reported: set[str] = set()
    for (policy, label), seen in AUDITED.of(evidence).seen.items():
        for kind, found in state_defects(seen.get("states")).items():
            if kind not in reported:
                reported.add(kind)
                shown, place = _episode(evidence, policy, label)
                yield Hit(f"{policy} on {label}: {found}", shown, place)


@check(
    "AUD012",
    "text-cut-off",
    fix="truncate or paginate what a call shows",
    needs=[AUDITED, PLAYED],
    level="warn",
    trusts="nothing",
)
def text_cut_off(evidence: Evidence) -> Iterator[Hit]:
    """No observation is longer than a model can read.

    A longer observation fills the context in one step, or is cut at an arbitrary place.
    """
    for trajectory in evidence.every:
        length = AUDITED.of(evidence).of(trajectory).get("longest", 0)
        if isinstance(length, int) and length >= LONG_TEXT:
            kept = f", of which the audit kept {LONG_TEXT}" if length > LONG_TEXT else ""
            message = f"{named(trajectory)}: a text of {length} characters{kept}"
            yield Hit(message, trajectory, place_of(trajectory))
            return


@check(
    "AUD013",
    "solution-on-show",
    criteria=("semantic.no_solution_leakage",),
    fix="keep the solution of a task out of its prompt",
    needs=[AUDITED, PLAYED],
    plays=["oracle"],
    level="warn",
    trusts="nothing",
)
def solution_on_show(evidence: Evidence) -> Iterator[Hit]:
    """The prompt does not contain the full text of a solution's last call.

    Otherwise a model only has to read the prompt. A finding is harmless if the prompt lists possible answers, or if the
    task is to find the answer in a text. If the state contains the answer, the check gives a note, because a model that
    can request the state sees the answer.
    """
    # What a single question gives away is found by a rule over all tasks: GRA007.
    asked = bool(evidence.audit.graded and evidence.audit.graded.best)
    for trajectory in () if asked else evidence.every:
        last = trajectory.steps[-1].arguments if trajectory.steps else None
        said = [v for v in last.values() if isinstance(v, str)] if isinstance(last, dict) else []
        shown = trajectory.opening
        in_prompt = all(len(each) >= SHORTEST and stands_in(each, shown) for each in said)
        # A request names what it is about; only a statement gives the answer away.
        if trajectory.model == "oracle" and in_prompt and any(_stated(e, shown) for e in said):
            words = " and ".join(repr(each[:60]) for each in said)
            message = f"{named(trajectory)}: {words}, the solution's last word, is in the prompt"
            yield Hit(message, trajectory, place_of(trajectory))
    for (policy, label), seen in AUDITED.of(evidence).seen.items():
        if seen.get("answers_in_state"):
            names = ", ".join(map(str, seen["answers_in_state"]))
            message = f"{policy} on {label}: after the reset the state has {names}"
            yield note(message, *_episode(evidence, policy, label))
            break


@check(
    "AUD014",
    "never-over",
    fix="end the episode when it is solved or lost, and always after a fixed number of calls",
    needs=[AUDITED, PLAYED],
    level="note",
    trusts="nothing",
)
def never_over(evidence: Evidence) -> Iterator[Hit]:
    """The environment ends at least one episode.

    If `done` is never set, only the trainer's own limit ends an episode, and no outcome is ever rewarded.
    """
    scored = (t for t in evidence.every if t.end != "failed")
    played = [t for t in scored if played_a_call(t)]
    if AUDITED.of(evidence).found.get("rewardless"):
        yield skip("the environment reports neither rewards nor the end of an episode")
        return
    if not played:
        yield skip(NO_CALL)
    paid_at_end = any(t.final_reward or AUDITED.of(evidence).of(t).get("rewarded") for t in played)
    if played and all(t.end == "stopped" for t in played):
        longest = max(played, key=lambda each: len(each.steps))
        limit = AUDITED.of(evidence).found.get("max_turns")
        if isinstance(limit, int) and limit > len(longest.steps):
            yield skip(f"the environment's limit of {limit} calls was not reached")
            return
        paid = "" if paid_at_end else ", and no call was rewarded"
        many = f"the longest after {len(longest.steps)} calls{paid}"
        tasks = on_tasks(played, evidence.every)
        message = f"the environment ended no episode, {tasks}, {many}"
        yield Hit(message, longest, place_of(longest))


@check(
    "AUD015",
    "pays-for-nothing",
    shows="episode-rewarded",
    fix="give no reward, or the minimum, for an episode in which the agent did nothing",
    needs=[AUDITED, SCORED],
    after=["AUD001"],
    level="warn",
)
def pays_for_nothing(evidence: Evidence) -> Iterator[Hit]:
    """A player who does nothing gets no reward, or a lower return than a player who makes random calls.

    At the start of training, a policy does nothing. If this behavior is rewarded, the policy keeps doing nothing. If
    most actions make the state worse, the finding is harmless.
    """
    did_nothing = [each for each in evidence.scored if each.model == "noop"]
    idle = [return_of(each) for each in did_nothing]
    random = [return_of(each) for each in evidence.scored if each.model == "random"]
    if not idle or not random:
        yield skip("neither doing nothing nor random play has a return")
    elif min(idle) > 0 and fmean(idle) >= fmean(random):
        many = on_tasks(did_nothing, evidence.every)
        message = (
            f"doing nothing earns {fmean(idle):g} on average {many}, random calls {fmean(random):g}"
        )
        yield warn(message, did_nothing[0], place_of(did_nothing[0]))


def _stated(value: str, prompt: str) -> bool:
    """Return whether a prompt states a value, as in "the word is crane" or "answer: crane", outside a question."""
    found = re.finditer(STATING + re.escape(value[:LONGEST]), prompt, re.IGNORECASE)
    ends = (re.search(r"[.!?\n]|$", prompt[each.end() :]) for each in found)
    return any(each is not None and each[0] != "?" for each in ends)


def _episode(evidence: Evidence, policy: str, label: str) -> tuple[Trajectory | None, Place]:
    """Return the episode that a policy played under a label, or None, and the episode's place."""
    found = (each for each in evidence.every if (each.model, each.label) == (policy, label))
    shown = next(found, None)
    return shown, place_of(shown) if shown else Place(task=label)


def state_defects(states: Any) -> dict[str, str]:
    """Return the first defect of each kind in the states after the reset and after each step."""
    found: dict[str, str] = {}
    for number, state in enumerate(states if isinstance(states, list) else []):
        if not isinstance(state, dict):
            return {"object": "the state is not an object"}
        identity, counted = state.get("episode_id"), state.get("step_count")
        if identity != state.get("asked"):
            found.setdefault("id", f"reset was given an episode_id, but the state has {identity!r}")
        if counted != number:
            found.setdefault("count", f"after {number} steps the state counts {counted!r}")
    return found


def _schema_defects(tool: Mapping[str, Any]) -> Iterator[Hit]:
    name, schema = str(tool.get("name"))[:80], tool.get("parameters")
    place = Place(tool=name)
    if not str(tool.get("description") or "").strip():
        yield warn(f"{name} has no description", place=place)
    if not isinstance(schema, dict) or not schema:
        yield Hit(f"{name} has no schema of its arguments", place=place)
        return
    fields = schema.get("properties", {})
    if schema.get("type", "object") != "object" or not isinstance(fields, dict):
        yield Hit(
            f"{name} has a schema that does not describe an object with properties", place=place
        )
        return
    required = schema.get("required", [])
    lost = [r for r in required if r not in fields] if isinstance(required, list) else [required]
    if lost:
        yield Hit(f"{name} requires {lost[0]!r}, which is not one of its properties", place=place)
    for field, inner in fields.items():
        place = Place(tool=name, parameter=str(field)[:80])
        if not isinstance(inner, dict | bool):
            yield Hit(f"{name}.{place.parameter} has no schema", place=place)
        elif isinstance(inner, dict) and str(inner.get("$ref", "#")).startswith("#") is False:
            message = (
                f"{name}.{place.parameter} refers to an external schema, which no client fetches"
            )
            yield Hit(message, place=place)


CHECKS = (
    tool_schema_unusable,
    listing_disagrees,
    state_disagrees,
    text_cut_off,
    solution_on_show,
    never_over,
    pays_for_nothing,
)
