"""An episode as a coding agent looks at it: text and pictures, a few steps at a time."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from PIL import Image

from skill_tools.evidence.trajectory import Step, Trajectory, write
from skill_tools.mcp.answer_size import LIMIT, size
from skill_tools.mcp.app import create
from skill_tools.mcp.tools import SkillTools
from tests.conftest import write_counter

from .mcp_clients import refused


def png(colour: str) -> str:
    drawn = io.BytesIO()
    Image.new("RGB", (60, 40), colour).save(drawn, "png")
    return base64.b64encode(drawn.getvalue()).decode()


def pixel(data: str) -> Any:
    return Image.open(io.BytesIO(base64.b64decode(data))).getpixel((0, 0))


def picture(colour: str) -> dict[str, str]:
    return {"type": "image", "media_type": "image/png", "data": png(colour)}


def write_episode(made: Path) -> Path:
    """An environment whose last build left one episode of three steps, each with a picture."""
    write_counter(made)
    (made / "runs").mkdir()
    broken = {"type": "image", "media_type": "image/png", "data": "A" * 80}
    steps = [
        Step(
            tool="click",
            arguments={"at": [number, 2]},
            observation=[{"type": "text", "text": f"seen {number}"}, block],
            reward=0.5,
            done=False,
        )
        for number, block in enumerate([picture("red"), picture("blue"), broken])
    ]
    episode = Trajectory(
        framework="ors",
        model="oracle",
        label="counter/train/0/0",
        split="train",
        index=0,
        prompt=[{"role": "user", "content": "Click."}],
        steps=steps,
        end="terminated",
        **{"return": 1.5},
    )
    write(made / "runs" / "ors.jsonl.gz", [episode])
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_episode(tmp_path / "counter")


async def blocks(folder: Path, **arguments: Any) -> tuple[list[Any], dict[str, Any]]:
    async with Client(create(SkillTools())) as client:
        found = await client.call_tool("show_episode", {"env_path": str(folder), **arguments})
    assert size([block.text for block in found.content if block.type == "text"]) <= LIMIT
    return found.content, found.structured_content


async def test_each_step_is_followed_by_its_picture(folder: Path) -> None:
    content, told = await blocks(folder)
    kinds = [block.type for block in content]
    assert kinds == ["text", "text", "image", "text", "image", "text", "text", "text"]
    assert "Click." in content[0].text
    assert [pixel(content[2].data), pixel(content[4].data)] == [(255, 0, 0), (0, 0, 255)]
    assert "cannot be decoded" in content[6].text
    assert "end: terminated, return 1.5" in content[7].text
    assert (told["total"], told["next_offset"], told["episode_return"]) == (3, None, 1.5)


async def test_steps_come_a_page_at_a_time(folder: Path) -> None:
    content, told = await blocks(folder, limit=1)
    assert [block.type for block in content] == ["text", "text", "image", "text"]
    assert told["next_offset"] == 1
    content, told = await blocks(folder, limit=2, offset=1)
    assert "seen 1" in content[0].text
    assert told["next_offset"] is None


async def test_what_is_not_there_is_refused_with_what_is(folder: Path, tmp_path: Path) -> None:
    async with Client(create(SkillTools())) as client:
        path = str(folder)
        text = await refused(client, "show_episode", env_path=path, framework="gem")
        assert "the last validation did not play 'gem'; it played ors" in text
        text = await refused(client, "show_episode", env_path=path, index=7)
        assert "did not play task 7 in ors; choose oracle and tasks 0 to 0" in text
        fresh = str(write_counter(tmp_path / "fresh"))
        assert "validate_env first" in await refused(client, "show_episode", env_path=fresh)
