"""Measurements of how well a judge agrees with people, on replies that people labeled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from rl_env_harness.records import role_costs

from skill_tools.evidence.grading import agreement
from skill_tools.evidence.grading.agreement import Measured, Pair, bootstrap, share
from skill_tools.files import GOLD_FILE, find_environment
from skill_tools.frameworks import rules
from skill_tools.pipeline.studies.gold import GoldReply, read_gold
from skill_tools.pipeline.studies.judging import (
    ask_judge,
    choose_judge,
    endpoint_of,
    pairs_of,
    price_of,
    to_compare,
    to_rate,
)
from skill_tools.probes.roles.role_attacks import REPEATED
from skill_tools.reference.replies import Judgement
from skill_tools.runtime.progress import Progress, silent

STAND_IN = "stand-in"
ENOUGH = 10
"""Minimum number of replies for advice about agreement."""
FAIR = 0.4
"""Minimum kappa of a judge to train on; below it, agreement is at best fair (Landis and Koch, 1977)."""
GOOD = 0.6
"""Minimum kappa of substantial agreement, from the same source."""
BIASED = 0.1
"""Minimum bias that is mentioned, as a share of the range of scores."""


@dataclass(frozen=True)
class Agreement:
    """The share of a judge's values that equal people's values, and kappa, which is corrected for chance agreement."""

    accuracy: Measured
    kappa: Measured


@dataclass(frozen=True)
class Cost:
    """The judge's average cost of one reply; ``dollars`` is None if the price or the tokens are unknown."""

    requests: float
    input_tokens: float
    output_tokens: float
    dollars: float | None


@dataclass(frozen=True)
class Calibration:
    """The agreement of a judge with gold labels; most figures are shares, or differences of scores from 0 to 1."""

    environment: str
    role: str
    judge: str
    """The model, ``stand-in`` or ``recorded``."""
    rates: bool
    """Whether the judge rated the replies; otherwise they were played as episodes, and their returns count."""
    replies: int
    """Number of gold replies; a reply without a verdict counts in no figure."""
    overall: Agreement
    criteria: dict[str, Agreement]
    absolute_error: Measured
    signed_error: Measured
    """Above 0, the judge is too kind."""
    length: Measured
    """Correlation of the judge's error with the logarithm of the reply's length."""
    repeated: Measured
    """Change of the score if the reply says everything three times."""
    order_decides: Measured
    """Share of pairs in which the judge prefers the same place in both orders."""
    prefers_first: Measured
    """Share of comparisons in which the judge prefers the first place."""
    consistent: Measured
    """Share of replies with the same score each time."""
    ratings: int
    failures: dict[str, int]
    """How many ratings gave no verdict, by cause."""
    uncompared: dict[str, int]
    """How many comparisons gave no verdict, by cause; a stand-in need not compare."""
    cost: Cost

    @property
    def advice(self) -> list[str]:
        """Return advice on the figures, in sentences."""
        return list(_advise(self))


def calibrate(
    folder: Path | str,
    gold: Path | str | None = None,
    role: str | None = None,
    *,
    repeats: int = 3,
    limit: int | None = None,
    model: str | None = None,
    base_url: str | None = None,
    progress: Progress = silent,
) -> Calibration:
    """Let a judge rate the replies of a gold file, and compare the judge's scores with people's labels.

    ``gold`` is by default ``gold.jsonl`` in the folder, and ``role`` is by default the only judge. The judge is
    the model in NAME_ROLE_MODEL or NAME_ROLES_MODEL, unless ``model`` and ``base_url`` replace it; without a
    model, the author's stand-in judges. Raises SpecError for a wrong line, SkillToolsError for wrong arguments,
    and DomainError if the author's code fails.
    """
    folder = find_environment(folder)
    spec = rules.load(folder)
    role = choose_judge(spec, role)
    endpoint, price = endpoint_of(spec, role, model, base_url), price_of(spec, role)
    replies = read_gold(Path(gold) if gold else folder / GOLD_FILE, spec, folder, role)[:limit]
    questions = [to_rate(spec, role, each) for each in replies for _ in range(repeats)]
    questions += [to_rate(spec, role, each, REPEATED) for each in replies]
    questions += [to_compare(*pair) for pair in pairs_of(spec, role, replies)]
    progress(role, f"giving {len(questions)} verdicts")
    answers = ask_judge(spec, folder, role, questions, endpoint)
    named = (endpoint[name] for name in endpoint if name.endswith("_MODEL"))
    judge = next(filter(None, [*(each.model for each in answers), *named]), STAND_IN)
    found = iter(answers)
    rated = [[next(found) for _ in range(repeats)] for _ in replies]
    longer = [next(found) for _ in replies]
    figures = _measured(list(zip(replies, rated, longer, strict=True)), list(found), price)
    rates = spec.models[role].rubric is not None
    return Calibration(spec.name, role, judge, rates, len(replies), **figures)


