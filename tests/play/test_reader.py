"""A model that reads the brief: what it answers becomes readings.yaml, as far as it can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skill_tools.errors import SkillToolsError
from skill_tools.files import READINGS_FILE
from skill_tools.pipeline.briefs import have_read
from skill_tools.policies.scripted import Turn
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.spec.readers.readings import read_readings
from tests.command_line import skill_tools as command

ANSWER = """\
First a draft:
```yaml
examples: []
```
And now all of it.
```yaml
examples:
  - task: train/0
    says: "look tells [where] the counter is."
    calls: [{tool: look, shows: "is at 0", reward: 0}]
  - {task: train/0, calls: [{tool: look, shws: "is at 0"}]}
  - {task: train/0, calls: [{tool: add, done: true}, {tool: look}]}
  - task: nowhere
contradictions:
  - {task: train/0, step: 1, sentence: Count., because: It does not.}
  - {task: train/0, step: 1}
remarks: none
```
"""


def saying(text: str, **manners: int) -> PolicyEndpoint:
    """A server whose model says one thing."""
    return PolicyEndpoint({"tiny": {"*": (Turn(text=text),)}}, **manners)


def test_what_a_model_writes_is_kept_as_far_as_it_fits_the_form(counter: Path) -> None:
    with saying(ANSWER) as server:
        found = have_read(counter, "tiny", server.base_url, 1)
    assert (found.examples, found.contradictions) == (1, 1)
    assert found.left_out == [
        "examples[1].calls.0.shws: Extra inputs are not permitted",
        "examples[2]: this call comes after the end: call 1 has done: true",
        "examples[3].task: String should match pattern '^[A-Za-z0-9_-]+/[0-9]+$'",
        "contradictions[1].sentence: Field required",
        "remarks: not one of the expected lists",
    ]
    read = read_readings(counter)
    assert read.examples[0].says == "look tells [where] the counter is."
    assert read.examples[0].calls[0].reward == 0
    assert read.contradictions[0].because == "It does not."
    assert (counter / READINGS_FILE).read_text().startswith("# Written by tiny, who saw no code.")


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I would rather not.", "the model's answer"),
        ("examples: [", "not valid YAML"),
        ("examples: []", "wrote no playable example"),
        ("examples: [{task: x}]", r"examples\[0\]\.task: "),
    ],
)
def test_an_answer_of_which_nothing_can_be_read_writes_nothing(
    text: str, said: str, counter: Path
) -> None:
    with saying(text) as server, pytest.raises(SkillToolsError, match=said):
        have_read(counter, "tiny", server.base_url, 1)
    assert not (counter / READINGS_FILE).exists()


def test_what_somebody_wrote_is_not_written_over_and_no_model_is_asked(counter: Path) -> None:
    (counter / READINGS_FILE).write_text("examples: []\n", "utf-8")
    with pytest.raises(SkillToolsError, match="fix: move or delete the file"):
        have_read(counter, "tiny", "http://127.0.0.1:9/v1", 1)
    assert (counter / READINGS_FILE).read_text() == "examples: []\n"


def test_a_brief_that_is_too_long_for_a_model_says_so(counter: Path) -> None:
    with (
        saying(ANSWER, context=100) as server,
        pytest.raises(SkillToolsError, match="does not fit into the context of tiny"),
    ):
        have_read(counter, "tiny", server.base_url, 1)


@pytest.mark.everything("costly")
def test_the_command_says_what_was_left_out_and_what_it_wants(counter: Path) -> None:
    asked = ("blind-review", counter, "--num-tasks", "1", "--model", "tiny")
    with saying(ANSWER) as server:
        told = command(*asked, "--base-url", server.base_url).stdout
        (counter / READINGS_FILE).unlink()
        data = json.loads(command(*asked, "--base-url", server.base_url, "--json").stdout)
    assert f"wrote {counter}/readings.yaml: 1 example, 1 contradiction" in told
    assert "left out: examples[1].calls.0.shws: Extra inputs are not permitted" in told
    assert (data["examples"], len(data["left_out"])) == (1, 5)
    alone = command(*asked)
    assert alone.returncode == 2
    assert "--model NAME --base-url URL" in alone.stderr
