"""Functions that read the rows in files one by one: JSON lines, JSON, CSV and Parquet, optionally gzipped."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from skill_tools.errors import SkillToolsError

Row = Mapping[str, Any]
SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
"""Supported file types; all but the last may end in .gz."""
TEXTS = (".txt", ".md")
"""Further file types to compare with, in which each paragraph is a text."""
LONGEST_FIELD = 10_000_000
"""Maximum characters of a CSV field; the reader's default is 131,072."""
LONGEST_NAME = 30
"""Maximum characters of a split's name in a row's field; a longer text is something else."""
BATCH = 1_000
"""Rows of a Parquet file in memory at a time."""
_PART = re.compile(r"[-_.]\d+-of-\d+$")
"""Matches the suffix of a file that is one of several for a split."""


def split_of(path: Path) -> str:
    """Return the split in a file's name: train.jsonl and train-00000-of-00002.parquet belong to train."""
    name = path.name.removesuffix(".gz")
    return _PART.sub("", name.rpartition(".")[0]) or name


def rows_of(
    files: Sequence[Path], named: Sequence[tuple[str, Path]] = ()
) -> Iterator[tuple[str, Row]]:
    """Yield each row of some files with its split: the row's own ``split`` field, or otherwise the file's split.

    ``named`` are files with a given split. Raises SkillToolsError, naming the file, if the file's type is unknown
    or a line is not a row.
    """
    for path in files:
        for part, row in read_rows(path):
            own = row.get("split")
            told = own if isinstance(own, str) and len(own) <= LONGEST_NAME else ""
            name = told or part
            yield name if name.strip() and name.isprintable() else split_of(path), row
    for split, path in named:
        yield from ((split, row) for _, row in read_rows(path))


def read_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a file, each with the split that the file states, or "". See ``rows_of``."""
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if not path.is_file():
        raise SkillToolsError(
            f"{path} does not exist or is not a file\n    fix: name a file of rows"
        )
    if suffix not in SUFFIXES:
        raise SkillToolsError(
            f"{path} is not a file of rows in a known format\n    fix: name one that ends with {', '.join(SUFFIXES)}"
        )
    if suffix == ".parquet":
        yield from (("", row) for row in _parquet(path))
        return
    try:
        with _opened(path) as file:
            if suffix in (".csv", ".tsv"):
                yield from (("", row) for row in _table(path, file, suffix))
            elif suffix == ".json":
                yield from _whole(path, file)
            else:
                yield from (("", row) for row in _lines(path, file))
    except UnicodeDecodeError as error:
        raise SkillToolsError(
            f"{path} is not UTF-8 text: {error.reason} at byte {error.start}\n    fix: save the file as UTF-8"
        ) from error
    except (EOFError, gzip.BadGzipFile) as error:
        raise SkillToolsError(
            f"{path} is not a complete gzip file\n    fix: compress the file again"
        ) from error


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every text in a file's rows, or every paragraph of plain text, with its row number from 1."""
    if Path(path.name.removesuffix(".gz")).suffix.lower() in TEXTS and path.is_file():
        with _opened(path, errors="replace") as file:
            for number, text in enumerate(re.split(r"\n\s*\n", file.read()), 1):
                yield number, text
        return
    for number, (_, row) in enumerate(read_rows(path), 1):
        yield from ((number, text) for text in _strings(row, 0))


DEEPEST = 6
"""Maximum levels of lists and objects in which to look for texts."""


def _strings(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < DEEPEST and isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each, depth + 1)
    elif depth < DEEPEST and isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each, depth + 1)


@contextmanager
def _opened(path: Path, errors: str = "strict") -> Iterator[IO[str]]:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8-sig", errors=errors, newline="") as file:
            yield file
    else:
        with path.open(encoding="utf-8-sig", errors=errors, newline="") as file:
            yield file


def _lines(path: Path, file: IO[str]) -> Iterator[Row]:
    for number, line in enumerate(file, 1):
        if line.strip():
            yield _row(_parsed(line, f"{path}:{number}"), f"{path}:{number}")


def _whole(path: Path, file: IO[str]) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a JSON file, which may hold a list, an object with lists of objects, or JSON lines."""
    text = file.read()
    if _is_lines(text):
        yield from (("", row) for row in _lines(path, io.StringIO(text)))
        return
    data = _parsed(text, str(path))
    named = data.items() if isinstance(data, dict) else [("", data)]
    lists = {name: each for name, each in named if isinstance(each, list)}
    # There may be lists of other things next to the rows, such as keywords.
    rows = {n: each for n, each in lists.items() if each and isinstance(each[0], dict)} or lists
    if not rows:
        raise SkillToolsError(
            f"{path} does not hold a list of rows\n    fix: write a list of objects, or a list for each split"
        )
    for name, several in rows.items():
        for number, each in enumerate(several):
            yield name if len(rows) > 1 else "", _row(each, f"{path}: {name}[{number}]")


def _is_lines(text: str) -> bool:
    """Return whether a file has one JSON object per line instead of a single JSON value."""
    first, _, rest = text.strip().partition("\n")
    if not rest.strip():
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _table(path: Path, file: IO[str], suffix: str) -> Iterator[Row]:
    csv.field_size_limit(LONGEST_FIELD)
    reader = csv.DictReader(file, delimiter="\t" if suffix == ".tsv" else ",")
    try:
        for row in reader:
            if None in row:
                raise SkillToolsError(
                    f"{path}:{reader.line_num} has more fields than the first line names\n"
                    "    fix: quote fields that contain a comma or a line break"
                )
            yield row
    except csv.Error as error:
        raise SkillToolsError(
            f"{path}:{reader.line_num} cannot be read as a table row: {error}\n    fix: export the file again"
        ) from error


def _parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise SkillToolsError(
            "a Parquet file needs pyarrow, which is not installed next to skill-tools\n"
            "    fix: install it there (pip install pyarrow), or write the rows as .jsonl"
        ) from error
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=BATCH):
                yield from batch.to_pylist()
    except (ArrowException, OSError) as error:
        raise SkillToolsError(
            f"{path} is not a Parquet file: {error}\n    fix: export the file again"
        ) from error


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SkillToolsError(
            f"{where} is not JSON: {error}\n    fix: write one object per line, or a list in a .json file"
        ) from error


def _row(value: Any, where: str) -> Row:
    if not isinstance(value, dict):
        raise SkillToolsError(
            f"{where} is {type(value).__name__}, not an object of fields\n"
            '    fix: write each row as {"question": ..., "answer": ...}'
        )
    return value
