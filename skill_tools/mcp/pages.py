"""The results of the MCP tools, which are pages of the library's results with the next step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from skill_tools.mcp.answer_size import SHORT, lines_of, page, plain
from skill_tools.mcp.jobs import Job

State = Literal["running", "done", "failed", "cancelled"]
Data = dict[str, Any]
More = Annotated[int | None, Field(description="offset for the next call; null: nothing more")]
FIX_SPEC = "Fix env.yaml as each `fix` says, then call check_spec again."
ASK_TO_CHECK = (
    "env.yaml is valid; the domain, tasks and oracle were not examined, because that runs their "
    "code. Ask the user. If they agree, call check_spec with approve=true, once per folder. (For "
    "files you wrote yourself, a request to build counts as agreement.) render_env needs no approval."
)


class Answer(BaseModel):
    """A result with a description of the next step."""

    next: str = Field(description="what to do next")


class Page(Answer):
    """One page of a longer list."""

    total: int = Field(0, description="number of entries over all pages")
    next_offset: More = None


class Archetypes(Answer):
    """A summary of every kind of environment, or a full description of one kind."""

    archetypes: list[Data] = Field([], description="name, title, when, not_when, hallmarks")
    archetype: Data | None = Field(
        None,
        description="also questions (ask, default), defaults (values for env.yaml unless there is a "
        "reason), reward_shapes, risks (gamed, answer), checks (id or family: why it matters here)",
    )
    starter: str | None = Field(None, description="name for read_exemplar")
    starter_files: list[str] = []


class Frameworks(Answer):
    """A summary of every framework, or a full description of one framework."""

    frameworks: list[Data] = Field(
        [],
        description="name, title, requirements, python, transport, actions (tool-calls, or text that "
        "the environment parses), summary, docs, default (rendered unless env.yaml says otherwise)",
    )
    framework: Data | None = Field(
        None,
        description="also driver, turns, reward_and_end, state, vocabulary (our word: the framework's), "
        "pitfalls, blocking_pitfalls, publish",
    )


class SpecCheck(Page):
    """The problems with env.yaml and with the author's files."""

    ok: bool = Field(description="no problem was found")
    environment: str | None = None
    problems: list[Data] = Field([], description="of env.yaml or an import: where, what, fix")
    findings: list[Data] = Field([], description="check, name, status, message, fix")
    domain_checked: bool = Field(description="the author's Python was imported and examined")


class FileText(BaseModel):
    """Some lines of a file."""

    file: str
    text: str
    lines: int = Field(description="lines in the whole file")
    next_offset: More = None


class FileStates(Answer):
    """The files that rendering changed, or would change."""

    files: list[Data] = Field(
        [], description="path; state before: new, stale, missing, edited, orphan or kept"
    )
    changed: int = 0
    unchanged: int = 0
    written: bool


class Exemplars(Page):
    """A page of the environments to learn from."""

    exemplars: list[Data] = Field(
        [],
        description="name, title, about, files (path, lines), rendered_files (number of others, "
        "rendered; list them by exemplar=NAME)",
    )


class EpisodeShown(Page):
    """The data of a page about an episode, in addition to the content blocks with steps and pictures.

    ``total`` is the number of steps.
    """

    label: str
    framework: str
    policy: str
    end: str
    episode_return: float | None = Field(description="null: the episode has no score")


def show_file(file: str, text: str, offset: int, limit: int) -> FileText:
    """Return a page with as many lines of a text as fit."""
    lines = lines_of(text)

    def make(items: Sequence[str], more: int | None) -> FileText:
        return FileText(file=file, text="".join(items), lines=len(lines), next_offset=more)

    return page(lines, offset, limit, make)


def show_exemplars(rows: Sequence[Data], offset: int) -> Exemplars:
    """Return a page with as many exemplars as fit."""
    then = "Call read_exemplar with an exemplar's name and one of its files; env.yaml first."

    def make(items: Sequence[Data], more: int | None) -> Exemplars:
        shown = plain(list(items), SHORT)
        return Exemplars(exemplars=shown, total=len(rows), next_offset=more, next=then)

    return page(rows, offset, len(rows), make)


def show_rendering(rendering: Any, unrendered: Sequence[str]) -> FileStates:
    """Return the files that rendering changed or would change.

    ``unrendered`` are the other variants in env.yaml.
    """
    changes = rendering.changes
    if not rendering.written:
        then = "Call render_env without dry_run to write." if changes else "Nothing would change."
        if any(file.state == "edited" for file in changes):
            then += " It refuses while a file is edited, unless force=true (keeps a backup)."
    elif unrendered:
        then = (
            f"env.yaml also names {', '.join(unrendered)}, which are not rendered; validation reports "
            "this: call render_env without frameworks, or remove them from env.yaml."
        )
    else:
        then = "Call validate_env to play and check every variant."
    return FileStates(
        files=plain(changes[:100]),
        changed=len(changes),
        unchanged=len(rendering.files) - len(changes),
        written=rendering.written,
        next=then,
    )


def show_spec_check(
    problems: Sequence[Any], findings: Sequence[Any], offset: int, limit: int, **head: Any
) -> SpecCheck:
    """Return a page of the problems and then the findings; ``head`` has the fields that every page repeats."""
    rows = [("problems", plain(problem)) for problem in problems]
    rows += [("findings", plain(finding)) for finding in findings]

    def make(items: Sequence[tuple[str, Data]], more: int | None) -> SpecCheck:
        shown = {of: [row for kind, row in items if kind == of] for of in ("problems", "findings")}
        then = f"{head['next']} More: call it with offset={more}." if more else head["next"]
        return SpecCheck(**{**head, **shown, "next": then}, total=len(rows), next_offset=more)

    return page(rows, offset, limit, make)


def show_check_job(job: Job, offset: int, limit: int) -> SpecCheck:
    """Return a page with the result of checking the author's files."""
    found = job.result.get("findings", [])
    problems = [{"where": "domain", "what": job.error, "fix": ""}] * (job.state == "failed")
    if job.running:
        then = (
            "The domain is still being imported, which should take well under a second: look for "
            "an endless loop or slow work at import. Call check_spec again to continue waiting."
        )
    elif problems or found:
        then = "Fix the listed problems in env.yaml and the author's files, then call check_spec again."
    elif job.state == "cancelled":
        then = "The check was ended; call check_spec again."
    else:
        then = "Call render_env to write the variants, then validate_env to play them."
    return show_spec_check(
        problems,
        found,
        offset,
        limit,
        # Until it is over, nothing is known to be right.
        ok=job.state == "done" and not found,
        environment=job.result.get("environment"),
        domain_checked=job.state in ("done", "failed"),
        next=then,
    )
