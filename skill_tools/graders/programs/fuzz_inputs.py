"""Inputs for the comparison of two programs: a task's examples, and inputs made from these examples."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skill_tools.graders.programs.examples import Arguments, Defined, ProgramExample
from skill_tools.graders.programs.input_invariants import is_like, relations

ALIKE = 40
"""Maximum made inputs that resemble the examples."""
BEYOND = 20
"""Maximum made inputs that do not resemble the examples."""
TRIES = 250
"""Number of inputs to make; enough distinct ones remain, although most changes occur twice."""
STEPS = 3
"""Maximum changes from an example."""
LONGEST = 300
"""Maximum characters in a made input, so that it is readable."""
LETTERS = "ab z0é"
"""Letters to insert into texts: common ones, a space, a digit, a non-ASCII one."""
PALETTE: tuple[Any, ...] = (3, [3, 1, 2], "abca", [1, 1], 0, "", [], 10, -2, 2.5, ["b", "a"], 7)
"""Arguments to try if nothing states the parameters' types."""
_ANNOTATED = {
    "int": (3, 0, 10, 7, -2),
    "float": (2.5, 0.0, -1.5),
    "str": ("abca", "", "b", "Hello you"),
    "bool": (True, False),
    "list": ([3, 1, 2], [], [1, 1], [5]),
    "List": ([3, 1, 2], [], [1, 1], [5]),
    "dict": ({"a": 1, "b": 2}, {}),
    "tuple": ((1, 2), ()),
}


@dataclass(frozen=True)
class Input:
    """An input for programs.

    Attributes:
        alike: Whether the input resembles the task's examples.
        own: Whether the input is one of the task's examples.
    """

    example: ProgramExample
    alike: bool
    own: bool = False


def inputs_of(defined: Defined, examples: Sequence[ProgramExample], seed: str) -> list[Input]:
    """Return a program's inputs: the task's examples, then similar inputs, then dissimilar inputs."""
    chance = random.Random(seed)
    if not examples:
        guessed = [Input(each, alike=False) for each in _guessed(defined, chance)]
        return guessed[: ALIKE + BEYOND]
    own = dict.fromkeys(examples)
    made: dict[ProgramExample, bool] = {}
    for _ in range(TRIES):
        start = chance.choice(examples)
        try:
            new, alike = _changed(start, examples, defined.constants, chance)
        except (TypeError, ValueError, IndexError, OverflowError, RecursionError):
            continue
        if new not in own and len(new.expression or new.stdin or "") <= LONGEST:
            made.setdefault(new, alike)
    near = [Input(each, alike=True) for each, is_alike in made.items() if is_alike]
    beyond = [Input(each, alike=False) for each, is_alike in made.items() if not is_alike]
    return [*(Input(each, alike=True, own=True) for each in own), *near[:ALIKE], *beyond[:BEYOND]]


def _changed(
    start: ProgramExample,
    examples: Sequence[ProgramExample],
    constants: Sequence[Any],
    chance: random.Random,
) -> tuple[ProgramExample, bool]:
    """Change an example at random. Return the new input and whether it still resembles the examples."""
    if start.stdin is not None:
        texts = [each.stdin for each in examples if each.stdin]
        return replace(start, stdin=_other_text(start.stdin, texts, chance)), True
    if start.arguments is None:
        return replace(start, before=_other_constants(start.before, chance)), True
    others = [
        each.arguments for each in examples if each.function == start.function and each.arguments
    ]
    fitting = [each for each in others if _form(each) == _form(start.arguments)]
    values = _values(start.arguments)
    for _ in range(chance.randint(1, STEPS)):
        at = chance.randrange(len(values))
        seen = [_values(each)[at] for each in fitting]
        taken = chance.random() < 0.25
        pool = [*seen, *constants]
        values[at] = chance.choice(seen) if taken else _vary(values[at], pool, chance)
    names = tuple(name for name, _ in start.arguments.names)
    split = len(start.arguments.places)
    new = Arguments(tuple(values[:split]), tuple(zip(names, values[split:], strict=True)))
    columns = list(zip(*(_values(each) for each in fitting), strict=True))
    alike = all(is_like(value, seen) for value, seen in zip(values, columns, strict=True))
    kept = frozenset.intersection(*(relations(_values(each)) for each in fitting))
    return replace(start, arguments=new), alike and kept <= relations(values)


def _values(arguments: Arguments) -> list[Any]:
    return [*arguments.places, *(value for _, value in arguments.names)]


def _form(arguments: Arguments) -> tuple[int, tuple[str, ...]]:
    return len(arguments.places), tuple(name for name, _ in arguments.names)


def _vary(value: Any, seen: Sequence[Any], chance: random.Random) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        known = [abs(each) for each in seen if type(each) is int and each] or [5]
        wide = chance.randint(-max(known) - 1, 2 * max(known) + 2)
        near = chance.choice([value + 1, value - 1, value * 2, -value, 0, 1, 2])
        # A program's behavior often changes at multiples of a constant that it contains.
        told = chance.choice(known)
        multiple = told * max(1, round(wide / told)) + chance.choice([0, 0, 0, 1, -1])
        return chance.choice([near, abs(wide), wide, multiple])
    if isinstance(value, float):
        return chance.choice([value + 1, value / 2, -value, 0.0, round(value * 1.5, 2), 0.5])
    if isinstance(value, str):
        return _other_word(value, [each for each in seen if isinstance(each, str)], chance)
    if isinstance(value, list | tuple):
        pool = [item for each in seen if isinstance(each, list | tuple) for item in each]
        pool += [each for each in seen if type(each) in {type(item) for item in value}]
        return type(value)(_other_items(list(value), pool, chance))
    if isinstance(value, dict) and value:
        key = chance.choice(sorted(value, key=repr))
        if chance.random() < 0.3:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: _vary(value[key], list(value.values()), chance)}
    if isinstance(value, set | frozenset) and value:
        items = sorted(value, key=repr)
        return type(value)(_other_items(items, items, chance))
    return value


