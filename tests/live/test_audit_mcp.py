"""MCP servers of others: by a command, in a folder and at an address, from real servers and a bare one."""

from __future__ import annotations

import base64
import contextlib
import os
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image

from skill_tools.archetypes import start
from tests.audits import audit

from .driven import driven

pytestmark = pytest.mark.everything("audit")
_PNG = BytesIO()
Image.new("RGB", (2, 2)).save(_PNG, "PNG")
PICTURE = base64.b64encode(_PNG.getvalue()).decode()
DESK = f'''
    import os
    import sys

    from mcp.server import MCPServer
    from mcp_types import ImageContent, TextContent
    from pydantic import BaseModel

    desk = MCPServer("desk", instructions="Count with care.")
    added = []

    class Item(BaseModel):
        title: str
        tags: list[str] = []

    @desk.tool()
    def add(item: Item, count: int = 1) -> str:
        """Add an item."""
        added.append(item.title)
        with open("added.txt", "a") as file:
            file.write(item.title)
        return f"{{len(added)}} here, {{len(open('added.txt').read())}} characters on disk"

    @desk.tool()
    def look() -> list[ImageContent | TextContent]:
        """Look at a picture."""
        return [TextContent(text="This is it."), ImageContent(data="{PICTURE}", mime_type="image/png")]

    @desk.tool()
    def environ() -> dict:
        """The variables."""
        return {{"seen": sorted(os.environ)}}

    @desk.tool()
    def fall() -> str:
        """Break the server."""
        print("these were its last words", file=sys.stderr, flush=True)
        os._exit(3)

    if __name__ == "__main__":
        desk.run(*sys.argv[1:2], **({{"port": int(sys.argv[2])}} if sys.argv[2:] else {{}}))
'''
BUY = {"tool": "add", "arguments": {"item": {"title": "tea"}}}
BARE = """
    import json, sys

    def answered(asked):
        if asked["method"] == "initialize":
            version = asked["params"]["protocolVersion"]
            about = {"name": "bare", "version": "1"}
            return {"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}}
        if asked["method"] == "tools/list":
            first = asked.get("params", {}).get("cursor") is None
            tool = {"name": "one" if first else "two", "inputSchema": {"type": "object"},
                    "outputSchema": {"type": "object", "required": ["x"]}}
            return {"result": {"tools": [tool], **({"nextCursor": "2"} if first else {})}}
        if asked["params"]["name"] == "one":
            return {"result": {"content": [], "structuredContent": {"y": 1}}}
        codes = {"two": -32602, "broken": -32603}
        return {"error": {"code": codes.get(asked["params"]["name"], -32601), "message": "not like that"}}

    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answered(asked)}), flush=True)
"""


@pytest.fixture
def desk(tmp_path: Path) -> str:
    """The command of a server of the SDK's own."""
    (tmp_path / "desk.py").write_text(textwrap.dedent(DESK), "utf-8")
    return shlex.join([sys.executable, str(tmp_path / "desk.py")])


def test_every_episode_has_its_own_server_in_its_own_folder(desk: str) -> None:
    found = driven(desk, "mcp")
    told = found.found
    assert (told["name"], told["rewardless"], told["seeded"]) == ("desk", True, False)
    (add, *_) = told["tools"]
    assert "title" in add["parameters"]["$defs"]["Item"]["properties"]
    wrong = {"tool": "add", "arguments": {"item": {"tags": []}}}
    found.play([BUY, wrong, BUY], [BUY])
    one, other = found.played
    assert one.prompt[0]["content"] == "Count with care."
    assert [step.text for step in (one.steps[0], one.steps[2])] == [
        "1 here, 3 characters on disk",
        "2 here, 6 characters on disk",
    ]
    assert one.steps[1].error == "refused"
    assert other.steps[0].text == one.steps[0].text, "and not what the other session did"
    assert {each.total for each in found.played} == {None}
    assert {each.end for each in found.played} == {"stopped"}


