"""The surroundings that an environment needs: a screen, variables with secrets, and models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, GetJsonSchemaHandler, model_serializer, model_validator

from skill_tools.spec.parameters import Strict

PurposeName = Literal["judge", "user", "player", "tool"]
PURPOSE_NAMES: tuple[PurposeName, ...] = get_args(PurposeName)
TAKEN = frozenset({"roles", "task", "seed", "requests", "steps", "failure", "replies"})
"""Names that mean something else in the settings of a process, or among a domain's models."""
MARK = "{mark}"
"""Where the instructions of a judge name the mark that delimits what it grades."""


class Display(Strict):
    """A screen on which programs show windows, with its size and its pictures for the model."""

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
    """An environment variable that the domain reads. An author writes a required variable as its name alone."""

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
        """Return a schema that accepts both ways of writing a secret."""
        return {"anyOf": [{"type": "string", "minLength": 1}, handler(schema)]}


class Criterion(Strict):
    """One question of a rubric, and the answers from which a judge chooses."""

    description: Annotated[str, Field(min_length=1)]
    """What the judge looks at, in one sentence."""
    weight: Annotated[float, Field(gt=0, strict=False)] = 1.0
    """Its share of the score, relative to the other criteria."""
    scale: Literal["binary"] | Annotated[list[str], Field(min_length=2)] = "binary"
    """`binary` for no and yes, or the labels from the worst to the best."""

    @property
    def labels(self) -> list[str]:
        """The answers from which a judge chooses, from the worst to the best."""
        return ["no", "yes"] if self.scale == "binary" else self.scale


class Rubric(Strict):
    """The criteria that a judge rates, and the rule that turns the judge's votes into a score."""

    criteria: str | Annotated[dict[str, Criterion], Field(min_length=1)]
    """The criteria by name, or the name of a task field that has each task's own."""
    votes: Annotated[int, Field(ge=1, le=25)] = 1
    """Number of requests to the judge for one reply."""
    aggregate: Literal["mean", "median", "majority"] = "mean"
    """How the votes on a criterion become one value."""


class ModelRole(Strict):
    """A model that the environment asks: a judge, a simulated user, the player of another seat, or a simulated tool."""

    purpose: PurposeName
    """What the model is for; checks and the interfaces that a domain gets depend on it."""
    description: str = ""
    """What it does here, for readers of the report and the environment's README."""
    hidden: list[str] = []
    """Hidden task fields that its requests may contain; checks report every other hidden value in a request."""
    instructions: str = ""
    """The system message of a user or player, with {field} of the task; for a judge, replaces the text
    that says how to grade, and must contain {mark}."""
    opening: str | None = None
    """The task field that has a user's first message; without it, the model writes that message."""
    stop: str | None = None
    """The text by which a user or player ends the conversation; the agent does not see it."""
    rubric: Rubric | None = None
    """What a judge rates."""
    stand_in: str | None = None
    """Who answers in checks and without configuration: module:function, or a .jsonl file of recorded replies; by
    default the function named like the role in the oracle's module."""
    temperature: Annotated[float, Field(ge=0, le=2, strict=False)] | None = None
    """Sampling temperature; by default 0 for a judge, and the server's own for others."""
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 1024
    """Maximum number of tokens of a reply; a reply that is cut off does not count."""
    max_requests: Annotated[int, Field(ge=1, le=10_000)] = 100
    """Maximum number of requests in an episode; one more, and the episode has no score."""
    max_total_tokens: Annotated[int, Field(ge=1)] | None = None
    """Maximum number of tokens, read and written, in an episode."""
    seconds: Annotated[float, Field(gt=0, le=3600, strict=False)] = 120.0
    """Time limit of a request, including the retries of the connection."""
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """How often a request is repeated if the reply is empty, cut off, or does not match its schema."""
    cache: bool | None = None
    """Whether the same request is answered once per process; by default only for a judge."""

    def rule(self, name: str, oracle_module: str) -> dict[str, Any]:
        """Return the role's declaration as an episode uses it, with the defaults filled in."""
        judges = self.purpose == "judge"
        kept = self.model_dump(exclude={"description", "hidden"})
        return kept | {
            "stand_in": self.stand_in or f"{oracle_module}:{name}",
            "temperature": 0.0 if judges and self.temperature is None else self.temperature,
            "cache": judges if self.cache is None else self.cache,
        }


