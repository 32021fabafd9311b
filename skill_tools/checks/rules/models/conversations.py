"""MOD012 to 014: how simulated users and players talk and move."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from skill_tools.checks.check import Check, Hit, check, place_of, skip, warn
from skill_tools.checks.needs import PROBED, ROLES, probe
from skill_tools.evidence.evidence import BARE, Evidence
from skill_tools.evidence.trajectory import Trajectory

MANY = 10
"""Maximum number of requests to one model in one step before it counts as endless."""
WHOLE = 5
"""Minimum number of words of a hidden text that a user gives away by repeating it."""
NOBODY = "no user, player or simulated tool received a request"
_AGENT = re.compile(
    r"^\s*(agent|assistant|support|support agent|ai)\s*:", re.IGNORECASE | re.MULTILINE
)
"""The start of a line by which a model speaks for the agent."""


@check(
    "MOD012",
    "asks-without-end",
    fix="make one request for each message or call of the agent, and set `max_requests` to what an episode needs",
    needs=[ROLES],
    plays=["oracle"],
    trusts="nothing",
)
def asks_without_end(evidence: Evidence) -> Iterator[Hit]:
    """One action of the agent causes a bounded number of requests, whatever a model replies.

    A loop that asks until the model says the right word costs money, and the episode then has no score.
    """
    found = evidence.probed.attempts if evidence.probed else {}
    tried = [each.trajectory for name in ("endless", "nonsense") for each in found.get(name, [])]
    episodes = [
        *(t for by in (evidence.reference.episodes or {}).values() for t in by.values()),
        *tried,
    ]
    asked = [each for each in episodes if each.requests]
    if not asked:
        yield skip("no episode made a request to a model")
    worst: dict[str, tuple[int, Trajectory]] = {}
    for played in asked:
        counts = Counter((r["role"], r["step"]) for r in played.requests or ())
        for (role, _), count in counts.items():
            if count > max(MANY, worst.get(role, (0, played))[0]):
                worst[role] = count, played
    for role, (count, played) in worst.items():
        yield Hit(
            f"one action of the agent made {count} requests to {role}", played, place_of(played)
        )


@check(
    "MOD013",
    "nonsense-breaks-the-episode",
    fix="handle a player's illegal move by the rules (a lost turn, for example), and accept any text from a user",
    needs=[ROLES, probe("nonsense")],
    after=["MOD012"],
    trusts="nothing",
)
def nonsense_breaks_the_episode(evidence: Evidence) -> Iterator[Hit]:
    """Whatever a simulated user or another player says, the agent's episode has a score.

    Models make illegal moves. If each illegal move ends an episode without a score, the agent is trained only on the
    remaining episodes.
    """
    roles = ROLES.of(evidence)
    asked = False
    for each in PROBED.of(evidence).attempts.get("nonsense", []):
        role, played = each.change["role"], each.trajectory
        if roles[role].purpose == "judge" or not any(
            r["role"] == role for r in played.requests or ()
        ):
            continue
        asked = True
        unusable = any(r["error"] for r in played.requests or () if r["role"] == role)
        if (
            played.end == "failed" and not unusable
        ):  # a reply that its schema refuses does not count
            why = played.failure.message if played.failure else "it failed"
            yield Hit(
                f"{each.words}, and the episode has no score: {why[:200]}", played, place_of(played)
            )
            return
    if not asked:
        yield skip(NOBODY)


@check(
    "MOD014",
    "partner-out-of-role",
    fix="let the stand-in reply to what the agent said, speak only for itself, and end by the declared `stop` text",
    needs=[ROLES],
    level="warn",
    trusts="nothing",
)
def partner_out_of_role(evidence: Evidence) -> Iterator[Hit]:
    """A simulated user speaks for itself, says new things, ends the conversation, and hides its goal at first.

    The first reply should not reveal the whole goal. All checks play with stand-ins, so behavior that stand-ins
    never show is not tested.
    """
    roles = ROLES.of(evidence)
    episodes = list((evidence.leading.get("oracle") or {}).values())
    partners = [name for name, role in roles.items() if role.purpose == "user"]
    spoken = {
        name: [
            (t, [r["reply"] or "" for r in t.requests or () if r["role"] == name]) for t in episodes
        ]
        for name in partners
    }
    if not any(replies for several in spoken.values() for _, replies in several):
        yield skip("no simulated user received a request in an episode of the oracle")
    for played, task in evidence.with_tasks:
        for name in partners if played.framework == BARE else ():
            reply = next((r["reply"] or "" for r in played.requests or () if r["role"] == name), "")
            for field in roles[name].hidden:
                text = str(task.get(field, ""))
                if len(text.split()) >= WHOLE and text.lower() in reply.lower():
                    message = f"{name} reveals its whole {field!r} in its first reply"
                    yield warn(message, played, place_of(played))
                    return
    for name, several in spoken.items():
        talked = [(played, replies) for played, replies in several if replies]
        for played, replies in talked:
            if any(_AGENT.search(reply) for reply in replies):
                yield warn(f"{name} speaks for the agent", played, place_of(played))
                break
        again = [played for played, replies in talked if any(a == b for a, b in pairwise(replies))]
        if again and 2 * len(again) > len(talked):
            yield warn(f"{name} gives the same reply twice in a row", again[0], place_of(again[0]))
        stop = roles[name].stop
        if stop and talked and not any(stop in reply for _, replies in talked for reply in replies):
            yield warn(
                f"{name} never says its stop text {stop!r}", talked[0][0], place_of(talked[0][0])
            )


CHECKS: tuple[Check, ...] = (asks_without_end, nonsense_breaks_the_episode, partner_out_of_role)
