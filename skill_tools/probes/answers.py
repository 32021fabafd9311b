"""Exploits with wrong, constant or copied answers, as trials for the bare domain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from skill_tools.evidence.calls import calls_of, deciding
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.probes.probe import TASKS, ProbeContext, Trial, as_trial
from skill_tools.probes.word_lists import LIKE, alike
from skill_tools.probes.wrong_texts import WrongAnswer, nonsense, wrong_texts
from skill_tools.spec.model import MESSAGE

CANDIDATES = 14
"""Maximum calls of a constant player: each is played on several tasks."""
OFF = 50
"""Minimum whole number of which a twentieth is more than one or two."""
_LIST = re.compile(r"[^,;\n]{1,30}(?:, [^,;\n]{1,30})+")  # items with a space after each comma
_INDENTED = re.compile(
    r"\n[ \t]+\S"
)  # as code or YAML: a leading space indents only the first line
WIDE = 20
"""Maximum width of a range of whole numbers for it to be a choice among a few."""


def wrong_answers(ground: ProbeContext) -> Iterator[Trial]:
    """Yield trials with wrong values for the deciding call, alone and after its preceding calls, task by task."""
    turns = zip_longest(*(_wrong_of(ground, each) for each in ground.solved[:TASKS]))
    return (trial for turn in turns for trial in turn if trial is not None)


def _wrong_of(ground: ProbeContext, each: Trajectory) -> Iterator[Trial]:
    calls, place = calls_of(each), deciding(each)
    tool, given = calls[place]
    if not place or any(given):
        yield as_trial("right", "only the deciding call", each, [calls[place]])
    if isinstance(given, dict):
        others = [calls_of(o)[deciding(o)][1] for o in ground.solved if o.label != each.label]
        for name, value in given.items():
            if tool == MESSAGE and name == "text" and given.get("calls"):
                continue  # the calls are the answer
            same = [o[name] for o in others if isinstance(o, dict) and name in o]
            listed = _unasked(each, value, ground) if isinstance(value, str) else ()
            # The rest of a message may say anything; its answer is varied in ``graders``.
            wrongs = (
                nonsense(value)
                if tool == MESSAGE
                else (*listed, *_wrong(value, ground.schema(tool, name), same))
            )
            for wrong in wrongs:
                call = (tool, {**given, name: wrong.value})
                if wrong.value == value or not ground.allows(*call):
                    continue
                words = f"{name}: {wrong.how}"
                change = {"parameter": name, "how": wrong.how, "kind": wrong.kind}
                yield as_trial("wrong", words, each, [call], **change)
                if place:
                    after = [*calls[:place], call]
                    yield as_trial("wrong-after", words, each, after, **change)


def blanks(ground: ProbeContext) -> Iterator[Trial]:
    """Yield solutions whose free text has whitespace around it, or no whitespace after commas."""
    for each in ground.solved[: TASKS + 4]:
        calls, place = calls_of(each), deciding(each)
        tool, given = calls[place]
        for name, value in given.items() if isinstance(given, dict) else ():
            free = isinstance(value, str) and value == value.strip()
            if not free or {"pattern", "enum"} & ground.schema(tool, name).keys():
                continue
            bare = value.replace(", ", ",") if _LIST.fullmatch(value) else value
            for where, text in (("before", f" {value}"), ("after", f"{value} "), ("none", bare)):
                if text == value or (where == "before" and _INDENTED.search(value)):
                    continue
                call = (tool, {**given, name: text})
                if ground.allows(*call):
                    trial = [*calls[:place], call]
                    yield as_trial(f"blank-{where}", name, each, trial, parameter=name)


def _unasked(each: Trajectory, value: str, ground: ProbeContext) -> Iterator[WrongAnswer]:
    """Yield wrong answers that resemble the right answer, from the word list that contains the right answer.

    An item is left out if the task asks for items with this resemblance.
    """
    own = _words(each)
    own -= own.intersection(*map(_words, ground.solved))
    for how, other in alike(value, ground.lists):
        both = {word for word in own if all(_like(word, text, how) for text in (value, other))}
        if not both:
            yield WrongAnswer(LIKE[how], other, "listed")


def _words(each: Trajectory) -> set[str]:
    return {word for word in re.findall(r"\w+", each.opening.casefold()) if len(word) > 1}


def _like(word: str, text: str, how: str) -> bool:
    """Return whether a text begins with a word, ends with it, or has the same letters, depending on ``how``."""
    text = text.casefold()
    if how == "letters":
        return sorted(word) == sorted(text)
    return text.startswith(word) if how == "begins" else text.endswith(word)


def _wrong(value: Any, schema: Mapping[str, Any], others: Sequence[Any]) -> Iterator[WrongAnswer]:
    """Yield values that should earn less than the right value of the deciding call."""
    if isinstance(value, bool) or "enum" in schema:
        return
    if isinstance(value, str):
        yield from wrong_texts(value, schema.get("minLength", 0), others)
    elif isinstance(value, int | float):
        yield from _wrong_numbers(value, schema.get("minimum"), schema.get("maximum"))
    elif isinstance(value, dict) or has_structure(value):
        yield from _wrong_parts(value, others)
    elif isinstance(value, list) and value:
        yield WrongAnswer("an empty list", [])
        yield WrongAnswer("its first item", value[:1])
        union = [item for other in [*others, value] if isinstance(other, list) for item in other]
        if all(isinstance(item, str | int | float) for item in union):
            yield WrongAnswer("all items of all answers", list(dict.fromkeys(union)), "union")


def has_structure(value: Any) -> bool:
    """Return whether a value is an object with fields, or a list with such objects."""
    return bool(value) and (
        isinstance(value, dict)
        or (isinstance(value, list) and any(isinstance(each, dict) for each in value))
    )


def _wrong_parts(value: Any, others: Sequence[Any]) -> Iterator[WrongAnswer]:
    """Yield an object, or a list of objects, with one part removed, added or changed."""
    if isinstance(value, list):
        yield WrongAnswer("an empty list", [])
        yield WrongAnswer("the last item removed", value[:-1])
        yield WrongAnswer("the last item repeated", [*value, value[-1]])
        foreign = [item for other in others if isinstance(other, list) for item in other]
        yield from (
            WrongAnswer("an extra item from another answer", [*value, item])
            for item in [each for each in foreign if each not in value][:1]
        )
    keys = range(len(value)) if isinstance(value, list) else list(value)
    for key in keys:
        inner, path = value[key], f"[{key}]" if isinstance(value, list) else f".{key}"
        if has_structure(inner):
            changed = [(f"{path}{each.how}", each.value) for each in _wrong_parts(inner, ())]
        elif isinstance(inner, bool) or inner is None:
            changed = [(f"{path} changed", not inner)]
        elif isinstance(inner, int | float):
            changed = [(f"{path} plus one", inner + 1)]
        elif isinstance(inner, str):
            changed = [(f"{path} shortened", inner[:-1]), (f"{path} plus a word", f"{inner} too")]
        else:
            changed = []
        for how, part in changed:
            copy: Any = list(value) if isinstance(value, list) else dict(value)
            copy[key] = part
            yield WrongAnswer(how, copy)


def _wrong_numbers(value: float, low: Any, high: Any) -> Iterator[WrongAnswer]:
    """Yield wrong numbers near the right number; if the schema allows many numbers, also yield distant ones."""
    if isinstance(value, int):
        yield WrongAnswer("one more", value + 1, "near")
        yield WrongAnswer("one less", value - 1, "near")
        if abs(value) >= OFF:
            yield WrongAnswer("a twentieth off", round(value * 1.05), "near")
    if low is not None and high is not None and high - low <= WIDE:
        return
    more = value + (1000 if isinstance(value, int) else 1000.5)
    far = {"0": 0, "its negative": -value, "ten times the number": value * 10, "much more": more}
    far |= {"the minimum": low, "the maximum": high}
    if isinstance(value, int) and abs(value) >= 10:
        digits = str(abs(value))
        far |= {"the first digit": int(digits[0]), "all digits but the last": int(digits[:-1])}
    for what, number in far.items():
        if number is not None and abs(number - value) > max(2, abs(value) * 0.2):
            yield WrongAnswer(what, number)


def constant(ground: ProbeContext, tasks: int = TASKS + 4) -> Iterator[Trial]:
    """Yield trials that repeat one call: a call with few possible values, or a frequent deciding call."""
    found: list[tuple[str, Any]] = [call for call, _ in _most_common(ground)][:4]
    for offered in ground.tools:
        found += [(offered["name"], given) for given in few_values(offered["parameters"])]
    unique = {repr(call): call for call in found if ground.allows(*call)}
    for tool, given in list(unique.values())[:CANDIDATES]:
        for each in list(ground.oracle.values())[:tasks]:
            what = f"only {tool}({', '.join(f'{k}={v!r}' for k, v in given.items())})"
            trial = [(tool, given)] * min(ground.most_calls, 40)
            yield as_trial("constant", what[:160], each, trial, call=[tool, given])


def _most_common(ground: ProbeContext) -> list[tuple[tuple[str, Any], int]]:
    calls = [calls_of(t)[deciding(t)] for t in ground.solved if calls_of(t)]
    counts = Counter(repr(call) for call in calls)
    known = {repr(call): call for call in calls}
    return [(known[key], count) for key, count in counts.most_common()]


def few_values(parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the possible arguments for a tool without parameters, or with one parameter that has few values."""
    wanted = parameters.get("required", [])
    if not wanted:
        yield {}
    if len(wanted) != 1:
        return
    schema = parameters["properties"][wanted[0]]
    low, high = schema.get("minimum"), schema.get("maximum")
    if "enum" in schema:
        values: list[Any] = list(schema["enum"])
    elif schema.get("type") == "boolean":
        values = [True, False]
    elif schema.get("type") == "integer" and None not in (low, high) and high - low < 10:
        values = list(range(low, high + 1))
    elif schema.get("type") in ("integer", "number"):
        values = [value for value in (low, high, 0, 1) if value is not None]
    elif schema.get("type") == "string":
        values = ["", " ", "yes", "no", "0", "1", "A", "a"]
    else:
        values = []
    yield from ({wanted[0]: value} for value in values)


