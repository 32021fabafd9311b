"""What trainers read out of a variant: rewards, tasks and failures, each by the trainer's own rule."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import skill_tools
from skill_tools import pipeline
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment
from tests.conftest import ROOT, write_counter
from tests.selection import some

from .served import serving

FACTS = Path(__file__).with_name("verifiers_facts.py")
BREAKS = (
    "        if self.value + amount >",
    "        assert note != 'boom'\n        if self.value + amount >",
)
SHARE = "self.value / self.target"
GAMES: dict[str, list[tuple[str, str]]] = {
    "terminal": [BREAKS],
    "per_step": [BREAKS, ("        if self.value == ", f"        self.reward = {SHARE}\n        if self.value == ")],
    "post_episode": [
        BREAKS,
        ("            self.reward = 1.0\n", ""),
        ("    def look(", f"    def finish(self):\n        self.reward = {SHARE}\n\n    def look("),
    ],
}  # fmt: skip
"""By reward timing, what is changed in the counter's rules: a note breaks its world, and half pays."""


def counter(folder: Path, framework: str, timing: str = "terminal") -> Path:
    """The counter, which pays with a timing, rendered for a framework."""
    env = ("episode:", f"reward: {{timing: {timing}}}\nepisode:")
    tasks = ('"seed": i,', '"seed": 7,')
    pipeline.render(write_counter(folder, game=GAMES[timing], env=env, tasks=tasks), [framework])
    return folder


def ran(folder: Path, framework: str, code: str, *arguments: str) -> Any:
    """What a program of a trainer's side prints last, as JSON; it runs in the variant's venv."""
    facts, log = FRAMEWORKS[framework], folder / "program.log"
    done = supervise.run(
        [str(variant_venv(load(folder), folder, facts).python), "-c", code, *arguments],
        cwd=folder / framework,
        env=child_environment(facts.environment),
        timeout=120,
        log=log,
    )
    assert done.returncode == 0, done.log_tail
    return json.loads(log.read_text("utf-8").splitlines()[-1])


EPISODES = """\
import json, sys
from openreward import EnvironmentsAPI

STOP, BOOM = "the model stops", {"amount": 1, "note": "boom"}
WON = [{"amount": 9}, {"amount": 6}]
PLAYED = {
    "won": WON,
    "lost": [{"amount": 3}, *[{"amount": 9, "note": "too long"}] * 5],
    "stopped": [{"amount": 3}, STOP],
    "stopped at once": [STOP],
    "beyond": [*WON, {"amount": 1}, STOP],
    "stopped twice": [{"amount": 3}, STOP, STOP, {"amount": 1}],
    "broken": [{"amount": 3}, BOOM],
}
told = {}
with EnvironmentsAPI(base_url=sys.argv[1], api_key="") as api:
    environment = api.get("counter", variant="counter")
    for name, calls in PLAYED.items():
        rewards, metadata = told[name] = [], []
        with environment.session(split="train", index=0) as session:
            for call in calls:
                try:
                    answer = session.call_terminal_tool() if call == STOP else session.call_tool("add", call)
                except Exception as error:
                    assert call == BOOM, error
                    answer = None
                rewards.append(answer and answer.reward)
                metadata.append(answer and answer.metadata)
print(json.dumps(told))
"""
PAID: dict[str, dict[str, list[float | None]]] = {
    "terminal": {
        "won": [None, 1.0],
        "lost": [*[None] * 5, 0.0],
        "stopped": [None, 0.0],
        "stopped at once": [0.0],
        "beyond": [None, 1.0, None, None],
        "stopped twice": [None, 0.0, None, None],
        "broken": [None, None],
    },
    "per_step": {
        "won": [0.6, 0.4],
        "lost": [0.2, *[0.0] * 5],
        "stopped": [0.2, 0.0],
        "stopped at once": [0.0],
        "beyond": [0.6, 0.4, None, None],
        "stopped twice": [0.2, 0.0, None, None],
        "broken": [0.2, None],
    },
    "post_episode": {
        "won": [None, 1.0],
        "lost": [*[None] * 5, 0.2],
        "stopped": [None, 0.2],
        "stopped at once": [0.0],
        "beyond": [None, 1.0, None, None],
        "stopped twice": [None, 0.2, None, None],
        "broken": [None, None],
    },
}
"""What each call of an episode answers as its reward, by timing; the counter's target is 15."""


