"""Tool parameters as authors write them, and the JSON Schema of a call."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, model_serializer, model_validator

from skill_tools.spec.shown import left_out, shown

UNPARSED = "_raw"
"""Argument name under which rollouts pass on arguments that were not a JSON object."""


class Strict(BaseModel):
    """Base of all spec models: unknown keys are errors, values are never coerced."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )


class _Parameter(Strict):
    KEYWORDS: ClassVar[dict[str, str]] = {}
    if TYPE_CHECKING:
        # Each kind has its own fields of these names: their position is their order in its schema.
        type: str
        default: Any
    description: str = ""
    samples: list[Any] = []
    """Values for the random policy to draw from, if chance alone would rarely find a good one.

    They are not shown to the model.
    """
    on_invalid: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    """The text that replaces the rule in a refusal of this value."""

    @property
    def optional(self) -> bool:
        """Whether a call may omit the parameter; `default: null` counts as a default."""
        return "default" in self.model_fields_set

    @model_serializer(mode="wrap")
    def _without_default_unset(self, dump: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        # When read again, a default of null would make the parameter optional.
        return {k: v for k, v in dump(self).items() if k != "default" or self.optional}

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema (draft 2020-12) of one argument, keys in a fixed order."""
        schema: dict[str, Any] = {"type": self.type}
        for key, name in self.KEYWORDS.items():
            value = getattr(self, key)
            if value is not None:
                schema[name] = value
        if self.description:
            schema["description"] = self.description
        if self.default is not None:
            schema["default"] = self.default
        return schema


class String(_Parameter):
    """Text, with optional length bounds and a pattern (a regular expression, unanchored)."""

    KEYWORDS: ClassVar[dict[str, str]] = {
        "min_length": "minLength",
        "max_length": "maxLength",
        "pattern": "pattern",
    }
    type: Literal["string"]
    min_length: Annotated[int, Field(ge=0)] | None = None
    max_length: Annotated[int, Field(ge=0)] | None = None
    pattern: str | None = None
    default: str | None = None


class Integer(_Parameter):
    """A whole number within inclusive bounds."""

    KEYWORDS: ClassVar[dict[str, str]] = {"minimum": "minimum", "maximum": "maximum"}
    type: Literal["integer"]
    minimum: int | None = None
    maximum: int | None = None
    default: int | None = None


class Number(_Parameter):
    """A finite number within inclusive bounds."""

    KEYWORDS: ClassVar[dict[str, str]] = {"minimum": "minimum", "maximum": "maximum"}
    type: Literal["number"]
    minimum: Annotated[float, Field(strict=False)] | None = None
    maximum: Annotated[float, Field(strict=False)] | None = None
    default: Annotated[float, Field(strict=False)] | None = None


class Boolean(_Parameter):
    """True or false."""

    KEYWORDS: ClassVar[dict[str, str]] = {}
    type: Literal["boolean"]
    default: bool | None = None


class Enum(_Parameter):
    """One of a list of strings."""

    type: Literal["enum"]
    values: Annotated[list[str], Field(min_length=1)]
    default: str | None = None

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema: a string with its allowed values."""
        schema: dict[str, Any] = {"type": "string", "enum": self.values}
        if self.description:
            schema["description"] = self.description
        if self.default is not None:
            schema["default"] = self.default
        return schema


Item = Annotated[String | Integer | Number | Boolean | Enum, Field(discriminator="type")]


class Array(_Parameter):
    """A list of one item type; a coordinate is an array of two integers."""

    KEYWORDS: ClassVar[dict[str, str]] = {"min_items": "minItems", "max_items": "maxItems"}
    type: Literal["array"]
    items: Item
    min_items: Annotated[int, Field(ge=0)] | None = None
    max_items: Annotated[int, Field(ge=0)] | None = None
    default: list[Any] | None = None
    parts: list[str] = []
    """Names of the items if actions are text: with `[x, y]`, a coordinate is written as `x="3" y="4"`."""

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema with the item's schema inside."""
        return {**super().json_schema(), "items": self.items.json_schema()}


Parameter = Annotated[
    String | Integer | Number | Boolean | Enum | Array, Field(discriminator="type")
]
TYPES = ("string", "integer", "number", "boolean", "enum", "array")


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

    def as_tool(self) -> Tool:
        """Return the message as a call with one text, as scripts and records write it."""
        text = String(
            type="string",
            description=self.description,
            max_length=self.max_length,
            samples=list(self.samples),
        )
        return Tool(description=self.description, parameters={"text": text})


class Tool(Strict):
    """A callable shown to the model: what it does and the arguments it takes."""

    description: Annotated[str, Field(min_length=1)]
    parameters: dict[str, Parameter] = {}
    tag: str | None = None
    """Tag of the action if actions are text, such as `guess` for <guess>. Default: the tool's name."""

    @model_validator(mode="after")
    def _values_fit(self) -> Tool:
        for name, parameter in self.parameters.items():
            for low, high in (
                ("minimum", "maximum"),
                ("min_length", "max_length"),
                ("min_items", "max_items"),
            ):
                least, most = getattr(parameter, low, None), getattr(parameter, high, None)
                if least is not None and most is not None and least > most:
                    raise ValueError(f"parameter {name}: {low} {least} is above {high} {most}")
            try:
                re.compile(getattr(parameter, "pattern", None) or "")
            except re.error as error:
                raise ValueError(
                    f"parameter {name}: pattern is not a regular expression: {error}"
                ) from error
            if isinstance(parameter, Array) and parameter.items.on_invalid:
                raise ValueError(f"parameter {name}: on_invalid belongs to the list, not its items")
        self._check_parts()
        for name, parameter in self.parameters.items():
            check = Draft202012Validator(parameter.json_schema())
            for value in [*parameter.samples, *_given(parameter.default)]:
                for defect in check.iter_errors(value):
                    raise ValueError(f"parameter {name}: {value!r} is not valid: {defect.message}")
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
            if {parameter.min_items, parameter.max_items} != {count}:
                raise ValueError(
                    f"parameter {name}: {count} parts need min_items and max_items {count}"
                )

    def parts(self) -> dict[str, list[str]]:
        """Return the names of the items, for each list parameter that names them."""
        found = {name: getattr(each, "parts", []) for name, each in self.parameters.items()}
        return {name: parts for name, parts in found.items() if parts}

    def samples(self) -> dict[str, list[Any]]:
        """Return the author's samples, for each parameter that has some."""
        return {name: p.samples for name, p in self.parameters.items() if p.samples}

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the whole argument object; parameters without a default are required."""
        return self._schema_of({name: p.json_schema() for name, p in self.parameters.items()})

    def shown_schema(self) -> dict[str, Any]:
        """Return the schema as models see it, without keywords that some model servers refuse."""
        return self._schema_of(
            {name: shown(p.json_schema()) for name, p in self.parameters.items()}
        )

    def left_out(self) -> dict[str, dict[str, Any]]:
        """Return the parts of the schema that models do not see, by parameter."""
        found = {name: left_out(p.json_schema()) for name, p in self.parameters.items()}
        return {name: rest for name, rest in found.items() if rest}

    def _schema_of(self, properties: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": properties,
            "required": [name for name, p in self.parameters.items() if not p.optional],
            "additionalProperties": False,
        }
