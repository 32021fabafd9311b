"""docs/train.md: the trainers that have no release on PyPI, from the commits that the page names.

Only the model is ours, which says given messages where one on a GPU would.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import tarfile
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from uv import find_uv_bin

import skill_tools
from skill_tools import pipeline
from skill_tools.runtime import interpreters, venvs
from skill_tools.runtime.environment import child_environment
from tests.conftest import link_harness, write_counter
from tests.live.test_nemo_agent import OVERFLOWS, TARGET, Bundled, bundled, completion, row_of
from tests.live.test_trainers import BREAKS

from .pages import PAGE, lines

__all__ = ["bundled"]

PROGRAMS = Path(__file__).parent / "trainers"
ON_DISK = Path(os.environ.get("TRAINER_SOURCES", "."))
"""A folder with copies of git repositories, as OWNER+NAME/repo; those it lacks come from GitHub."""
COMMITS = {
    "alibaba/ROLL": "8eb27cc2dc34c4d1310b169d9b86d339004d811a",
    "NVIDIA-NeMo/RL": "7ea279abfbeb698b092856d0dab61e7cf39bc909",
    "rllm-org/rllm": "9beb6e0f676a46d38858991fd79ac5f8e0b16d4c",
    "sail-sg/oat": "c1a074c320ff5ca9fe9a4f669bf05208e2f310be",
}
SHARED = (
    "torch", "ray[default]", "tensordict", "codetiming", "omegaconf>=2.3", "hydra-core>=1.3",
    "transformers<5.12", "datasets>=4", "pyarrow<23", "dacite", "more-itertools", "jsonlines", "peft", "openai", "httpx", "fastapi",  # noqa: E501
    "uvicorn", "opentelemetry-exporter-otlp", "modelscope", "TransferQueue==0.1.6", "pynvml", "math-verify", "latex2sympy2-extended",  # noqa: E501
    "gem-llm==0.0.4", "requests", "rstr", "jsonschema", "pillow",
    "soundfile", "scipy", "absl-py", "wandb", "mlflow-skinny", "swanlab", "tensorboard",
)  # fmt: skip
"""What ROLL and NeMo RL import on the way to what plays an episode."""
RLLM = (
    "openai", "httpx", "fastapi", "uvicorn", "aiosqlite", "renderers>=0.1.7", "transformers", "omegaconf",
    "datasets", "polars", "pandas", "pillow", "codetiming", "hydra-core", "jsonschema", "tqdm", "click", "rich",
)  # fmt: skip
TRAINED = {
    "won": '<add amount="9"/>|<add amount="6"/>|',
    "lost": '<add amount="3"/>|' + "No call at all.|" * 5,
    "stopped": '<add amount="3"/>|<end_episode/>|',
}
"""The model's own messages, and nothing else, with | for the end of each."""
BROKEN = "EpisodeFailed: the environment failed in add(): AssertionError"
pytestmark = pytest.mark.everything("trl")


