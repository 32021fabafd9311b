"""Operators for JSON that change, remove or add a value, a key or an item, at any depth."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from skill_tools.evidence.grading.graded import Expectation
from skill_tools.graders.perturbations.json_documents import (
    Document,
    is_numeric,
    look_up,
    scalar_paths,
)
from skill_tools.graders.perturbations.operators import Guess, Operator, perturb
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import NONSENSE, Question, read_json

TABLE = re.compile(r"(?i)\b(?:matri|grid|rows?\b|columns?\b|table|board|sudoku)")
"""Matches a prompt that asks for rows and columns."""
TYPED = re.compile(
    r"(?i)\b(?:never|not|no)\b[^.\n]{0,20}\b(?:true|false|boolean)|\bvalue and (?:JSON )?type\b"
)
"""Matches a prompt that excludes values of another type."""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) > 2


def _is_bit(value: Any) -> bool:
    return is_numeric(value) and value in (0, 1)


def _typed(document: Document) -> Expectation:
    """Return the expectation for a value of another type that Python takes for equal."""
    return "wrong" if TYPED.search(document.question.prompt) else "doubtful"


def _unless_optional(at: int) -> Callable[[Document], Expectation]:
    """Return the expectation for a reply without the key at this place, which the prompt may call optional."""

    def must(document: Document) -> Expectation:
        key = re.escape(str(list(document.here)[at]))
        said = rf"(?i)\b{key}\b[^\n]{{0,120}}\b(?:optional|defaults?|may be (?:left out|omitted))\b"
        return "doubtful" if re.search(said, document.question.prompt) else "wrong"

    return must


WITHOUT_ITEMS = ("no-items", "no-last-item", "first-item")
"""Operators after which a list is wrong, whichever lists are right, if the prompt asks for an item for each thing."""
WITHOUT_KEYS = ("no-last-key", "no-first-key", "one-key")
"""Operators after which an object is wrong, whichever are right, if the prompt states the number of its keys."""


def sure_ways(question: Question, value: Any) -> tuple[str, ...]:
    """Return the operators after which the whole of an answer is wrong, also if several answers may be right."""
    keys = isinstance(value, Mapping) and question.states(len(value))
    return (*(WITHOUT_ITEMS if "every" in question.says else ()), *(WITHOUT_KEYS if keys else ()))


def _json(
    name: str,
    what: str,
    make: Callable[[Document], Any],
    must: Expectation | Callable[[Document], Expectation] = "wrong",
) -> Operator[Document]:
    """Return an operator from ``make``, which returns a changed value, or None if the operator does not apply."""

    def write(d: Document) -> str | None:
        made = make(d)
        text = json.dumps(made, ensure_ascii=False)
        # As text, because 1 == True in Python.
        return None if made is None or text == json.dumps(d.value, ensure_ascii=False) else text

    def expected(d: Document) -> Expectation:
        whole = d.here is d.value and name in sure_ways(d.question, d.value)
        if d.question.is_open and not whole:
            return "doubtful"
        return must if isinstance(must, str) else must(d)

    return Operator(name, what, write, expected)


def _under_all(name: str, what: str, value: Any) -> Operator[Document]:
    how = f"the right keys, each with {what} as its value"
    return _json(name, how, lambda d: d.put(dict.fromkeys(d.leaves, value)))


# fmt: off
VALUES: tuple[Operator[Document], ...] = (
    _json("last-value", "the last value changed", lambda d: d.changed(d.leaves[-1:])),
    _json("first-value", "the first value changed", lambda d: d.changed(d.leaves[:1])),
    _json("middle-value", "the middle value changed", lambda d: d.changed(d.leaves[len(d.leaves) // 2 :][:1])),
    _json("values", "the right keys, all with wrong values", lambda d: d.changed(d.leaves)),
    _json("values-but-first", "all values but the first changed", lambda d: d.changed(d.leaves[1:])),
    _json("cut", "each text cut to its first letter", lambda d: d.mapped(d.where(_is_text), lambda t: t[:1])),
    _json("hedged", "a second text added to each text, after *or*", lambda d: d.mapped(d.where(_is_text), lambda t: f"{t} or {NONSENSE}")),
    _under_all("lists", "a list", [1]),
    _under_all("objects", "an object", {"a": 1}),
    _under_all("ones", "1", 1),
    _under_all("texts", "an empty text", ""),
    _json("truths", "*true* and *false* for 1 and 0", lambda d: d.mapped(d.where(_is_bit), bool) if d.where(_is_bit) else None, _typed),
    _json("wrapped", "the right answer wrapped in a list or an object", lambda d: [d.value] if isinstance(d.value, dict) else {"answer": d.value}, "doubtful"),
    _json("number", "a number", lambda d: 1),
    _json("text", "a text in quotes", lambda d: NONSENSE),
)
# fmt: on
"""Operators for the whole document: other values, of the same types or of different ones."""


def _keys(d: Document, keep: Callable[[list[Any]], list[Any]]) -> Any:
    """Copy the value. In the object at ``at``, keep the keys without content and the keys that ``keep`` returns."""
    if len(d.here) < 2 or not d.telling:
        return None
    left = set(keep(d.telling))
    return d.replaced({k: v for k, v in d.here.items() if k in left or k not in d.telling})


def _one_key(d: Document) -> Any:
    first = d.telling[0] if len(d.telling) > 1 else None
    return None if first is None else d.replaced({first: d.here[first]})


def _exchanged(d: Document) -> Any:
    for one in d.telling:
        for two in d.telling:
            a, b = d.here[one], d.here[two]
            if one < two and type(a) is type(b) and a != b and not isinstance(a, bool):
                return d.replaced({**d.here, one: b, two: a})
    return None


# fmt: off
OBJECTS: tuple[Operator[Document], ...] = (
    _json("no-last-key", "the last key removed", lambda d: _keys(d, lambda keys: keys[:-1]), _unless_optional(-1)),
    _json("no-first-key", "the first key removed", lambda d: _keys(d, lambda keys: keys[1:]), _unless_optional(0)),
    _json("one-key", "only one of the keys", _one_key),
    _json("more-keys", "an extra key", lambda d: d.replaced({**d.here, NONSENSE: NONSENSE}), "doubtful"),
    _json("exchanged", "the values of two keys exchanged", _exchanged),
)
# fmt: on
"""Operators for an object in the document."""


def _strange_item(d: Document) -> Any:
    last = d.here[-1]
    return (
        NONSENSE
        if isinstance(last, str)
        else Document(d.question, last).changed(list(scalar_paths(last)))
    )


def _ordered(d: Document) -> Expectation:
    """Return the expectation for items in another order.

    Another order is wrong only if the prompt asks for an order or for a table's rows.
    """
    asked = TABLE.search(d.question.prompt) or "ordered" in d.question.says
    return "wrong" if asked and "any_order" not in d.question.says else "doubtful"


def _repeated(d: Document) -> Expectation:
    """Return "wrong" if the repeated items are calls, because each call has an effect; otherwise "doubtful"."""
    calls = all(isinstance(each, dict) and ARGUMENTS & each.keys() for each in d.here)
    return "wrong" if calls else "doubtful"


# fmt: off
ITEMS: tuple[Operator[Document], ...] = (
    _json("no-items", "one list emptied", lambda d: d.replaced([])),
    _json("no-last-item", "the last item of one list removed", lambda d: d.replaced(d.here[:-1]) if len(d.here) > 1 else None),
    _json("first-item", "one list cut to its first item", lambda d: d.replaced(d.here[:1]) if len(d.here) > 1 else None),
    _json("more-items", "an extra item in one list", lambda d: d.replaced([*d.here, _strange_item(d)])),
    _json("again", "an item of one list repeated", lambda d: d.replaced([*d.here, d.here[0]]), _repeated),
    _json("backwards", "one list reversed", lambda d: d.replaced(d.here[::-1]), _ordered),
)
# fmt: on
"""Operators for the outermost list in the document."""
ARGUMENTS = frozenset({"arguments", "parameters", "args", "kwargs", "inputs"})
"""Keys under which a call has its arguments."""
# fmt: off
CALLS: tuple[Operator[Document], ...] = (
    _json("more-arguments", "an extra argument in a call", lambda d: d.replaced({**d.here, NONSENSE: NONSENSE})),
    _json("no-argument", "an argument of a call removed", lambda d: _keys(d, lambda keys: keys[:-1]), _unless_optional(-1)),
    _json("other-argument", "the last argument of a call changed", lambda d: d.changed([p for p in d.leaves if p[: len(d.at)] == d.at][-1:])),
)
# fmt: on
"""Operators for the arguments of the last call in the document."""


def _doubled_keys(d: Document) -> str | None:
    """Return an object with each key twice, first with its own value and then with another task's value."""
    other = next((each for each in d.others if isinstance(each, dict)), None)
    if not isinstance(d.value, dict) or not other or d.value.keys() != other.keys():
        return None
    pairs = [*d.value.items(), *other.items()]
    inner = ", ".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in pairs)
    return f"{{{inner}}}"


