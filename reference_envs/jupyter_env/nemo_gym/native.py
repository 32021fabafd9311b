"""Collect rollouts with NeMo Gym's own runner: `gym env start`, then `gym eval run`, with Ray.

Rendered from env.yaml; `skill-tools render` overwrites it.

    uv run python native.py rows --split NAME --output data/NAME.jsonl
    uv run python native.py run --model MODEL --input data/NAME.jsonl

gym looks for servers in folders named after their kind, so `run` lays those out as links in a
temporary folder, with the running venv as that of every server. Ray listens beyond loopback.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jupyter_domain._shared import play
from jupyter_domain._shared.env_spec import MAX_TURNS, NAME, TOOLS
from jupyter_domain._shared.episode import Episode
from jupyter_domain._shared.task_table import splits, tasks

HERE = Path(__file__).resolve().parent
GYM = Path(sysconfig.get_path("scripts")) / "gym"
ISOLATED = "NEMO_GYM_NATIVE_ISOLATED"


def main() -> int:
    """Read the command line and do what it says; returns the exit code."""
    parser = argparse.ArgumentParser(description=f"{NAME} in NeMo Gym's own runner.")
    commands = parser.add_subparsers(required=True)
    rows = commands.add_parser("rows", help="write a split as dataset rows, with their prompts")
    rows.set_defaults(do=write_rows)
    rows.add_argument("--split", default=splits()[0], choices=splits())
    rows.add_argument("--output", type=Path, required=True)
    run = commands.add_parser("run", help="collect rollouts")
    run.set_defaults(do=collect)
    run.add_argument("--model", default=os.environ.get("ROLLOUT_MODEL"))
    run.add_argument("--base-url", help="an OpenAI-compatible endpoint (key: ROLLOUT_API_KEY)")
    run.add_argument("--input", type=Path, default=HERE / "data" / "example.jsonl")
    run.add_argument("--output", type=Path, default=Path("results/rollouts.jsonl"))
    run.add_argument("--concurrency", type=int, default=8)
    run.add_argument(
        "--agent",
        default=f"{NAME}_agent",
        choices=[f"{NAME}_agent", f"{NAME}_simple_agent"],
        help="simple_agent needs rows with a prompt and plays on after the end",
    )
    args = parser.parse_args()
    return args.do(args)


def write_rows(args: argparse.Namespace) -> int:
    """Write one row per task; the prompt is spelled out, so that any agent can play it."""
    tools = [{"type": "function", "strict": False, **tool} for tool in TOOLS]
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("w", encoding="utf-8") as output:
        for index, task in enumerate(tasks(args.split)):
            episode = Episode(task)
            label = play.Assignment(args.split, index, task, episode.seed, MAX_TURNS).label
            row = {
                "responses_create_params": {
                    "input": episode.prompt,
                    "tools": tools,
                    "user": label,
                },
                "split": args.split,
                "index": index,
                "seed": episode.seed,
            }
            episode.close()
            output.write(json.dumps(row) + "\n")
    print(f"{args.output}: {len(tasks(args.split))} rows")
    return 0


def collect(args: argparse.Namespace) -> int:
    """Start the servers, collect the rollouts, stop everything."""
    if not args.model:
        sys.exit("error: name a model with --model or ROLLOUT_MODEL")
    endpoint, key = play.model_address(args.model, args.base_url)
    _isolate()
    config = NAME if args.agent == f"{NAME}_agent" else args.agent
    output = args.output.resolve()
    output.parent.mkdir(parents=True, exist_ok=True)
    failures = output.with_name(f"{output.stem}_failures.jsonl")
    failures.unlink(missing_ok=True)  # gym appends to it
    with tempfile.TemporaryDirectory(prefix="gym-") as folder:
        root = Path(folder)
        lay_out(root)
        options = [
            "+head_server.host=127.0.0.1",
            f"+head_server.port={_free_port()}",
            "+skip_venv_if_present=true",
            f"+uv_venv_dir={root / 'venvs'}",
        ]
        start = [GYM, "env", "start", "--config", f"resources_servers/{NAME}/configs/{config}.yaml"]
        start += ["--model-type", "openai_model", "--model", args.model]
        start += ["--model-url", endpoint, "--model-api-key", key]
        run = [GYM, "eval", "run", "--no-serve", "--agent", args.agent]
        run += ["--input", args.input.resolve(), "--output", output]
        run += ["--concurrency", str(args.concurrency), "+upload_rollouts_to_wandb=false"]
        environment = os.environ | {"RAY_TMPDIR": str(root / "ray"), "RAY_USAGE_STATS_ENABLED": "0"}
        with started([*start, *options], root, environment):
            code = subprocess.run(
                [*run, *options], cwd=root, env=environment, check=False
            ).returncode
    rewards = [row["reward"] for row in _lines(output)]
    failed = [row.get("_ng_failure_message", "no cause given") for row in _lines(failures)]
    for cause in failed:
        print(f"failed: {cause}", file=sys.stderr)
    mean = f", mean reward {sum(rewards) / len(rewards):g}" if rewards else ""
    print(f"{output}: {len(rewards)} rollouts{mean}; {len(failed)} failed")
    return code or int(bool(failed) or not rewards)


def lay_out(root: Path) -> None:
    """Make the folders that gym expects below `root`, as links."""
    for kind, name in (("resources_servers", NAME), ("responses_api_agents", f"{NAME}_agent")):
        server = root / kind / name
        server.mkdir(parents=True)
        for entry in HERE.iterdir():
            if entry.name not in ("pyproject.toml", "uv.lock", ".venv"):
                (server / entry.name).symlink_to(entry)
    for server in (
        f"resources_servers/{NAME}",
        f"responses_api_agents/{NAME}_agent",
        "responses_api_agents/simple_agent",
        "responses_api_models/openai_model",
        "environment_servers/legacy_agent",  # 0.7 puts one before every agent
    ):
        venv = root / "venvs" / server / ".venv"
        venv.parent.mkdir(parents=True)
        venv.symlink_to(sys.prefix)


@contextlib.contextmanager
def started(command: list[Any], root: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run `gym env start` from when all its servers answer until the end of the block."""
    log = root / "servers.log"
    with log.open("w") as output:
        gym = subprocess.Popen(
            command, cwd=root, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        while "servers ready! Polling" not in log.read_text(errors="replace"):
            if gym.poll() is not None:
                sys.exit(
                    f"{log.read_text(errors='replace')[-4000:]}\nerror: the servers did not start"
                )
            time.sleep(0.2)
        yield
    finally:
        for number, seconds in ((signal.SIGINT, 15), (signal.SIGKILL, 5)):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(gym.pid, number)
                gym.wait(seconds)


def _isolate() -> None:
    """Start over in a process namespace: however it ends, gym's servers and Ray end with it."""
    if os.environ.get(ISOLATED):
        return
    command = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command += ["--user", "--map-root-user"] if os.getuid() else []
    if shutil.which("unshare") and not subprocess.run([*command, "true"], check=False).returncode:
        os.execvpe("unshare", [*command, sys.executable, *sys.argv], os.environ | {ISOLATED: "1"})
    print(
        "note: no process namespace here; a kill -9 of this program leaves Ray behind",
        file=sys.stderr,
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def _lines(path: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


if __name__ == "__main__":
    sys.exit(main())