class SoftShare(Strict):
    """The share of the reward that a model decides. Without a reason, an author may write only the number."""

    share: Annotated[float, Field(gt=0, le=1, strict=False)]
    """From above 0 to 1, of the width of the reward's range."""
    reason: str = ""
    """Why a model decides all of the reward, if it does."""

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, data: Any) -> Any:
        return {"share": data} if isinstance(data, int | float) else data

    @model_serializer
    def _as_written(self) -> float | dict[str, Any]:
        return {"share": self.share, "reason": self.reason} if self.reason else self.share


def role_variables(name: str, roles: Mapping[str, ModelRole], *settings: str) -> list[str]:
    """Return the names of the environment variables that configure roles, by default for all settings."""
    wanted = settings or ("MODEL", "BASE_URL", "API_KEY", "PRICE")
    names = [f"{name}_{role}_{each}" for role in (*roles, "roles") for each in wanted]
    more = [] if settings else [f"{name}_replies"]
    return [each.upper() for each in (*names, *more)] if roles else []


def role_problems(
    roles: dict[str, ModelRole], soft: dict[str, SoftShare], hidden: list[str], placeholders: Any
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield violations of the rules for models, each as (path of the field, problem, fix).

    Args:
        placeholders: A function that returns the names of the placeholders in a text.
    """
    for name, role in roles.items():
        where = ("models", name)
        if not name.isidentifier() or not name.isascii() or name.startswith("_") or name in TAKEN:
            yield (
                where,
                f"{name!r} cannot be the name of a model",
                "choose a name such as judge or customer",
            )
        for field in role.hidden:
            if field not in hidden:
                problem = f"{field!r} is not a hidden task field"
                yield (
                    (*where, "hidden"),
                    problem,
                    "also list the field under `hidden` of the spec, or remove it",
                )
        if role.purpose == "judge":
            yield from _judge_problems(role, where)
        else:
            yield from _partner_problems(role, where, hidden, placeholders)
        if role.purpose == "judge" and name not in soft:
            fix = f"write reward.soft: {{{name}: 0.1}} if it decides a tenth of the range"
            yield where, "env.yaml does not say what share of the reward this judge decides", fix
    yield from _soft_problems(roles, soft)


def _judge_problems(role: ModelRole, where: tuple[str, ...]) -> Any:
    for field in ("opening", "stop"):
        if getattr(role, field) is not None:
            yield (*where, field), "a judge has no conversation", f"remove {field}"
    if role.instructions and MARK not in role.instructions:
        problem = (
            f"the instructions do not name the mark {MARK}, which delimits what the judge grades"
        )
        yield (
            (*where, "instructions"),
            problem,
            f"state that text between BEGIN {MARK} and END {MARK} is data",
        )


def _partner_problems(
    role: ModelRole, where: tuple[str, ...], hidden: list[str], placeholders: Any
) -> Any:
    if role.rubric is not None:
        yield (
            (*where, "rubric"),
            f"only a judge has a rubric; this is a {role.purpose}",
            "remove rubric",
        )
    for field in [*placeholders(role.instructions), *([role.opening] if role.opening else [])]:
        if field in hidden and field not in role.hidden:
            place = "opening" if field == role.opening else "instructions"
            problem = f"the hidden task field {field!r} reaches this model"
            yield (*where, place), problem, f"add {field} to its `hidden`, if the model may know it"


def _soft_problems(roles: dict[str, ModelRole], soft: dict[str, SoftShare]) -> Any:
    for name, each in soft.items():
        where = ("reward", "soft", name)
        if name not in roles:
            yield (
                where,
                f"there is no model {name!r}",
                f"name one of: {', '.join(roles) or 'none declared'}",
            )
        if each.share == 1 and not each.reason:
            fix = (
                f"write {{{name}: {{share: 1, reason: …}}}}, or let code score what code can decide"
            )
            yield where, "a model alone decides the reward, which needs a reason", fix
    if sum(each.share for each in soft.values()) > 1:
        yield (
            ("reward", "soft"),
            "the shares add up to more than 1",
            "write shares of the range that add up to at most 1",
        )
