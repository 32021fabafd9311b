"""Metrics where each framework has them, as its own clients, runners and aggregates read them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import httpx
import pytest

from skill_tools import pipeline
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import Turn
from skill_tools.policies.server import ANY_LABEL, PolicyEndpoint
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime.environment import child_environment
from tests.live.frameworks import FRAMEWORKS
from tests.measured import measured_counter, measured_sums
from tests.reports import unwanted

from .served import serving
from .test_messages import RIGHT, program, response
from .test_nemo_agent import SCRIPTS, TARGET, Bundled

pytestmark = pytest.mark.everything("frameworks")
WRITE = {"counter": measured_counter, "word_sums": measured_sums}


@pytest.mark.parametrize("name", WRITE)
def test_metrics_are_the_same_in_every_framework(name: str, tmp_path: Path) -> None:
    alike(WRITE[name](tmp_path / name), [*FRAMEWORKS])


def alike(folder: Path, frameworks: list[str]) -> None:
    """Build an environment; each variant reports the metrics of the bare domain."""
    found = pipeline.build(folder, frameworks, count=3)
    assert unwanted(found.report) == []
    bare = found.evidence.reference.episodes
    assert bare
    assert len({tuple((e.metrics or {}).values()) for by in bare.values() for e in by.values()}) > 2
    for framework in frameworks:
        for policy, by_label in found.evidence.variants.scripted[framework].items():
            for label, episode in by_label.items():
                assert episode.metrics == bare[policy][label].metrics, (framework, policy, label)


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = measured_sums(tmp_path_factory.mktemp("metrics") / "word_sums")
    pipeline.render(folder, [*FRAMEWORKS])
    return folder


OPENENV = """
import asyncio, json, sys
from openenv.core import GenericEnvClient

async def main():
    async with GenericEnvClient(base_url=sys.argv[1]) as env:
        await env.reset(split="train", index=0)
        played = await env.step({"type": "message", "text": sys.argv[2]})
        print(json.dumps([played.observation["result"]["metrics"], (await env.state())["metrics"]]))

asyncio.run(main())
"""


def test_openenvs_client_reads_metrics_in_the_result_and_the_state(
    sums: Path, tmp_path: Path
) -> None:
    with serving(sums, "openenv", tmp_path / "log") as url:
        printed = program(sums, "openenv", OPENENV, url, RIGHT)
    assert json.loads(printed) == [{"right": 1.0, "form": 1.0}] * 2


ORS = """
import json, sys
from openreward import EnvironmentsAPI

env = EnvironmentsAPI(base_url=sys.argv[1], api_key="none").get("word_sums", variant="word_sums")
(task,) = env.list_tasks(split="train")[:1]
for text in sys.argv[2:]:
    with env.session(task=task) as session:
        print(json.dumps(session.call_terminal_tool(text).metadata["metrics"]))
"""


def test_openrewards_client_reads_metrics_in_the_metadata(sums: Path, tmp_path: Path) -> None:
    with serving(sums, "ors", tmp_path / "log") as url:
        right, wrong = program(sums, "ors", ORS, url, RIGHT, "Answer: 7").splitlines()[-2:]
    assert json.loads(right) == {"right": 1.0, "form": 1.0}
    assert json.loads(wrong) == {"right": 0.0, "form": 1.0}


def test_nemo_gyms_verify_response_has_metrics_which_it_aggregates(
    sums: Path, tmp_path: Path
) -> None:
    rows = program(sums, "nemo_gym", "import server; server.dataset_rows.main(['train'])")
    row = json.loads(next(line for line in rows.splitlines() if line.startswith("{")))
    reported = []
    with serving(sums, "nemo_gym", tmp_path / "log") as url:
        for number, text in enumerate((RIGHT, "Answer: 7", "")):
            body = {**row, "response": response(text)}
            reported.append(httpx.post(f"{url}/verify", json=body).json())
            reported[-1] |= {"_ng_task_index": 0, "_ng_rollout_index": number}
        asked = {"verify_responses": reported}
        means = httpx.post(f"{url}/aggregate_metrics", json=asked).json()["agent_metrics"]
    assert [(each["right"], each["form"]) for each in reported] == [
        (1.0, 1.0),
        (0.0, 1.0),
        (0.0, 0.0),
    ]
    assert (means["mean/right"], means["mean/form"]) == pytest.approx((1 / 3, 2 / 3))


def test_nemo_gyms_agent_has_metrics_among_the_numbers_of_a_rollout(tmp_path: Path) -> None:
    folder = measured_counter(tmp_path / "counter")
    pipeline.render(folder, ["nemo_gym"])
    pipeline.bundle(folder, "nemo_gym", tmp_path / "bundle")
    python = variant_venv(load(folder), folder, FRAMEWORKS["nemo_gym"]).python
    answers, _ = Bundled(tmp_path / "bundle", python).play({"stopped": SCRIPTS["stopped"]})
    reported = answers["stopped"]
    assert (reported["excess"], reported["progress"]) == (0.0, 2 / TARGET)
    assert reported["info"]["metrics"] == {"progress": 2 / TARGET, "excess": 0.0}


def test_verifiers_records_metrics_on_the_trace(sums: Path, tmp_path: Path) -> None:
    venv = variant_venv(load(sums), sums, FRAMEWORKS["verifiers"])
    with PolicyEndpoint({"wrong": {ANY_LABEL: (Turn(text="Answer: 7"),)}}) as endpoint:
        options = ["-n", "1", "--model", "wrong", "--client.base-url", endpoint.base_url]
        options += ["--no-rich", "--no-push", "-o", str(tmp_path / "out")]
        run = subprocess.run(
            [*map(str, venv.script("vf-eval")), "word-sums", *options],
            cwd=sums / "verifiers",
            env=child_environment(FRAMEWORKS["verifiers"].environment),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    (traces,) = (tmp_path / "out").rglob("traces.jsonl")
    (trace,) = json.loads(traces.read_text("utf-8").splitlines()[0])["traces"]
    assert (trace["metrics"]["right"], trace["metrics"]["form"]) == (0.0, 1.0)


TEXT = {
    "gem": """
import json, sys, gem, word_sums_gem
env = gem.make("word_sums:train", index=0)
env.reset()
print(json.dumps(env.step(sys.argv[1])[4]["metrics"]))
""",
    "skyrl_gym": """
import json, sys, skyrl_gym, word_sums_skyrl
from skyrl_gym.metrics import aggregate_for_environment
place = {"extra_info": {"split": "train", "index": 0}}
reported = []
for text in (sys.argv[1], ""):
    env = skyrl_gym.make("word_sums", env_config={}, extras=place)
    env.init([])
    env.step(text)
    reported.append(env.get_metrics())
means = aggregate_for_environment("word_sums", reported)
print(json.dumps({name: 2 * means[name] for name in ("right", "form")}))
""",
}


@pytest.mark.parametrize("framework", TEXT)
def test_text_frameworks_read_metrics_in_info_and_in_means(sums: Path, framework: str) -> None:
    printed = program(sums, framework, TEXT[framework], RIGHT).splitlines()[-1]
    assert json.loads(printed) == {"right": 1.0, "form": 1.0}
