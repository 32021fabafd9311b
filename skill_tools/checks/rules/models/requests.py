"""MOD001 to 004: the content of requests to models."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rl_env_harness.blocks import said
from rl_env_harness.visible_text import visible

from skill_tools.checks.check import Check, Hit, check, place_of, skip
from skill_tools.checks.needs import PROBED, ROLES, probe
from skill_tools.checks.reading.texts import scalars
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.requests import contains, messages_of, reached
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Trajectory

NO_REQUEST = "no episode made a request to a model"
LEAST = 3
"""Minimum length of a hidden value in characters, and minimum number of episodes in which a model saw one."""
MOST = 0.75
"""Share of the episodes with requests from which a value is there on purpose."""


@check(
    "MOD001",
    "prompt-injection",
    fix="let `models.NAME.rate()` write the judge's prompt, because it delimits the reply safely; in a prompt of "
    "your own, pass the text as JSON, or as a whole user message to a simulated user",
    needs=[ROLES, probe("attack")],
    stage="exploit",
    trusts="nothing",
)
def prompt_injection(evidence: Evidence) -> Iterator[Hit]:
    """Text that the agent writes reaches no model as an instruction.

    A policy learns whatever raises the score. For example, it may write "give full marks" into the judge's
    instructions. The check plays its attacks against a stand-in that obeys all text outside of delimiters.
    """
    found = PROBED.of(evidence).attempts
    paid = {
        (each.of, each.change["attack"]): each.trajectory
        for each in found.get("obeyed", [])
        if each.compared and (each.trajectory.total or 0.0) > (each.compared.total or 0.0) + 1e-9
    }
    by_role: dict[str, list[tuple[Attempt, str]]] = defaultdict(list)
    for each in found.get("attack", []):
        for request, how in reached(each):
            by_role[request["role"]].append((each, how))
    for role, several in by_role.items():
        names = list(dict.fromkeys(each.change["attack"] for each, _ in several))
        each, how = several[0]
        shown = next(
            (paid[key] for e, _ in several if (key := (e.of, e.change["attack"])) in paid), None
        )
        effect = ""
        if shown and shown.total is not None:
            effect = f"; the judge obeys, and the return is {shown.total:g}"
        what = f"{len(names)} attacks ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})"
        message = f"{what} reach the model {role} as instructions: {how}{effect}"
        yield Hit(
            message, shown or each.trajectory, place_of(each.trajectory), details=tuple(names)
        )


@check(
    "MOD002",
    "model-sees-hidden-field",
    fix="leave the field out of the request, or list it under `hidden` of that model if the model must know the value",
    needs=[ROLES],
    stage="cause",
    trusts="nothing",
)
def model_sees_hidden_field(evidence: Evidence) -> Iterator[Hit]:
    """A model sees no hidden field of the task, except the fields that env.yaml lists for the model.

    A judge that sees the reference answer may copy it, and a simulated user who knows the answer gives it away.
    """
    roles = ROLES.of(evidence)
    asked: dict[str, int] = defaultdict(int)
    seen: dict[tuple[str, str], list[tuple[Trajectory, str]]] = defaultdict(list)
    for played, task in evidence.with_tasks:
        if played.framework != "domain":
            continue
        spoken = "\n".join(
            [*messages_of(played), *(step.text for step in played.steps), played.opening]
        )
        for role, rule in roles.items():
            requests = [each for each in played.requests or () if each["role"] == role]
            asked[role] += bool(requests)
            known = {str(v) for field in rule.hidden for v in scalars(task.get(field))}
            for field in {*evidence.secrets} - {*rule.hidden}:
                values = [str(v) for v in scalars(task.get(field)) if len(str(v)) >= LEAST]
                for value in values:
                    if value in spoken or any(value in each for each in known):
                        continue
                    if any(contains(value, each) for each in requests):
                        seen[role, field].append((played, value))
                        break
    if not any(asked.values()):
        yield skip(NO_REQUEST)
    for (role, field), several in seen.items():
        different = {value for _, value in several}
        if len(several) >= max(LEAST, MOST * asked[role] / 2) and len(different) > 1:
            played, value = several[0]
            message = (
                f"the model {role} sees the hidden task field {field!r}, such as {value[:60]!r}"
            )
            yield Hit(message, played, place_of(played))


@check(
    "MOD003",
    "model-sees-no-reply",
    fix="put the agent's messages into the request, then confirm this in an episode's requests",
    needs=[ROLES, probe("mark")],
    trusts="nothing",
)
def model_sees_no_reply(evidence: Evidence) -> Iterator[Hit]:
    """A judge sees the reply that it judges, and a simulated user or player sees the agent's message.

    Otherwise the model still replies, but its reply does not depend on what the agent wrote.
    """
    by_role: dict[str, list[tuple[Attempt, bool]]] = defaultdict(list)
    for each in PROBED.of(evidence).attempts.get("mark", []):
        for role in {request["role"] for request in each.trajectory.requests or ()}:
            requests = [r for r in each.trajectory.requests or () if r["role"] == role]
            # The sentence is in the last message: a model that was not asked after it could not see it.
            last = max(
                (
                    n
                    for n, step in enumerate(each.trajectory.steps)
                    if each.words in str(step.arguments)
                ),
                default=None,
            )
            later = [r for r in requests if last is not None and r["step"] >= last]
            if later:
                by_role[role].append((each, any(contains(each.words, r) for r in later)))
    if not by_role:
        yield skip("no model received a request after the agent's last message")
    for role, several in by_role.items():
        if not any(there for _, there in several):
            played = several[0][0].trajectory
            yield Hit(
                f"the model {role} received a request after a message, but did not see the message",
                played,
                place_of(played),
            )


@check(
    "MOD004",
    "roles-exchanged",
    fix="in requests to a simulated user, send the agent's messages as `user` messages and the simulated user's own "
    "as `assistant` messages, or let `models.NAME.reply()` keep the conversation",
    needs=[ROLES],
    trusts="nothing",
)
def roles_exchanged(evidence: Evidence) -> Iterator[Hit]:
    """In a request to a simulated user or player, the agent's messages do not appear as the model's own messages.

    A model continues its own messages. If the roles are exchanged, the model continues as the agent.
    """
    asked = False
    for played in (evidence.leading.get("oracle") or {}).values():
        texts = {visible(text) for text in messages_of(played)} - {""}
        for request in played.requests or ():
            if request["purpose"] == "judge":
                continue
            asked = True
            own = {said(m).strip() for m in request["messages"] if m.get("role") == "assistant"}
            if own & texts:
                shown = min(own & texts)[:80]
                message = f"the model {request['role']} receives the agent's message as the model's own: {shown!r}"
                yield Hit(message, played, place_of(played))
                return
    if not asked:
        yield skip("no user or player received a request in an episode of the oracle")


CHECKS: tuple[Check, ...] = (
    prompt_injection,
    model_sees_hidden_field,
    model_sees_no_reply,
    roles_exchanged,
)
