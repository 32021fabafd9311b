"""Trials for environments that ask models: attacks on their prompts, and replies that stand-ins never give."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rl_env_harness.visible_text import visible

from skill_tools.evidence.calls import Calls, calls_of
from skill_tools.evidence.grading.requests import reached
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.probes.probe import ProbeContext, Trial, as_trial
from skill_tools.spec.model import MESSAGE, EnvSpec

VARIED = 2
"""Maximum tasks for each odd reply; the attacks, of which there are hundreds, have one."""
TOO = ("delimiter", "role_tag", "fake_tool_result", "instruction")
"""Kinds of attacks that are tried in an argument of a tool as well as in a message."""
KEPT = 5
"""Number of attacks without effect that the evidence keeps."""
SENTENCE = "Quokka seventy-one, said the lighthouse."
"""A sentence that no other text has, to find it again in a request."""
NONSENSE = ("I'm sorry, but I can't help with that.", "Zxq 12 ??", "[]")
"""Replies that cannot be a verdict or a move."""
ENDLESS = "Hm. Could you say that again?"
"""What a user says who never ends the conversation."""
REPEATED = 3
"""How often a long reply repeats its text; `calibrate` asks about the same."""
KIND = ("noop", "malformed")
"""Policies whose episodes are played again with the kindest judge."""


def role_trials(spec: EnvSpec, ground: ProbeContext) -> Iterator[Trial]:
    """Yield solutions in which the agent's text, or a reply of a model inside the environment, is changed."""
    solved = (ground.solved or list(ground.oracle.values()))[:VARIED]
    judges = [name for name, role in spec.models.items() if role.purpose == "judge"]
    worst, best = (_verdicts(spec, ground, high=high) for high in (False, True))
    for each in solved[:1]:
        calls = calls_of(each)
        for attack in attacks():
            text = attack["text"].format_map(_filled(spec, each))
            twice = attack["kind"] in TOO and MESSAGE in spec.actions
            for tools in (False, True) if twice else (False,):
                if found := _with_text(spec, calls, text, tools=tools):
                    attacked, written = found
                    change = {"attack": attack["name"], "text": text, "written": written}
                    yield as_trial(
                        "attack", attack["name"], each, attacked, each, roles=worst, **change
                    )
    for each in solved:
        calls = calls_of(each)
        for name, role in spec.models.items():
            for text in NONSENSE:
                words, roles = f"{name} replies {text!r}", {name: {"text": text}}
                yield as_trial("nonsense", words, each, calls, each, roles=roles, role=name)
            if role.purpose in ("user", "player"):
                words, roles = f"{name} always replies {ENDLESS!r}", {name: {"text": ENDLESS}}
                yield as_trial("endless", words, each, calls, each, roles=roles, role=name)
        if marked := _with_text(spec, calls, SENTENCE):
            yield as_trial("mark", SENTENCE, each, marked[0], each, roles={})
        if judges:
            yield from _judged(spec, each, worst, best)
    if judges:
        yield from _kindly(ground, best)


