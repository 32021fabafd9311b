"""Jobs in real processes: attached to, refused, ended, and never left over."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_tools.errors import SkillToolsError
from skill_tools.mcp.jobs import Job, JobLimits, Jobs
from tests.conftest import ROOT, snapshot, write_counter
from tests.processes import below, plays, until

pytestmark = pytest.mark.live
HANGS = ("def solve(task, seed):\n", "def solve(task, seed):\n    import time; time.sleep(600)\n")
SHORT = {"frameworks": ["ors"], "count": 1, "split": None}


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs(JobLimits(forgotten=20))
    before = set(below())
    yield made
    made.close()
    assert not set(below()) - before


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    return write_counter(tmp_path / "hanging", oracle=HANGS)


def started(jobs: Jobs, folder: Path) -> Job:
    job = jobs.start("validate", folder, SHORT)
    assert until(lambda: plays(folder)), job.error
    return job


def test_a_job_that_is_done_has_its_result(jobs: Jobs, counter: Path) -> None:
    job = jobs.start("check", counter, {})
    assert job.wait(30)
    assert (job.state, job.error) == ("done", "")
    assert job.result == {"environment": "counter", "findings": []}
    assert jobs.find(job.name) is job


def test_an_expected_error_is_told_and_no_traceback_with_it(jobs: Jobs, tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "broken", game=("import random\n", "import randon\n"))
    job = jobs.start("check", folder, {})
    assert job.wait(30)
    assert job.state == "failed"
    assert "importing game.py failed" in job.error
    assert "No module named 'randon'" in job.error
    assert "skill_tools/" not in job.error


def test_a_worker_that_dies_is_a_failed_job_with_its_last_words(jobs: Jobs, counter: Path) -> None:
    job = jobs.start("check", counter, {"no_such_option": 1})
    assert job.wait(30)
    assert job.state == "failed"
    assert "no_such_option" in job.error


def test_what_the_author_prints_is_not_taken_for_progress(jobs: Jobs, tmp_path: Path) -> None:
    loud = ("import random\n", 'import random\nprint(\'{"progress": "I am the author"}\')\n')
    folder = write_counter(tmp_path / "loud", game=loud)
    job = jobs.start("check", folder, {})
    assert job.wait(30)
    assert job.state == "done", job.error
    assert not job.progress


def test_progress_is_heard_while_it_runs(jobs: Jobs, hanging: Path) -> None:
    job = started(jobs, hanging)
    assert list(job.progress) == ["domain: solving the tasks"]


def test_asking_for_the_same_again_attaches_to_the_job_that_runs(jobs: Jobs, hanging: Path) -> None:
    job = started(jobs, hanging)
    assert jobs.start("validate", hanging, dict(SHORT)) is job
    assert len(plays(hanging)) <= 2


def test_other_work_in_the_same_folder_is_refused(jobs: Jobs, hanging: Path) -> None:
    job = started(jobs, hanging)
    with pytest.raises(SkillToolsError, match=f"{job.name} already runs in {hanging}"):
        jobs.start("validate", hanging, {**SHORT, "count": 2})
    assert jobs.at_work(hanging) is job


def test_a_third_job_is_told_which_two_run(jobs: Jobs, tmp_path: Path) -> None:
    folders = [write_counter(tmp_path / name, oracle=HANGS) for name in ("a", "b", "c")]
    first, second = (started(jobs, folder) for folder in folders[:2])
    with pytest.raises(SkillToolsError) as refused:
        jobs.start("validate", folders[2], SHORT)
    for text in (first.name, second.name, str(folders[0]), "get_job"):
        assert text in str(refused.value)
    first.cancel()
    assert first.wait(15)
    assert jobs.start("validate", folders[2], SHORT).running


def test_checks_are_counted_apart_and_have_their_limit_too(jobs: Jobs, tmp_path: Path) -> None:
    sleeps = ("import random\n", "import random, time\ntime.sleep(600)\n")
    folders = [write_counter(tmp_path / name, game=sleeps) for name in ("a", "b", "c")]
    working = started(jobs, write_counter(tmp_path / "working", oracle=HANGS))
    assert jobs.start("check", working.folder, {}).wait(30)
    checks = [jobs.start("check", folder, {}) for folder in folders[:2]]
    with pytest.raises(SkillToolsError, match="2 jobs are running"):
        jobs.start("check", folders[2], {})
    assert working.running
    assert all(check.running for check in checks)


def test_cancelling_ends_the_processes_of_that_job_only(jobs: Jobs, tmp_path: Path) -> None:
    one, other = (write_counter(tmp_path / name, oracle=HANGS) for name in ("one", "other"))
    doomed, spared = started(jobs, one), started(jobs, other)
    before = snapshot(one)
    doomed.cancel()
    assert doomed.wait(15)
    assert (doomed.state, doomed.error) == ("cancelled", "cancelled on request")
    assert not plays(one)
    assert until(lambda: plays(other))  # it has one process after the other
    assert spared.running
    assert snapshot(one) == before


@pytest.mark.parametrize(
    ("limits", "state", "said"),
    [
        (JobLimits(forgotten=1), "cancelled", "no get_job call came for 1 s"),
        (JobLimits(longest=1), "failed", "not finished after 1 s"),
    ],
    ids=["forgotten", "too long"],
)
def test_a_job_ends_when_its_time_is_up(
    hanging: Path, limits: JobLimits, state: str, said: str
) -> None:
    made = Jobs(limits)
    job = made.start("validate", hanging, SHORT)
    assert job.wait(15)
    assert job.state == state
    assert said in job.error
    assert not plays(hanging)


@pytest.mark.live
def test_an_abandoned_job_ends_sooner_unless_somebody_asks_again(hanging: Path) -> None:
    made = Jobs(JobLimits(abandoned=1, forgotten=600))
    job = started(made, hanging)
    job.abandoned()
    job.asked()
    assert not job.wait(2)
    job.abandoned()
    assert job.wait(15)
    assert "no get_job call came" in job.error


@pytest.mark.live
def test_a_job_that_is_asked_about_goes_on(hanging: Path) -> None:
    made = Jobs(JobLimits(forgotten=1))
    job = made.start("validate", hanging, SHORT)
    for _ in range(25):
        job.asked()
        assert not job.wait(0.1)
    made.close()


@pytest.mark.live
def test_old_jobs_are_forgotten_and_an_unknown_one_says_why(counter: Path) -> None:
    made = Jobs(JobLimits(kept=1))
    names = []
    for _ in range(3):
        job = made.start("check", counter, {})
        job.wait(30)
        names.append(job.name)
    with pytest.raises(SkillToolsError, match=f"no job '{names[0]}'.*Jobs end with the server"):
        made.find(names[0])
    assert made.find(names[2]).state == "done"


def test_after_closing_nothing_is_started(jobs: Jobs, hanging: Path) -> None:
    job = started(jobs, hanging)
    jobs.close()
    assert job.state == "cancelled"
    assert not plays(hanging)
    with pytest.raises(SkillToolsError, match="the server is shutting down"):
        jobs.start("validate", hanging, SHORT)


CALLER = """
import sys, time
from pathlib import Path
from skill_tools.mcp.jobs import Jobs
job = Jobs().start("validate", Path(sys.argv[1]), {"frameworks": ["ors"], "count": 1, "split": None})
time.sleep(600)
"""


def test_a_job_does_not_outlive_a_killed_caller(hanging: Path) -> None:
    caller = subprocess.Popen([sys.executable, "-c", CALLER, str(hanging)], cwd=ROOT)
    try:
        assert until(lambda: len(below(caller.pid)) >= 4)
        family = below(caller.pid)
        caller.send_signal(signal.SIGKILL)
        caller.wait()
        assert until(lambda: not [p for p in family if p.is_running()], 15)
        assert not plays(hanging)
    finally:
        caller.kill()