@pytest.mark.parametrize("timing", some(PAID, ["terminal"]))
def test_the_last_reward_that_ors_tells_is_the_one_that_counts(timing: str, tmp_path: Path) -> None:
    folder = counter(tmp_path / "counter", "ors", timing)
    with serving(folder, "ors", tmp_path / "log") as url:
        told = ran(folder, "ors", EPISODES, url)
    rewards = {name: pytest.approx(wanted) for name, wanted in PAID[timing].items()}
    assert {name: each for name, (each, _) in told.items()} == rewards

    # What the page gives to TRL, over what TRL's adapter keeps of an episode.
    page = (folder / "ors" / "README.md").read_text("utf-8")
    (block,) = re.findall(r"^```python\n(def paid.*?)^```$", page, re.MULTILINE | re.DOTALL)
    known: dict[str, Any] = {}
    exec(block, known)  # noqa: S102 - a page of ours
    kept = [SimpleNamespace(rewards=each, metadata=metadata) for each, metadata in told.values()]
    returns = dict(zip(told, known["paid"](kept), strict=True))
    lost = 0.0 if timing == "terminal" else pytest.approx(0.2)
    assert returns == {
        "won": 1.0,
        "lost": lost,
        "stopped": lost,
        "stopped at once": 0.0,
        "beyond": 1.0,
        "stopped twice": lost,
        "broken": None,
    }
    if timing != "per_step":  # one who keeps the last reward alone is right, too
        last = {name: [r for r in each if r is not None][-1:] for name, (each, _) in told.items()}
        assert last == {n: [] if r is None else [r] for n, r in returns.items()}


CONFIGURED = """\
import json, sys, tomllib
from pathlib import Path
from pydantic import ValidationError
import verifiers.v1 as vf
from verifiers.v1.utils.loaders import resolve_env_config

whole = Path("prime_rl.toml").read_text("utf-8")
told = []
for text in (whole, sys.argv[1]):
    [source] = tomllib.loads(text)["orchestrator"]["train"]["source"]
    config = resolve_env_config(source["env"])
    resolved = {name: harness.id for name, harness in config.agent_harnesses().items()}
    told.append([type(config).__name__, config.taskset.split, config.agent.runtime.type, resolved])
    vf.load_environment(config)

refused = {}
for harness in ("null", "bash", "counter"):
    named = {**source["env"], "agent": {"harness": {"id": harness}, "max_turns": 3}}
    try:
        told.append(resolve_env_config(named).agent.harness.id)
    except ValidationError as error:
        refused[harness] = [[".".join(each["loc"]), each["msg"]] for each in error.errors()]
print(json.dumps([told, refused]))
"""