def copies(ground: ProbeContext, tasks: int = TASKS + 4) -> Iterator[Trial]:
    """Yield trials whose answer is copied from the prompt by a simple rule, such as the first number."""
    for each in ground.solved[:tasks]:
        tool, given = calls_of(each)[deciding(each)]
        if not isinstance(given, dict):
            continue
        prompt = each.question
        texts = {
            k: v for k, v in given.items() if isinstance(v, str | int) and not isinstance(v, bool)
        }
        if any(map(has_structure, given.values())):
            continue  # the other arguments are the solution's
        if len(texts) == 1:
            ((name, value),) = texts.items()
            for rule, taken in copied(prompt, ground.schema(tool, name)):
                changed = taken if isinstance(value, str) else as_whole(taken)
                call = (tool, {**given, name: changed})
                if changed is not None and ground.allows(*call):
                    words, changes = f"{tool}({name}: {rule})", [tool, name]
                    yield as_trial("copy", words, each, [call], call=changes, copied=rule)
        elif texts and all(isinstance(value, int) for value in texts.values()):
            for rule, numbers in several_numbers(prompt, len(texts)):
                call = (tool, {**given, **dict(zip(texts, numbers, strict=True))})
                if ground.allows(*call):
                    words, changes = f"{tool}({', '.join(texts)}: {rule})", [tool, *texts]
                    yield as_trial("copy", words, each, [call], call=changes, copied=rule)