Rated = tuple[GoldReply, list[Judgement], Judgement]
"""A reply, its ratings, and the rating of its text repeated three times."""


def _measured(
    rated: Sequence[Rated], compared: Sequence[Judgement], price: tuple[float, float] | None
) -> dict[str, Any]:
    """Return the figures; only the first rating of a reply counts, because an episode has only one rating."""
    scored = [(gold, ours[0], ours[0].score) for gold, ours, _ in rated if not ours[0].failure]
    scores = [(score, gold.score) for gold, _, score in scored if score is not None]
    labels = sorted({gold for _, gold in scores})
    by_criterion: dict[str, list[Pair]] = defaultdict(list)
    for gold, judged, _ in scored:
        for name, (at, best) in gold.criteria.items():
            by_criterion[name].append((round(judged.criteria[name] * best), at))
    again = [[each.score for each in ours] for _, ours, _ in rated]
    again = [each for each in again if len(each) > 1 and None not in each]
    places = [each.places for each in compared if each.places]
    every = [each for _, ours, more in rated for each in (*ours, more)]
    return {
        "overall": _agreement([(agreement.nearest(a, labels), b) for a, b in scores]),
        "criteria": {name: _agreement(each) for name, each in by_criterion.items()},
        "absolute_error": bootstrap(agreement.absolute_error, scores),
        "signed_error": bootstrap(agreement.signed_error, scores),
        "length": bootstrap(
            agreement.length_correlation,
            [(s - g.score, len(g.line.reply)) for g, _, s in scored if s is not None],
        ),
        "repeated": bootstrap(
            agreement.signed_error,
            [
                (more.score, ours[0].score)
                for _, ours, more in rated
                if more.score is not None and ours[0].score is not None
            ],
        ),
        "order_decides": share([each[0] == each[1] != "equal" for each in places]),
        "prefers_first": share([place == "first" for each in places for place in each]),
        "consistent": share([len(set(each)) == 1 for each in again]),
        "ratings": len(every),
        "failures": _causes(every),
        "uncompared": _causes(compared),
        "cost": _cost(every, price),
    }


def _agreement(pairs: Sequence[Pair]) -> Agreement:
    return Agreement(share([a == b for a, b in pairs]), bootstrap(agreement.kappa, pairs))


def _causes(judged: Sequence[Judgement]) -> dict[str, int]:
    return dict(Counter(each.failure for each in judged if each.failure))


def _cost(ratings: Sequence[Judgement], price: tuple[float, float] | None) -> Cost:
    requests = fmean([each.requests for each in ratings])
    sent = fmean([each.input_tokens for each in ratings])
    written = fmean([each.output_tokens for each in ratings])
    return Cost(requests, sent, written, role_costs.dollars(price, sent, written))


def _advise(found: Calibration) -> Iterator[str]:
    kappa, signed, repeated = found.overall.kappa, found.signed_error, found.repeated
    if failed := sum(found.failures.values()):
        yield f"{failed} of {found.ratings} ratings gave no verdict: such episodes have no score."
    if found.judge == STAND_IN:
        name = found.environment.upper()
        yield (
            "The author's stand-in judged: these figures say nothing about a model. "
            f"Name one with --model or {name}_ROLES_MODEL."
        )
        return
    if kappa.n < ENOUGH:
        yield f"{kappa.n} rated replies are too few to judge the judge; label at least {ENOUGH}."
    elif kappa.value is None:
        yield "All gold scores are equal, so agreement cannot be measured: label good and bad replies."
    elif kappa.value < FAIR:
        yield f"Kappa is below {FAIR}: do not train on this judge."
    elif (kappa.low or 0) < FAIR:
        yield f"Kappa may be below {FAIR}: label more replies before you train on this judge."
    elif kappa.value < GOOD:
        yield "Agreement is moderate: let this judge decide a small share of the reward."
    else:
        yield "Agreement is substantial: this judge may decide its share of the reward."
    if signed.value is not None and abs(signed.value) >= BIASED:
        yield f"The judge is too {'kind' if signed.value > 0 else 'strict'}, by {abs(signed.value):.2f} on average."
    if repeated.value is not None and repeated.value >= BIASED:
        gain = f"a reply scores {repeated.value:.2f} more"
        yield f"Repeated {REPEATED} times, {gain}: policies learn to write long replies."
    if (found.order_decides.value or 0) > BIASED:
        yield "The order decides comparisons: prefer rate() to compare()."
    if found.consistent.value is not None and found.consistent.value < 1 - BIASED:
        yield "The judge often contradicts itself: ask for several votes, or sharpen the rubric."