def _other_items(items: list[Any], pool: Sequence[Any], chance: random.Random) -> list[Any]:
    if not items:
        return [chance.choice(pool)] if pool else [chance.choice([1, "a"])]
    at = chance.randrange(len(items))
    varied = _vary(items[at], pool, chance)
    way = chance.randrange(9)
    if way == 0:
        return items[:at] + items[at + 1 :]
    if way == 1:
        return [*items, items[at]]
    if way == 2:
        return items[::-1]
    if way == 3:
        return sorted(items)
    if way == 4:
        return chance.sample(items, len(items))
    if way == 5:
        return items[:1] if at else []
    if way == 6:
        return [*items[:at], varied, *items[at:]]
    if way == 7:
        return [*items[:at], chance.choice([*pool, items[0]]), *items[at + 1 :]]
    return [*items[:at], varied, *items[at + 1 :]]


def _other_word(text: str, words: Sequence[str], chance: random.Random) -> str:
    pool = "".join(words)
    if not text:
        return str(chance.choice([*pool, *LETTERS]))
    at = chance.randrange(len(text))
    letter = chance.choice([*pool, *LETTERS, text[0]])
    ways = [
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at:],
        text[:at] + letter + text[at + 1 :],
        text[:at] + text[at] + text[at:],
        text[::-1],
        text + text,
        text[: at + 1],
        text[at:],
        "".join(chance.sample(text, len(text))),
        text[:at] + text[at].swapcase() + text[at + 1 :],
        chance.choice(["", text[0], text.upper(), text.lower()]),
        text[:at] + chance.choice(words) + text[at:],
    ]
    return str(chance.choice(ways))


def _other_text(text: str, texts: Sequence[str], chance: random.Random) -> str:
    """Return another text for a script, with other numbers and words. Numbers that count later items are kept."""
    lines = text.split("\n")
    words = [line.split() for line in lines]
    counts = {len(each) for each in words} | {len(words) - n for n in range(len(words) + 1)}
    places = [(row, at) for row, line in enumerate(words) for at in range(len(line))]
    if not places:
        return text
    for _ in range(chance.randint(1, STEPS)):
        row, at = chance.choice(places)
        word, way = words[row][at], chance.randrange(3)
        same = [w for other in texts for w in _words_at(other, row) if _kind(w) == _kind(word)]
        if way == 0 and len(words[row]) > 2:
            words[row] = chance.sample(words[row], len(words[row]))
        elif re.fullmatch(r"-?\d+", word) and not (len(words[row]) < 3 and int(word) in counts):
            low, high = min(map(int, same)), max(map(int, same))
            words[row][at] = str(chance.randint(low, max(high, low + 3)))
        elif not word.lstrip("-").isdigit():
            words[row][at] = chance.choice([*same, "".join(chance.sample(word, len(word)))])
    return "\n".join(" ".join(line) for line in words)


def _words_at(text: str, row: int) -> list[str]:
    lines = text.split("\n")
    return lines[row].split() if row < len(lines) else []


def _kind(word: str) -> bool:
    return bool(re.fullmatch(r"-?\d+", word))


def _other_constants(source: str, chance: random.Random) -> str:
    """Return the statements with one constant changed, or with one statement repeated or left out."""
    tree = ast.parse(source)
    calls = [at for at, each in enumerate(tree.body) if isinstance(each, ast.Expr)]
    constants = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value is not None]
    way = chance.randrange(3)
    if way == 0 and calls:
        del tree.body[chance.choice(calls)]
    elif way == 1 and calls:
        at = chance.choice(calls)
        tree.body.insert(at, tree.body[at])
    elif constants:
        node = chance.choice(constants)
        same = [each.value for each in constants if type(each.value) is type(node.value)]
        node.value = chance.choice([*same, _vary(node.value, same, chance)])
    return ast.unparse(tree)


def _guessed(defined: Defined, chance: random.Random) -> Iterator[ProgramExample]:
    """Yield inputs for functions whose parameter types are unknown."""
    if defined.script:
        yield from (
            ProgramExample(stdin=each) for each in ("3\n1 2 3\n", "5\n", "1 2\n", "abc\n", "")
        )
    for function, arguments in list(defined.functions.items())[-1:]:
        several = [*arguments.posonlyargs, *arguments.args]
        kinds = [ast.unparse(each.annotation) if each.annotation else "" for each in several]
        names = [re.match(r"\w*", kind) for kind in kinds]
        ways = [_ANNOTATED.get(found[0] if found else "", PALETTE) for found in names]
        for _ in range(TRIES // 2 if several else 0):
            yield ProgramExample(function, Arguments(tuple(chance.choice(way) for way in ways)))
