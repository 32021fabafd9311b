"""Secrets of an environment: variables that its processes get, and whether it can do without one."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, GetJsonSchemaHandler, model_serializer, model_validator
from pydantic_core import CoreSchema

from skill_tools.spec.parameters import Strict


class Secret(Strict):
    """An environment variable that the domain reads; an author writes it as its name alone, if it is required."""

    name: Annotated[str, Field(min_length=1)]
    """The name of the variable."""
    optional: bool = False
    """Whether the environment starts without it; the domain then does not find it in os.environ."""

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data

    @model_serializer
    def _as_written(self) -> str | dict[str, Any]:
        return {"name": self.name, "optional": True} if self.optional else self.name

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the schema of both ways to write a secret."""
        return {"anyOf": [{"type": "string", "minLength": 1}, handler(schema)]}
