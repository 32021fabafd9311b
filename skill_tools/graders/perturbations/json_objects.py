"""JSON that is not the right one: with a value, a key or an item changed, left out or added, at any depth."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from skill_tools.graders.perturbations.probe import Guess, Must
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question

STRANGE = "zqxv"
"""A value that no right answer has."""
MOST = 400
"""Values of an object that are looked at; what has more is a document."""
ARGUMENTS = ("arguments", "parameters", "args", "params", "input", "kwargs")
"""Keys under which a call of a tool has what it is called with."""
Path = tuple[Any, ...]
Made = tuple[str, Must, str, Any]


def other_objects(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Objects and lists of them that are wrong where ``question`` has JSON as its right answer."""
    value = _read(question.gold)
    if not isinstance(value, dict | list) or not value:
        return
    if doubled := _doubled_keys(value, others):
        yield Guess(
            "keys", "wrong", "each key twice, at last with another value", frame.hold(doubled)
        )
    leaves = list(_leaves(value))[:MOST]
    for probe, must, how, made in (
        *_other_values(value, leaves),
        *_other_keys(value),
        *_other_items(value),
        *_other_places(question, value),
        *_other_types(value, leaves),
    ):
        if made != value:
            allowed: Must = "doubtful" if question.is_open else must
            text = json.dumps(made, ensure_ascii=False)
            yield Guess(f"json.{probe}", allowed, how, frame.hold(text))


