"""Scripts for a foreign environment, from policies that know only the environment's tools.

The schemas may be hostile. Therefore no pattern is evaluated, no reference is followed outside the schema,
and every loop is bounded.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from skill_tools.audit.samples import Samples, harvest, quoted
from skill_tools.evidence.audited import FILLER

FILLERS = (2, 20, 200, 2_000)
"""Lengths in characters of the texts of players who write only filler."""
TURNS = 10
"""Calls of a random player: enough to finish short games, and few if each call is slow."""
FILLED_TOOLS = 3
"""Number of tools that receive filler: each is called with every length, on every task."""
LONGEST_FLAT = 200
"""Maximum items of a random list of numbers or texts; lists of lists are shorter, because their lengths multiply."""
UNBOUNDED = 3
"""Usual upper bound for a random number if a schema has no bounds."""
BEYOND = 2
"""Calls after the end, which the environment must not accept."""
NUMBER = re.compile(r"\d{1,9}", re.ASCII)
"""Matches an integer in a text; bounded, like every pattern here."""
BROKEN_TEXTS = ("", "{", "</answer><answer>", "\u0000\ud7ff\u202e", "null", "🙂" * 40)
"""Texts that mean nothing to an environment, and that break careless parsers."""

TEXT = "say"
"""The name of the pseudo-tool for what a model writes."""
Call = dict[str, Any]
Script = dict[str, Any]


def write_groups(
    found: Mapping[str, Any], solutions: Mapping[tuple[Any, ...], list[Call]]
) -> dict[str, list[dict[str, Any]]]:
    """Return groups of scripts by round: ``first``, ``again``, ``reseeded`` and ``together``.

    ``solutions`` maps the split, index and seed of a task to the calls that solve the task. The most informative
    scripts come first, because there may not be enough time for all scripts.
    """
    tools, in_text = found["tools"], bool(found.get("in_text"))
    samples = [*map(str, found.get("samples") or []), *harvest(found.get("prompt") or [])]
    by_place: list[list[Script]] = []
    for place in found["places"]:
        label = label_place(found, place)
        base = {**{k: place[k] for k in ("split", "index", "seed")}, "label": label}
        rng = random.Random(label)
        wandering = [random_call(tools, in_text, samples, rng) for _ in range(TURNS)]
        scripts = {"noop": [], "random": wandering}
        scripts |= {f"{FILLER}{n}": fill(tools, in_text, n, rng) for n in FILLERS}
        scripts["malformed"] = malformed(tools, in_text, rng)
        solution = solutions.get((place["split"], place["index"], place["seed"]))
        if solution is not None:
            halved = solution[: len(solution) // 2]
            scripts = {"oracle": solution, "early_stop": halved, **scripts}
        written = [
            {**base, "policy": policy, "calls": calls}
            for policy, calls in scripts.items()
            if calls or policy in ("noop", "early_stop", "oracle")
        ]
        further = [*(solution or wandering), *wandering[:BEYOND]]
        # If the framework itself ends an episode, as after a message in a task with tools, no call can follow.
        ends_itself = bool(found.get("ends_itself")) or _ends_in_text(solution, tools)
        beyond = 0 if ends_itself else BEYOND
        past = {**base, "policy": "past_done", "calls": further, "beyond": beyond}
        wrong = [] if ends_itself else _wrong(solution, list(solutions.values()))
        twice = {**past, "policy": "second_answer", "calls": [*wrong, *(solution or ())]}
        # All calls except the first may come after the end.
        answered = [{**twice, "beyond": len(twice["calls"]) - 1}] if wrong else []
        by_place.append([*written, past, *answered])
    best = [scripts[0] if scripts[0]["policy"] == "oracle" else scripts[1] for scripts in by_place]
    wandering = [next(s for s in scripts if s["policy"] == "random") for scripts in by_place]
    again = [*best, *[each for each in wandering if each not in best]]
    reseeded = [{**s, "seed": s["seed"] + 1} for s in best] if found.get("seeded") else []
    pair = [best[0], {**best[0], "policy": "second"} if len(best) == 1 else best[1]]
    return {
        "first": [_group("first", s) for row in _in_turn(by_place) for s in row],
        "again": [_group("again", s) for s in again],
        "reseeded": [_group("reseeded", s) for s in reseeded],
        "together": [{"key": "together", "scripts": pair}],
    }


def label_place(found: Mapping[str, Any], place: Mapping[str, Any]) -> str:
    """Return the label of the episodes of a task."""
    split = "seeds" if place["split"] is None else place["split"]
    index = place["seed"] if place["index"] is None else place["index"]
    return f"{str(found['name'])[:60]}/{split}/{index}/{place['seed']}"


def _ends_in_text(solution: Sequence[Call] | None, tools: Sequence[Mapping[str, Any]]) -> bool:
    return solution is not None and any(is_text(each, tools) for each in solution[-1:])


def is_text(call: Call, tools: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a call is a message of the model, and not a call of a tool with the same name."""
    return call["tool"] == TEXT and all(each.get("name") != TEXT for each in tools)


