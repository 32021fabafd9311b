"""The command line of a rollout, the same in every variant."""

import argparse
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .. import env_spec, task_table
from ..arguments import clean_all, read_json
from ..models.connections import key_in
from ..models.model_server import Model, Options
from ..records import role_costs, rollout_files
from ..servers import loopback
from . import play
from .play import Assignment

EPISODE_SECONDS = 3600.0
SAMPLING = ("temperature", "top_p", "max_tokens", "seed", "stop")
"""Settings for a model, under the names that servers use."""


def parse(framework: str, url_variable: str | None = None) -> argparse.Namespace:
    """Parse the command line. End the program with a message if an argument is wrong or missing."""
    loopback.spare()  # here, before any client is made
    parser = argparse.ArgumentParser(description=f"Roll out {env_spec.TITLE} on {framework}.")
    parser.usage = "%(prog)s --model NAME --base-url URL [options]; --help lists all"
    which = parser.add_argument_group("which episodes")
    which.add_argument("--split", default=task_table.splits()[0], choices=task_table.splits())
    which.add_argument("--index", default="0", help="task index or inclusive range: 3, 0-9")
    which.add_argument("--task", help="a task as JSON, instead of split and index")
    which.add_argument("--seed", type=int, help="seed of the world; default: the task's own")
    turns = os.environ.get("MAX_TURNS") or env_spec.MAX_TURNS
    which.add_argument(
        "--max-turns", type=int, default=turns, help="maximum turns; default: MAX_TURNS if set"
    )
    which.add_argument("--samples", type=int, default=1, help="number of episodes per task")
    if env_spec.BEST_DIFFERS:
        help_text = 'JSON file with the maximum return of each task, as {"train/0": 0.7}'
        which.add_argument("--bests", type=Path, help=help_text)
    _add_model(parser.add_argument_group("the model and its request options (or $ROLLOUT_...)"))
    if env_spec.MODELS:
        _add_roles(
            parser.add_argument_group("the models inside the environment; default: stand-ins")
        )
    if url_variable:
        help_text = f"address of a running server (default: {url_variable}, otherwise a new server)"
        parser.add_argument("--url", default=os.environ.get(url_variable), help=help_text)
    parser.add_argument("--concurrency", type=int, default=8)
    help_text = "seconds after which a model that is still writing is stopped; its episode counts"
    parser.add_argument("--episode-seconds", type=number, default=EPISODE_SECONDS, help=help_text)
    parser.add_argument("--output", type=Path, help="new file; default: trajectories-TIME.jsonl")
    help_text = "continue --output FILE: play missing and failed episodes"
    parser.add_argument("--resume", action="store_true", help=help_text)
    parser.add_argument("--json", action="store_true", help="print only the summary, as JSON")
    parser.add_argument("--quiet", action="store_true", help="do not print the tool calls")
    args = parser.parse_args()
    try:
        _check(args)
    except (ValueError, LookupError, OSError) as error:
        parser.error(str(error.args[0] if isinstance(error, KeyError) else error))
    _check_secrets(bool(url_variable and args.url))
    try:
        _set_roles(args)
    except ValueError as error:
        parser.error(str(error))
    try:
        args.output = args.output or rollout_files.new_file(Path(), "trajectories")
    except OSError as error:
        parser.error(f"a file cannot be written here: {error}; name another place with --output")
    return args


