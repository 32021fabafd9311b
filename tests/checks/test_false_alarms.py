"""What is right, or another defect, is not called by a wrong name; each was, once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.checks import Finding
from tests.conftest import ROOT, write_counter

pytestmark = pytest.mark.everything("mutants")  # seconds each, and many

CONTROLS = ROOT / "corpora" / "mutants" / "controls"


def reported(folder: Path) -> dict[str, Finding]:
    """What asks for something to be done, by check."""
    findings = pipeline.check(folder, play=True).report.findings
    return {f.check: f for f in findings if f.status in ("fail", "warn")}


def test_bounds_that_depend_on_each_other_and_less_for_more_moves_are_right() -> None:
    assert reported(CONTROLS / "peak-in-window") == {}


def test_a_short_form_of_an_answer_and_refusals_that_follow_the_question_are_right() -> None:
    assert reported(CONTROLS / "days-by-name") == {}


def test_a_part_of_any_length_is_no_short_form(tmp_path: Path) -> None:
    folder = tmp_path / "days"
    shutil.copytree(CONTROLS / "days-by-name", folder)
    world = folder / "world.py"
    exact = "text.lower() in (day.lower(), day[:3].lower())"
    assert exact in world.read_text()
    world.write_text(world.read_text().replace(exact, "day.lower().startswith(text.lower())"))
    assert "REW011" in reported(folder)


def test_refusals_that_follow_nothing_an_opening_says_tell(tmp_path: Path) -> None:
    folder = tmp_path / "days"
    shutil.copytree(CONTROLS / "days-by-name", folder)
    world = folder / "world.py"
    asked = 'if self._kind == "difference":\n            if not'
    hidden = "if self._sold['Sunday'] % 2:\n            if not"
    assert asked in world.read_text()
    world.write_text(world.read_text().replace(asked, hidden))
    assert "ISO012" in reported(folder)


def test_a_number_in_a_refusal_is_to_be_looked_at_and_no_failure(tmp_path: Path) -> None:
    folder = tmp_path / "days"
    shutil.copytree(CONTROLS / "days-by-name", folder)
    world, spec = folder / "world.py", folder / "env.yaml"
    counted = world.read_text().replace(
        "used: give a day in full", "used {self._sold['Sunday'] * 7}: give a day in full"
    )
    world.write_text(
        counted.replace('"Not taken, and no attempt used {', 'f"Not taken, and no attempt used {')
    )
    spec.write_text(
        spec.read_text().replace("min_length: 1", "min_length: 1\n        samples: [never]")
    )
    findings = pipeline.check(folder, play=True, count=24).report.findings
    (found,) = (each for each in findings if each.check == "ISO012")
    assert (found.status, "work it out from the observations" in found.message) == ("warn", True)


@pytest.mark.parametrize("split_pay", [0.5, 0.25])
def test_an_oracle_that_earns_a_part_at_the_end_is_the_oracles_fault(
    split_pay: float, tmp_path: Path
) -> None:
    pays = ("self.reward = 1.0\n", f"self.reward = {split_pay}\n")
    found = reported(write_counter(tmp_path / "counter", game=pays))
    assert "REW002" in found
    assert "REW018" not in found


def lax_days(folder: Path) -> Path:
    """Questions for a number come first, and those for a day, of which any part is taken, later."""
    shutil.copytree(CONTROLS / "days-by-name", folder)
    world, tasks = folder / "world.py", folder / "tasks.py"
    exact = "text.lower() in (day.lower(), day[:3].lower())"
    world.write_text(world.read_text().replace(exact, "day.lower().startswith(text.lower())"))
    kinds = 'kinds = ("most", "least", "difference")'
    assert kinds in tasks.read_text()
    later = 'kinds = ["difference"] * 6 + ["most", "least"] * 9'
    tasks.write_text(tasks.read_text().replace(kinds, later).replace("kinds[n % 3]", "kinds[n]"))
    return folder


def test_a_kind_of_answer_that_comes_later_than_what_is_played_is_varied_too(
    tmp_path: Path,
) -> None:
    folder = lax_days(tmp_path / "days")
    findings = pipeline.check(folder, play=True, count=4).report.findings
    found = [f for f in findings if f.check == "REW011" and f.status == "fail"]
    assert any("only the beginning of the answer" in f.message for f in found)


def test_a_file_that_only_a_later_task_needs_is_missed_in_the_bundle(tmp_path: Path) -> None:
    folder = tmp_path / "days"
    shutil.copytree(CONTROLS / "days-by-name", folder)
    world = folder / "world.py"
    (folder / "least.txt").write_text("x")
    world.write_text(
        world.read_text()
        .replace("import random\n", "import random\nfrom pathlib import Path\n")
        .replace(
            "        self._left = 2\n",
            '        if self._kind == "least":\n'
            '            Path(__file__).with_name("least.txt").read_text()\n'
            "        self._left = 2\n",
        )
    )
    findings = pipeline.check(folder, play=True, count=1).report.findings
    (found,) = [f for f in findings if f.check == "CON009"]
    assert found.status == "fail"
    assert "cannot be opened with only the files in a bundle" in found.message


@pytest.mark.parametrize(
    ("closing", "found"),
    [
        ("self._file.close()", ""),
        ("if self.done:\n            self._file.close()", "fail"),
        (None, "warn"),
    ],
)
def test_what_close_leaves_to_python_is_told_and_what_it_closes_is_not(
    closing: str | None, found: str, tmp_path: Path
) -> None:
    begins = "        self.done = False\n"
    opens = f"{begins}        self._file = open(__file__)  # noqa: SIM115\n"
    method = f"    def close(self):\n        {closing}\n\n" if closing else ""
    observe = "    def observe("
    folder = write_counter(
        tmp_path / "counter", game=[(begins, opens), (observe, method + observe)]
    )
    left = reported(folder).get("RES002")
    assert (left.status if left else "") == found
    assert not left or "open files: 1" in left.message
