"""Reward for a single tool call: name and arguments against the expected call.

An optional argument that is left out counts as its default. Unknown arguments,
nulls, wrong JSON types and repeated keys are errors.
"""
import json
import re

CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("repeated key")
    return dict(pairs)


def has_type(value, kind):
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind in ("list", "set"):
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    raise ValueError(f"unknown type {kind}")


def same(value, wanted, kind):
    if kind == "set":  # order is irrelevant, but each element once
        return sorted(value) == sorted(wanted)
    return value == wanted


def fill_in(arguments, parameters):
    """Arguments with the defaults put in, or None if they break the schema."""
    if any(name not in parameters for name in arguments):
        return None
    filled = {}
    for name, spec in parameters.items():
        if name in arguments:
            if not has_type(arguments[name], spec["type"]):
                return None
            filled[name] = arguments[name]
        elif "default" in spec:
            filled[name] = spec["default"]
        else:
            return None
    return filled


def reward(completion, tool, expected, **row):
    calls = CALL.findall(completion)
    if len(calls) != 1:
        return 0.0
    try:
        call = json.loads(calls[0], object_pairs_hook=no_duplicates)
    except (ValueError, RecursionError):
        return 0.0
    if not isinstance(call, dict) or set(call) != {"name", "arguments"}:
        return 0.0
    if call["name"] != tool["name"] or not isinstance(call["arguments"], dict):
        return 0.0
    parameters = tool["parameters"]
    got = fill_in(call["arguments"], parameters)
    want = fill_in(expected, parameters)
    if got is None:
        return 0.0
    ok = all(same(got[name], want[name], parameters[name]["type"]) for name in parameters)
    return 1.0 if ok else 0.0
