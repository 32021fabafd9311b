"""Facts from the source of the author's files, read without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def parsed(path: Path) -> ast.Module:
    """Return the file's syntax tree; an empty tree if the file is not valid Python."""
    try:
        return ast.parse(path.read_text("utf-8-sig"))
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def imports(tree: ast.Module) -> Iterator[str]:
    """Yield every module that a file imports, as written; relative imports keep their dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            dots, module = "." * node.level, node.module or ""
            yield f"{dots}{module}"
            before = f"{dots}{module}." if module else dots
            yield from (f"{before}{alias.name}" for alias in node.names)


def variables(tree: ast.Module) -> dict[str, int]:
    """Return the environment variables that a file reads by literal name, with their lines.

    Variables that the file sets itself are left out.
    """
    found: dict[str, int] = {}
    own: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value, ast.Constant(str(name)), context) if _is_environ(value):
                if isinstance(context, ast.Store):
                    own.add(name)
                else:
                    found.setdefault(name, node.lineno)
            case ast.Call(ast.Attribute(value, "get" | "pop"), [ast.Constant(str(name)), *_]):
                if _is_environ(value):
                    found.setdefault(name, node.lineno)
            case ast.Call(
                ast.Name("getenv") | ast.Attribute(_, "getenv"), [ast.Constant(str(name)), *_]
            ):
                found.setdefault(name, node.lineno)
    return {name: line for name, line in found.items() if name not in own}


def _is_environ(node: ast.expr) -> bool:
    """Return whether an expression is `os.environ`, however `os` or `environ` was imported."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == "environ"
