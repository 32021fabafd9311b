"""MOD005 to 010: the effect of judges' verdicts on the reward."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from skill_tools.checks.check import Check, Hit, check, place_of, skip, warn
from skill_tools.checks.needs import PROBED, REWARD_RANGE, ROLES, probe
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.files import GOLD_FILE

CLOSE = 1e-6
IDLE = ("noop", "malformed")
"""Policies that must earn the bottom, whatever a judge says."""
ENOUGH = 10
"""Minimum number of labeled examples by which a judge is calibrated."""
NOT_ASKED = "no judge received a request where its verdict was changed"


@check(
    "MOD005",
    "verdict-decides-nothing",
    fix="use the judge's verdict in the reward, or remove the judge",
    needs=[ROLES, probe("verdict"), REWARD_RANGE],
    trusts="nothing",
)
def verdict_decides_nothing(evidence: Evidence) -> Iterator[Hit]:
    """The verdict of a judge changes the reward.

    A judge whose verdict is not read costs requests, and gives the impression that quality was rated.
    """
    found = _swings(evidence)
    if not found:
        yield skip(NOT_ASKED)
    for role, several in found.items():
        if not any(swing > CLOSE for _, swing in several):
            played = several[0][0].trajectory
            yield Hit(
                f"the best and the worst verdict of {role} give the same return",
                played,
                place_of(played),
            )


@check(
    "MOD006",
    "verdict-decides-more",
    fix="scale the verdict to its declared share, or declare the measured share under reward.soft",
    needs=[ROLES, probe("verdict"), REWARD_RANGE],
    after=["MOD005"],
    trusts="nothing",
)
def verdict_decides_more(evidence: Evidence) -> Iterator[Hit]:
    """A judge decides no larger share of the reward than env.yaml says.

    Code can be checked, but a judge cannot. Users of the environment therefore need to know how much of the reward a
    judge decides.
    """
    low, high = REWARD_RANGE.of(evidence)
    found = _swings(evidence)
    if not found:
        yield skip(NOT_ASKED)
    soft = evidence.spec.reward.soft if evidence.spec else {}
    for role, several in found.items():
        declared = soft[role].share if role in soft else 0.0
        attempt, swing = max(several, key=lambda each: each[1])
        if swing > declared * (high - low) + CLOSE:
            said = f"the verdict of {role} moves the return by {swing:g}, {swing / (high - low):.0%} of the range"
            message = f"{said}; env.yaml says {declared:.0%}"
            yield Hit(message, attempt.trajectory, place_of(attempt.trajectory))


@check(
    "MOD007",
    "idle-agent-rewarded",
    fix="let code decide first: ask the judge only about replies that are not empty and pass the checks in code",
    needs=[ROLES, probe("kind"), REWARD_RANGE],
    stage="exploit",
    trusts="nothing",
)
def idle_agent_rewarded(evidence: Evidence) -> Iterator[Hit]:
    """Doing nothing gets the minimum return, even if the judge gives the best verdict.

    Real judges are often too kind, even to empty and broken replies.
    """
    low, _ = REWARD_RANGE.of(evidence)
    asked = False
    for each in PROBED.of(evidence).attempts.get("kind", []):
        played, policy = each.trajectory, each.change["policy"]
        judged = [r for r in played.requests or () if r["purpose"] == "judge"]
        asked = True
        if judged and played.total is not None and policy in IDLE and played.total > low + CLOSE:
            message = f"with the kindest judge, {policy} earns {played.total:g}"
            yield Hit(message, played, place_of(played))
    if not asked:
        yield skip("no episode of noop or malformed could be played again")


@check(
    "MOD008",
    "nonsense-is-a-verdict",
    fix="ask with a schema (`rate()`, or `ask(…, schema=…)`): the episode has no score if the reply does not match",
    needs=[ROLES, probe("nonsense")],
    trusts="nothing",
)
def nonsense_is_a_verdict(evidence: Evidence) -> Iterator[Hit]:
    """If a judge replies with nonsense, the episode has no score.

    The agent does not cause a refusal or a broken reply of the judge, so such a reply must neither punish nor reward
    the agent.
    """
    roles = ROLES.of(evidence)
    asked = False
    for each in PROBED.of(evidence).attempts.get("nonsense", []):
        role, played = each.change["role"], each.trajectory
        if roles[role].purpose != "judge" or not _asked(played, role):
            continue
        asked = True
        if played.total is not None:
            message = f"{each.words}, and the return is {played.total:g}"
            yield Hit(message, played, place_of(played))
    if not asked:
        yield skip(NOT_ASKED)


@check(
    "MOD009",
    "stand-in-cannot-judge",
    fix="let the judge's stand-in read the reply, which is in its third argument, and rate an empty reply worst",
    needs=[ROLES],
    level="warn",
    trusts="nothing",
)
def stand_in_cannot_judge(evidence: Evidence) -> Iterator[Hit]:
    """A judge's stand-in distinguishes the oracle's replies from the replies of other policies.

    All checks play with stand-ins. A stand-in that always gives the same verdict shows nothing about the reward.
    """
    episodes = evidence.reference.episodes or {}
    verdicts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for policy in ("oracle", *IDLE):
        for played in episodes.get(policy, {}).values():
            for request in played.requests or ():
                if request["purpose"] == "judge" and request["reply"] is not None:
                    kind = "oracle" if policy == "oracle" else "others"
                    verdicts[request["role"]][kind].add(request["reply"])
    both = {role: of for role, of in verdicts.items() if of["oracle"] and of["others"]}
    if not both:
        yield skip("no judge rated both the oracle's replies and others")
    for role, of in both.items():
        if of["oracle"] == of["others"] and len(of["oracle"]) == 1:
            said = next(iter(of["oracle"]))[:80]
            yield warn(f"the stand-in of {role} gives the verdict {said!r} on every reply")


@check(
    "MOD010",
    "judge-not-calibrated",
    fix=f"label ten replies in {GOLD_FILE}, then calibrate the model that will judge",
    needs=[ROLES],
    level="note",
    trusts="nothing",
)
def judge_not_calibrated(evidence: Evidence) -> Iterator[Hit]:
    """An environment with a judge has labeled examples, so that a model's verdicts can be compared with people's.

    Only labeled examples show how often a judge is right, because checks play with the judge's stand-in.
    """
    judges = [name for name, role in ROLES.of(evidence).items() if role.purpose == "judge"]
    if not judges:
        yield skip("no judge is declared (models)")
        return
    path = evidence.home / GOLD_FILE
    lines = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
    labeled = sum(bool(line.strip()) for line in lines)
    if labeled < ENOUGH:
        yield Hit(f"{GOLD_FILE} has {labeled} labeled examples; the minimum is ten")


@check(
    "MOD011",
    "longer-is-better",
    fix="rate the content and not the length: exclude length in the rubric, or remove repetitions",
    needs=[ROLES, probe("longer")],
    level="warn",
    trusts="nothing",
)
def longer_is_better(evidence: Evidence) -> Iterator[Hit]:
    """A reply that repeats its text three times gets no more reward than the text alone.

    Judges often prefer long replies, so policies learn to write them. `calibrate` measures this preference of a model.
    """
    by_task: dict[str, dict[int, Attempt]] = defaultdict(dict)
    for each in PROBED.of(evidence).attempts.get("longer", []):
        judged = any(r["purpose"] == "judge" for r in each.trajectory.requests or ())
        if each.trajectory.total is not None and judged:  # code may want a longer text by itself
            by_task[each.of][each.change["times"]] = each
    both = [several for several in by_task.values() if len(several) > 1]
    for several in both:
        (_, once), *_, (times, longer) = sorted(several.items())
        low, high = once.trajectory.total or 0.0, longer.trajectory.total or 0.0
        if high > low + CLOSE:
            yield warn(
                f"repeated {times} times, a reply earns {high:g} instead of {low:g}",
                longer.trajectory,
            )
    if not both:
        yield skip("no judge rated a message both once and repeated")


def _asked(played: Trajectory, role: str) -> bool:
    return any(request["role"] == role for request in played.requests or ())


def _swings(evidence: Evidence) -> dict[str, list[tuple[Attempt, float]]]:
    """For each judge, return the best-rated attempts and how much the verdict changes each attempt's return."""
    pairs: dict[tuple[str, str], dict[str, Attempt]] = defaultdict(dict)
    for each in PROBED.of(evidence).attempts.get("verdict", []):
        role = each.change["role"]
        if each.trajectory.total is not None and _asked(each.trajectory, role):
            pairs[role, each.of][each.change["verdict"]] = each
    found: dict[str, list[tuple[Attempt, float]]] = defaultdict(list)
    for (role, _), both in pairs.items():
        if len(both) > 1:
            totals = [both[name].trajectory.total or 0.0 for name in ("worst", "best")]
            found[role].append((both["best"], abs(totals[1] - totals[0])))
    return found


CHECKS: tuple[Check, ...] = (
    verdict_decides_nothing,
    verdict_decides_more,
    idle_agent_rewarded,
    nonsense_is_a_verdict,
    stand_in_cannot_judge,
    judge_not_calibrated,
    longer_is_better,
)
