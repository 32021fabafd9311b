"""How well a judge agrees with people, on replies that they labelled."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from pathlib import Path
from typing import Any

from skill_tools.errors import DomainError, SkillToolsError, nearest
from skill_tools.evidence.grading import agreement
from skill_tools.evidence.grading.agreement import Measured, bootstrap, share
from skill_tools.files import GOLD_FILE, find_environment
from skill_tools.frameworks import rules
from skill_tools.pipeline.studies.gold import GoldReply, read_gold
from skill_tools.reference.process import Query, ask, time_limit
from skill_tools.reference.replies import Judgement
from skill_tools.runtime.progress import Progress, silent
from skill_tools.spec.model import EnvSpec

STAND_IN = "stand-in"
TIMES = 3
"""How often a long reply says the same."""
APART = 0.5
"""Minimum difference of the gold scores of two replies that are compared."""
MOST_PAIRS = 20
"""Maximum pairs to compare."""
ENOUGH = 10
"""Minimum number of replies for advice about agreement."""
FAIR = 0.4
"""Minimum kappa of a judge to train on; below it, agreement is at best fair (Landis and Koch, 1977)."""
GOOD = 0.6
"""Minimum kappa of substantial agreement, from the same source."""
BIASED = 0.1
"""Share of the range from which a bias is mentioned."""


@dataclass(frozen=True)
class Agreement:
    """How often a judge's value is that of people, and kappa, which leaves out what chance agrees on."""

    accuracy: Measured
    kappa: Measured


@dataclass(frozen=True)
class Cost:
    """What the judge takes for one reply on average; dollars are None without a price or tokens."""

    requests: float
    input_tokens: float
    output_tokens: float
    dollars: float | None


@dataclass(frozen=True)
class Calibration:
    """How well a judge agrees with gold labels. ``json`` and ``advice`` are for programs and people."""

    environment: str
    role: str
    judge: str
    """The model, ``stand-in`` or ``recorded``."""
    rates: bool
    """Whether the judge rated the replies; otherwise they were played as episodes, and their returns count."""
    replies: int
    """Gold replies; those without a verdict count in no figure."""
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
        """What to make of the figures, in sentences."""
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
    """Have a judge rate the replies of a gold file, and compare its scores with the labels of people.

    ``gold`` is by default ``gold.jsonl`` in the folder, and ``role`` the only judge. The judge is the model in
    NAME_ROLE_MODEL or NAME_ROLES_MODEL, which ``model`` and ``base_url`` replace; without one, the author's stand-in.
    Raises SpecError for a wrong line, SkillToolsError for wrong arguments, and DomainError if the author's code fails.
    """
    folder = find_environment(folder)
    spec = rules.load(folder)
    role = _judge_of(spec, role)
    endpoint, price = _endpoint(spec, role, model, base_url), _price(spec, role)
    replies = read_gold(Path(gold) if gold else folder / GOLD_FILE, spec, folder, role)[:limit]
    pairs = _pairs(spec, role, replies)
    questions = [_rate(spec, role, each) for each in replies for _ in range(repeats)]
    questions += [_rate(spec, role, each, TIMES) for each in replies]
    questions += [_compare(*pair) for pair in pairs]
    progress(role, f"giving {len(questions)} verdicts")
    found = iter(_ask(spec, folder, role, questions, endpoint))
    rated = [[next(found) for _ in range(repeats)] for _ in replies]
    longer = [next(found) for _ in replies]
    named = next((endpoint[name] for name in endpoint if name.endswith("_MODEL")), STAND_IN)
    return _measured(spec, role, replies, Answers(named, rated, longer, list(found)), price)


def _judge_of(spec: EnvSpec, role: str | None) -> str:
    judges = [name for name, each in spec.models.items() if each.purpose == "judge"]
    if role is None and len(judges) != 1:
        fix = f"name one with --role: {', '.join(judges)}" if judges else "declare one under models"
        raise SkillToolsError(f"{spec.name} declares {len(judges)} judges\n    fix: {fix}")
    if role is not None and role not in judges:
        raise SkillToolsError(f"there is no judge {role!r}{nearest(role, judges)}")
    chosen = role or judges[0]
    if not (spec.models[chosen].rubric or spec.one_message):
        raise SkillToolsError(
            f"the judge {chosen} has no rubric, and an episode of {spec.name} is more than one message\n"
            f"    fix: write a rubric under models.{chosen}, and ask with rate()"
        )
    return chosen


