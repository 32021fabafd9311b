"""Consent to run code: exact folders, kept outside them, given by playing or by saying so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import snapshot

ASK = """
import sys
from pathlib import Path
from skill_tools.runtime import consent
folder = Path(sys.argv[1])
if sys.argv[2:]:
    consent.approve(folder)
print(consent.approved(folder))
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def ask(folder: Path, data: Path, *approve: str) -> bool:
    """What another process says, and so what is really remembered."""
    environment = {**os.environ, "SKILL_TOOLS_DATA": str(data)}
    command = [sys.executable, "-c", ASK, str(folder), *approve]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return run.stdout == "True\n"


def test_only_the_very_folder_is_approved_and_nothing_is_written_there(
    counter: Path, data: Path
) -> None:
    before = snapshot(counter)
    inner = shutil.copytree(counter, counter.parent / "inner" / "counter")
    assert not ask(counter, data)
    assert ask(counter, data, "approve")
    assert ask(counter, data)
    assert not ask(inner, data)
    for other in (counter.parent, counter / "inner", counter.parent / "counter_two"):
        assert not ask(other, data)
    assert snapshot(counter) == before


def test_a_link_is_the_folder_that_it_leads_to(counter: Path, data: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(counter)
    assert ask(link, data, "approve")
    assert ask(counter, data)


@pytest.mark.everything("costly")
@pytest.mark.parametrize("text", ["", "[]", '{"folders": []}', "\x00", '{"folders": null}'])
def test_a_broken_store_approves_nothing_and_is_mended(
    counter: Path, data: Path, text: str
) -> None:
    data.mkdir()
    (data / "approved.json").write_text(text)
    assert not ask(counter, data)
    assert ask(counter, data, "approve")
    assert ask(counter, data)


def test_a_store_that_cannot_be_written_approves_for_this_process_only(
    counter: Path, tmp_path: Path
) -> None:
    blocked = tmp_path / "a_file"
    blocked.write_text("")
    assert ask(counter, blocked / "data", "approve")
    assert not ask(counter, blocked / "data")


def test_what_is_gone_is_forgotten(counter: Path, data: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(counter, tmp_path / "other"))
    ask(counter, data, "approve")
    shutil.rmtree(counter)
    ask(other, data, "approve")
    stored = json.loads((data / "approved.json").read_text())["folders"]
    assert list(stored) == [str(other)]


@pytest.mark.live
@pytest.mark.parametrize(
    "command", [("build",), ("validate",), ("rollout", "-f", "ors")], ids=lambda c: c[0]
)
def test_who_plays_a_folder_on_the_command_line_approves_it(
    counter: Path, data: Path, command: tuple[str, ...]
) -> None:
    # The oracle breaks at once, so that nothing need be installed: agreeing comes first.
    (counter / "oracle.py").write_text("raise RuntimeError('broken')\n")
    name, *options = command
    run = subprocess.run(
        [sys.executable, "-m", "skill_tools.cli", name, str(counter), *options],
        capture_output=True,
        env={**os.environ, "SKILL_TOOLS_DATA": str(data)},
        check=False,
    )
    assert run.returncode in (1, 2)
    assert ask(counter, data)


@pytest.mark.live
@pytest.mark.parametrize("command", ["check", "render"])
def test_looking_and_rendering_approve_nothing(counter: Path, data: Path, command: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "skill_tools.cli", command, str(counter)],
        capture_output=True,
        env={**os.environ, "SKILL_TOOLS_DATA": str(data)},
        check=True,
    )
    assert not ask(counter, data)
