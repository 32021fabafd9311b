"""No answer is over 10,000 bytes, whatever an environment holds; and nothing gets lost by it."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastmcp import Client
from hypothesis import given
from hypothesis import strategies as st

from skill_tools.checks import Finding
from skill_tools.checks.catalogue import Entry
from skill_tools.checks.check import Place
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.mcp import job_pages, pages
from skill_tools.mcp.answer_size import (
    LIMIT,
    clip,
    lines_of,
    page,
    plain_episodes,
    plain_report,
    size,
    within,
)
from skill_tools.mcp.app import TOOLS, create
from skill_tools.mcp.tools import SkillTools
from skill_tools.report.model import PolicyScore, Report, VariantSummary
from tests.conftest import write_counter

from .mcp_clients import call, refused

EMOJI = "\N{GRINNING FACE}"
TOOLS_IN_SPEC = 60


@pytest.fixture
async def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    monkeypatch.setenv("SKILL_TOOLS_DATA", str(tmp_path / "data"))
    async with Client(create(SkillTools())) as made:
        yield made


def large(folder: Path, tools: int = TOOLS_IN_SPEC, *, broken: bool = False) -> Path:
    """An environment with as large a spec as is read, in a folder with a very long path."""
    for _ in range(12):
        folder = folder / ("long" * 50)
    remark = f"{EMOJI} line \\n" * 60
    kind = "int" if broken else "integer"
    written = "".join(
        f'  tool_{number}:\n    description: "{remark}"\n    parameters:\n'
        + "".join(
            f'      amount_{each}: {{type: {kind}, description: "{remark}"}}\n' for each in range(3)
        )
        for number in range(tools)
    )
    write_counter(folder, env=("  look:\n", f"{written}  look:\n"))
    methods = "".join(
        f"    def tool_{number}(self, amount_0, amount_1, amount_2):\n        return 'x'\n\n"
        for number in range(tools)
    )
    game = folder / "game.py"
    game.write_text(game.read_text().replace("    def look", f"{methods}    def look"))
    (folder / "env.yaml").write_text(
        (folder / "env.yaml").read_text()
        + "frameworks: [openenv, ors, verifiers, skyrl_gym, gem]\n"
    )
    return folder


@pytest.mark.live
@pytest.mark.everything("frameworks")
async def test_every_tool_fits_with_the_largest_environment(client: Client, tmp_path: Path) -> None:
    folder = large(tmp_path)
    path = str(folder)
    assert (folder / "env.yaml").stat().st_size > 150_000
    seen = set()

    async def fits(tool: str, **arguments: Any) -> dict[str, Any]:
        seen.add(tool)
        return await call(client, tool, **arguments)

    assert (await fits("check_spec", env_path=path))["ok"]
    assert (await fits("check_spec", env_path=path, approve=True))["domain_checked"]
    rendered = await fits("render_env", env_path=path, frameworks=["all"])
    assert rendered["changed"] == len(rendered["files"])
    files = [file["path"] for file in rendered["files"]]
    longest = max(files, key=lambda name: (folder / name).stat().st_size)
    assert (folder / longest).stat().st_size > 100_000
    for file in (longest, "README.md"):
        text, offset = "", 0
        while offset is not None and len(text) < 50_000:
            arguments = {"env_path": path, "file": file, "offset": offset, "limit": 10**6}
            found = await fits("render_file", **arguments)
            text, offset = text + found["text"], found["next_offset"]
        whole = "".join(lines_of((folder / file).read_text()))
        assert whole.startswith(text)
        assert text == whole or offset
    assert size(await refused(client, "render_file", env_path=path, file="x" * 50_000)) <= LIMIT
    for file in files:
        (folder / file).write_text("edited")
    await refused(client, "render_env", env_path=path)
    assert "nearly" not in await refused(client, "get_job", job="x" * 50_000)
    for tool in ("list_archetypes", "list_frameworks", "list_exemplars"):
        await fits(tool)
    await fits("list_exemplars", exemplar="wordle")
    await fits("read_exemplar", exemplar="wordle", file="guesses.txt", limit=10**6)
    await fits("explain_check", check="PAR001")
    await refused(client, "explain_check", check="x" * 50_000)
    await refused(client, "list_exemplars", exemplar="x" * 50_000)
    # The domain breaks with a long message, so that jobs need no framework to end.
    (folder / "game.py").write_text(f"raise RuntimeError('{EMOJI}' * 50_000)\n")
    failed = await fits("validate_env", env_path=path, frameworks=["openenv"])
    assert failed["state"] == "failed"
    assert EMOJI in failed["error"]
    await fits("run_smoke_rollout", env_path=path, framework="openenv")
    await fits("study_env", env_path=path)
    await fits("get_job", job=failed["job"])
    await refused(client, "show_episode", env_path=path)
    seen.add("show_episode")  # of which test_episodes.py tells more
    assert seen == set(TOOLS)


@pytest.mark.everything("costly")
async def test_many_problems_are_all_told_a_page_at_a_time(client: Client, tmp_path: Path) -> None:
    folder = large(tmp_path, 12, broken=True)
    reported, offset, pages = 0, 0, 0
    while offset is not None:
        found = await call(client, "check_spec", env_path=str(folder), offset=offset, limit=10**6)
        assert found["problems"]
        reported, offset, pages = reported + len(found["problems"]), found["next_offset"], pages + 1
    assert reported == found["total"] == 3 * 12
    assert pages > 2


class Endless(SkillTools):
    """Tools that answer and refuse at any length; one for each way they are called."""

    def explain_check(self, check: str) -> dict[str, Any]:
        """Explain."""
        if check == "refuse":
            raise SkillToolsError(EMOJI * 50_000)
        return dict.fromkeys(Entry.model_fields, EMOJI * 50_000)

    async def get_job(self, job: str) -> dict[str, Any]:
        """Tell."""
        return self.explain_check(job)


@pytest.mark.parametrize(("tool", "name"), [("explain_check", "check"), ("get_job", "job")])
async def test_no_tool_can_answer_or_refuse_at_any_length(tool: str, name: str) -> None:
    async with Client(create(Endless())) as client:
        assert EMOJI in (await call(client, tool, **{name: "answer"}))["why"]
        assert EMOJI in await refused(client, tool, **{name: "refuse"})


def finished(**result: Any) -> Any:
    """A job that is done, with a result as large as the test likes."""
    return SimpleNamespace(
        name="validate-000000", verb="validate", folder=Path("/env"), state="done", seconds=1.0,
        running=False, progress=[], error="", result=result,
    )  # fmt: skip


def report(findings: int, message: str) -> Report:
    scores = [
        PolicyScore(
            policy=f"policy{n}", episodes=9, failed=0, mean_return=1 / 3, ends={"terminated": 9}
        )
        for n in range(7)
    ]
    return Report(
        environment="x" * 5000,
        title=EMOJI * 5000,
        folder="/env",
        ok=False,
        seconds=1.0,
        split="train",
        tasks=10,
        not_played="y" * 5000,
        variants=[
            VariantSummary(framework=f"f{n}", scores=scores, broken=message) for n in range(7)
        ],
        findings=[
            Finding(check=f"C{n}", name="n", status="fail", message=message, fix=message)
            for n in range(findings)
        ],
        counts={"fail": findings},
    )


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("message", "count"), [("short", 3000), (EMOJI * 30_000, 200), ('\\"\n' * 30_000, 200)]
)
def test_thousands_of_findings_are_all_told_a_page_at_a_time(message: str, count: int) -> None:
    job = finished(report=plain_report(report(count, message)))
    reported: list[str] = []
    offset: int | None = 0
    while offset is not None and len(reported) < count:
        answer = within(job_pages.show_job(job, offset, 10**6))
        assert size(answer) <= LIMIT
        assert answer.report["findings"]
        reported += [finding["check"] for finding in answer.report["findings"]]
        offset = answer.next_offset
    assert reported == [f"C{number}" for number in range(count)]
    assert answer.total == count


def test_a_finding_is_told_with_its_place_and_without_the_episode_that_shows_it() -> None:
    step = Step(tool="add", arguments={}, observation=[], reward=0.0, done=False)
    shown = Trajectory(model="luck", label="a", steps=[step] * 900, end="stopped")
    made = report(1, "short")
    made.findings[0] = replace(made.findings[0], place=Place(tool="add"), shown=shown)
    (reported,) = plain_report(made)["findings"]
    assert reported["place"] == {"tool": "add"}
    assert reported.keys() == {"check", "name", "status", "message", "fix", "place"}


@pytest.mark.everything("costly")
@pytest.mark.parametrize("observation", ["short", EMOJI * 50_000, "\0" * 50_000])
def test_every_step_of_every_episode_is_told_a_page_at_a_time(observation: str) -> None:
    step = Step(
        tool="t" * 5000,
        arguments={observation: [observation]},
        observation=[{"type": "text", "text": observation}, {"type": "image_url"}],
        reward=0.25,
        done=False,
        error=observation,
    )
    played = [
        Trajectory(
            model="oracle", label=f"e{n}", steps=[step] * n, end="terminated", **{"return": 0.5}
        )
        for n in range(20)
    ]
    job = finished(episodes=plain_episodes(played))
    reported: dict[str, list[int]] = {}
    offset: int | None = 0
    while offset is not None:
        answer = within(job_pages.show_job(job, offset, 10**6))
        assert size(answer) <= LIMIT
        for episode in answer.episodes:
            first = episode["first_step"]
            reported.setdefault(episode["label"], []).extend(
                range(first, first + len(episode["steps"]))
            )
            assert episode["return"] == 0.5
        offset = answer.next_offset
    assert reported == {f"e{n}": list(range(n)) for n in range(20)}


async def test_what_json_cannot_say_is_said_otherwise() -> None:
    step = Step(
        tool="\ud800",
        arguments={"x": [float("nan")]},
        observation=[{"type": "text", "text": "half \ud83d"}],
        reward=float("inf"),
        done=True,
    )
    played = [
        Trajectory(model="m", label="e", steps=[step], end="terminated", **{"return": math.nan})
    ]

    class Odd(SkillTools):
        async def get_job(self, job: str) -> job_pages.JobState:
            """Tell."""
            return job_pages.show_job(finished(episodes=plain_episodes(played)), 0, 10)

    async with Client(create(Odd())) as client:
        (episode,) = (await call(client, "get_job", job="x"))["episodes"]
    (reported,) = episode["steps"]
    assert (episode["return"], reported["reward"]) == (None, None)
    assert (reported["observation"], reported["arguments"]) == ("half ?", '{"x": [NaN]}')


def test_a_step_is_told_as_it_was_where_it_is_short() -> None:
    step = Step(
        tool="dig",
        arguments={"row": 1},
        observation=[{"type": "text", "text": "cold"}, {"type": "image_url", "image_url": {}}],
        reward=1.0,
        done=True,
    )
    played = [
        Trajectory(
            model="oracle",
            label="e",
            steps=[step],
            end="terminated",
            messages=[{"role": "assistant", "content": "said twice"}],
            turns=[{"finish_reason": "stop"}],
            **{"return": 1.0},
        )
    ]
    answer = job_pages.show_job(finished(episodes=plain_episodes(played)), 0, 10)
    (episode,) = json.loads(answer.model_dump_json())["episodes"]
    # All that the library says of a trajectory, except for the tools' schemas and the conversation.
    whole = played[0].model_dump(mode="json", by_alias=True)
    assert episode.keys() == whole.keys() - {"tools", "messages", "turns"} | {"first_step"}
    same = ("framework", "model", "prompt", "final_message", "versions", "seed", "split", "index")
    assert all(episode[name] == whole[name] for name in same)
    shown = ("label", "end", "return", "failure", "first_step", "steps")
    assert [{name: episode[name] for name in shown}] == [
        {
            "label": "e",
            "end": "terminated",
            "return": 1.0,
            "failure": None,
            "first_step": 0,
            "steps": [
                {
                    "tool": "dig",
                    "arguments": {"row": 1},
                    "observation": "cold\n[image]",
                    "reward": 1.0,
                    "done": True,
                    "error": None,
                }
            ],
        }
    ]


@given(st.text(max_size=400), st.integers(60, 500), st.booleans())
def test_a_clipped_text_fits_and_says_how_much_is_missing(text: str, most: int, end: bool) -> None:
    clipped = clip(text, most, end=end)
    assert size(clipped) <= most
    if size(text) <= most:
        assert clipped == text
    else:
        kept = (
            clipped.partition(" ... ")[2 if end else 0] if end else clipped.rpartition(" ... ")[0]
        )
        assert text.endswith(kept) if end else text.startswith(kept)
        assert f"[{len(text) - len(kept)} more characters]" in clipped


@given(st.lists(st.integers(0, 3000), max_size=30), st.integers(1, 40))
def test_pages_hold_everything_once_and_in_order(lengths: list[int], limit: int) -> None:
    items = ["x" * length for length in lengths]

    def make(shown: Any, more: int | None) -> pages.FileText:
        return pages.FileText(file="f", text="".join(shown), lines=len(shown), next_offset=more)

    reported, offset = "", 0
    while offset is not None:
        answer = page(items, offset, limit, make)
        assert answer.lines <= limit
        assert size(answer) <= LIMIT
        reported, offset = reported + answer.text, answer.next_offset
    assert reported == "".join(items)


def test_an_offset_past_the_end_is_an_error_and_not_an_empty_page() -> None:
    with pytest.raises(SkillToolsError, match="the last offset is 1"):
        page([1, 2], 2, 5, lambda shown, more: pages.FileText(file="", text="", lines=0))


def test_what_nothing_else_has_shortened_is_shortened_in_the_end() -> None:
    rows = [{"path": EMOJI * 500, "state": "new"} for _ in range(500)]
    answer = within(pages.FileStates(files=rows, changed=500, written=True, next="y" * 50_000))
    assert size(answer) <= LIMIT
    assert answer.changed == 500
    assert answer.files