def _endpoint(spec: EnvSpec, role: str, model: str | None, base_url: str | None) -> dict[str, str]:
    """Return the variables that name the judge's model; empty for a stand-in. They may hold keys."""
    settings = ("MODEL", "BASE_URL", "API_KEY")
    names = [f"{spec.name}_{who}_{each}".upper() for who in (role, "roles") for each in settings]
    found = {name: os.environ[name] for name in names if os.environ.get(name, "").strip()}
    if model:
        found |= {names[0]: model, f"{spec.name}_REPLIES".upper(): ""}
    if not any(name.endswith("_MODEL") for name in found):
        if base_url:
            raise SkillToolsError("--base-url needs --model\n    fix: name the model with --model")
        return {}
    return found | ({names[1]: base_url} if base_url else {})


def _price(spec: EnvSpec, role: str) -> tuple[float, float] | None:
    """Return the dollars for a million tokens in and out; None if no variable has them."""
    for name in (f"{spec.name}_{who}_PRICE".upper() for who in (role, "roles")):
        if text := os.environ.get(name, "").strip():
            parts = text.split("/")
            try:
                price = float(parts[0]), float(parts[-1])
            except ValueError:
                price = (-1.0, -1.0)
            if len(parts) != 2 or not all(isfinite(each) and each >= 0 for each in price):
                fix = "write the dollars for a million tokens in and out, such as 0.15/0.60"
                raise SkillToolsError(f"{name} is {text!r}\n    fix: {fix}")
            return price
    return None


def _pairs(
    spec: EnvSpec, role: str, replies: Sequence[GoldReply]
) -> list[tuple[GoldReply, GoldReply]]:
    """Return pairs of replies of which people rate the first clearly better; no reply is in two pairs."""
    if not (rubric := spec.models[role].rubric):
        return []
    alike: dict[str, list[GoldReply]] = defaultdict(list)
    for each in replies:
        task = each.line.task if isinstance(rubric.criteria, str) else ""
        alike[f"{task} {each.line.prompt}"].append(each)
    found = list[tuple[GoldReply, GoldReply]]()
    for several in alike.values():
        ranked = sorted(several, key=lambda each: each.score)
        half = len(ranked) // 2
        found += zip(ranked[: -half - 1 : -1], ranked[:half], strict=True)
    return [(one, two) for one, two in found if one.score - two.score >= APART][:MOST_PAIRS]


def _rate(spec: EnvSpec, role: str, each: GoldReply, times: int = 1) -> dict[str, Any]:
    text = "\n\n".join([each.line.reply] * times)
    if not spec.models[role].rubric:
        return {**each.place, "play": text}
    given = {"prompt": each.line.prompt, "reference": each.line.reference}
    return {**each.place, "rate": {"reply": text, **given}}


def _compare(better: GoldReply, worse: GoldReply) -> dict[str, Any]:
    replies = {"first": better.line.reply, "second": worse.line.reply}
    return {**better.place, "compare": {**replies, "prompt": better.line.prompt}}


def _ask(
    spec: EnvSpec,
    folder: Path,
    role: str,
    questions: list[dict[str, Any]],
    endpoint: Mapping[str, str],
) -> list[Judgement]:
    """Ask in the process of the author's code, whose stand-in may answer. No text that it returns has a key."""
    rule = spec.models[role]
    requests = 2 * rule.rubric.votes if rule.rubric else rule.max_requests
    longest = requests * (1 + rule.retries) * rule.seconds if endpoint else 0.0
    what = f"asking the judge {role}"
    arguments = {"role": role, "questions": questions}
    query = Query("ask_judge", what, arguments, share=1 + ceil(longest / time_limit()))
    try:
        (reply,) = ask(spec, folder, [query], endpoint=endpoint)
    except DomainError as error:
        raise DomainError(_without_keys(str(error), endpoint)) from None
    if reply.error:
        raise DomainError(f"{what} failed: {_without_keys(reply.error, endpoint)}")
    return [
        each.model_copy(update={"failure": _without_keys(each.failure, endpoint)})
        for each in reply.value
    ]


def _without_keys(text: str, endpoint: Mapping[str, str]) -> str:
    for name, value in endpoint.items():
        text = text.replace(value.strip(), f"${name}") if name.endswith("_API_KEY") else text
    return text