def test_pictures_and_objects_are_shown_and_no_secret_is_passed_on(
    desk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANY_API_KEY", "secret")
    monkeypatch.setenv("ANY_SETTING", "1")
    looked, named = (
        driven(desk, "mcp")
        .play([{"tool": "look", "arguments": {}}, {"tool": "environ", "arguments": {}}])
        .steps
    )
    assert [block["type"] for block in looked.observation] == ["text", "image"]
    assert looked.observation[1]["data"] == PICTURE
    assert "ANY_SETTING" in named.text
    assert not {"ANY_API_KEY", "PYTHONPATH", "SKILL_TOOLS_TOKEN"} & set(named.text.split('"'))


def test_a_server_that_ends_fails_its_episode_with_its_last_words(desk: str) -> None:
    ended = driven(desk, "mcp").play([BUY, {"tool": "fall", "arguments": {}}, BUY])
    assert (ended.end, len(ended.steps)) == ("failed", 1)
    assert "these were its last words" in ended.failure.message


def test_a_folders_server_runs_in_the_folder(desk: str, tmp_path: Path) -> None:
    found = driven(tmp_path, "mcp", identity=f"{sys.executable} desk.py")
    assert [found.play([BUY]).steps[0].text for _ in range(2)] == [
        "1 here, 3 characters on disk",
        "1 here, 6 characters on disk",
    ]


def test_listings_of_several_pages_and_protocol_errors_of_a_bare_server(tmp_path: Path) -> None:
    (tmp_path / "bare.py").write_text(textwrap.dedent(BARE), "utf-8")
    found = driven(f"{sys.executable} {tmp_path}/bare.py", "mcp")
    assert [tool["name"] for tool in found.found["tools"]] == ["one", "two"]
    calls = [{"tool": name, "arguments": {}} for name in ("one", "two", "three", "broken")]
    ended = found.play(calls)
    assert [(step.text, step.error) for step in ended.steps] == [
        ('{"y": 1}', None),  # whatever its outputSchema asks for
        ("not like that", "refused"),
        ("not like that", "refused"),
    ]
    assert "not like that (protocol error -32603)" in ended.failure.message


def test_the_starters_server_is_played_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(start("mcp-server", "desk")["server.py"], "utf-8")
    (tmp_path / "items.json").write_text("[]")
    found = driven(tmp_path, "mcp", identity=f"{sys.executable} server.py")
    add = {"tool": "add-item", "arguments": {"title": "tea", "tags": []}}
    done = {"tool": "complete-item", "arguments": {"number": 7}}
    assert [(s.text, s.error) for s in found.play([add, done]).steps] == [
        ("Added 1. tea", None),
        ("there is no item 7", "refused"),
    ]


@contextlib.contextmanager
def served(command: str, port: int) -> Iterator[str]:
    words = [*shlex.split(command), "streamable-http", str(port)]
    url = f"http://127.0.0.1:{port}/mcp"
    server = subprocess.Popen(words, stderr=subprocess.DEVNULL, cwd=Path(words[1]).parent)
    try:
        with httpx.Client(transport=httpx.HTTPTransport(retries=40), trust_env=False) as client:
            client.get(url)
        yield url
    finally:
        server.kill()
        server.wait()


def test_a_server_at_an_address_is_played_over_http(desk: str) -> None:
    with served(desk, 18_000 + os.getpid() % 2_000) as url:
        found = driven(url, "mcp")
        assert found.found["name"] == "desk"
        assert [found.play([BUY]).steps[0].text[:6] for _ in range(2)] == ["1 here", "2 here"]


def test_an_audit_says_nothing_about_rewards_that_a_server_does_not_have(desk: str) -> None:
    file = Path(shlex.split(desk)[1])
    file.write_text(file.read_text().replace("os._exit(3)", "raise ValueError"), "utf-8")
    outcome = audit(desk, "mcp", num_tasks=1)
    assert outcome.report.verdict == "not judged"
    (needed,) = outcome.report.unjudged
    assert needed.startswith("rewards, which are missing here")
    assert {variant.failed for variant in outcome.report.variants} == {0}
    said = {each.check for each in outcome.report.findings if each.status not in ("pass", "skip")}
    assert said == {"SPE002"}, "its parameters have no description"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("import sys; sys.exit('a key is missing')", "a key is missing"),
        ("import time; time.sleep(60)", "nothing in 2 s"),
    ],
)
def test_a_server_that_does_not_answer_is_not_judged(script: str, why: str) -> None:
    outcome = audit(shlex.join([sys.executable, "-c", script]), "mcp", call_seconds=1.0)
    assert outcome.report.verdict == "not judged"
    assert why in outcome.report.unjudged[0]
