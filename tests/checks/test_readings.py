"""Readings: what somebody expects who saw the words alone is compared, and is nobody's worked example."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.mutants.corpus import copy_environment
from skill_tools import bundle, check, checks, render
from skill_tools.checks import Finding
from skill_tools.errors import SpecError
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.reference_run import ReferenceRun, Tasks
from skill_tools.files import READINGS_FILE
from skill_tools.frameworks.rules import load
from skill_tools.reference.examples import play_readings
from skill_tools.rollouts.episode_cache import hash_files, hash_variant
from skill_tools.spec.readers.readings import read_readings
from tests.conftest import snapshot, write_counter

WORDLE_READINGS = """\
examples:
  - task: train/1
    says: "yellow: the letter is in the word, at another place."
    because: "creak has one E, so of the three in eerie one is yellow."
    calls:
      - {tool: guess, arguments: {word: eerie}, shows: "e yellow, e gray, r yellow, i gray, e gray"}
  - task: train/1
    says: "the sixth refusal ends the game."
    calls:
      - {tool: guess, arguments: {word: xxxxx}, times: 6, refused: true, done: true}
    returns: 0
"""
COUNTER_READINGS = """\
examples:
  - task: train/0
    because: "Whoever stops early has not reached the target."
    calls: [{tool: add, arguments: {amount: 8}, done: false}]
    returns: 0
  - task: train/0
    says: "look tells where the counter is."
    because: "It is at 0, and at 8 after 8 were added."
    calls:
      - {tool: look, shows: "is at 0"}
      - {tool: add, arguments: {amount: 8}}
      - {tool: look, shows: "is at 8"}
  - task: train/0
    because: "17 is the target: 9 and 8."
    calls:
      - {tool: add, arguments: {amount: 9}, hides: "over"}
      - {tool: add, arguments: {amount: 9}, refused: true}
      - {tool: add, arguments: {amount: 8}, reward: 1, done: true}
      - {tool: look, refused: true}
    returns: 1