def test_prime_rls_configuration_is_one_and_another_harness_is_refused_in_it(
    tmp_path: Path,
) -> None:
    folder = counter(tmp_path / "counter", "verifiers")
    page = (folder / "verifiers" / "README.md").read_text("utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    told, refused = ran(folder, "verifiers", CONFIGURED, block)
    right = ["CounterEnvConfig", "train", "subprocess", {"agent": "counter"}]
    assert told == [right, right, "counter"]
    for name in ("null", "bash"):
        ((place, said),) = refused.pop(name)
        assert place == "agent"
        assert said == (
            f"Value error, counter is played by its own harness, not by {name!r}: "
            "leave out agent.harness, or write id = 'counter'"
        )
    assert not refused


SEEDS = """\
import asyncio, json, sys
from openenv.core import GenericEnvClient

async def main():
    async with GenericEnvClient(base_url=sys.argv[1]) as env:
        async def opened(**named):
            result = (await env.reset(**named)).observation["result"]
            return [result["task"]["id"], result["seed"], result["data"]]

        listed = [await opened(split="train", index=index) for index in range(12)]
        by_seed = [await opened(seed=seed) for seed in range(24)]
        rest = {
            "nothing": await opened(),
            "a split": await opened(split="test", seed=5),
            "a place": await opened(index=2, seed=5),
        }
        return [listed, by_seed, rest]

print(json.dumps(asyncio.run(main())))
"""


def test_who_chooses_tasks_of_openenv_by_seed_alone_gets_them_all(tmp_path: Path) -> None:
    folder = tmp_path / "counter"
    pipeline.render(write_counter(folder), ["openenv"])
    with serving(folder, "openenv", tmp_path / "log") as url:
        listed, by_seed, rest = ran(folder, "openenv", SEEDS, url)
    assert len({name for name, _, _ in listed}) == 12
    assert by_seed == listed + listed
    assert rest["nothing"] == listed[0]
    assert rest["a split"][:2] == ["test-0", 99]
    assert rest["a place"][:2] == ["train-2", 5]


TWICE = """\
import asyncio, json, sys
import rollout
from openreward import AsyncEnvironmentsAPI

async def main():
    async with AsyncEnvironmentsAPI(base_url=sys.argv[1], api_key="") as api:
        environment = api.get("counter", variant="counter")
        async with environment.session(split="train", index=0) as entered:
            session = rollout.Session(entered)
            await session.open()
            seen = [(await session.call("add", {"amount": 3, "note": ""}))["reward"]]
            seen.append(await session.end())
            try:
                seen.append(await session.end())
            except ConnectionError as error:
                seen.append(str(error))
    return seen

print(json.dumps(asyncio.run(main())))
"""


@pytest.mark.everything("frameworks")
def test_a_rollout_on_ors_counts_null_as_nothing_and_never_a_lost_reward(tmp_path: Path) -> None:
    folder = counter(tmp_path / "counter", "ors", "post_episode")
    with serving(folder, "ors", tmp_path / "log") as url:
        told = ran(folder, "ors", TWICE, url)
    lost = "the episode was ended twice: the connection was lost amid it"
    assert told == [0.0, pytest.approx(0.2), lost]


AUDITED = """\
import asyncio, json, sys
sys.path[:0] = sys.argv[1:]
import counter_skyrl
from driver import SkyRLDriver

driver = SkyRLDriver()
driver.id = "counter"
driver.rows = [{"prompt": [], "extra_info": {"split": "train", "index": 0}}]

async def main():
    session = await driver.open({"index": 0})
    good = await session.call("say", {"text": "<look/>"})
    try:
        return [good.done, (await session.call("say", {"text": '<add amount="1" note="boom"/>'})).reward]
    except RuntimeError as error:
        return [good.done, str(error)]

print(json.dumps(asyncio.run(main())))
"""


def test_an_audit_of_skyrl_sees_a_failed_episode_where_training_only_ends_it(
    tmp_path: Path,
) -> None:
    folder = counter(tmp_path / "counter", "skyrl_gym")
    rooms = ROOT / "skill_tools"
    places = [str(rooms / "audit" / "drivers"), str(rooms / "frameworks" / "skyrl_gym")]
    done, failed = ran(folder, "skyrl_gym", AUDITED, *places)
    assert not done
    assert failed.startswith("the environment failed in add(): AssertionError")


@pytest.mark.parametrize(
    ("trainer", "framework", "program"),
    [
        ("skyrl", "skyrl_gym", ["counter_skyrl.py", "--split", "train", "--output", "rows.jsonl"]),
        ("nemo_gym", "nemo_gym", ["server.py", "rows", "train"]),
    ],
)
def test_tasks_are_written_as_the_variant_writes_them(
    trainer: str, framework: str, program: list[str], tmp_path: Path
) -> None:
    folder = counter(tmp_path / "counter", framework)
    facts, log = FRAMEWORKS[framework], tmp_path / "program.log"
    python = variant_venv(load(folder), folder, facts).python
    environment = child_environment(facts.environment)
    place = folder / framework
    done = supervise.run([str(python), *program], cwd=place, env=environment, timeout=120, log=log)
    assert done.returncode == 0, done.log_tail
    written = place / "rows.jsonl" if trainer == "skyrl" else log
    theirs = [json.loads(x) for x in written.read_text("utf-8").splitlines() if x.startswith("{")]
    skill_tools.write_dataset(folder, tmp_path / "ours.jsonl", trainer, "train")
    ours = [json.loads(x) for x in (tmp_path / "ours.jsonl").read_text("utf-8").splitlines()]
    assert len(ours) == 12
    assert ours == theirs


@pytest.fixture(scope="module")
def served_by_verifiers(
    tmp_path_factory: pytest.TempPathFactory,
) -> list[tuple[str, dict[str, Any]]]:
    """What Verifiers' environment server gives a trainer of episodes of one task, played at once."""
    folder = counter(tmp_path_factory.mktemp("served") / "counter", "verifiers")
    facts = FRAMEWORKS["verifiers"]
    done = supervise.run(
        [variant_venv(load(folder), folder, facts).python, FACTS, folder.parent / "tokenizer"],
        cwd=folder / "verifiers",
        env=child_environment({**facts.environment, "HF_HUB_OFFLINE": "1"}),
        timeout=180,
        log=folder.parent / "log",
    )
    assert done.returncode == 0, done.log_tail
    told = (folder.parent / "log").read_text("utf-8").splitlines()
    found = json.loads(next(line for line in told if line.startswith("[[")))
    return [(name, each) for name, each in found]


def test_a_trainer_gets_of_verifiers_what_the_world_paid_and_no_reward_of_a_broken_one(
    served_by_verifiers: list[tuple[str, dict[str, Any]]],
) -> None:
    paid = {name: each["reward"] for name, each in served_by_verifiers if not each["error"]}
    assert paid == {"won": 1.0, "lost": 0.0, "stopped": 0.0}
    broken = dict(served_by_verifiers)["broken"]
    assert broken["error"].startswith("TaskError: ")
    assert "the environment failed in add()" in broken["error"]


def test_a_trainer_gets_the_tokens_that_the_model_wrote_and_no_others_to_train_on(
    served_by_verifiers: list[tuple[str, dict[str, Any]]],
) -> None:
    won = [each for name, each in served_by_verifiers if name == "won"]
    assert won[0] == won[1], "episodes of a group do not touch each other"
    [branch] = won[0]["branches"]
    calls = [json.dumps({"name": "add", "arguments": {"amount": n}}) for n in (9, 6)]
    assert branch["trained"] == "".join(
        f"<tool_call>\n{each}\n</tool_call><|im_end|>" for each in calls
    )
    assert branch["logprobs"] == [-0.5]
    assert "The counter is at 9." in branch["shown"]
    stopped = dict(served_by_verifiers)["stopped"]["branches"]
    assert "".join(each["trained"] for each in stopped).endswith("I give up.<|im_end|>")
