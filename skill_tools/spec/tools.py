"""Tools and messages as authors write them, and the JSON Schema of a call."""

from __future__ import annotations

import re
from typing import Annotated, Any

from jsonschema import Draft202012Validator
from pydantic import Field, model_validator

from skill_tools.spec.parameters import Array, Object, Parameter, Strict, String, object_schema
from skill_tools.spec.shown import is_plain, shown


def _given(default: Any) -> list[Any]:
    return [] if default is None else [default]


class Message(Strict):
    """An assistant message without tool calls, which the domain's method `message` plays."""

    description: Annotated[str, Field(min_length=1)]
    """What such a message is, for people and checks."""
    max_length: Annotated[int, Field(ge=1)] = 20_000
    """Maximum characters; a longer message is refused."""
    samples: list[str] = []
    """Messages for the random policy to draw from; models are not shown them."""
    with_calls: bool = False
    """Whether `message` receives the tool calls of the message as well, of which none is played."""

    def as_tool(self) -> Tool:
        """Return the message as a call with one text argument, as scripts and records represent the message."""
        text = String(
            type="string",
            description=self.description,
            max_length=self.max_length,
            samples=list(self.samples),
        )
        calls = {"calls": _CALLS} if self.with_calls else {}
        return Tool(description=self.description, parameters={"text": text, **calls})


_CALLS = Array(
    type="array",
    description="The tool calls of the message.",
    default=[],
    items=Object(
        type="object",
        fields={
            "name": String(type="string", description="The tool's name."),
            "arguments": Object(type="object", description="Its arguments."),
        },
    ),
)


class Tool(Strict):
    """A tool that is shown to the model: its description and its parameters."""

    description: Annotated[str, Field(min_length=1)]
    parameters: dict[str, Parameter] = {}
    method: str | None = None
    """The domain's method that plays the tool. Default: the tool's name."""
    tag: str | None = None
    """Tag of the action if actions are text, such as `guess` for <guess>. Default: the tool's name."""

    @model_validator(mode="after")
    def _values_fit(self) -> Tool:
        for name, parameter in self.parameters.items():
            _check(name, parameter)
        self._check_parts()
        return self

    def _check_parts(self) -> None:
        names = [part for parts in self.parts().values() for part in parts]
        for name in names:
            if not name.isidentifier() or name in self.parameters or names.count(name) > 1:
                raise ValueError(f"parts: {name!r} is not a name, or the tool already has it")
        for name, parameter in self.parameters.items():
            if not isinstance(parameter, Array) or not parameter.parts:
                continue
            count = len(parameter.parts)
            if not is_plain(parameter.items.json_schema()):
                raise ValueError(
                    f"parameter {name}: items named in `parts` cannot have parts themselves"
                )
            if {parameter.min_items, parameter.max_items} != {count}:
                raise ValueError(
                    f"parameter {name}: {count} parts need min_items and max_items {count}"
                )

    def parts(self) -> dict[str, list[str]]:
        """Return the names of the list items, for each list parameter that names its items."""
        found = {name: getattr(each, "parts", []) for name, each in self.parameters.items()}
        return {name: parts for name, parts in found.items() if parts}

    def samples(self) -> dict[str, list[Any]]:
        """Return the author's samples, for each parameter that has samples."""
        return {name: p.samples for name, p in self.parameters.items() if p.samples}

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the whole argument object. Parameters without a default are required."""
        shapes = {name: p.json_schema() for name, p in self.parameters.items()}
        return object_schema(self.parameters, shapes)

    def shown_schema(self) -> dict[str, Any]:
        """Return the schema as models see it, without the keywords that some model servers refuse."""
        shapes = {name: shown(p.json_schema()) for name, p in self.parameters.items()}
        return object_schema(self.parameters, shapes)

    def unshown(self) -> dict[str, dict[str, Any]]:
        """Return the author's whole schema of each parameter for which models do not see every keyword."""
        whole = {name: p.json_schema() for name, p in self.parameters.items()}
        return {name: schema for name, schema in whole.items() if shown(schema) != schema}


def _check(name: str, parameter: Parameter, within: bool = False) -> None:
    """Raise ValueError if a parameter's bounds, pattern, default or samples contradict each other.

    Args:
        within: Whether the parameter is inside another parameter.
    """
    for low, high in _BOUNDS:
        least, most = getattr(parameter, low, None), getattr(parameter, high, None)
        if least is not None and most is not None and least > most:
            raise ValueError(f"parameter {name}: {low} {least} is above {high} {most}")
    try:
        re.compile(getattr(parameter, "pattern", None) or "")
    except re.error as error:
        raise ValueError(
            f"parameter {name}: pattern is not a regular expression: {error}"
        ) from error
    if within and parameter.samples:
        raise ValueError(f"parameter {name}: samples belong to the whole argument, not a part")
    for part, each in parameter.inner().items():
        if part == "[]" and each.on_invalid:
            raise ValueError(f"parameter {name}: on_invalid belongs to the list, not its items")
        _check(f"{name}{part}" if part == "[]" else f"{name}.{part}", each, within=True)
    check = Draft202012Validator(parameter.json_schema())
    for value in [*parameter.samples, *_given(parameter.default)]:
        for defect in check.iter_errors(value):
            raise ValueError(f"parameter {name}: {value!r} is not valid: {defect.message}")


_BOUNDS = (("minimum", "maximum"), ("min_length", "max_length"), ("min_items", "max_items"))
