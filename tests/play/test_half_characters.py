"""Half of a surrogate pair in an author's files: told in env.yaml, replaced wherever it is played."""

from __future__ import annotations

from pathlib import Path

import pytest

import skill_tools
from skill_tools.errors import SpecError
from skill_tools.frameworks.rules import load
from tests.conftest import write_counter
from tests.over import over
from tests.selection import some
from tests.test_cli import skill_tools as command

PLAYED = {
    "what the agent sees": {
        "game": [
            ('return f"The counter is at {self.value}; the', 'return f"\\ud83d at {self.value}; the'),
            ('raise InvalidAction(f"{amount}', 'raise InvalidAction(f"\\ud83d {amount}'),
        ]
    },
    "fields of a task": {"tasks": [('f"word{i}word"', 'f"\\ud83d{i}word", "\\ude00": 1')]},
    "the id of a task, in the prompt": {
        "tasks": [('"id": f"train-{i}"', '"id": f"\\ud83d-{i}"')],
        "env": [('user: "{observation}"', 'user: "{id} {observation}"')],
    },
    "arguments of the oracle": {"oracle": [('{"amount": amount}', '{"amount": amount, "note": "\\ud83d"}')]},
    "what is printed": {"game": [("import random", 'import random\nprint("\\ud83d")')]},
}  # fmt: skip
BREAKS = {
    "a tool": {"game": [("        self.value += amount\n", '        raise ValueError("\\ud83d")\n')]},
    "the end": {"game": [("    def look(", ('    def finish(self):\n        raise '
                                           'ValueError("\\ud83d")\n\n    def look('))]},
    "the oracle": {"oracle": [("    left = Counter", '    raise ValueError("\\ud83d")\n    left = Counter')]},
}  # fmt: skip


def asked(*words: str) -> tuple[int, str]:
    """The exit code of a command and what it printed, which can always be encoded."""
    done = command(*words)
    reported = done.stdout + done.stderr
    reported.encode()
    assert "internal error in skill-tools" not in reported
    return done.returncode, reported


@pytest.mark.everything("costly")
@pytest.mark.parametrize("where", some(PLAYED, usual=("what the agent sees",)))
def test_a_domain_with_half_a_character_is_played_and_tried(where: str, tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", **PLAYED[where])
    outcome = skill_tools.check(folder, play=True)
    found = {each.check for each in outcome.report.findings if each.status == "fail"}
    assert not [check for check in found if check.startswith("EPI")]
    outcome.report.model_dump_json().encode()
    code, reported = asked(
        "step", str(folder), "look", "add amount=9", "add amount=9", "add amount=9"
    )
    assert (code, "\ud83d" in reported) == (0, False), reported


@pytest.mark.everything("checks")
@pytest.mark.parametrize("where", some(BREAKS, usual=("the oracle",)))
def test_a_domain_that_breaks_with_half_a_character_is_told_of(where: str, tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", **BREAKS[where])
    code, reported = asked("check", "--play", str(folder))
    assert (code, "\ufffd" in reported) == (1, True), reported


@over(
    ("old", "new", "place"),
    [
        ("title: Counter", 'title: "Counter \\ud83d"', "env.yaml:2, title"),
        ("system: Count to the target.", 'system: "Count \\ude00"', "env.yaml:10, prompt.system"),
        ("Look at the counter.", '"\\ud83d"', "tools.look.description"),
        ("hidden: [target_word]", 'hidden: [target_word, "\\ud83d"]', "env.yaml:8, hidden.1"),
        ("  look:\n", '  "\\ud83d":\n', "tools"),
    ],
)  # fmt: skip
def test_env_yaml_may_not_hold_half_a_character(
    old: str, new: str, place: str, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "counter", env=[(old, new)])
    with pytest.raises(SpecError) as caught:
        load(folder)
    (problem,) = caught.value.problems
    assert place in problem.where
    assert problem.what == "contains half of a surrogate pair, which cannot be encoded"
