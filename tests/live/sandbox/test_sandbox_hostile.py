"""The local backend under attack: what agents do ends in a result, and harms their session only."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .sandbox_attacks import ATTACKS
from .sandbox_disks import DISKS
from .sandbox_escapes import ESCAPES
from .sandbox_floods import FLOODS
from .sandbox_hoards import HOARDS
from .sandbox_place import NOBODY, place

NAMES = [attack.name for attack in (*ATTACKS, *FLOODS, *ESCAPES, *DISKS, *HOARDS)]
WAYS = [
    pytest.param((mode, user), id=f"{mode}-{name}")
    for mode in ("namespaces", "landlock")
    for name, user in (("root", 0), ("nobody", NOBODY))
]
pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can run a server as root and as somebody else"
)


def processes(mark: str) -> list[str]:
    """Command lines of the processes that know a word by their variables or arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            text = (path / "environ").read_bytes() + (path / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in text:
            found.append(text.decode("utf-8", "replace")[-300:])
    return found


@pytest.fixture(scope="module", params=WAYS)
def suffered(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """The problems of each attack in one mode, with a server of one user."""
    mode, user = request.param
    mark = f"LEAKED-{secrets.token_hex(8)}"
    mounts = Path("/proc/self/mounts").read_text()
    with place(mark, for_all=user != 0) as made:
        scratch = made.scratch(user)
        folders = (str(made.env), str(made.installed))
        settings = {"COUNTER_CONFINE": mode, "SERVER_NOTE": mark}
        found = made.run(user, scratch, "in_attacks.py", *folders, mark, **settings)
        assert not processes(mark)
        assert not list((scratch / "tmp").iterdir())
        assert [line for line in Path("/proc/self/mounts").read_text().splitlines()
                if line not in mounts] == []  # fmt: skip
        assert found["enforced"]["mode"] == mode
        yield found


@pytest.mark.parametrize("name", NAMES)
def test_attack(name: str, suffered: dict[str, Any]) -> None:
    if name not in suffered:
        pytest.skip("it names system calls of another processor")
    assert not suffered[name], "\n".join(suffered[name])


def test_nothing_is_left_of_all_attacks(suffered: dict[str, Any]) -> None:
    assert not suffered[""], suffered[""]


@pytest.mark.parametrize("mode", ["landlock", "none"])
def test_sessions_that_outlive_their_fork_server_end_nobody_but_themselves(mode: str) -> None:
    with place("the oracle", for_all=True) as made:
        scratch, settings = made.scratch(NOBODY), {"COUNTER_CONFINE": mode}
        found = made.run(NOBODY, scratch, "in_local.py", "forker_killed", **settings)
    assert found["cell"].startswith("SandboxFailed: the fork server ended")
    assert found["new"] == "42"
    assert not found["left"]