def _wrong(solution: Sequence[Call] | None, others: Sequence[Sequence[Call]]) -> list[Call]:
    """Return calls that do not solve the task, or [] if there is no solution to change.

    The calls are another task's solution, or the task's own solution with changed arguments in its last call.
    """
    if not solution:
        return []
    other = next((list(each) for each in others if each and list(each) != list(solution)), None)
    last = solution[-1]
    changed = {**last, "arguments": _changed(last["arguments"])}
    return other or ([*solution[:-1], changed] if changed != last else [])


def _changed(value: Any) -> Any:
    """Return arguments with changed values of the same types."""
    if isinstance(value, dict):
        return {name: _changed(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_changed(inner) for inner in value]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        raised = NUMBER.sub(lambda found: str(int(found[0]) + 1), value)
        return raised if raised != value else "zq"
    return value


def random_call(
    tools: Sequence[Mapping[str, Any]], in_text: bool, samples: Samples, rng: random.Random
) -> Call:
    """Return a call that the schemas probably allow; texts are drawn from the samples."""
    if in_text:
        text = str(rng.choice(samples)) if samples else "I think so."
        text = re.sub(r"\d{1,4}", lambda m: str(rng.randint(0, int(m[0]) * 2 + 1)), text)
        return {"tool": tools[0]["name"], "arguments": {"text": text}}
    tool = rng.choice(list(tools))
    texts = [*samples, *quoted(tool.get("description"))]
    return {"tool": tool["name"], "arguments": sample(tool.get("parameters"), rng, texts)}


def fill(
    tools: Sequence[Mapping[str, Any]], in_text: bool, length: int, rng: random.Random
) -> list[Call]:
    """Return a call with filler text for every tool that takes free text, or [] if no tool takes free text."""
    text = ("zq " * (length // 3 + 1))[:length]
    if in_text:
        return [{"tool": tools[0]["name"], "arguments": {"text": text}}]
    calls: list[Call] = []
    for tool in tools:
        fields = _fields(tool.get("parameters"))
        free = [name for name, schema in fields.items() if _is_free_text(schema)]
        if free and len(calls) < FILLED_TOOLS:
            # The same for every length, except for the filler.
            made = sample(tool["parameters"], random.Random(tool["name"]), ())
            calls.append({"tool": tool["name"], "arguments": {**made, **dict.fromkeys(free, text)}})
    return calls


def malformed(tools: Sequence[Mapping[str, Any]], in_text: bool, rng: random.Random) -> list[Call]:
    """Return calls that violate the schemas. If the model acts in text, return meaningless messages instead."""
    if in_text:
        return [{"tool": tools[0]["name"], "arguments": {"text": text}} for text in BROKEN_TEXTS]
    calls: list[Call] = [{"tool": "no_such_tool", "arguments": {}}]
    for tool in tools[:6]:
        name, made = tool["name"], sample(tool.get("parameters"), rng, ())
        calls.append({"tool": name, "arguments": {"no_such_argument": 1}})
        for field, schema in list(_fields(tool.get("parameters")).items())[:4]:
            wrong = 7 if _kind(schema) in ("string", "array", "object", "boolean") else "seven"
            calls.append({"tool": name, "arguments": {**made, field: wrong}})
    return calls[:20]


def sample(schema: Any, rng: random.Random, samples: Samples, depth: int = 6) -> Any:
    """Return arguments that an object's schema probably allows."""
    required = schema.get("required") if isinstance(schema, dict) else None
    required = required if isinstance(required, list) else []
    return {
        name: _value(field, schema, rng, samples, depth)
        for name, field in _fields(schema).items()
        if name in required or rng.random() < 0.5
    }


def _value(schema: Any, root: Any, rng: random.Random, samples: Samples, depth: int) -> Any:
    schema = _resolved(schema, root)
    for fixed in ("enum", "examples"):
        if isinstance(schema.get(fixed), list) and schema[fixed]:
            return rng.choice(schema[fixed])
    if "const" in schema or ("default" in schema and rng.random() < 0.3):
        return schema.get("const", schema.get("default"))
    kind = _kind(schema)
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in ("integer", "number"):
        # Without a bound, most numbers choose among a few options.
        span = UNBOUNDED if rng.random() < 0.9 else 10 * UNBOUNDED
        low = _number(schema.get("minimum"), min(0.0, _number(schema.get("maximum"), 0.0) - span))
        high = max(low, _number(schema.get("maximum"), low + span))
        listed = [each for each in samples if isinstance(each, int) and low <= each]
        if kind == "integer" and listed and rng.random() < 0.5:
            return rng.choice(listed)
        return rng.randint(int(low), int(high)) if kind == "integer" else rng.uniform(low, high)
    if kind == "array" and depth:
        flat = _kind(_resolved(schema.get("items", {}), root)) not in ("array", "object")
        least = min(_number(schema.get("minItems"), 1), LONGEST_FLAT if flat else 10)
        first = schema.get("prefixItems")
        each = first[: int(least)] if isinstance(first, list) else []
        each += [schema.get("items", {})] * (int(least) - len(each))
        return [_value(item, root, rng, samples, depth - 1) for item in each]
    if kind == "object" and depth:
        made = {**schema, "$defs": root.get("$defs"), "components": root.get("components")}
        return sample(made, rng, samples, depth - 1)
    if kind == "null" or not depth:
        return None
    own = quoted(schema.get("description"))
    texts = own or [each for each in samples if isinstance(each, str)]
    if texts and rng.random() < (0.8 if own else 0.5):
        return rng.choice(texts)
    least = int(min(_number(schema.get("minLength"), 1), 200))
    most = int(min(_number(schema.get("maxLength"), least + 7), 200))
    return "".join(
        rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(least, max(least, most)))
    )


def _fields(schema: Any) -> dict[str, Any]:
    fields = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(fields, dict):
        return {}
    return {name: _resolved(field, schema) for name, field in fields.items()}


def _resolved(schema: Any, root: Any) -> dict[str, Any]:
    """Return a schema after resolving its references within the root schema.

    A choice between schemas is replaced by the first non-null schema.
    """
    for _ in range(8):
        if not isinstance(schema, dict):
            return {}
        if "$ref" in schema:
            found: Any = root
            for part in str(schema["$ref"]).removeprefix("#/").split("/"):
                found = found.get(part) if isinstance(found, dict) else None
            schema = found
            continue
        choices = next((schema[k] for k in ("anyOf", "oneOf", "allOf") if schema.get(k)), None)
        if not isinstance(choices, list):
            return schema
        schema = next((c for c in choices if _kind(c) != "null"), choices[0])
    return {}


def _kind(schema: Any) -> str:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), None)
    if isinstance(kind, str):
        return kind
    return "object" if isinstance(schema, dict) and "properties" in schema else "string"


def _is_free_text(schema: Mapping[str, Any]) -> bool:
    bounds = ("enum", "const", "pattern", "format", "maxLength")
    return _kind(schema) == "string" and not any(bound in schema for bound in bounds)


def _number(value: Any, otherwise: float) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12
    return value if good else otherwise


def _group(name: str, script: Script) -> dict[str, Any]:
    return {"key": f"{name}/{script['policy']}/{script['label']}", "scripts": [script]}


def _in_turn(by_place: list[list[Script]]) -> list[list[Script]]:
    """Return the first scripts of all tasks, then the second scripts of all tasks, and so on."""
    longest = max(map(len, by_place), default=0)
    return [[each[at] for each in by_place if at < len(each)] for at in range(longest)]
