"""docs/ci.md: it names the forms, the measures, the inputs and the options that there are."""

from __future__ import annotations

import re

import pytest
from ruamel.yaml import YAML

from skill_tools.report.formats import FORMATS, TEXT
from skill_tools.report.gate import read_gate
from skill_tools.report.measures import MEASURES
from tests.command_line import skill_tools
from tests.conftest import ROOT
from tests.over import over

PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")


def rows(heading: str) -> set[str]:
    """The first cells of the table below a row of headings, without code marks."""
    table = PAGE.partition(heading)[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `([^`]+)`", table, re.MULTILINE))


def test_every_form_and_measure_is_in_its_table() -> None:
    assert rows("| format | for |") == {TEXT, *FORMATS}
    assert rows("| measure | meaning |") == set(MEASURES)


def test_each_gate_it_shows_is_one() -> None:
    shown = re.findall(r"--fail-on ('[^']+'|[\w,>.-]+)", PAGE)
    assert len(shown) >= 4
    for words in shown:
        read_gate([words.strip("'")])


@pytest.mark.everything("costly")
@over("command", ["check", "validate", "build", "audit", "recheck"])
def test_each_command_has_the_options_it_names(command: str) -> None:
    said = skill_tools(command, "--help").stdout
    for option in ("--fail-on", "--format", "--output", "--baseline", "--write-baseline"):
        assert option in said
        assert option in PAGE


def test_the_workflow_has_inputs_and_outputs_of_the_action() -> None:
    action = YAML(typ="safe", pure=True).load((ROOT / "action.yml").read_text("utf-8"))
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    steps = YAML(typ="safe", pure=True).load(text)["jobs"]["environment"]["steps"]
    (ours,) = [step for step in steps if "rl-env-skills" in step.get("uses", "")]
    assert set(ours["with"]) == set(action["inputs"])
    assert set(re.findall(r"steps\.env\.outputs\.([\w-]+)", text)) <= set(action["outputs"])
    for name in action["outputs"]:
        assert f"`{name}`" in PAGE
