"""What the MCP tools answer: the shape of every result, and how it is made of the library's."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

State = Literal["running", "done", "failed", "cancelled"]


More = Annotated[int | None, Field(description="offset to call again with for more; null: none")]


class Answer(BaseModel):
    """What all answers have in common."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)


class Archetype(Answer):
    """A kind of environment, and when to choose it."""

    name: str
    title: str
    when: str
    not_when: dict[str, str] = Field(description="sign: the sibling to choose instead")
    hallmarks: list[str]


class Question(Answer):
    """What to ask the user, and what holds if they do not say."""

    ask: str
    default: str


class Risk(Answer):
    """How an agent earns reward without doing the task, and what to do about it."""

    gamed: str
    answer: str


class ArchetypeFacts(Archetype):
    """All that is known of one archetype."""

    questions: list[Question]
    defaults: dict[str, Any] = Field(description="what env.yaml says unless there is a reason")
    reward_shapes: list[str]
    risks: list[Risk]
    checks: dict[str, str] = Field(description="check family or id: why it matters here")
    exemplar: str = Field(description="name for read_exemplar")
    starter_files: list[str]


class Archetypes(Answer):
    """Every archetype in short, or one in full."""

    archetypes: list[Archetype] = []
    archetype: ArchetypeFacts | None = None
    next: str


class Framework(Answer):
    """A framework, and when to choose it."""

    name: str
    title: str
    requirements: list[str]
    python: str
    transport: str
    actions: str = Field(description="tool-calls, or text that the environment parses")
    summary: str
    docs: str
    default: bool = Field(description="rendered unless env.yaml says otherwise")


class FrameworkFacts(Framework):
    """All that is known of one framework."""

    driver: str
    turns: str
    reward_and_end: str
    state: str
    vocabulary: dict[str, str] = Field(description="our word: what this framework calls it")
    pitfalls: list[str]
    blocking_pitfalls: list[str]
    publish: str


class Frameworks(Answer):
    """Every framework in short, or one in full."""

    frameworks: list[Framework] = []
    framework: FrameworkFacts | None = None
    next: str


class Problem(Answer):
    """One thing that is wrong in env.yaml or the author's files."""

    where: str
    what: str
    fix: str = ""


class Finding(Answer):
    """What a check says."""

    check: str
    name: str
    status: Literal["pass", "fail", "skip"]
    message: str = ""
    fix: str = ""


class SpecCheck(Answer):
    """What is wrong with env.yaml and with the author's files."""

    ok: bool = Field(description="nothing was found to be wrong")
    environment: str | None = None
    problems: list[Problem] = []
    findings: list[Finding] = Field([], description="checks that failed")
    domain_checked: bool = Field(description="the author's Python was imported and looked at")
    total: int = Field(0, description="problems and findings in all")
    next_offset: More = None
    next: str


class FileText(Answer):
    """Some lines of a file."""

    file: str
    text: str
    lines: int = Field(description="lines in the whole file")
    next_offset: More = None


class FileChange(Answer):
    """A file of the plan that is, or was, not as it should be."""

    path: str
    state: str = Field(description="new, stale, missing, edited, orphan or kept, before writing")


class Rendered(Answer):
    """What rendering changed, or would change."""

    files: list[FileChange] = []
    changed: int = 0
    unchanged: int = 0
    written: bool
    next: str


class CheckFacts(Answer):
    """What a check looks for, why, and what to do when it fails."""

    id: str
    name: str
    family: str
    what: str
    why: str
    fix: str


class ExemplarFile(Answer):
    """A file to read."""

    path: str
    lines: int


class Exemplar(Answer):
    """An environment to learn from."""

    name: str
    title: str
    about: str
    files: list[ExemplarFile]
    rendered_files: int = Field(0, description="more files, rendered; list them by exemplar=NAME")


class Exemplars(Answer):
    """The environments to learn from."""

    exemplars: list[Exemplar] = []
    next_offset: More = None
    next: str


class Variant(Answer):
    """How one variant (or the bare domain) was played."""

    framework: str
    versions: dict[str, str] = {}
    returns: dict[str, float | None] = Field({}, description="mean return by policy")
    episodes: int = 0
    failed: int = 0
    broken: str = Field("", description="why it did not run at all")


class Report(Answer):
    """What holds for an environment."""

    ok: bool
    title: str
    split: str | None
    tasks: int
    variants: list[Variant]
    counts: dict[str, int] = Field(description="checks by status")
    findings: list[Finding] = Field(description="failed ones first, then skipped; paged")
    not_played: str = Field("", description="what a green report says nothing about")
    report_file: str = Field("", description="the whole report, with an episode to read")


class Step(Answer):
    """One tool call and what it brought."""

    tool: str
    arguments: dict[str, Any] | list[Any] | str | float | bool | None
    observation: str
    reward: float | None = Field(description="null where it is not a finite number")
    done: bool
    error: str | None = None


class Episode(Answer):
    """One task as a policy played it."""

    label: str
    end: str
    returned: float | None = Field(None, alias="return")
    failure: str = ""
    first_step: int = Field(0, description="position in the episode of the first step shown")
    steps: list[Step] = []


class Job(Answer):
    """Work that goes on while nobody waits, and what came of it."""

    job: str = Field(description="id for get_job")
    kind: str
    env_path: str
    state: State
    seconds: float
    progress: list[str] = Field([], description="its last lines")
    error: str = ""
    report: Report | None = Field(None, description="of a validation that is done")
    episodes: list[Episode] | None = Field(None, description="of a rollout that is done; paged")
    total: int = Field(0, description="findings, or steps, in all")
    next_offset: More = None
    next: str


_SPOKEN = {
    "`skill-tools render --force`": "render_env with force=true",
    "`skill-tools render`": "render_env",
    "skill-tools explain takes": "explain_check takes",
    "use --force (keeps a backup)": "call render_env with force=true (keeps a backup)",
    "render with --force": "call render_env with force=true",
}


def spoken(text: str) -> str:
    """A message of the library's in the words of whoever calls MCP tools, not commands."""
    for command, tool in _SPOKEN.items():
        text = text.replace(command, tool)
    return text
