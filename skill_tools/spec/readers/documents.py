"""Read the files that an environment's reader writes, within size limits, and report problems with their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from skill_tools.errors import Problem, SpecError
from skill_tools.spec.document import find_line, half_a_character, parse
from skill_tools.spec.mistakes import Place, typed_problems
from skill_tools.spec.parameters import Strict

Written = TypeVar("Written", bound=Strict)


def read_reader_file(
    path: Path,
    model: type[Written],
    write: str,
    find_more: Callable[[Written], Iterable[tuple[Place, str, str]]] = lambda _: (),
) -> Written | None:
    """Read a reader's file, or return None if it is missing.

    ``write`` is the advice in the error if the file is empty. ``find_more`` yields the place, description and fix
    of each problem that the model does not detect. Raises SpecError with every problem found, as for env.yaml.
    """
    if not path.is_file():
        return None
    data, text = parse(path, write, aliases=True)

    def where(place: Place) -> str:
        return find_line(path, text, place)

    if (half := half_a_character(data)) is not None:
        what = "contains half of a surrogate pair, which cannot be encoded"
        raise SpecError([Problem(where(half), what, "write the whole character")])
    try:
        found = model.model_validate(data)
    except ValidationError as error:
        raise SpecError(typed_problems(error, data, where, model, path.name)) from error
    if problems := [Problem(where(place), what, fix) for place, what, fix in find_more(found)]:
        raise SpecError(problems)
    return found
