"""What an environment needs of the machine it runs on: a screen, and variables with secrets."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler, model_serializer, model_validator

from skill_tools.spec.parameters import Strict


class Display(Strict):
    """A screen on which programs show windows: its size, and its pictures for the model."""

    width: Annotated[int, Field(ge=320, le=3840)] = 1024
    """Width of the screen in pixels."""
    height: Annotated[int, Field(ge=240, le=2160)] = 768
    """Height of the screen in pixels."""
    format: Literal["png", "jpeg", "webp"] = "png"
    """The format in which pictures are compressed; png is lossless."""
    quality: Annotated[int, Field(ge=1, le=100)] = 80
    """Quality of jpeg and webp pictures; 100 is the best."""
    unchanged: Literal["repeat", "note"] = "note"
    """What an action that changed nothing returns: the same picture again, or a note."""
    programs: list[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+.-]*$")]] = []
    """Debian packages of the programs that tasks start."""
    tolerance: Annotated[float, Field(ge=0, le=0.5, strict=False)] = 0.0
    """The share of pixels that may differ when the same actions are replayed."""


class SecretVariable(Strict):
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
        cls, schema: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the schema of both ways to write a secret."""
        return {"anyOf": [{"type": "string", "minLength": 1}, handler(schema)]}