def _other_values(value: Any, leaves: Sequence[Path]) -> Iterator[Made]:
    """Other values under the same keys."""
    if not leaves:
        return

    def change(*places: Path) -> Any:
        return _put(value, {place: _other(_at(value, place)) for place in places})

    yield "last-value", "wrong", "with another last value", change(leaves[-1])
    yield "first-value", "wrong", "with another first value", change(leaves[0])
    yield (
        "middle-value",
        "wrong",
        "with another value in its middle",
        change(leaves[len(leaves) // 2]),
    )
    yield "values", "wrong", "its keys, all with other values", change(*leaves)
    yield "values-but-first", "wrong", "with other values but the first", change(*leaves[1:])
    numbers = [place for place in leaves if _is_number(_at(value, place))]
    if numbers:
        yield "numbers", "wrong", "with other numbers", change(*numbers)
        signs = {place: -_at(value, place) for place in numbers}
        yield "signs", "wrong", "with its numbers of the other sign", _put(value, signs)
    texts = [p for p in leaves if isinstance(_at(value, p), str) and len(_at(value, p)) > 2]
    if texts:
        cut = {place: _at(value, place)[:1] for place in texts}
        yield "cut", "wrong", "with its texts cut to their first letters", _put(value, cut)
        joined = {place: f"{_at(value, place)} or {STRANGE}" for place in texts}
        yield "hedged", "wrong", "with another text behind each of its texts", _put(value, joined)
    for path in _parents(leaves):
        holder = _at(value, (*path,))
        if isinstance(holder, dict) and any(name in holder for name in ARGUMENTS):
            name = next(name for name in ARGUMENTS if name in holder)
            yield (
                "no-arguments",
                "wrong",
                "with calls without arguments",
                _put(value, {(*path, name): {}}),
            )
            break


def _other_keys(value: Any) -> Iterator[Made]:
    """Without some of the keys, with one more, and with values under each other's keys."""
    for at, (path, holder) in enumerate(_objects(value)):
        telling = [key for key, each in holder.items() if each not in (None, "", [], {}, False)]
        deep = f"{at}." if at else ""
        if len(holder) > 1 and telling:
            rest = {key: each for key, each in holder.items() if key != telling[-1]}
            yield (
                f"{deep}no-last-key",
                "wrong",
                "without one of its keys",
                _put(value, {path: rest}),
            )
            rest = {key: each for key, each in holder.items() if key != telling[0]}
            yield f"{deep}no-first-key", "wrong", "without its first key", _put(value, {path: rest})
            only = {telling[0]: holder[telling[0]]}
            if len(telling) > 1:
                yield f"{deep}one-key", "wrong", "one of its keys alone", _put(value, {path: only})
        more = {**holder, STRANGE: STRANGE}
        yield f"{deep}more-keys", "doubtful", "with a key more", _put(value, {path: more})
        pair = next(
            ((a, b) for a in telling for b in telling if a < b and _alike(holder[a], holder[b])),
            None,
        )
        if pair:
            one, two = pair
            turned = {**holder, one: holder[two], two: holder[one]}
            yield (
                f"{deep}exchanged",
                "wrong",
                "with the values of two keys exchanged",
                _put(value, {path: turned}),
            )


def _other_items(value: Any) -> Iterator[Made]:
    """Lists in it with an item more or fewer."""
    for at, (path, items) in enumerate(_lists(value)):
        deep = f"{at}." if at else ""
        yield f"{deep}no-items", "wrong", "with a list in it emptied", _put(value, {path: []})
        if len(items) > 1:
            yield (
                f"{deep}no-last-item",
                "wrong",
                "with a list in it without its last item",
                _put(value, {path: items[:-1]}),
            )
            yield (
                f"{deep}first-item",
                "wrong",
                "with the first item alone of a list in it",
                _put(value, {path: items[:1]}),
            )
        strange = (
            STRANGE
            if isinstance(items[-1], str)
            else _put(items[-1], {p: _other(_at(items[-1], p)) for p in _leaves(items[-1])})
        )
        yield (
            f"{deep}more-items",
            "wrong",
            "with an item more in a list in it",
            _put(value, {path: [*items, strange]}),
        )
        yield (
            f"{deep}again",
            "doubtful",
            "with an item of a list in it once more",
            _put(value, {path: [*items, items[0]]}),
        )


def _other_places(question: Question, value: Any) -> Iterator[Made]:
    """Rows and columns of a table at other places, and lists the other way round where their order is asked for."""
    table = bool(
        re.search(r"(?i)\b(?:matri|grid|rows?\b|columns?\b|table|board|sudoku)", question.prompt)
    )
    must: Must = "wrong" if table or "ordered" in question.says else "doubtful"
    if "any_order" in question.says:
        must = "doubtful"
    for path, items in _lists(value)[:1]:
        rows = all(isinstance(each, list) for each in items)
        if rows and len({len(each) for each in items}) == 1:
            turned = [list(each) for each in zip(*items, strict=True)]
            yield "transposed", must, "with its rows as columns", _put(value, {path: turned})
        if rows:
            mirrored = [each[::-1] for each in items]
            how = "with each of its rows the other way round"
            yield "mirrored", must, how, _put(value, {path: mirrored})
        how = "with a list in it the other way round"
        yield "backwards", must, how, _put(value, {path: items[::-1]})


def _other_types(value: Any, leaves: Sequence[Path]) -> Iterator[Made]:
    """Values of other types, and another one around or instead of it."""
    for name, how, other in (
        ("nulls", "null", None),
        ("lists", "a list", [1]),
        ("objects", "an object", {"a": 1}),
        ("ones", "1", 1),
        ("texts", "an empty text", ""),
    ):
        yield (
            name,
            "wrong",
            f"its keys, with {how} under each",
            _put(value, dict.fromkeys(leaves, other)),
        )
    wrapped: Any = [value] if isinstance(value, dict) else {"answer": value}
    yield "wrapped", "doubtful", "in a list, or an object, of its own", wrapped
    yield "number", "wrong", "a number", 1
    yield "text", "wrong", "a text in quotes", STRANGE


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places of all values that are no list and no object."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            yield from _leaves(each, (*path, key))
    else:
        yield path


def _parents(leaves: Sequence[Path]) -> list[Path]:
    found = {leaf[:depth] for leaf in leaves for depth in range(len(leaf))}
    return sorted(found, key=lambda path: (len(path), str(path)))


def _objects(value: Any) -> list[tuple[Path, dict[str, Any]]]:
    """The outermost object, and the first one in it, with their places."""
    found = [
        (p, v) for p in _parents(list(_leaves(value))) if isinstance(v := _at(value, p), dict) and v
    ]
    return found[:2]


def _lists(value: Any) -> list[tuple[Path, list[Any]]]:
    found = [
        (p, v) for p in _parents(list(_leaves(value))) if isinstance(v := _at(value, p), list) and v
    ]
    return found[:2]


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def _put(value: Any, places: dict[Path, Any]) -> Any:
    """A copy with other values at some places."""
    new = copy.deepcopy(value)
    for path, other in places.items():
        if not path:
            return other
        _at(new, path[:-1])[path[-1]] = other
    return new


def _other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if _is_number(value):
        return value * 2 + 7
    return STRANGE


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _alike(one: Any, two: Any) -> bool:
    return type(one) is type(two) and one != two and not isinstance(one, bool)


def _doubled_keys(own: Any, others: Sequence[str]) -> str:
    """An object that has each key twice: first with its own value, then with another's; "" for none."""
    found = (value for each in others if isinstance(value := _read(each), dict))
    other = next(found, None)
    if not isinstance(own, dict) or not other or own.keys() != other.keys():
        return ""
    pairs = [*own.items(), *other.items()]
    inner = ", ".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in pairs)
    return f"{{{inner}}}"


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