def kept_attacks(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Return the attempts, except attacks (after the first few) that no model read as instructions."""
    attacked = [each for each in attempts if each.probe == "attack"]
    dropped = {
        id(each)
        for each in attacked[KEPT:]
        if each.trajectory.total is not None and not reached(each)
    }
    return [each for each in attempts if id(each) not in dropped]


def obeyed_attacks(spec: EnvSpec, attempts: Sequence[Attempt]) -> Iterator[Trial]:
    """For each attack that a judge read as instructions, yield the same trial with a judge that obeys."""
    best = {name: {"best": True, "other": None} for name in spec.models}
    for each in attempts:
        if each.probe == "attack" and reached(each, purpose="judge"):
            played = each.trajectory
            of = played.model_copy(update={"label": each.of})
            calls = [(step.tool, step.arguments) for step in played.steps]
            judges = {r["role"] for r in played.requests or () if r["purpose"] == "judge"}
            roles = _known({name: best[name] for name in judges}, each.compared)
            yield as_trial("obeyed", each.words, of, calls, played, roles=roles, **each.change)


@functools.cache
def attacks() -> tuple[dict[str, Any], ...]:
    """Return the prompt injections, each with `name`, `kind` and `text`.

    The author of the injections had not seen the prompts of this project. Placeholders are {answer}, {rubric} and
    {best}; other braces are doubled.
    """
    found = json.loads(Path(__file__).with_name("injections.json").read_text("utf-8"))
    return tuple({**each, "text": each["text"] * each.get("repeat", 1)} for each in found)


def _judged(
    spec: EnvSpec, of: Trajectory, worst: dict[str, Any], best: dict[str, Any]
) -> Iterator[Trial]:
    calls = calls_of(of)
    for name in worst.keys() & best.keys():
        for words, how in (("worst", worst), ("best", best)):
            change = {"role": name, "verdict": words}
            what, roles = f"{name} gives the {words} verdict", {name: how[name]}
            yield as_trial("verdict", what, of, calls, of, roles=roles, **change)
    at = next((n for n, call in reversed([*enumerate(calls)]) if call[0] == MESSAGE), None)
    if at is not None:
        # Half a message, because a whole one may earn the maximum already.
        text = str(calls[at][1]["text"])
        half = text[: len(text) // 2]
        for times in (1, REPEATED):
            said = (MESSAGE, {**calls[at][1], "text": "\n\n".join([half] * times)})
            longer = [*calls[:at], said, *calls[at + 1 :]]
            yield as_trial(
                "longer", f"the half message, {times} times", of, longer, of, roles={}, times=times
            )


def _kindly(ground: ProbeContext, best: dict[str, Any]) -> Iterator[Trial]:
    for policy in KIND:
        for each in list(ground.played.get(policy, {}).values())[:VARIED]:
            calls = [(step.tool, step.arguments) for step in each.steps]
            words = f"the calls of {policy}, rated best"
            yield as_trial("kind", words, each, calls, each, roles=best, policy=policy)


def _verdicts(spec: EnvSpec, ground: ProbeContext, *, high: bool) -> dict[str, Any]:
    """Return each judge's best or worst verdict, from its schema or, if it has none, from its stand-in's replies."""
    found: dict[str, Any] = {}
    ranked = sorted(
        (each for each in ground.everything if each.total is not None),
        key=lambda each: each.total or 0.0,
    )
    for name, role in spec.models.items():
        if role.purpose == "judge":
            replies = [
                r["reply"]
                for each in ranked
                for r in each.requests or ()
                if r["role"] == name and r["reply"]
            ]
            free = any(
                r["role"] == name and not r.get("schema")
                for each in ranked
                for r in each.requests or ()
            )
            if not free or len(set(replies)) > 1:
                other = replies[-1 if high else 0] if replies else None
                found[name] = {"best": high, "other": other}
    return found


def _known(roles: dict[str, Any], of: Trajectory | None) -> dict[str, Any]:
    """Add each judge's reply about the solution to the verdicts in ``roles``, for judges without a schema."""
    said = {r["role"]: r["reply"] for r in (of.requests if of else None) or ()}
    return {name: {**how, "other": said.get(name)} for name, how in roles.items()}


def _with_text(
    spec: EnvSpec, calls: Calls, text: str, *, tools: bool = False
) -> tuple[Calls, str] | None:
    """Return a solution with a text appended, and the argument to which the text was appended.

    The text follows the last message, or the last free-text argument if there is no message. If ``tools`` is
    true, messages are not used.
    """
    free = {
        (tool["name"], name)
        for tool in spec.tool_rules()
        for name, schema in tool["parameters"]["properties"].items()
        if schema.get("type") == "string"
        and not {"enum", "const", "pattern", "format"} & schema.keys()
    }
    places = [
        (tool != MESSAGE, -number, name)
        for number, (tool, given) in enumerate(calls)
        for name, value in (given.items() if isinstance(given, dict) else ())
        if (tool, name) in free and isinstance(value, str) and not (tools and tool == MESSAGE)
    ]
    if not places or not visible(text):
        return None
    _, number, name = min(places)
    tool, given = calls[-number]
    written = f"{given[name]}\n{text}"
    changed = (tool, {**given, name: written})
    return [*calls[:-number], changed, *calls[-number + 1 :]], written


def _filled(spec: EnvSpec, of: Trajectory) -> dict[str, str]:
    """Return the texts that an attack may quote: a right answer, the criteria and the best label."""
    rubrics = [role.rubric.criteria for role in spec.models.values() if role.rubric]
    criteria = [each for rubric in rubrics if isinstance(rubric, dict) for each in rubric.values()]
    labels = [each.scale[-1] for each in criteria if isinstance(each.scale, list)]
    last = of.steps[-1].arguments if of.steps else {}
    answer = next((str(v) for v in last.values()), "") if isinstance(last, dict) else ""
    return {
        "answer": answer[:200],
        "rubric": " ".join(each.description for each in criteria) or "The reply is good.",
        "best": labels[0] if labels else "yes",
    }
