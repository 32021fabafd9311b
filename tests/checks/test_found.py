"""What looks like a defect and is none, beside the same with the defect; on the counter."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.mutants.corpus import copy_environment
from skill_tools import checks
from tests.conftest import write_counter

from .played import evidence_of
from .test_false_alarms import reported

pytestmark = pytest.mark.everything("mutants")  # seconds each, and many

BEGIN = "        self.done = False\n"
ADDED = "        self.value += amount\n"
ANSWER = 'return f"The counter is at {self.value}. {note}"'
TASKS = '"target_word": f"word{i}word"} for i in range(12)'
TEST = '{"id": "test-0", "seed": 99, "target_word": "zebra"}'


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Counter.SEEN[task['id']] = self.target", False),
        ("Counter.SEEN = task['id']", True),
        ("Counter.ORDER.append(Counter.ORDER.pop(0))", True),
        ("Counter.LIMITS['most'] = self.target", True),
        ("self.SEEN = {task['id']: 1}", False),
    ],
)
def test_what_episodes_set_on_a_class_is_told_and_what_they_keep_or_own_is_not(
    line: str, found: bool, tmp_path: Path
) -> None:
    held = "class Counter:\n    SEEN = {}\n    ORDER = [1, 2, 3, 4, 5, 6, 7]\n    LIMITS = {'most': 3}\n"
    game = [("class Counter:\n", held), (BEGIN, f"{BEGIN}        {line}\n")]
    assert ("RES008" in reported(write_counter(tmp_path / "counter", game=game))) is found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("__import__('logging').disable(50)", "whether logging is on"),
        ("__import__('logging').getLogger(__name__).setLevel(50)", ""),
        ("__import__('socket').setdefaulttimeout(3)", "the default timeout of sockets"),
    ],
)
def test_a_setting_that_the_first_episode_changes_for_all_is_told(
    line: str, found: str, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "counter", game=(BEGIN, f"{BEGIN}        {line}\n"))
    changed = reported(folder).get("RES006")
    assert (changed is not None) is bool(found)
    assert not changed or found in changed.message


@pytest.mark.parametrize(
    ("levels", "found"),
    [
        ("['easy', 'easy']", True),
        ("['easy', 'hard']", False),
        ("['new', 'new']", False),
    ],
)
def test_a_level_of_train_that_test_lacks_is_told_and_one_that_is_held_out_is_not(
    levels: str, found: bool, tmp_path: Path
) -> None:
    train = TASKS.replace('"}', '", "level": ["easy", "hard"][i % 2]}').replace("12", "30")
    some = (
        f'*({{"id": f"test-{{i}}", "seed": 99 + i, "target_word": f"zebra{{i}}", '
        f'"level": {levels}[i % 2]}} for i in range(12))'
    )
    reads = ('self.word = task["target_word"]', 'self.word = task["target_word"], task["level"]')
    folder = write_counter(tmp_path / "counter", tasks=[(TASKS, train), (TEST, some)], game=reads)
    assert ("TAS006" in reported(folder)) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("f'At {self.value} &lt;of {self.target}&gt;. {note}'", "HTML escapes"),
        ("f'At {self.value} {chr(92)}u00ef. {note}'", "JSON escapes"),
        ("f'At {self.value}, with the escape {chr(92)}u00ef. {note}'", ""),
        ("f'At {self.value}: {type(self)}. {note}'", "the repr of a Python object"),
        ("f'At {self.value}. {(note or chr(120)) * 500}'", ""),
        ("f'At {self.value} of <{self.target}> & {note!r}.'", ""),
    ],
)
def test_a_text_that_is_written_for_programs_is_told(text: str, found: str, tmp_path: Path) -> None:
    said = reported(write_counter(tmp_path / "counter", game=(ANSWER, f"return {text}"))).get(
        "OBS009"
    )
    assert (said is not None) is bool(found)
    assert not said or found in said.message


def test_a_file_that_is_written_again_beside_the_code_is_told_as_well_as_a_new_one(
    tmp_path: Path,
) -> None:
    line = "        open(__file__ + '.log', 'a').write('x')  # noqa: SIM115\n"
    folder = write_counter(tmp_path / "counter", game=(ADDED, ADDED + line))
    (folder / "game.py.log").write_text("there before")
    assert "RES007" in reported(folder)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Look as often as you like.", True),
        ("Look as often as you like, 6 calls in all.", False),
        ("Look as often as you like. After 6 calls the game is broken off.", False),
        ("Look as often as you like, up to 6 times a day. Each day is new.", False),
        ("Look as often as you like. There are 6 cups.", True),
        ("Each call counts.", False),
    ],
)
def test_a_limit_that_words_deny_is_told(words: str, found: bool, tmp_path: Path) -> None:
    said = "system: Count to the target."
    folder = write_counter(tmp_path / "counter", env=(said, f"{said} {words}"))
    assert ("WOR013" in reported(folder)) is found


def test_tasks_that_another_process_deals_anew_are_told_in_every_split(tmp_path: Path) -> None:
    other = TEST.replace('"seed": 99', '"seed": __import__("os").getpid()')
    folder = write_counter(tmp_path / "counter", tasks=(TEST, other))
    assert "test/0" in reported(folder)["DET005"].message


@pytest.mark.parametrize(("level", "found"), [("hard", True), ("easy", False)])
def test_a_branch_for_a_level_that_no_task_has_is_told(
    level: str, found: bool, tmp_path: Path
) -> None:
    tasks = [(TASKS, TASKS.replace("}", "}", 1)), ('"seed": i', '"level": "easy", "seed": i')]
    branch = f"        if task.get('level') == '{level}':\n            self.value = 0\n"
    folder = write_counter(tmp_path / "counter", game=(BEGIN, f"{BEGIN}{branch}"), tasks=tasks)
    assert ("CON011" in reported(folder)) is found


@pytest.mark.parametrize(
    ("paid", "found"),
    [
        ("self._warmer += feels[-1] > feels[-2]", True),
        ("self._warmer = max(feels) - feels[0]", False),
        ("self._warmer = feels[-1] - feels[0]", False),
    ],
)
def test_each_step_up_is_paid_again_or_what_was_reached_is_paid(
    paid: str, found: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "hunt"
    copy_environment("starter-pure-python-game", folder)
    rules = folder / "game.py"
    text = rules.read_text("utf-8")
    begin, paying = "        self.reward = 0.0\n", "        self.reward = 1.0 if found else 0.0\n"
    assert text.count(begin) == text.count(paying) == 1
    lines = [
        "order = ('cold', 'warm', 'hot', 'burning', 'treasure')",
        "feels = [order.index(felt) for felt in self.felt.values()]",
        paid,
        "self.reward = 1.0 if found else self._warmer / 10",
    ]
    text = text.replace(begin, f"{begin}        self._warmer = 0\n")
    text = text.replace(paying, "".join(f"        {line}\n" for line in lines))
    rules.write_text(text, "utf-8")
    assert ("REW024" in reported(folder)) is found


def test_a_call_after_the_end_that_opens_the_episode_again_is_named(tmp_path: Path) -> None:
    begins = '    def add(self, amount, note=""):\n'
    again = f'{begins}        if self.done:\n            self.done = False\n            return "again"\n'
    folder = write_counter(tmp_path / "counter", game=(begins, again))
    (found,) = [f for f in checks.run(evidence_of(folder, exploring=True)) if f.check == "EPI009"]
    assert found.status == "warn"
    assert found.message.endswith("set done back to false")