"""
ADDED = '        return f"The counter is at {self.value}. {note}"'
PAID_EARLY = (ADDED, f"        self.reward = self.value / self.target\n{ADDED}")
LOOK = "    def look(self):\n"
SEEN = "        self.seen = getattr(self, 'seen', None) or self.observe()\n        return self.seen"
STALE = (f"{LOOK}        return self.observe()", f"{LOOK}{SEEN}")


def read(folder: Path, readings: str) -> list[Finding]:
    """What EXA006 says of a world and readings of it, played."""
    (folder / READINGS_FILE).write_text(readings, "utf-8")
    spec, found = load(folder), read_readings(folder)
    played = play_readings(spec, folder, found)
    tasks = Tasks("train", [], {"train": 12, "test": 1})
    seen = Evidence(
        Declaration.of(spec),
        spec,
        folder,
        reference=ReferenceRun(tasks=tasks, readings=found, readings_replay=played),
    )
    return [each for each in checks.run(seen) if each.check == "EXA006"]


def test_a_reader_finds_a_letter_that_is_coloured_too_often(tmp_path: Path) -> None:
    folder = tmp_path / "wordle"
    copy_environment("wordle", folder)
    assert [each.status for each in read(folder, WORDLE_READINGS)] == ["pass"]
    game = folder / "game.py"
    game.write_text(game.read_text().replace("            left.remove(letter)\n", ""), "utf-8")
    (found,) = read(folder, WORDLE_READINGS)
    assert found.status == "warn"
    assert found.message.startswith(
        "readings.yaml, examples[0] (train/1): a reader who saw only the prompts expected something else: "
        'call 1, guess({"word": "eerie"}): should show \'e yellow, e gray'
    )
    assert (
        "the prompt says: 'yellow: the letter is in the word, at another place.'" in found.message
    )
    assert "because: 'creak has one E, so of the three in eerie one is yellow.'" in found.message
    assert "fix the environment, the prompt or the reader's examples" in found.fix
    assert [step.arguments for step in found.shown.steps] == [{"word": "eerie"}]


@pytest.mark.parametrize(
    ("defect", "number", "said"),
    [
        (PAID_EARLY, 0, "the return should be 0; it was 0.47"),
        (STALE, 1, "call 3, look({}): should show 'is at 8'; it showed 'The counter is at 0"),
    ],
    ids=["paid when stopped early", "a look that is stale"],
)
def test_a_reader_finds_a_rule_that_the_world_has_wrong(
    defect: tuple[str, str], number: int, said: str, tmp_path: Path
) -> None:
    sound = write_counter(tmp_path / "sound")
    assert [each.status for each in read(sound, COUNTER_READINGS)] == ["pass"]
    found = read(write_counter(tmp_path / "broken", game=defect), COUNTER_READINGS)
    assert {each.status for each in found} == {"warn"}
    (message,) = (each.message for each in found if f"examples[{number}]" in each.message)
    assert said in message


def test_what_a_transcript_contradicts_is_told_with_the_words(counter: Path) -> None:
    (found,) = read(
        counter,
        'contradictions:\n  - {task: train/0, player: random, step: 2, sentence: "Count [up].",'
        " because: It went down.}\n  - {task: test/1, sentence: No., because: No.}\n"
        "examples: []\n",
    )[:1]
    assert found.status == "warn"
    assert (
        "(train/0): to a reader who saw only the prompts, call 2 of the random player"
        in found.message
    )
    assert "the prompt says: 'Count [up].'; because: 'It went down.'" in found.message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("task: train/0", "task: train/12", "no task train/12; the splits are: train (12)"),
        ("task: train/0", "task: rare/0", "no task rare/0"),
        ("{tool: look, shows", "{tool: glance, shows", "no tool 'glance'"),
    ],
)
def test_a_reading_of_what_is_gone_is_called_stale(
    old: str, new: str, said: str, counter: Path
) -> None:
    found = read(counter, COUNTER_READINGS.replace(old, new))
    assert {each.status for each in found} == {"warn"}
    assert all("is stale: " in each.message for each in found)
    assert said in found[0].message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("shows:", "shws:", ":10, examples.1.calls.0.shws: unknown field 'shws'"),
        ("because:", "becuase:", "did you mean 'because'?"),
        ('"is at 8"', "8", ":12, examples.1.calls.2.shows: Input should be a valid string"),
        ("returns: 0", "returns: none", ":5, examples.0.returns: "),
        ("{tool: look, refused: true}", "{tool: look}", "call 3 has done: true"),
        ("examples:", "example:", "did you mean 'examples'? there are: examples, contradictions"),
        ("task: train/0", "task: first", ":2, examples.0.task: "),
        ("calls: [{", "calls: [", "not valid YAML"),
    ],
)
def test_a_mistake_in_readings_is_named_with_its_line(
    old: str, new: str, said: str, counter: Path
) -> None:
    assert old in COUNTER_READINGS
    text = COUNTER_READINGS.replace(old, new, 1)
    (counter / READINGS_FILE).write_text(text, "utf-8")
    with pytest.raises(SpecError) as caught:
        check(counter, run_code=False)
    assert f"{READINGS_FILE}:" in str(caught.value)
    assert said in str(caught.value)


def test_what_a_contradiction_lacks_is_named(counter: Path) -> None:
    text = "contradictions:\n  - {task: train/0, sentence: Count., step: 1, whose: oracle}\n"
    (counter / READINGS_FILE).write_text(text, "utf-8")
    with pytest.raises(SpecError) as caught:
        check(counter, run_code=False)
    assert "readings.yaml:2, contradictions.0.because: the field 'because' is missing" in str(
        caught.value
    )
    assert "there are: task, player, step, sentence, because" in str(caught.value)


@pytest.mark.everything("checks")
def test_readings_are_played_with_the_bare_domain_and_make_nothing_red(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=STALE)
    (folder / READINGS_FILE).write_text(COUNTER_READINGS, "utf-8")
    found = check(folder, play=True, count=2)
    (told,) = (each for each in found.report.findings if each.check == "EXA006")
    assert (told.status, told.replay) == ("warn", f"skill-tools replay {folder} EXA006")
    assert found.report.ok
    of_author = {each.check: each.status for each in found.report.findings}
    # Nobody's worked examples: what the author's cover is as it was.
    assert [of_author[name] for name in ("EXA001", "EXA002", "EXA004")] == ["skip", "note", "skip"]


def test_without_readings_the_check_says_how_to_get_some(counter: Path) -> None:
    seen = replace(
        Evidence(Declaration.of(load(counter)), folder=counter),
        reference=replace(
            Evidence(Declaration.of(load(counter)), folder=counter).reference, readings_replay=None
        ),
    )
    (told,) = (each for each in checks.run(seen) if each.check == "EXA006")
    assert (told.status, "`skill-tools blind-review DIR`" in told.message) == ("skip", True)


@pytest.mark.everything("costly")
def test_readings_change_nothing_that_is_rendered_bundled_or_played_in_variants(
    counter: Path, tmp_path: Path
) -> None:
    render(counter)
    spec = load(counter)
    before, key = snapshot(counter), hash_variant(spec, counter, hash_files(counter), "gem", "v")
    (counter / READINGS_FILE).write_text(COUNTER_READINGS, "utf-8")
    assert not render(counter).changes
    assert not check(counter).evidence.files
    after = snapshot(counter)
    del after[READINGS_FILE]
    assert after == before
    assert hash_variant(spec, counter, hash_files(counter), "gem", "v") == key
    made = bundle(counter, "openenv", tmp_path / "bundle")
    assert READINGS_FILE not in {Path(path).name for path in made.files}


ALIASED = """\
examples:
  - {task: train/0, calls: &calls [&look {tool: look, shows: "is at 0"}, *look]}
  - {task: train/1, calls: *calls}
"""


def test_what_a_program_writes_once_and_names_again_is_read(counter: Path) -> None:
    assert [each.status for each in read(counter, ALIASED)] == ["pass"]
    assert [len(each.calls) for each in read_readings(counter).examples] == [2, 2]


def test_an_alias_that_grows_without_limit_is_refused(counter: Path) -> None:
    grown = [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]\n" for n in range(1, 9)]
    for text in (f"x0: &x0 [a, b]\n{''.join(grown)}", "examples: &a [*a]\n"):
        (counter / READINGS_FILE).write_text(text, "utf-8")
        with pytest.raises(SpecError, match=r"readings\.yaml:\d: (YAML aliases of|a YAML alias)"):
            read_readings(counter)


def test_of_many_readings_of_one_sentence_others_are_told_first(counter: Path) -> None:
    one = '  - {task: train/0, says: "One.", calls: [{tool: look, shows: one}]}\n'
    other = one.replace("One.", "Other.")
    against = 'contradictions:\n  - {task: train/0, sentence: "Third.", because: No.}\n'
    found = [each.message for each in read(counter, f"examples:\n{one * 9}{other}{against}")]
    said = [re.search(r"the prompt says: '(\w+)", message) for message in found]
    assert [each[1] for each in said if each] == ["One", "Other", "Third", "One", "One"]
    assert found[-1] == "and 6 more"