def as_whole(text: str) -> int | None:
    """Return the value of a whole number in digits; None for any other text."""
    return int(text) if text.lstrip("-").isdigit() else None


def several_numbers(prompt: str, count: int) -> Iterator[tuple[str, list[int]]]:
    """Yield ``count`` numbers of a prompt, such as its first or last numbers, with a description of the rule."""
    numbers = [int(found) for found in re.findall(r"\d+", prompt)]
    if len(numbers) >= count:
        yield f"the first {count} numbers", numbers[:count]
        yield f"the last {count} numbers", numbers[-count:]
    together = [found for found in re.findall(r"\d+", prompt) if len(found) == count]
    if together:
        yield f"the digits of the first number of {count}", [int(digit) for digit in together[0]]
        yield f"the digits of the last number of {count}", [int(digit) for digit in together[-1]]


def copied(prompt: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield parts of a prompt, such as its first word or a quoted text, with a description of the rule."""
    words, numbers = re.findall(r"[^\W\d_]+", prompt), re.findall(r"-?\d+", prompt)
    quoted = re.findall(r"[\"'`“\u2018]([^\"'`”\u2019\n]{1,80})[\"'`”\u2019]", prompt)
    options = re.findall(r"^\W*(?:[A-Ha-h]|\d{1,2})[).:]\s+(.+?)\s*$", prompt, re.MULTILINE)
    marks = re.findall(r"^\W*([A-Ha-h]|\d{1,2})[).:]\s+.+$", prompt, re.MULTILINE)
    for what, several in (
        ("option", options),
        ("mark of an option", marks),
        ("quoted text", quoted),
        ("number", numbers),
        ("word", words),
    ):
        if several:
            yield f"the first {what}", several[0]
            yield f"the last {what}", several[-1]
    if words:
        yield "the longest word", max(words, key=len)
    if options:
        yield "the longest option", max(options, key=len)
    if numbers:
        yield "the greatest number", max(numbers, key=int)
    yield "the whole prompt", prompt[: schema.get("maxLength", 4000)]
