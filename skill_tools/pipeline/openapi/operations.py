"""The operations of an OpenAPI 3 document as tools, each with one flat object of arguments."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from skill_tools.errors import SkillToolsError
from skill_tools.pipeline.openapi.document import JOINED, WORDS, OpenApiDocument, as_object

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""The fields of a path that are operations."""
LONGEST_NAME = 64
"""Maximum characters of a tool's name that model servers accept."""
IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Headers that OpenAPI excludes from the parameters."""
BODIES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
"""Types of a body in order of preference; if none is offered, the first offered type is used."""
CREDENTIALS = "credentials belong to the domain that calls the service, not to the model"


class ListedTools(NamedTuple):
    """Tools by name, with their description and JSON Schema, and the omitted parts of their source with the reasons."""

    tools: dict[str, dict[str, Any]]
    left_out: tuple[str, ...] = ()


def is_openapi(document: Any) -> bool:
    """Return whether parsed data is a document of OpenAPI or of its predecessor Swagger."""
    return isinstance(document, dict) and bool({"openapi", "swagger"} & document.keys())


def read_openapi(document: Mapping[str, Any], file: Path) -> ListedTools:
    """Return the operations of a document as tools. References are followed only within the document.

    Raises SkillToolsError if the document is not OpenAPI 3, has no operation, or has an operation that cannot be
    read.
    """
    version = str(document.get("openapi", document.get("swagger")))
    if not version.startswith("3."):
        raise SkillToolsError(
            f"{file} is OpenAPI {version}, but only 3.x is supported\n"
            "    fix: convert it, for example with `npx swagger2openapi FILE`"
        )
    reading, tools = _Reading(document), dict[str, dict[str, Any]]()
    try:
        for name, tool in reading.operations():
            if name in tools:
                raise ValueError(
                    f"two operations have the name {name!r}\n    fix: give one of them another operationId"
                )
            tools[name] = tool
    except (ValueError, RecursionError) as error:
        raise SkillToolsError(f"{file}: {reading.where}: {error}") from error
    if not tools:
        raise SkillToolsError(f"{file} has no operations\n    fix: write them under `paths`")
    if document.get("webhooks"):
        reading.leave("webhooks are left out: the service sends them, not the agent")
    return ListedTools(tools, tuple(reading.left_out))


@dataclass
class _Reading(OpenApiDocument):
    """A document, and the place of the operation that is being read."""

    where: str = ""

    def operations(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the name and the tool of each operation."""
        self.where, self.credentials = "securitySchemes", set[tuple[str, str]]()
        schemes = as_object(self.document.get("components")).get("securitySchemes")
        for name, each in as_object(schemes).items():
            scheme = self.followed(each)
            kind, place = str(scheme.get("type")), ""
            if kind == "apiKey":
                place = f" in the {scheme.get('in')} {scheme.get('name')}"
                self.credentials.add((str(scheme.get("in")), str(scheme.get("name"))))
            self.leave(f"the security scheme {name} ({kind}{place}) is left out: {CREDENTIALS}")
        for path, each in as_object(self.document.get("paths")).items():
            self.where = str(path)
            item = self.followed(each)
            for method in METHODS:
                if isinstance(item.get(method), dict):
                    self.where = f"{method.upper()} {path}"
                    yield self.tool(method, str(path), item)

    def tool(self, method: str, path: str, item: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the name of an operation, and its tool with description and schema."""
        operation = item[method]
        named = operation.get("operationId") or f"{method}_{_snake(path)}"
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", str(named)).strip("_")[:LONGEST_NAME]
        said = [operation.get("summary"), operation.get("description")]
        words = dict.fromkeys(str(each).strip() for each in said if each)
        arguments: dict[str, tuple[dict[str, Any], bool]] = {}
        for where, parameter in self._parameters(item, operation):
            key = self._free(arguments, parameter["name"], where)
            required = where == "path" or parameter.get("required") is True
            arguments[key] = (self._schema_of(parameter), required)
        for key, schema, required in self._body(operation):
            arguments[self._free(arguments, key, "body")] = (schema, required)
        schema = {
            "type": "object",
            "properties": {key: schema for key, (schema, _) in arguments.items()},
            "required": [key for key, (_, required) in arguments.items() if required],
        }
        return name, {"description": "\n\n".join(words) or self.where, "schema": schema}

    def _parameters(
        self, item: Mapping[str, Any], operation: Mapping[str, Any]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the parameters of an operation with their places, such as the query.

        The operation's own parameters override the parameters of its path.
        """
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for each in [*(item.get("parameters") or ()), *(operation.get("parameters") or ())]:
            parameter = self.followed(each)
            found[str(parameter.get("in")), str(parameter.get("name"))] = parameter
        for (where, name), parameter in found.items():
            if (where, name) in self.credentials:
                continue
            if where == "cookie":
                self.leave(f"{self.where}: the cookie {name} is left out: the client keeps cookies")
            elif where != "header" or name.lower() not in IGNORED_HEADERS:
                yield where, {**parameter, "name": name}

    def _schema_of(self, parameter: Mapping[str, Any]) -> dict[str, Any]:
        content = as_object(parameter.get("content")).values()
        schemas = [as_object(each).get("schema") for each in content]
        schema = self.schema(next(filter(None, [parameter.get("schema"), *schemas]), {}))
        said = parameter.get("description")
        return {**schema, "description": str(said)} if said else schema

    def _body(self, operation: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
        """If a request body is an object, yield its fields. Otherwise yield the body as one argument."""
        if "requestBody" not in operation:
            return
        body = self.followed(operation["requestBody"])
        content = as_object(body.get("content"))
        kind = next((each for each in BODIES if each in content), next(iter(content), None))
        if kind is None:
            return
        if len(content) > 1:
            others = ", ".join(each for each in content if each != kind)
            self.leave(f"{self.where}: a body as {others} is left out: {kind} is used")
        needed = body.get("required") is True
        schema = self.schema(as_object(content[kind]).get("schema") or {"type": "string"})
        if "properties" not in schema or schema.keys() - JOINED - WORDS:
            said = body.get("description")
            yield "body", {**schema, **({"description": str(said)} if said else {})}, needed
            return
        for name, each in schema["properties"].items():
            yield name, each, needed and name in schema.get("required", ())

    def _free(self, taken: Mapping[str, Any], name: str, where: str) -> str:
        """Return a valid argument name that no other argument has."""
        key = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or where
        key = f"_{key}" if key[0].isdigit() else key
        key = f"{key}_" if keyword.iskeyword(key) or key == "self" else key
        key = f"{key}_{where}" if key in taken else key[:LONGEST_NAME]
        if key != name:
            self.leave(f"{self.where}: the {where} argument {name} is called {key}")
        return key


def _snake(path: str) -> str:
    """Return a path in snake case."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", path)
    return re.sub(r"\W+", "_", words).strip("_").lower()