def _add_model(group: Any) -> None:
    def setting(name: str, help_text: str, kind: Callable[[str], Any] = str, **more: Any) -> None:
        variable = f"ROLLOUT_{name.removeprefix('--').replace('-', '_').upper()}"
        given = os.environ.get(variable) or None
        group.add_argument(name, type=kind, default=given, help=help_text, **more)

    model = os.environ.get("ROLLOUT_MODEL")
    group.add_argument("--model", nargs="+", default=[model] if model else None)
    setting("--base-url", "OpenAI-compatible endpoint (key: ROLLOUT_API_KEY)")
    setting("--api", "API of the endpoint: chat (Chat Completions, the default) or responses")
    setting(
        "--temperature", "sampling temperature; default: the server's, as for all of these", number
    )
    setting("--top-p", "nucleus sampling", number)
    setting("--max-tokens", "maximum tokens per message", int)
    setting("--sampling-seed", "base seed of the model; sample k of a task uses seed + k", int)
    group.add_argument("--stop", nargs="+", default=_words(os.environ.get("ROLLOUT_STOP")))
    setting("--extra-body", "JSON object with additional request fields")
    group.add_argument("--stream", action="store_true", help="stream the server's replies")
    help_text = "do not send reasoning back to the model"
    group.add_argument("--strip-reasoning", action="store_true", help=help_text)
    former_name(group, "--drop-reasoning", "strip_reasoning", action="store_true")


def _add_roles(group: Any) -> None:
    name = env_spec.NAME.upper()
    roles = ", ".join(env_spec.MODELS)
    group.add_argument("--roles-model", help=f"model for all of {roles} (or {name}_ROLES_MODEL)")
    help_text = (
        f"its OpenAI-compatible endpoint (or {name}_ROLES_BASE_URL; key: {name}_ROLES_API_KEY)"
    )
    group.add_argument("--roles-base-url", help=help_text)
    help_text = "trajectories of which the replies of these models are played again"
    group.add_argument("--replies", type=Path, help=help_text)


def _set_roles(args: argparse.Namespace) -> None:
    """Put the settings of the models inside the environment into the process environment, which servers inherit.

    Requests to these models are recorded, because this program starts the server and keeps the record. Raises
    ValueError for a price that cannot be parsed.
    """
    if not env_spec.MODELS:
        return
    name = env_spec.NAME.upper()
    os.environ[f"{name}_RECORDS_REQUESTS"] = "1"
    given = {"ROLES_MODEL": args.roles_model, "ROLES_BASE_URL": args.roles_base_url}
    given["REPLIES"] = args.replies and str(args.replies.resolve())
    os.environ.update({f"{name}_{key}": value for key, value in given.items() if value})
    for role in env_spec.MODELS:
        role_costs.price(env_spec.NAME, role)
    if args.quiet:
        return
    from .. import role_replies  # only environments with models have it

    source = role_replies.Source({}, 0)
    for role in env_spec.MODELS:
        try:
            found = source.model(role)
            hint = f"; set {name}_ROLES_MODEL to ask a model" if found == "stand-in" else ""
            play.complain(f"the model {role}: {found}{hint}")
        except LookupError as error:
            play.complain(f"warning: {error}")


def former_name(group: Any, option: str, dest: str, **more: Any) -> None:
    """Accept an option's former name, but do not show this name in help texts."""
    group.add_argument(option, dest=dest, default=argparse.SUPPRESS, help=argparse.SUPPRESS, **more)


def number(text: str) -> float:
    """Return a finite number. argparse shows the name of this function in its messages."""
    value = float(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text} is not a finite number")
    return value


def _words(text: str | None) -> list[str] | None:
    return [text] if text else None


def _check(args: argparse.Namespace) -> None:
    """Add `assignments` and `models` to the arguments. Raises ValueError or LookupError if an argument is invalid."""
    if not args.model:
        raise ValueError("name a model with --model or ROLLOUT_MODEL")
    args.model = list(dict.fromkeys(args.model))
    if not 1 <= args.max_turns <= (most := env_spec.MAX_TURNS):
        raise ValueError(f"--max-turns is {args.max_turns}; this environment allows 1 to {most}")
    for name in ("concurrency", "samples"):
        if (value := getattr(args, name)) < 1:
            raise ValueError(f"--{name} is {value}; it must be at least 1")
    if args.episode_seconds <= 0:
        raise ValueError(f"--episode-seconds is {args.episode_seconds:g}; it must be more than 0")
    if args.resume and not (args.output and args.output.is_file()):
        raise ValueError("--resume needs --output FILE, the file to continue")
    if args.output and args.output.exists() and args.output.stat().st_size and not args.resume:
        raise ValueError(f"{args.output} exists; name a new file with --output, or add --resume")
    bests = getattr(args, "bests", None)
    args.bests = _object("--bests", bests.read_text("utf-8")) if bests else {}
    args.quiet = args.quiet or args.json
    args.assignments = _assignments(args)
    chosen = _options(args)
    tell = play.say if not args.quiet else play.complain
    for name in args.model:
        if why := loopback.unreachable(model_address(name, args.base_url)[0]):
            raise ValueError(why)
    args.models = {
        name: Model(name, *model_address(name, args.base_url), chosen, tell=tell)
        for name in args.model
    }


