"""Rules for equal observations: unchanged, as JSON values, or after a declared normalization."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from skill_tools.checks.reading.variation import comparable
from skill_tools.errors import SkillToolsError
from skill_tools.spec.model import VaryingName

RULES_FILE = "port.yaml"
"""The author's file of rules, next to env.yaml."""


class Replacement(BaseModel):
    """A pattern, and the text that replaces all of its matches before a comparison."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pattern: str
    by: str

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return pattern


class EqualityRules(BaseModel):
    """Permitted differences between an environment and its original, declared in port.yaml.

    Attributes:
        varies: Kinds of text that differ between runs, as in env.yaml.
        replace: Patterns and their replacements.
        ignore: Fields of JSON objects that are not compared.
        unordered: Fields whose lists are compared without order.
        tools: The names of tools in this environment, by their names in the original, if these differ.
        tolerance: Maximum difference of two rewards or of two numbers in JSON.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    varies: list[VaryingName] = []
    replace: list[Replacement] = []
    ignore: list[str] = []
    unordered: list[str] = []
    tools: dict[str, str] = {}
    tolerance: Annotated[float, Field(ge=0.0)] = 1e-9

    def same_text(self, ours: str, theirs: str) -> bool:
        """Return whether two observations are equal under these rules."""
        ours, theirs = self.plain(ours), self.plain(theirs)
        if ours == theirs:
            return True
        left, right = _as_json(ours), _as_json(theirs)
        return left is not None and right is not None and self._same(left, right, "")

    def same_number(self, ours: float, theirs: float) -> bool:
        """Return whether two rewards are equal within the tolerance."""
        return math.isclose(ours, theirs, rel_tol=0.0, abs_tol=self.tolerance)

    def plain(self, text: str) -> str:
        """Return a text without its permitted differences."""
        text = str(comparable(text.strip(), self.varies))
        for each in self.replace:
            text = re.sub(each.pattern, each.by, text)
        return text

    def _same(self, left: Any, right: Any, field: str) -> bool:
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            names = [name for name in {**left, **right} if name not in self.ignore]
            return all(
                name in left and name in right and self._same(left[name], right[name], name)
                for name in names
            )
        if isinstance(left, list) and isinstance(right, list):
            return len(left) == len(right) and self._same_items(left, right, field)
        if _is_number(left) and _is_number(right):
            return self.same_number(left, right)
        if isinstance(left, str) and isinstance(right, str):
            return self.plain(left) == self.plain(right)
        return type(left) is type(right) and bool(left == right)

    def _same_items(self, left: Sequence[Any], right: Sequence[Any], field: str) -> bool:
        if field not in self.unordered:
            return all(self._same(one, other, "") for one, other in zip(left, right, strict=True))
        rest = list(right)
        for one in left:
            at = next((n for n, other in enumerate(rest) if self._same(one, other, "")), None)
            if at is None:
                return False
            del rest[at]
        return True


def read_rules(file: Path) -> EqualityRules:
    """Return the rules in a file; the default rules if the file is missing.

    Raises SkillToolsError if the rules are invalid.
    """
    if not file.is_file():
        return EqualityRules()
    try:
        data = YAML(typ="safe", pure=True).load(file.read_text("utf-8")) or {}
        return EqualityRules.model_validate(data)
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        raise SkillToolsError(f"{file} cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        known = ", ".join(EqualityRules.model_fields)
        raise SkillToolsError(
            f"{file}: {place}: {first['msg']}\n    fix: the fields are {known}"
        ) from error


def _as_json(text: str) -> Any:
    if text[:1] not in "[{":
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
