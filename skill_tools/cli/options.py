"""Options that several commands share, each defined once, and groups of options that become one value."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from skill_tools.rollouts.options import RolloutOptions


@dataclass(frozen=True)
class Only:
    """A selection of a group's fields as options, each with a help text. "" keeps the field's own help text."""

    texts: Mapping[str, str]


def make_option(kind: type, name: str, **changes: Any) -> Any:
    """Return the command-line option for one field of a group. ``changes`` replace parts of the option."""
    (each,) = (each for each in fields(kind) if each.name == name)
    about = {**each.metadata, **changes}
    flag = about.pop("flag", f"--{name.replace('_', '-')}")
    return typer.Option(flag, **about)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each field of its dataclass parameters.

    typer reads the signature of the returned function. The command receives each group as one value.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, tuple[type, list[str]]] = {}
    given: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        hint = hints[name]
        kind, *extra = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if is_dataclass(kind):
            only = next((each.texts for each in extra if isinstance(each, Only)), None)
            members = list(_members(kind, only))  # type: ignore[arg-type]  # a class, as it is a hint
            groups[name] = (kind, [each.name for each in members])  # type: ignore[assignment]
            given += members
        else:
            given.append(parameter.replace(annotation=hint, kind=parameter.KEYWORD_ONLY))

    @functools.wraps(command)
    def run(**values: Any) -> None:
        made = {
            name: kind(**{each: _value(kind, each, values.pop(each)) for each in members})
            for name, (kind, members) in groups.items()
        }
        command(**values, **made)

    run.__signature__ = inspect.Signature(given)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in given}
    return run


def _members(kind: type, only: Mapping[str, str] | None) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    for each in fields(kind):
        text = "" if only is None else only.get(each.name)
        hint = None if text is None else _hint(kind, each, hints[each.name], text)
        if hint:
            default = None if each.default == () else each.default
            yield inspect.Parameter(
                each.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint
            )


def _hint(kind: type, each: Field[Any], hint: Any, text: str) -> Any:
    """Return typer's annotation for a field, or None if no option is needed. ``text`` replaces the help text."""
    if get_origin(hint) is Annotated:
        return hint
    if "help" not in each.metadata:
        return None
    plain = list[str] | None if each.default == () else hint
    return Annotated[plain, make_option(kind, each.name, **({"help": text} if text else {}))]


def _value(kind: type, name: str, value: Any) -> Any:
    default = next(each.default for each in fields(kind) if each.name == name)
    return tuple(value or ()) if default == () else value


Folder = Annotated[Path, typer.Argument(help="folder with env.yaml")]
Json = Annotated[bool, typer.Option("--json", help="print only JSON")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="also list the checks that passed")]
Framework = Annotated[
    str, typer.Option("--framework", "-f", help="framework of the variant to play")
]
Frameworks = Annotated[
    list[str] | None, typer.Option("--framework", "-f", help="framework to use, or all; repeatable")
]
Split = Annotated[str | None, make_option(RolloutOptions, "split")]
Splits = Annotated[
    list[str] | None, typer.Option("--split", help="split, or all; repeatable. Default: the first")
]
Index = Annotated[str, typer.Option(help="task index or inclusive range, such as 3 or 0-9")]
Seed = Annotated[int | None, make_option(RolloutOptions, "seed")]
NumTasks = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="number of tasks to play. Default: 10, or fewer in variants with expensive episodes",
    ),
]
Quick = Annotated[
    bool,
    typer.Option(
        "--quick", help="play only three tasks in each variant, for quick checks while writing"
    ),
]
Force = Annotated[bool, typer.Option(help="overwrite edited files, keeping a backup next to each")]
DryRun = Annotated[bool, typer.Option("--check", help="only report what would change")]
BaseUrl = Annotated[str | None, make_option(RolloutOptions, "base_url")]
MaxTokens = Annotated[int | None, make_option(RolloutOptions, "max_tokens")]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="cluster to play on: ray from one of its machines, otherwise ray://HOST:10001"
    ),
]
