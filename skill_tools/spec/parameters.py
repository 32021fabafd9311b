"""Tool parameters as authors write them, and the JSON Schema of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_serializer,
)

from skill_tools.spec.raw_schemas import inlined

UNPARSED = "_raw"
"""Argument name under which rollouts pass on arguments that were not a JSON object."""


class Strict(BaseModel):
    """Base of all spec models, in which unknown keys are errors and values are never coerced."""

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
    nullable: bool = False
    """Whether null is a value of its own."""

    @property
    def optional(self) -> bool:
        """Whether a call may omit the parameter. `default: null` counts as a default."""
        return "default" in self.model_fields_set

    @model_serializer(mode="wrap")
    def _without_default_unset(self, dump: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        # When read again, a default of null would make the parameter optional.
        found = {k: v for k, v in dump(self).items() if k != "default" or self.optional}
        return {"schema" if key == "raw" else key: value for key, value in found.items()}

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema (draft 2020-12) of one argument, with the keys in a fixed order."""
        schema = self.own_schema()
        if self.nullable:
            schema = {"anyOf": [schema, {"type": "null"}]}
        if self.description:
            schema["description"] = self.description
        if self.default is not None:
            schema["default"] = self.default
        return schema

    def own_schema(self) -> dict[str, Any]:
        """Return the schema of values other than null, without description and default."""
        found = {name: getattr(self, key) for key, name in self.KEYWORDS.items()}
        return {"type": self.type} | {k: value for k, value in found.items() if value is not None}

    def inner(self) -> dict[str, Parameter]:
        """Return the parameters inside this parameter, keyed by the names that error messages use."""
        return {}


class String(_Parameter):
    """Text, with optional length bounds and an optional pattern (a regular expression, unanchored)."""

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

    def own_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a string, with the allowed values."""
        return {"type": "string", "enum": self.values}


class Array(_Parameter):
    """A list of items of one type. A coordinate is an array of two integers."""

    KEYWORDS: ClassVar[dict[str, str]] = {"min_items": "minItems", "max_items": "maxItems"}
    type: Literal["array"]
    items: Parameter
    min_items: Annotated[int, Field(ge=0)] | None = None
    max_items: Annotated[int, Field(ge=0)] | None = None
    default: list[Any] | None = None
    parts: list[str] = []
    """Names of the items if actions are text: with `[x, y]`, a coordinate is written as `x="3" y="4"`."""

    def own_schema(self) -> dict[str, Any]:
        """Return the JSON Schema, which contains the schema of the items."""
        return {**super().own_schema(), "items": self.items.json_schema()}

    def inner(self) -> dict[str, Parameter]:
        """Return the parameter that describes the items."""
        return {"[]": self.items}


class Object(_Parameter):
    """An object with named fields, or a map from any name to values of one type; without either, any object."""

    type: Literal["object"]
    fields: dict[str, Parameter] = {}
    """The fields; one with a default may be left out."""
    values: Parameter | None = None
    """The values of all names that are not in `fields`."""
    default: dict[str, Any] | None = None

    def own_schema(self) -> dict[str, Any]:
        """Return the JSON Schema, which contains the schemas of the fields and values."""
        if not self.fields:
            others = {"additionalProperties": self.values.json_schema()} if self.values else {}
            return {"type": "object", **others}
        shapes = {name: field.json_schema() for name, field in self.fields.items()}
        schema = object_schema(self.fields, shapes)
        if self.values:
            schema["additionalProperties"] = self.values.json_schema()
        return schema

    def inner(self) -> dict[str, Parameter]:
        """Return the parameter of each declared field, and the parameter of all other keys."""
        return {**self.fields, **({"*": self.values} if self.values else {})}


class Raw(_Parameter):
    """An existing JSON Schema (draft 2020-12), with its references replaced by their targets."""

    type: Literal["schema"] = "schema"
    raw: Annotated[dict[str, Any], Field(alias="schema")]
    default: Any = None

    @field_validator("raw")
    @classmethod
    def _inlined(cls, schema: dict[str, Any]) -> dict[str, Any]:
        return inlined(schema)

    def own_schema(self) -> dict[str, Any]:
        """Return the schema. The parameter's own description replaces the description in the schema."""
        return dict(self.raw)


def _with_type(given: Any) -> Any:
    """Add the type of a parameter that is written only as `schema:`."""
    if isinstance(given, dict) and "schema" in given and "type" not in given:
        return {"type": "schema", **given}
    return given


Parameter = Annotated[
    Annotated[
        String | Integer | Number | Boolean | Enum | Array | Object | Raw,
        Field(discriminator="type"),
    ],
    BeforeValidator(_with_type),
]
TYPES = ("string", "integer", "number", "boolean", "enum", "array", "object", "schema")


def object_schema(
    fields: Mapping[str, _Parameter], shapes: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the schema of an object with these fields. Fields without a default are required."""
    return {
        "type": "object",
        "properties": dict(shapes),
        "required": [name for name, field in fields.items() if not field.optional],
        "additionalProperties": False,
    }