@dataclass(frozen=True)
class Answers:
    """What a judge said: of each reply, several times; of each reply said three times; and of pairs."""

    named: str
    rated: list[list[Judgement]]
    longer: list[Judgement]
    compared: list[Judgement]

    @property
    def every(self) -> list[Judgement]:
        """All ratings."""
        return [*(each for several in self.rated for each in several), *self.longer]

    @property
    def judge(self) -> str:
        """Who judged; the configured model if nobody was asked."""
        asked = (each.model for each in (*self.every, *self.compared))
        return next(filter(None, asked), self.named)


def _measured(
    spec: EnvSpec,
    role: str,
    replies: Sequence[GoldReply],
    found: Answers,
    price: tuple[float, float] | None,
) -> Calibration:
    rated, longer = found.rated, found.longer
    low, high = (0.0, 1.0) if spec.models[role].rubric else spec.reward.range
    firsts = [
        (gold, several[0], (several[0].score - low) / (high - low))
        for gold, several in zip(replies, rated, strict=True)
        if several[0].score is not None
    ]
    scores = [(score, gold.score) for gold, _, score in firsts]
    lengths = [(score - gold.score, float(len(gold.line.reply))) for gold, _, score in firsts]
    tripled = [
        (more.score / (high - low), several[0].score / (high - low))
        for several, more in zip(rated, longer, strict=True)
        if more.score is not None and several[0].score is not None
    ]
    by_criterion: dict[str, list[agreement.Pair]] = defaultdict(list)
    levels: dict[str, set[float]] = defaultdict(set)
    for gold, judged, _ in firsts:
        for name, value in gold.criteria.items():
            by_criterion[name].append((judged.criteria[name], value))
            steps = len(gold.scales[name]) - 1
            levels[name] |= {step / steps for step in range(steps + 1)}
    places = [each.places for each in found.compared if each.places]
    again = [
        several for several in rated if len(several) > 1 and not any(e.failure for e in several)
    ]
    return Calibration(
        environment=spec.name,
        role=role,
        judge=found.judge,
        rates=spec.models[role].rubric is not None,
        replies=len(replies),
        overall=_agreement(scores, {gold for _, gold in scores}),
        criteria={name: _agreement(each, levels[name]) for name, each in by_criterion.items()},
        absolute_error=bootstrap(agreement.absolute_error, scores),
        signed_error=bootstrap(agreement.signed_error, scores),
        length=bootstrap(agreement.length_correlation, lengths),
        repeated=bootstrap(agreement.signed_error, tripled),
        order_decides=share([each[0] == each[1] != "equal" for each in places]),
        prefers_first=share([place == "first" for each in places for place in each]),
        consistent=share([len({each.score for each in several}) == 1 for several in again]),
        ratings=len(found.every),
        failures=_causes(found.every),
        uncompared=_causes(found.compared),
        cost=_cost(found.every, price),
    )


def _causes(judged: Sequence[Judgement]) -> dict[str, int]:
    return dict(Counter(each.failure for each in judged if each.failure))


def _agreement(pairs: Sequence[agreement.Pair], labels: set[float]) -> Agreement:
    rounded = [(agreement.nearest(ours, sorted(labels)), gold) for ours, gold in pairs]
    equal = share([ours == gold for ours, gold in rounded])
    return Agreement(equal, bootstrap(agreement.kappa, rounded))


def _cost(ratings: Sequence[Judgement], price: tuple[float, float] | None) -> Cost:
    count = len(ratings)
    sent = sum(each.input_tokens for each in ratings) / count
    written = sum(each.output_tokens for each in ratings) / count
    dollars = (sent * price[0] + written * price[1]) / 1e6 if price and sent + written else None
    return Cost(sum(each.requests for each in ratings) / count, sent, written, dollars)


def _advise(found: Calibration) -> Iterator[str]:
    kappa, signed, repeated = found.overall.kappa, found.signed_error, found.repeated
    if found.judge == STAND_IN:
        name = found.environment.upper()
        yield (
            "The author's stand-in judged: these figures say nothing about a model. "
            f"Name one with --model or {name}_ROLES_MODEL."
        )
    if failed := sum(found.failures.values()):
        yield f"{failed} of {found.ratings} ratings gave no verdict: such episodes have no score."
    if kappa.n < ENOUGH:
        yield f"{kappa.n} rated replies are too few to decide on; label at least {ENOUGH}."
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
        yield f"A reply said {TIMES} times scores {repeated.value:.2f} more: policies will learn to write long replies."
    if (found.order_decides.value or 0) > BIASED:
        yield "The order decides comparisons: prefer rate() to compare()."
    if found.consistent.value is not None and found.consistent.value < 1 - BIASED:
        yield "The judge often contradicts itself: ask for several votes, or sharpen the rubric."
