"""Logs of Inspect, as far as that goes without its package."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.images.references import picture_at
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.report.formats.inspect_log import write_inspect_log
from tests.command_line import skill_tools

EPISODE = Trajectory(model="m", label="count/train/0/0", steps=[], end="stopped")


def test_what_is_missing_is_named_with_the_command_that_installs_it(tmp_path: Path) -> None:
    output = tmp_path / "log.eval"
    with pytest.raises(SkillToolsError, match="pip install inspect-ai"):
        write_inspect_log([EPISODE], output)
    assert not output.exists()


@pytest.mark.parametrize(
    ("name", "more", "said"),
    [
        ("log.eval", (), "pip install inspect-ai"),
        ("log.eval", ("--open",), "--inspect writes no page"),
    ],
)
def test_the_command_says_what_to_do(
    tmp_path: Path, name: str, more: tuple[str, ...], said: str
) -> None:
    file = tmp_path / "episodes.jsonl"
    file.write_text(EPISODE.model_dump_json(by_alias=True) + "\n", "utf-8")
    run = skill_tools("view", file, "--inspect", tmp_path / name, *more)
    assert (run.returncode, said in run.stderr) == (2, True)
    assert sorted(tmp_path.iterdir()) == [file]


def test_a_reference_is_to_a_block_or_to_the_nth_picture_of_a_step() -> None:
    text = {"type": "text", "text": "two dots"}
    dots = [{"type": "image", "media_type": "image/png", "data": data} for data in ("QQ==", "Qg==")]
    blocks = [text, *dots]
    step = Step(tool="look", arguments={}, observation=blocks, reward=0, done=False)
    assert picture_at("#/steps/0/observation/2", [step], 0) == "data:image/png;base64,Qg=="
    assert picture_at("#/steps/0/observation", [step], 0) == "data:image/png;base64,QQ=="
    assert picture_at("https://host/x.png", [step], 0) == "https://host/x.png"
    for lost in ("#/steps/1/observation/0", "#/steps/0/observation/7", "#/steps/0/observation/0"):
        with pytest.raises(LookupError):
            picture_at(lost, [step], 0)