def source(repository: str, inside: str, folder: Path) -> Path:
    """Write one folder of a repository, as it was at its commit, into ``folder``.

    Skips the test where neither a copy on disk has the commit nor GitHub can be reached.
    """
    commit = COMMITS[repository]
    copy = ON_DISK / repository.replace("/", "+") / "repo"
    packed = subprocess.run(
        ["git", "--git-dir", copy, "archive", commit, inside], capture_output=True, check=False
    )
    data, mode = packed.stdout, "r:"
    if packed.returncode != 0:
        place = f"https://codeload.github.com/{repository}/tar.gz/{commit}"
        try:
            with urllib.request.urlopen(place, timeout=60) as answer:
                data, mode = answer.read(), "r:gz"
        except OSError as error:
            pytest.skip(f"{repository} is neither on this disk nor on {place}: {error}")
    with tarfile.open(fileobj=io.BytesIO(data), mode=mode) as archive:  # type: ignore[call-overload]
        for member in archive:
            at = member.name if mode == "r:" else member.name.partition("/")[2]
            if at == inside or at.startswith(f"{inside}/"):
                member.name = at
                archive.extract(member, folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the counter, which breaks when it is asked to, rows, and the page's module."""
    folder = tmp_path_factory.mktemp("sources")
    counter = write_counter(folder / "counter", game=[BREAKS], tasks=('"seed": i,', '"seed": 7,'))
    pipeline.render(counter, ["gem"])
    skill_tools.write_dataset(counter, folder / "rows.jsonl", "skyrl", "train")
    (folder / "counter_rllm.py").write_text(lines("my_game_rllm.py"))
    (folder / "counter_domain").symlink_to(counter, target_is_directory=True)
    link_harness(folder)
    return folder


def facts(
    program: str, requirements: tuple[str, ...], folder: Path, *paths: Path, **asked: Any
) -> dict[str, Any]:
    """What a program tells of the episodes that a trainer played."""
    base = venvs.base(requirements, interpreters.find(">=3.11,<3.13"))
    path = ":".join(map(str, (PROGRAMS, *paths)))
    quiet = {"HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "RAY_AUTH_MODE": "disabled"}
    found = subprocess.run(
        [base.python, PROGRAMS / f"{program}_facts.py", *asked.pop("arguments", [])],
        cwd=folder,
        env=child_environment({**quiet, "PYTHONPATH": path}),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        **asked,
    )
    assert found.returncode == 0, found.stderr[-4000:]
    told: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return told


def test_roll_plays_the_variant_with_max_steps_of_the_turn_limit(place: Path) -> None:
    roll = source("alibaba/ROLL", "roll", place / "ROLL")
    told = facts("roll", SHARED, place, roll, place, place / "counter" / "gem")
    for name, trained in TRAINED.items():
        assert told[name]["return"] == float(name == "won")
        assert told[name]["trained"] == trained
        assert told[name]["messages"] == trained.count("|")
    assert "The counter is at 0; the target is 15." in told["won"]["shown"]
    assert told["broken"].startswith(BROKEN), "and no score"
    # Why max_steps has to be the turn limit: ROLL passes over `truncated`.
    assert told["lost with more steps"]["messages"] == 9
    assert told["lost with more steps"]["return"] == 0.0


def test_nemo_rl_trains_on_what_the_bundled_agent_answers(place: Path, bundled: Bundled) -> None:
    nemo_rl = source("NVIDIA-NeMo/RL", "nemo_rl", place / "RL")
    scripts = {
        "won": [completion("tool_calls", 0, False), completion("tool_calls", 1, False)],
        "full": [completion("tool_calls", 0, False), OVERFLOWS["vllm"]],
        "cut": [completion("tool_calls", 0, False), completion("length", 1, False)],
    }
    opening = {"input": [{"role": "user", "content": "Go."}]}
    rows = {
        name: row_of(name) | {"responses_create_params": opening | {"metadata": {"episode": name}}}
        for name in scripts
    }
    results, _ = bundled.play(scripts, rows, server="vllm", tokens=True)
    told = facts("nemo_rl", SHARED, place, nemo_rl, input=json.dumps(results))
    first = [["user", [1], []], ["assistant", [2], [-0.5]]]
    second = [["user", [3, 4], []], ["assistant", [5], [-0.5]]]
    assert told["won"] == {"reward": 1.0, "messages": [*first, *second]}
    assert told["full"] == {"reward": pytest.approx(0.5 * 9 / TARGET), "messages": first}
    assert told["cut"]["messages"] == [*first, *second]
    assert told["cut"]["reward"] == pytest.approx(0.5 * 9 / TARGET)


def test_rllm_plays_the_lines_of_the_page(place: Path) -> None:
    rllm = source("rllm-org/rllm", "rllm", place / "rLLM")
    gateway = source("rllm-org/rllm", "rllm-model-gateway", place / "rLLM")
    paths = rllm, gateway / "rllm-model-gateway" / "src", place
    told = facts("rllm", RLLM, place, *paths, arguments=["rows.jsonl"])
    for name, trained in TRAINED.items():
        assert told[name]["returns"] == [float(name == "won")] * 2
        assert told[name]["ids"] == ["task:0", "task:1"], "one group"
        assert told[name]["trained"] == trained
        assert told[name]["logprobs"]
    assert '<add amount="9"/><|im_end|>' in told["won"]["shown"]
    assert told["broken"].startswith(BROKEN), "after it was tried again"


def test_rllms_verifiers_recipe_asks_for_what_verifiers_no_longer_has(place: Path) -> None:
    recipe = source("rllm-org/rllm", "examples/verifiers_env", place / "recipe")
    files = "\n".join(each.read_text("utf-8") for each in recipe.rglob("*.py"))
    assert "vf.load_environment(" in files
    check = "import verifiers as vf; print(hasattr(vf, 'load_environment'))"
    base = venvs.base(["verifiers>=0.4,<0.5"], interpreters.find(">=3.11,<3.14"))
    found = subprocess.run([base.python, "-c", check], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_oat_has_no_gem(place: Path) -> None:
    oat = source("sail-sg/oat", "oat", place / "oat")
    files = [each.read_text("utf-8") for each in oat.rglob("*.py")]
    assert files
    assert not [text for text in files if "import gem" in text or "gem.make" in text]


def test_torchforge_on_pypi_is_an_empty_package(tmp_path: Path) -> None:
    subprocess.run(
        [find_uv_bin(), "pip", "install", "-q", "--no-deps", "--target", tmp_path, "torchforge"],
        check=True,
    )
    code = [each.read_text("utf-8") for each in tmp_path.rglob("*.py")]
    assert [text.strip() for text in code if text.strip()] == ['__version__ = "0.0.1"']


def test_the_page_names_the_commits() -> None:
    page = PAGE.read_text("utf-8")
    for repository, commit in COMMITS.items():
        assert f"`{commit[:7]}`" in page, repository