def _options(args: argparse.Namespace) -> Options:
    if args.api not in (None, "chat", "responses"):
        raise ValueError(f"--api is {args.api!r}; it is chat or responses")
    extra = _object("--extra-body", args.extra_body or "{}")
    values = {**vars(args), "seed": args.sampling_seed}
    sampling = {name: values[name] for name in SAMPLING if values[name] is not None}
    return Options(args.api or "chat", args.stream, not args.strip_reasoning, sampling, extra)


def _assignments(args: argparse.Namespace) -> list[Assignment]:
    chosen: list[tuple[str | None, int | None, dict[str, Any]]]
    if args.task:
        chosen = [(None, None, clean_all(_object("--task", args.task)))]
    else:
        first, _, last = args.index.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            raise ValueError(f"--index is {args.index!r}; write a number or a range such as 0-9")
        indices = range(int(first), int(last or first) + 1)
        if not indices:
            raise ValueError(f"--index is {args.index!r}; the range is empty")
        chosen = [(args.split, index, task_table.task_at(args.split, index)) for index in indices]
    seeds = [_seed(task) if args.seed is None else args.seed for _, _, task in chosen]
    return [
        Assignment(*at, seed, args.max_turns, sample)
        for at, seed in zip(chosen, seeds, strict=True)
        for sample in range(args.samples)
    ]


def _seed(task: dict[str, Any]) -> int:
    try:
        return int(task.get("seed", 0))
    except (TypeError, ValueError) as error:
        wrong = f"the seed of the task is {task['seed']!r}, not a whole number"
        raise ValueError(f"{wrong}: correct it, or give --seed") from error


def _object(option: str, text: str) -> dict[str, Any]:
    try:
        found = read_json(text)
    except ValueError as error:
        raise ValueError(f"{option} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f'{option} must be a JSON object, such as {{"a": 1}}')  # noqa: TRY004
    return found


def model_address(model: str, base_url: str | None) -> tuple[str, str]:
    """Return the base URL and key for a model. If a secret is missing, end the program and name the secret.

    Raises ValueError for an invalid address or key.
    """
    if base_url:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError(f"--base-url is {base_url!r}; write it as http://127.0.0.1:8000/v1")
        return base_url, key_in("ROLLOUT_API_KEY") or "none"
    openai = ("https://api.openai.com/v1", "OPENAI_API_KEY")
    url, variable = ("https://router.huggingface.co/v1", "HF_TOKEN") if ":" in model else openai
    if key := key_in(variable):
        return url, key
    sys.exit(f"error: {variable} is not set; {model} needs it (or give --base-url)")


def _check_secrets(served_elsewhere: bool) -> None:
    """End the program if a secret of the environment, or of its backend, is missing."""
    for secret in env_spec.SECRETS:
        if not os.environ.get(secret):
            sys.exit(f"error: {secret} is not set; this environment needs it")
    if env_spec.BACKEND != "none" and not served_elsewhere:  # otherwise the server has them
        import rl_env_sandbox

        try:
            rl_env_sandbox.backend()
        except rl_env_sandbox.SandboxUnavailable as error:
            sys.exit(f"error: {error}")
