"""Asking the author's code: a time limit per question, and the line at which it hung."""

from __future__ import annotations

import ast
from contextvars import Context
from pathlib import Path

import pytest

from skill_tools.errors import DomainError
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import play_domain, told_slow
from skill_tools.pipeline.source import variables
from skill_tools.policies.scripted import noop
from skill_tools.reference import process
from skill_tools.reference.children import kept
from skill_tools.reference.playbook import write_scripts
from skill_tools.reference.process import Query, ask, ask_apart, one, play_job
from tests.conftest import write_counter

SPIN = "import random\n\ndef spin():\n    while True:\n        pass\n"
MATCH = 'import random\nimport re\n\ndef spin():\n    return re.match("(a+)+$", "a" * 64 + "b")\n'


def hung(folder: Path, *jobs: Query) -> str:
    with pytest.raises(DomainError) as caught:
        ask(load(folder), folder, jobs)
    return str(caught.value)


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILL_TOOLS_DOMAIN_SECONDS", "2")


@pytest.mark.live
@pytest.mark.parametrize(("head", "line"), [(SPIN, "[45]"), (MATCH, "5")], ids=["python", "c"])
def test_the_line_at_which_the_authors_code_hung_is_named(
    tmp_path: Path, head: str, line: str
) -> None:
    changes = [("import random\n", head), ("        self.value = 0", "        self.value = spin()")]
    folder = write_counter(tmp_path / "counter", game=changes)
    message = hung(folder, play_job("opening it", [("train", 0, None, noop())], 6))
    assert message.startswith("opening it did not end within 2 s, in spin at game.py:")
    assert message.partition("game.py:")[2][0] in line
    assert "endless loop" in message


