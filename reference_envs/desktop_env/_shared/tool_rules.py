"""Rules for the arguments of each tool, including rules that models do not see because servers refuse them.

`skill-tools render` overwrites this file.
"""

import json
from collections.abc import Sequence
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from . import env_spec
from .arguments import UNPARSED, clean, why_no_object

ECHOED = 80
"""Maximum characters of a model's own text that a refusal repeats."""


def _with_unshown(tool: dict[str, Any]) -> dict[str, Any]:
    shown = tool["parameters"]
    unshown = env_spec.UNSHOWN.get(tool["name"], {})
    return {**shown, "properties": {**shown["properties"], **unshown}}


SCHEMA = {"name", "description", "parameters"}
"""The fields of a tool as models see it."""
MESSAGE = "message"
"""The action of a message without tool calls. Models are not shown it as a tool."""
RULES = {tool["name"]: _with_unshown(tool) for tool in env_spec.TOOLS}
"""The JSON Schema that calls of each tool must satisfy, and messages if they are actions."""
if env_spec.WITH_CALLS:
    RULES.clear()  # the calls beside a message are graded and not played
if env_spec.MESSAGE:
    RULES[MESSAGE] = env_spec.MESSAGE
_VALIDATORS = {name: Draft202012Validator(schema) for name, schema in RULES.items()}


def offered(task: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tools that models see in a task. The task's field OFFER lists them; the default is all tools.

    Raises ValueError for the name of an unknown tool. A tool may be listed as a whole schema only if the domain
    grades calls instead of playing them.
    """
    if env_spec.OFFER is None:
        return env_spec.TOOLS
    listed = task.get(env_spec.OFFER)
    if not isinstance(listed, list):
        listed = [listed]
    known, found = {tool["name"]: tool for tool in env_spec.TOOLS}, []
    for position, each in enumerate(listed):
        if isinstance(each, str) and each in known:
            found.append(known[each])
        elif env_spec.WITH_CALLS and isinstance(each, dict) and each.keys() == SCHEMA:
            found.append(each)
        else:
            expected = f"one of {', '.join(known)}" if known else f"{', '.join(sorted(SCHEMA))}"
            inside = f"[{position}]" if isinstance(task.get(env_spec.OFFER), list) else ""
            place = f"the task's {env_spec.OFFER}{inside}"
            raise ValueError(f"{place} is {repeated(each)}; expected {expected}")
    return found


def without_nulls(schema: dict[str, Any], arguments: Any) -> Any:
    """Return arguments without null values of optional arguments, because some models write null to omit them."""
    if not isinstance(arguments, dict):
        return arguments
    fields = schema["properties"]
    free = {name for name in fields if name not in schema["required"] and not _null(fields[name])}
    return {k: value for k, value in arguments.items() if value is not None or k not in free}


def _null(schema: dict[str, Any]) -> bool:
    """Return whether the schema lists null explicitly, as a choice of its ``anyOf``."""
    return any(choice.get("type") == "null" for choice in schema.get("anyOf", ()))


def whole(schema: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Return all arguments as the domain receives them: with default values, and with 2.0 as the integer 2."""
    fields = schema["properties"].items()
    given = {name: arguments.get(name, field.get("default")) for name, field in fields}
    return {name: _whole(field, given[name]) for name, field in fields}


def _whole(schema: Any, value: Any) -> Any:
    if value is None or not isinstance(schema, dict):
        return value
    for choice in schema.get("anyOf", ()):
        if Draft202012Validator(choice).is_valid(value):
            return _whole(choice, value)
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        given = {name: field["default"] for name, field in fields.items() if "default" in field}
        others = schema.get("additionalProperties")
        return {k: _whole(fields.get(k, others), v) for k, v in {**given, **value}.items()}
    if isinstance(value, list):
        return [_whole(schema.get("items"), item) for item in value]
    return int(value) if schema.get("type") == "integer" else value


def problem_of(tool: str, arguments: Any) -> str:
    """Explain to a model why a tool does not accept these arguments. Return "" if the tool accepts them."""
    if not isinstance(arguments, dict) or set(arguments) == {UNPARSED}:
        said = arguments[UNPARSED] if isinstance(arguments, dict) else arguments
        why = why_no_object(said) if isinstance(said, str) else ""
        return f"the arguments are not a JSON object: {repeated(said)}{f' ({why})' if why else ''}"
    schema = RULES[tool]
    odd = ", ".join(name for name in arguments if name not in schema["properties"])
    missing = ", ".join(name for name in schema["required"] if name not in arguments)
    problems = [f"no such argument: {repeated(odd)}"] if odd else []
    problems += [f"missing: {missing}"] if missing else []
    wrong = (_innermost(each) for each in _VALIDATORS[tool].iter_errors(arguments) if each.path)
    found = [(str(each.absolute_path[0]), _sentence(tool, arguments, each)) for each in wrong]
    order = list(schema["properties"])
    found.sort(key=lambda each: order.index(each[0]))
    return "; ".join(dict.fromkeys([*problems, *(sentence for _, sentence in found)]))


def _innermost(error: ValidationError) -> ValidationError:
    """Return the error of the only alternative in a schema that has the value's type, or else the given error."""
    choices: dict[Any, list[ValidationError]] = {}
    for each in error.context or ():
        choices.setdefault(each.schema_path[0], []).append(each)
    fitting = [
        errors
        for errors in choices.values()
        if not any(each.validator == "type" and not each.path for each in errors)
    ]
    return _innermost(fitting[0][0]) if len(fitting) == 1 else error


def _sentence(tool: str, arguments: dict[str, Any], error: ValidationError) -> str:
    """Return the reason why a part of the arguments is wrong, with the part's path: `orders[2].size must be ...`."""
    path = list(error.absolute_path)
    rule: Any = error.validator_value
    given: Any = error.instance
    if error.validator == "required":
        lacking = [name for name in rule if name not in given]
        return f"missing: {', '.join(_written([*path, name]) for name in lacking)}"
    if error.validator == "additionalProperties" and rule is False:
        fields: Any = error.schema
        odd = [name for name in given if name not in fields.get("properties", {})]
        return f"no such field: {', '.join(_written([*path, name]) for name in odd)}"
    places = _places(error)
    while ".".join(places).replace(".[]", "[]") not in env_spec.REFUSALS[tool]:
        places.pop()
    place = ".".join(places).replace(".[]", "[]")
    value: Any = arguments
    for part in path[: len(places)]:
        value = value[part]
    sentence = env_spec.REFUSALS[tool][place].replace("{}", repeated(value))
    if len(places) > 1:
        sentence = sentence.replace(place, _written(path[: len(places)]), 1)
    return sentence


def _places(error: ValidationError) -> list[str]:
    """Return the path to the wrong part of the arguments, in the form that REFUSALS uses.

    An element is a field's name, `[]` for an item, or `*` for an additional field.
    """
    found, rest = [], list(error.absolute_schema_path)
    while rest:
        key = rest.pop(0)
        if key == "properties":
            found.append(str(rest.pop(0)))
        elif key in ("items", "additionalProperties") and rest:
            found.append("[]" if key == "items" else "*")
        elif key in ("anyOf", "oneOf") and rest:
            rest.pop(0)
        else:
            break
    return found


def _written(path: Sequence[Any]) -> str:
    """Return the path of a part of the arguments as people write it, such as `orders[2].size`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return clean("".join(parts).removeprefix("."))[:ECHOED]


def repeated(value: Any) -> str:
    """Return the JSON text of a value that the model wrote, cut to ECHOED characters."""
    text = clean(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= ECHOED else f"{text[:ECHOED]}..."
