"""Options for use by programs: the findings that fail a run, the output format, and the known findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from skill_tools.cli.options import Json
from skill_tools.errors import SkillToolsError
from skill_tools.files import write_whole

if TYPE_CHECKING:
    from skill_tools.report.baseline import Baseline, Compared
    from skill_tools.report.formats import Ruled
    from skill_tools.report.gate import Gate
    from skill_tools.report.model import Report


@dataclass(frozen=True)
class GateOptions:
    """The parsed options, validated before anything is played.

    Attributes:
        form: The format to print.
        save: Formats, each with the file to write.
        known: The baseline, if the user gave a baseline.
        grow: The baseline file to write, and its current content.
        told: Whether the user gave any of these options.
    """

    gate: Gate
    form: str
    save: list[tuple[str, Path]] = field(default_factory=list)
    known: Baseline | None = None
    grow: tuple[Path, Baseline] | None = None
    told: bool = False


@dataclass(frozen=True)
class GateFlags:
    """The options of every command that prints a report, as the user wrote them."""

    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            help="findings that fail the run: fail, warn, note, never, unjudged or 'MEASURE>NUMBER'; "
            "comma-separated, repeatable. Default: fail, and unjudged if anything is played"
        ),
    ] = None
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="format to print: text (default), json, markdown, sarif, junit or github",
        ),
    ] = None
    output: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE",
            help="also save the report in this format, as FORMAT=FILE; repeatable",
        ),
    ] = None
    baseline: Annotated[
        Path | None, typer.Option(help="file of known findings, which do not fail the run")
    ] = None
    write_baseline: Annotated[
        Path | None, typer.Option(help="file to which all findings are written as known")
    ] = None
    as_json: Json = False

    def read(self, *, played: bool = True) -> GateOptions:
        """Validate the options before anything is played. ``played`` states whether the command plays and judges.

        Raises SkillToolsError for an invalid option.
        """
        from skill_tools.report import baseline
        from skill_tools.report.formats import TEXT, known_format
        from skill_tools.report.gate import read_gate

        if self.as_json and self.form not in (None, "json"):
            raise SkillToolsError(
                f"--json and --format {self.form} exclude each other\n    fix: use one of them"
            )
        grow, old = self.write_baseline, baseline.Baseline()
        if grow and grow.exists():
            old = baseline.read(grow)
        return GateOptions(
            read_gate(self.fail_on or (), played=played),
            "json" if self.as_json else known_format(self.form or TEXT),
            [_saved(each) for each in self.output or ()],
            baseline.read(self.baseline) if self.baseline else None,
            (_writable(grow), old) if grow else None,
            bool(self.fail_on or self.baseline or grow),
        )


def _saved(written: str) -> tuple[str, Path]:
    from skill_tools.report.formats import FORMATS, known_format

    form, equals, file = written.partition("=")
    if not (equals and file):
        raise SkillToolsError(
            f"--output {written!r} is not FORMAT=FILE\n    fix: write FORMAT=FILE, where FORMAT is one of "
            f"{', '.join(FORMATS)}"
        )
    if known_format(form) not in FORMATS:
        raise SkillToolsError(
            "--output cannot save the format text, which is for terminals\n    fix: save markdown instead"
        )
    return form, _writable(Path(file))


def _writable(file: Path) -> Path:
    """Return the file. Raise SkillToolsError before anything is played if the file's folder does not exist."""
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise SkillToolsError(
            f"{file} cannot be written\n    fix: name a file in a folder that exists"
        )
    return file


def tell(
    report: Report,
    asked: GateOptions,
    *,
    verbose: bool = False,
    page: Path | None = None,
    target: str = "",
    data: str = "",
    ran: bool = True,
) -> None:
    """Print the report in the requested format and save it. Exit with 1 if the gate fails.

    Only the requested format goes to standard output.

    Args:
        report: The report to print and save.
        asked: The parsed options.
        verbose: Whether to also print the details of findings.
        page: The report's page, if there is one.
        target: The target of an audit.
        data: JSON to print in place of the report's JSON.
        ran: Whether anything could be played; otherwise the exit code is 2.
    """
    from skill_tools.report import baseline
    from skill_tools.report.formats import FORMATS, TEXT
    from skill_tools.report.gate import UNJUDGED

    errors = Console(stderr=True, soft_wrap=True)
    lines: list[str] = []
    known = asked.known
    if asked.grow:
        file, old = asked.grow
        known = baseline.grown(old, report, asked.gate)
        more, less = baseline.difference(old, known)
        baseline.write(file, known)
        lines.append(
            f"wrote {file}: {len(known.known)} known, {len(more)} added, {len(less)} removed or reduced"
        )
    compared = baseline.compare(known, report) if known else None
    lines += baseline.told(compared, report.findings) if compared else []
    ruled = _ruled(report, asked, compared, target)
    for form, file in asked.save:
        _write(file, FORMATS[form](ruled))
    if asked.form == TEXT:
        _show(ruled, verbose, page)
    else:
        print(data if data and asked.form == "json" else FORMATS[asked.form](ruled))
    if asked.told or asked.form not in (TEXT, "json"):
        lines += [f"gate: {each.fails}" for each in ruled.failing] or ["gate: passes"]
    elif not ran:
        lines.append("exit code 2: no variant could be played, so nothing was judged")
    elif [each.name for each in ruled.failing] == [UNJUDGED]:
        lines.append(
            "exit code 1: the environment could not be judged (to accept this, use --fail-on fail)"
        )
    out = Console(soft_wrap=True) if asked.form == TEXT else errors
    for line in lines:
        out.print(line, markup=False, highlight=False)
    if not ran or ruled.failing:
        raise typer.Exit(1 if ran else 2)


def _ruled(report: Report, asked: GateOptions, compared: Compared | None, target: str) -> Ruled:
    from skill_tools.report.formats import Ruled

    known, fixed = (compared.known, tuple(compared.fixed)) if compared else (None, ())
    return Ruled(report, asked.gate, known, fixed, target=target)


def _show(ruled: Ruled, verbose: bool, page: Path | None) -> None:
    from skill_tools.report.terminal import print_report

    console = Console(soft_wrap=True)
    print_report(ruled.report, console, verbose=verbose, known=ruled.known)
    if page and page.is_file():
        console.print(f"Read the episodes: {page.as_uri()}", style="dim", markup=False)


def _write(file: Path, text: str) -> None:
    try:
        write_whole(file, text.rstrip("\n") + "\n")
    except OSError as error:
        raise SkillToolsError(
            f"{file} cannot be written: {error.strerror}\n    fix: name a file in a folder that you can write to"
        ) from None
