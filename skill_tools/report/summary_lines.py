"""Sentences in a report about its coverage, its reused episodes and the players' returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Literal, get_args

from skill_tools.checks.reading.curves import BEST, interval
from skill_tools.checks.reading.probed import share, total
from skill_tools.checks.rules.rewards.blind_baseline import CHECKS, players
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.reviewed import Review, Verdict
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.reference_run import Tasks
from skill_tools.evidence.surveyed import DEALS

NOT_GIVEN = "no time was left, or similar replies were never scored"
NAMED_FILES = 8
"""Maximum number of unread files to name."""
NEAREST_OF = ("oracle", "random", "noop")
"""The policies that the sentence names; the others do not count as players."""


def not_played(played: Sequence[Tasks], scored: int = 0) -> str:
    """Return the number of tasks of each split that were not played, as text, or "" if all were played.

    Args:
        scored: Number of tasks of the first split whose replies were scored. It may exceed the number of tasks
            that were played.
    """
    left = dict(played[0].sizes) if played else {}
    for tasks in played:
        left[tasks.split] -= max(len(tasks.tasks), scored if tasks is played[0] else 0)
    return ", ".join(f"{size} tasks of {split}" for split, size in left.items() if size > 0)


def tasks_scored(evidence: Evidence) -> int:
    """Return the number of tasks for which an audit scored replies."""
    graded = evidence.audit.graded if evidence.audit.audited else None
    return len({each.task for each in graded.replies}) if graded else 0


def bare_examples(evidence: Evidence) -> list[int]:
    """Return the indices of worked examples that no variant played.

    The variants played another example of the task, or did not play the task.
    """
    if not (evidence.variants.rollouts and evidence.reference.tasks):
        return []
    played, left = set(), []
    for number, example in enumerate(evidence.declaration.examples or ()):
        place = (example.split, example.index)
        tasks = evidence.reference.tasks.tasks[: evidence.variants.most]
        count = len(tasks) if example.split == evidence.reference.tasks.split else 0
        if place in played or example.index >= count:
            left.append(number)
        played.add(place)
    return left


def _few_tasks(evidence: Evidence) -> str:
    """Return a sentence if variants played fewer tasks than the bare domain, because of ``--quick`` or the cost."""
    there = len(evidence.reference.tasks.tasks) if evidence.reference.tasks else 0
    if evidence.variants.most is None or evidence.variants.most >= there:
        return ""
    first = f"in the variants, the first {evidence.variants.most} of {there} tasks were played"
    if evidence.variants.minutes:
        return (
            f"{first}, because all tasks would take about {evidence.variants.minutes:.0f} min in each; --num-tasks "
            f"{there} plays them"
        )
    return f"{first}; build without --quick before you rely on it"


def seen(evidence: Evidence) -> str:
    """Return a sentence about the parts that the run left out, or "" if the run was complete."""
    roles = ", ".join(evidence.spec.models) if evidence.spec else ""
    played = evidence.reference.episodes or evidence.variants.names
    inside = (
        f"stand-ins replied for {roles}, so these results show nothing about a real model"
        if roles and played
        else ""
    )
    return "; ".join(filter(None, (_played(evidence), inside)))


def _played(evidence: Evidence) -> str:
    audited = evidence.audit.audited
    outside = ", ".join(audited.left_out) if audited else ""
    outside = (
        f"; not installed, because they are on no package index: {outside}. Code that imports them fails"
        if outside
        else ""
    )
    if audited and (audited.lacks or audited.broken):
        return f"nothing was played{outside}"
    if evidence.audit.audited:
        left = evidence.audit.audited.left
        unplayed = f"; no time was left for {left} scripts" if left else ""
        replies = evidence.audit.graded.unplayed if evidence.audit.graded else 0
        unplayed += f"; {replies} replies were not submitted: {NOT_GIVEN}" if replies else ""
        solved = sum(trajectory.model == "oracle" for trajectory in evidence.every)
        given = f", and by the solutions of {solved} tasks" if solved else ""
        used, of = evidence.audit.audited.solutions
        given += f"; {used} of the {of} given solutions were used" if of else ""
        if scored := tasks_scored(evidence):
            given += f"; replies were scored on {scored} tasks"
        return f"scripts that know only the tools played the environment{given}{unplayed}{outside}"
    if evidence.variants.names:
        return _few_tasks(evidence)
    if evidence.reference.episodes:
        return "the policies played the bare domain, but no variant"
    if evidence.reference.domain:
        return "the domain was imported and all tasks were read; nothing was played"
    if evidence.audit.rows and not evidence.spec:
        return evidence.audit.rows.told
    if evidence.review:
        return "only the experiments of a reader's claims were played"
    return "env.yaml and the domain's source were read; none of the author's code ran"


def taken_before(evidence: Evidence) -> str:
    """Return which variants reused episodes, how many episodes they reused, and when these episodes were played.
    Return "" if all episodes were played anew.
    """
    taken: dict[str, list[int]] = {}
    times = []
    for framework, by_policy in evidence.variants.origins.items():
        counts = [len(origin.keys) for origin in by_policy.values()]
        old = [origin for origin in by_policy.values() if origin.taken]
        if old:
            taken[framework] = [sum(len(origin.keys) for origin in old), sum(counts)]
            times += [origin.at for origin in old]
    if not taken:
        return ""
    whole = [name for name, (old, every) in taken.items() if old == every]
    parts = [f"all episodes of {', '.join(whole)}"] if whole else []
    parts += [f"{old} of {every} of {name}" for name, (old, every) in taken.items() if old < every]
    minutes = sorted({f"{time:%Y-%m-%d %H:%M} UTC" for time in times})
    since = f"{'the oldest ' if minutes[1:] else ''}played at {minutes[0]}"
    return f"{'; '.join(parts)}, {since}: their inputs have not changed since; build with --no-cache replays them"


def of_the_best(evidence: Evidence) -> str:
    """Return each policy's return on the bare domain as a share of the tasks' maximum, or "" if all maxima are
    equal.

    Like ``of_best`` in a rollout's summary, this is the sum of returns divided by the sum of maxima.
    """
    bests = evidence.reference.tasks.bests if evidence.reference.tasks else {}
    if len(set(bests.values())) < 2:
        return ""
    found = []
    for policy in NEAREST_OF:
        played = (evidence.reference.episodes or {}).get(policy, {})
        scored = [(t.total, bests[label]) for label, t in played.items() if label in bests]
        paid = [(total, best) for total, best in scored if total is not None]
        if (most := sum(best for _, best in paid)) > 0:
            found.append(f"{policy} {sum(total for total, _ in paid) / most:.3f}")
    return f"{', '.join(found)} of the maximum of {len(bests)} tasks" if found else ""


def best_thoughtless(evidence: Evidence) -> str:
    """Return the best blind player, its return and the limit for a finding, or "" if no blind player played.

    Blind players always make the same call, or copy a part of the prompt by a rule. A policy learns such behavior
    first, so a model's return should be compared with the blind players' returns.
    """
    found = _players(evidence)
    if not found:
        return ""
    best = _best(found)
    part = share(evidence, best)
    if part <= 0:
        return f"none of {len(found)} blind players earns more than doing nothing"
    mean, half = interval([total(each) for each in best])
    return (
        f"the best blind player, {best[0].words}, earns {mean:.3f} \u00b1 {half:.3f} (95 %, {len(best)} of the "
        f"tasks), {part:.0%} of the maximum beyond doing nothing; {CHECKS[0].id} reports it from {BEST:.0%}"
    )


def thoughtless_share(evidence: Evidence) -> float | None:
    """Return the best blind player's share of the maximum gain over doing nothing, or None if there is no player."""
    found = _players(evidence)
    return max(0.0, share(evidence, _best(found))) if found else None


