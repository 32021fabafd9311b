"""The local backend under attack: what agents do ends in a result, and harms their session only."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.desktop.place import here
from tests.selection import some

from .sandbox_attacks import ATTACKS, MEMORY, Attack
from .sandbox_disks import DISK, DISKS
from .sandbox_escapes import ESCAPES
from .sandbox_floods import FLOODS
from .sandbox_hoards import HOARDS
from .sandbox_place import NOBODY, place
from .sandbox_screens import SCREENS

ALL = (*ATTACKS, *FLOODS, *ESCAPES, *DISKS, *HOARDS)
WAYS = {
    f"{mode}-{name}": (mode, user)
    for mode in ("namespaces", "landlock")
    for name, user in (("root", 0), ("nobody", NOBODY))
}
"""How sessions are confined, and the user that the server is."""
SCREEN = "with a screen"
"""The way in which every session has a screen: confined by namespaces, the server root's."""
FULL = ("namespaces-root", "landlock-nobody")
"""The ways in which attacks that do not depend on the user are played, too: each mode once."""
USUAL = "namespaces-root"
"""The way that is always played."""
OWN = (*MEMORY, *FLOODS, *DISK)
"""Attacks on what a session itself is granted: they depend on the mode and not on the user."""
OUTWARDS = [attack for attack in ALL if attack not in OWN]
"""Attacks on others: they depend on the way."""


def in_ways(attacks: Iterable[Attack], *ways: Any) -> Callable[[Any], Any]:
    """Decorator: a test per attack in each of the ways, played together by `suffered`."""
    by_way = pytest.mark.parametrize("suffered", ways, indirect=True, scope="module")
    by_name = pytest.mark.parametrize("attack", [attack.name for attack in attacks])
    return lambda test: by_name(by_way(test))


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


@pytest.fixture(scope="module")
def suffered(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """The problems of each attack that is to be played in one way."""
    screen = request.param == SCREEN
    mode, user = WAYS[USUAL if screen else request.param]
    given = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = [
        each.params["attack"] for each in given
        if each and "attack" in each.params and each.params["suffered"] == request.param
    ]  # fmt: skip
    mark = f"LEAKED-{secrets.token_hex(8)}"
    mounts = Path("/proc/self/mounts").read_text()
    with place(mark, for_all=user != 0, screen=screen) as made:
        scratch = made.scratch(user)
        folders = (str(made.env), str(made.installed))
        settings = {"COUNTER_CONFINE": mode, "SERVER_NOTE": mark}
        settings |= {"COUNTER_SCREEN": "1", "COUNTER_SPARES": "0"} if screen else {}
        found = made.run(user, scratch, "attacks.py", *folders, mark, *chosen, **settings)
        assert not processes(mark)
        assert not list((scratch / "tmp").iterdir())
        assert [line for line in Path("/proc/self/mounts").read_text().splitlines()
                if line not in mounts] == []  # fmt: skip
        assert found["enforced"]["mode"] == mode
        yield found


@in_ways(OUTWARDS, *some(WAYS, [USUAL], "sandboxes"))
def test_attack_on_others(suffered: dict[str, Any], attack: str) -> None:
    assert_suffered(suffered, attack)


@here
@pytest.mark.everything("desktops")
@in_ways(SCREENS, SCREEN)
def test_attack_by_way_of_the_screen(suffered: dict[str, Any], attack: str) -> None:
    assert_suffered(suffered, attack)


# Programs with windows watch their files: of others' they learn that a program of the machine was read.
FROM_DESKTOPS = [attack for attack in OUTWARDS if attack.name != "leases and news of files"]


@here
@pytest.mark.everything("desktops")
@in_ways(FROM_DESKTOPS, SCREEN)
def test_attack_on_others_from_a_desktop(suffered: dict[str, Any], attack: str) -> None:
    assert_suffered(suffered, attack)


@pytest.mark.everything("sandboxes")
@in_ways(OWN, *FULL)
def test_attack_on_what_is_its_own(suffered: dict[str, Any], attack: str) -> None:
    assert_suffered(suffered, attack)


def assert_suffered(suffered: dict[str, Any], attack: str) -> None:
    if attack not in suffered:
        pytest.skip("it names system calls of another processor")
    assert not suffered[attack], "\n".join(suffered[attack])


@pytest.mark.parametrize(
    "suffered",
    [
        *some(WAYS, [USUAL], "sandboxes"),
        pytest.param(SCREEN, marks=[here, pytest.mark.everything("desktops")]),
    ],
    indirect=True,
    scope="module",
)
def test_nothing_is_left_of_all_attacks(suffered: dict[str, Any]) -> None:
    assert not suffered[""], suffered[""]


@pytest.mark.parametrize("mode", some(["landlock", "none"], ["landlock"], "sandboxes"))
def test_sessions_that_outlive_their_fork_server_end_nobody_but_themselves(mode: str) -> None:
    with place("the oracle", for_all=True) as made:
        scratch, settings = made.scratch(NOBODY), {"COUNTER_CONFINE": mode}
        found = made.run(NOBODY, scratch, "local_facts.py", "forker_killed", **settings)
    assert found["cell"].startswith("SandboxFailed: the fork server ended")
    assert found["new"] == "42"
    assert not found["left"]