@pytest.mark.live
def test_importing_the_package_counts_to_the_first_job(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", tasks=("TASKS = {", "while True: pass\nTASKS = {"))
    message = hung(folder, Query("count", "reading the tasks"), Query("survey", "reading them all"))
    assert message.startswith(
        "reading the tasks did not end within 2 s, in <module> at tasks.py:1;"
    )


def test_a_job_of_several_episodes_has_as_many_times_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_DOMAIN_SECONDS", "0.5")
    changes = ("        self.value = 0", "        while True: pass")
    folder = write_counter(tmp_path / "counter", game=changes)
    episodes = [("train", index, None, noop()) for index in range(2)]
    assert "opening two did not end within 1 s" in hung(
        folder, play_job("opening two", episodes, 6)
    )


@pytest.mark.live
def test_a_domain_that_disarms_the_watch_is_ended_by_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STARTING", 0.5)
    disarm = "import faulthandler\nfaulthandler.cancel_dump_traceback_later()\nwhile True: pass\n"
    folder = write_counter(tmp_path / "counter", tasks=("TASKS = {", f"{disarm}TASKS = {{"))
    message = hung(folder, Query("count", "reading the tasks"))
    assert message.startswith("reading the tasks did not end within 2 s; look for")


@pytest.mark.parametrize("code", [0, 3])
def test_a_process_that_ends_is_not_called_hung(tmp_path: Path, code: int) -> None:
    changes = ("TASKS = {", f"import os\n\nos._exit({code})\nTASKS = {{")
    folder = write_counter(tmp_path / "counter", tasks=changes)
    assert hung(folder, Query("count", "reading")).startswith("the process ended while reading:")
    groups = [[Query("count", "the first")], [Query("count", "the second")]]
    with pytest.raises(DomainError, match=r"^the process ended while the first:"):
        ask_apart(load(folder), folder, groups)


def test_what_one_group_of_jobs_leaves_behind_is_gone_before_the_next(tmp_path: Path) -> None:
    leaving = """import pathlib
import random
import subprocess

LAST = pathlib.Path(__file__).with_name("last")
LEFT = LAST.exists() and pathlib.Path("/proc", LAST.read_text()).exists()
LAST.write_text(str(subprocess.Popen(["sleep", "600"], start_new_session=True).pid))
"""
    folder = write_counter(
        tmp_path / "counter",
        game=[("import random\n", leaving), ("{self.target}.", "{self.target}, left: {LEFT}.")],
    )
    play = play_job("opening", [("train", 0, None, noop())], 6)
    for (reply,) in ask_apart(load(folder), folder, [[play]] * 3):
        assert "left: False" in reply.value[0].prompt[-1]["content"]


def reported(folder: Path) -> str:
    """What an episode shows first."""
    play = play_job("opening", [("train", 0, None, noop())], 6)
    return one(load(folder), folder, play)[0].prompt[-1]["content"]


@pytest.mark.everything("costly")
def test_what_is_asked_within_a_block_is_answered_by_forks_of_one_process(tmp_path: Path) -> None:
    folder = write_counter(
        tmp_path / "counter",
        game=[
            ("import random\n", "import os\nimport random\n\nCHANCE = random.random()\n"),
            ("{self.target}.", "{os.getppid()} {os.getpid()} {CHANCE}"),
        ],
    )

    def thrice() -> list[str]:
        with kept():
            return [reported(folder) for _ in range(3)]

    apart = [Context().run(reported, folder) for _ in range(2)]
    parents, own, chances = zip(*(text.split()[-3:] for text in apart), strict=True)
    assert len(set(parents)) == len(set(own)) == len(set(chances)) == 2
    parents, own, chances = zip(*(t.split()[-3:] for t in Context().run(thrice)), strict=True)
    assert len(set(parents)) == 1
    assert len(set(own)) == len(set(chances)) == 3
    assert not Path("/proc", parents[0]).exists()


def test_a_process_that_is_killed_is_not_asked_again(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    killing = "import os\nimport time\nos.kill(os.getppid(), 9)\ntime.sleep(60)\n"
    with kept():
        before = reported(folder)
        tasks = (folder / "tasks.py").read_text("utf-8")
        (folder / "tasks.py").write_text(killing + tasks, "utf-8")
        message = hung(folder, Query("count", "reading the tasks"))
        assert message.startswith("the process ended while reading the tasks:")
        (folder / "tasks.py").write_text(tasks, "utf-8")
        assert reported(folder) == before


@pytest.mark.live
def test_each_job_and_each_episode_of_one_has_the_whole_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_DOMAIN_SECONDS", "3")
    slow = ("        self.value = 0", "        time.sleep(1)\n        self.value = 0")
    folder = write_counter(
        tmp_path / "counter", game=[("import random\n", "import random\nimport time\n"), slow]
    )
    jobs = [Query("solve", f"solving {i}", {"split": "train", "index": i}) for i in range(4)]
    assert all(answer.value for answer in ask(load(folder), folder, jobs))
    episodes = [("train", index, None, noop()) for index in range(4)]
    (answer,) = ask(load(folder), folder, [play_job("opening four", episodes, 6)])
    assert len(answer.value) == 4


def test_the_sandbox_can_be_imported_before_anything_is_rendered(tmp_path: Path) -> None:
    folder = write_counter(
        tmp_path / "counter",
        env=("episode:", "backend: e2b\nepisode:"),
        game=[
            ("import random\n", "import random\n\nfrom rl_env_sandbox import environment\n"),
            ("{self.target}.", "{self.target} on {environment.calling().backend}."),
        ],
    )
    (record,) = one(load(folder), folder, play_job("opening", [("train", 0, None, noop())], 6))
    assert " on e2b." in record.prompt[-1]["content"]


@pytest.mark.everything("checks")
@pytest.mark.parametrize(
    ("game", "secrets", "named"),
    [
        (("import random\n", "import os\nimport random\n\nKEY = os.environ['JUDGE_API_KEY']\n"), "", True),
        (("return self.observe()", "raise OSError('set HOUSE_TOKEN or JUDGE_API_KEY')"), "", True),
        (("import random\n", ("import random\n\nraise "
                             "OSError('JUDGE_API_KEY is no key')\n")), "secrets: [JUDGE_API_KEY]\n", False),
    ],
    ids=["at import", "in a tool", "listed"],
)  # fmt: skip
def test_an_error_about_a_secret_that_was_kept_back_says_how_to_list_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: tuple[str, str],
    secrets: str,
    named: bool,
) -> None:
    monkeypatch.setenv("JUDGE_API_KEY", "123")
    look = ("    calls = []", '    calls = [("look", {})]')
    folder = write_counter(
        tmp_path / "counter", game=game, env=("episode:", f"{secrets}episode:"), oracle=look
    )
    try:
        played = play_domain(load(folder), folder, count=1).reference.episodes["oracle"].values()
        error = " ".join(t.failure.message for t in played if t.failure)
    except DomainError as raised:
        error = str(raised)
    assert "JUDGE_API_KEY" in error
    assert ("fix: write `secrets: [JUDGE_API_KEY]` in env.yaml" in error) == named
    assert "HOUSE_TOKEN is set here" not in error


def test_the_variables_that_a_file_reads_are_found_by_name_and_line() -> None:
    text = """\
import os
from os import environ, getenv
os.environ["SET_HERE"] = "1"
one = os.environ["ONE"], os.environ["SET_HERE"], os.environ[str(one)]
two = environ.get("TWO", ""), getenv("THREE"), os.getenv("FOUR", "4"), {}.get("no")
"""
    found = variables(ast.parse(text))
    assert found == {"ONE": 4, "TWO": 5, "THREE": 5, "FOUR": 5}


@pytest.mark.everything("costly")
@pytest.mark.parametrize("backend", ["none", "local", "e2b"])
def test_what_any_backend_needs_reaches_the_domain_and_no_other_secret_does(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("E2B_API_KEY", "OTHER_API_KEY", "COUNTER_API_KEY"):
        monkeypatch.setenv(name, "set")
    folder = write_counter(
        tmp_path / "counter",
        env=("episode:", f"backend: {backend}\nsecrets: [COUNTER_API_KEY]\nepisode:"),
        game=[
            ("import random\n", "import os\nimport random\n"),
            ("{self.target}.", "{[n for n in sorted(os.environ) if n.endswith('_API_KEY')]}"),
        ],
    )
    (record,) = one(load(folder), folder, play_job("opening", [("train", 0, None, noop())], 6))
    expected = ["COUNTER_API_KEY"] + (["E2B_API_KEY"] if backend != "none" else [])
    assert str(expected) in record.prompt[-1]["content"]


def test_a_slow_world_is_told_with_the_minutes_and_a_quick_one_is_not(counter: Path) -> None:
    playbook = write_scripts(load(counter), counter, None, 10)
    episodes = sum(len(scripts) for scripts in playbook.scripts.values())
    assert told_slow(playbook, 5.0) == ""
    said = told_slow(playbook, 50.0)
    assert said.startswith(
        f"solving a task takes 5.0 s, so the {episodes} episodes of each variant"
    )
    assert f"take {episodes * 5 / 60:.0f} min; --quick" in said