def _players(evidence: Evidence) -> list[Sequence[Attempt]]:
    """Return the attempts of all blind players, one list per player."""
    if not (evidence.probed and evidence.declaration.reward_range):
        return []
    return [several for kind in players(evidence) for several in kind]


def _best(found: Sequence[Sequence[Attempt]]) -> Sequence[Attempt]:
    return max(found, key=lambda several: fmean(map(total, several)))


def over_deals(evidence: Evidence) -> str:
    """Return the mean returns of the oracle and the best blind player over many deals, or "" if many deals were not
    played."""
    dealt = evidence.probed.chance if evidence.probed else None
    if dealt is None or not dealt.dealt:
        return ""
    mean, half = interval([each.total for each in dealt.dealt])
    others = [
        (fmean(found), player)
        for place, player in enumerate(dealt.players)
        if (found := [o for each in dealt.dealt if (o := each.others[place]) is not None])
    ]
    earned, player = max(others, default=(0.0, ""))
    beside = f"; the best blind player, {player}, earns {earned:.3f}" if player else ""
    count = f"{len(dealt.dealt):,} deals"
    count += "" if len(dealt.dealt) >= DEALS else ", which filled the available time"
    return f"the oracle earns {mean:.3f} \u00b1 {half:.3f} (95 %, {count}){beside}"


def port_line(evidence: Evidence) -> str:
    """Return how many actions agree with the original environment, and the verdict, or "" without a certificate."""
    if evidence.port is None:
        return ""
    seen = evidence.port.certificate
    agree = f"{seen.agreed:,} of {seen.actions:,} actions agree with {seen.theirs}"
    return f"{agree}, in {seen.episodes:,} episodes: {seen.verdict}"


def review_lines(evidence: Evidence) -> list[str]:
    """Return a line about the reviewer and the unread files, then each refuted claim and each opinion.

    The list is empty without a review.
    """
    review = evidence.review
    if review is None:
        return []
    line = f"{len(review.claims)} claims by {review.reader or 'an unnamed reader'}"
    counts = {name: len(review.with_verdict(name)) for name in get_args(Verdict)}
    verdicts = ", ".join(f"{count} {name}" for name, count in counts.items())
    line += f": {verdicts}; second reader: {review.second or 'none'}"
    if review.unread:
        more = len(review.unread) - NAMED_FILES
        rest = f" and {more} more" if more > 0 else ""
        line += f"; not read: {', '.join(review.unread[:NAMED_FILES])}{rest}"
    return [line, *_others(review, "refuted"), *_others(review, "opinion")]


def _others(review: Review, word: Literal["refuted", "opinion"]) -> Iterator[str]:
    for each in review.with_verdict(word):
        why = f": {each.telling.seen}" if each.telling else ": no experiment"
        yield f"{word}: {each.cause.rstrip('.')}{f' ({each.place})' if each.place else ''}{why}"


def varying(declaration: Declaration) -> list[str]:
    """Return the kinds of text, and the share of pixels, that comparisons ignore."""
    share = declaration.tolerance
    return [*declaration.varies, *([f"{share:.2%} of a picture's pixels"] if share else [])]
