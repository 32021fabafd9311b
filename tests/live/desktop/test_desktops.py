"""Desktops of the local backend: who is paid, what breaks, how many at once, what is left."""

from __future__ import annotations

from typing import Any

import pytest

from .place import Place, here, place

pytestmark = here

PLAYERS = ("says_success", "waits", "commands_only", "types_the_answer_everywhere")
BROKEN = ("the X server is killed", "the player is killed", "the framebuffer is cut")


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return place(tmp_path_factory.mktemp("desktops") / "place")


@pytest.fixture(scope="module")
def paid(local: Place) -> dict[str, Any]:
    return local.run("cheats", seconds=400)


@pytest.fixture(scope="module")
def broken(local: Place) -> dict[str, Any]:
    return local.run("breakage")


@pytest.mark.everything("desktops")
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_that_does_not_do_the_task_is_not_paid(paid: dict[str, Any], player: str) -> None:
    assert paid[player] == []


@pytest.mark.parametrize("what", BROKEN)
def test_a_screen_that_breaks_is_told_and_replaced_and_files_are_kept(
    broken: dict[str, Any], what: str
) -> None:
    reported, shown, kept = broken[what]
    assert reported.startswith("The screen broke: ")
    assert reported.endswith(
        "A new screen takes its place, without the programs that ran; files are kept."
    )
    assert shown
    assert kept


@pytest.mark.parametrize(
    "what", ["the window manager is killed", "a program hangs", "the disk is full"]
)
def test_a_program_that_dies_or_hangs_leaves_the_screen(broken: dict[str, Any], what: str) -> None:
    reported, shown, kept = broken[what]
    assert reported.startswith("Pressed a.")
    assert shown
    assert kept


def test_a_neighbour_notices_nothing_of_it(broken: dict[str, Any]) -> None:
    assert broken["neighbour"] == ["galculator"]
    assert broken["neighbour sees"] == "Pressed 5."


@pytest.mark.parametrize("number", [8, pytest.param(32, marks=pytest.mark.everything("desktops"))])
def test_many_desktops_at_once_are_apart(local: Place, number: int) -> None:
    assert local.run("many", str(number)) == [f"desktop {n}" for n in range(number)]
