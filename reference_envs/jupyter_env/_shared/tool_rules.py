"""Rules for the arguments of each tool: those that models see, and those that servers would refuse.

`skill-tools render` overwrites this file.
"""

import copy
import json
from typing import Any

from jsonschema import Draft202012Validator

from . import env_spec
from .arguments import UNPARSED, clean, why_no_object

ECHOED = 80
"""Maximum characters of a model's own text that a refusal repeats."""


def _with_unshown(tool: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = copy.deepcopy(tool["parameters"])
    for name, unshown in env_spec.UNSHOWN.get(tool["name"], {}).items():
        field = schema["properties"][name]
        field |= {key: value for key, value in unshown.items() if key != "items"}
        if "items" in unshown:
            field["items"] |= unshown["items"]
    return schema


MESSAGE = "message"
"""The action of a message without tool calls. Models are not shown it as a tool."""
RULES = {tool["name"]: _with_unshown(tool) for tool in env_spec.TOOLS}
"""The JSON Schema that calls of each tool must satisfy, and messages if they are actions."""
if env_spec.MESSAGE:
    RULES[MESSAGE] = env_spec.MESSAGE
_VALIDATORS = {name: Draft202012Validator(schema) for name, schema in RULES.items()}


def without_nulls(schema: dict[str, Any], arguments: Any) -> Any:
    """Return arguments without optional nulls, which some models write for omitted arguments."""
    if not isinstance(arguments, dict):
        return arguments
    free = schema["properties"].keys() - set(schema["required"])
    return {k: value for k, value in arguments.items() if value is not None or k not in free}


def whole(schema: dict[str, Any], value: Any) -> Any:
    """Return valid arguments in the domain's form: with defaults, and 2.0 as the integer 2."""
    if value is None:  # the default of null
        return None
    if schema["type"] == "object":
        fields = schema["properties"].items()
        given = {name: value.get(name, field.get("default")) for name, field in fields}
        return {name: whole(schema["properties"][name], given[name]) for name in given}
    if schema["type"] == "array":
        return [whole(schema["items"], item) for item in value]
    return int(value) if schema["type"] == "integer" else value


def problem_of(tool: str, arguments: Any) -> str:
    """Explain to a model why a tool does not take these arguments; "" if it does."""
    if not isinstance(arguments, dict) or set(arguments) == {UNPARSED}:
        said = arguments[UNPARSED] if isinstance(arguments, dict) else arguments
        why = why_no_object(said) if isinstance(said, str) else ""
        return f"the arguments are not a JSON object: {repeated(said)}{f' ({why})' if why else ''}"
    schema = RULES[tool]
    odd = ", ".join(name for name in arguments if name not in schema["properties"])
    missing = ", ".join(name for name in schema["required"] if name not in arguments)
    problems = [f"no such argument: {repeated(odd)}"] if odd else []
    problems += [f"missing: {missing}"] if missing else []
    wrong = {error.path[0] for error in _VALIDATORS[tool].iter_errors(arguments) if error.path}
    rules = env_spec.REFUSALS[tool].items()
    problems += [
        rule.replace("{}", repeated(arguments[name])) for name, rule in rules if name in wrong
    ]
    return "; ".join(problems)


def repeated(value: Any) -> str:
    """Return a model's own value as JSON, cut to ECHOED characters."""
    text = clean(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= ECHOED else f"{text[:ECHOED]}..."