KEYS: Operator[Document] = Operator(
    "keys", "each key twice, the second time with a wrong value", _doubled_keys
)


def other_objects(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Yield wrong objects and lists of objects, if the question's right answer is JSON."""
    value = read_json(question.gold)
    if not isinstance(value, dict | list) or not value:
        return
    # An object with keys that the prompt does not name is a record of the data; a reply need not have all of it.
    said = question.prompt.casefold()
    if isinstance(value, dict) and not any(str(k).casefold() in said for k in (*value, "json")):
        return
    whole = Document(question, value, [read_json(each) for each in others])
    yield from perturb([KEYS], whole, frame.hold)
    if whole.leaves:
        yield from perturb(VALUES, whole, frame.hold, "json.")
    for depth, path in enumerate(whole.containers(dict)):
        inner = Document(question, value, at=path)
        yield from perturb(OBJECTS, inner, frame.hold, f"json.{depth}." if depth else "json.")
    calls = [each for each in whole.parents if each and each[-1] in ARGUMENTS]
    for path in [each for each in calls if isinstance(look_up(value, each), dict)][-1:]:
        yield from perturb(CALLS, Document(question, value, at=path), frame.hold, "json.")
    for path in whole.containers(list)[:1]:
        yield from perturb(ITEMS, Document(question, value, at=path), frame.hold, "json.")
