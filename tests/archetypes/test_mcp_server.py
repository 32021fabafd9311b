"""The starter `mcp-server`: its client speaks with servers that others wrote, and leaves none behind."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from skill_tools import archetypes
from tests.over import over

SERVER = '''
from fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("shop")


class Item(BaseModel):
    sku: str
    count: int = 1


@mcp.tool(name="place-order")
def place(items: list[Item], note: str | None = None) -> str:
    """Order items."""
    if not items:
        raise ValueError("an order has at least one item")
    return ", ".join(f"{each.count} of {each.sku}" for each in items)


mcp.run(show_banner=False)
'''


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The starter's client, as a module."""
    file = tmp_path_factory.mktemp("starter") / "mcp_client.py"
    file.write_text(archetypes.start("mcp-server", "desk")["mcp_client.py"], "utf-8")
    made = importlib.util.spec_from_file_location("mcp_client", file)
    assert made
    assert made.loader
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


@pytest.mark.everything("costly")
def test_a_server_of_the_official_kind_is_played_unmodified(
    client: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_text(SERVER, "utf-8")
    server = client.McpServer([sys.executable, "shop.py"], tmp_path, 30.0)
    try:
        (listed,) = server.ask("tools/list", {})["tools"]
        assert listed["name"] == "place-order"
        said = server.call("place-order", {"items": [{"sku": "tea", "count": 2}, {"sku": "jam"}]})
        assert said[0]["text"] == "2 of tea, 1 of jam"
        with pytest.raises(client.Refused, match="at least one item"):
            server.call("place-order", {"items": []})
        with pytest.raises(client.Refused):
            server.call("fly", {})
    finally:
        server.close()
    assert server._child.poll() is not None


@pytest.mark.everything("costly")
@over(
    ("program", "says"),
    [
        ("raise SystemExit('no module named mice')", "the server ended: no module named mice"),
        ("import time; time.sleep(60)", "the server was silent for 4 seconds"),
        ("print('hello')", "wrote what is not JSON"),
        ("print('{' + ' ' * 5_000_000)", "a reply of the server has more than 4,000,000 bytes"),
    ],
)
def test_a_server_that_breaks_is_named_and_gone(
    client: ModuleType, tmp_path: Path, program: str, says: str
) -> None:
    command = [
        sys.executable,
        "-c",
        f"import os; open('pid', 'w').write(str(os.getpid()))\n{program}",
    ]
    with pytest.raises(client.ServerFailed, match=says):
        client.McpServer(command, tmp_path, 1.0)
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_server_ends_when_its_owner_does(tmp_path: Path) -> None:
    files = archetypes.start("mcp-server", "desk")
    for name in ("mcp_client.py", "server.py"):
        (tmp_path / name).write_text(files[name], "utf-8")
    (tmp_path / "items.json").write_text("[]")
    owner = (
        "import os, sys, pathlib, mcp_client\n"
        "server = mcp_client.McpServer([sys.executable, 'server.py'], pathlib.Path('.'), 20.0)\n"
        "print(server._child.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", owner], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    pid, until = int(run.stdout), time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and _state(pid) != "Z":
        assert time.monotonic() < until, "the server is still there"
        time.sleep(0.05)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
