"""What each scorer says, and that one which is broken is found by the scripted solvers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from evals import case as cases
from evals import scorers
from evals.attempt import Attempt, Played, copied, play
from evals.case import Case
from evals.episode import Play
from evals.expectation import WEIGHTS, Expectation, combined, lost_points, mark
from evals.report.calibration import surprises
from evals.report.result import Result
from evals.scorers import SCORERS, answer, asked, behaviour, checks, parity, starts, trigger

from .attempts import played

TWO = ["openenv", "ors"]


@pytest.fixture
def case() -> Case:
    return cases.find("higher_lower")


def lost(found: list[Expectation]) -> set[str]:
    return lost_points(found)


def test_asked(case: Case, tmp_path: Path) -> None:
    attempt = played(case, tmp_path, TWO)
    assert not lost(asked.score(case, attempt))
    del attempt.found["ors"], attempt.tools["ors"]
    assert lost(asked.score(case, attempt)) == {"asked/variant@ors", "asked/tools@ors"}
    attempt = played(case, tmp_path, TWO)
    attempt.tools["ors"] = ["ask", "tell"]
    (found,) = [each for each in asked.score(case, attempt) if each.held is False]
    assert found.found == "lacks guess; its tools are: ask, tell"


def test_starts(case: Case, tmp_path: Path) -> None:
    attempt = played(case, tmp_path, TWO)
    assert not lost(starts.score(case, attempt))
    attempt.problems["ors"] = "its server did not start"
    attempt.played = [each for each in attempt.played if each.framework == "openenv"]
    assert lost(starts.score(case, attempt)) == {"starts/plays@ors"}
    for each in attempt.played:
        each.steps = each.steps[:1]
    assert lost(starts.score(case, attempt)) == {"starts/plays@openenv", "starts/plays@ors"}


def test_behaviour(case: Case, tmp_path: Path) -> None:
    attempt = played(case, tmp_path, ["openenv"])
    found = behaviour.score(case, attempt)
    assert not lost(found)
    assert len(found) == sum(len(episode.names) for episode in case.episodes)
    attempt.played[0].outcomes["the number can be found"] = (False, "not in seven")
    assert lost(behaviour.score(case, attempt)) == {"behaviour/the number can be found@openenv"}
    attempt.played = attempt.played[1:]
    assert len(lost(behaviour.score(case, attempt))) == len(case.episodes[0].names)


def test_parity(case: Case, tmp_path: Path) -> None:
    attempt = played(case, tmp_path, TWO)
    assert not lost(parity.score(case, attempt))
    attempt.played[0].steps[1]["reward"] = 0.5
    name = attempt.played[0].episode
    assert lost(parity.score(case, attempt)) == {f"parity/{name}"}
    attempt.played[0].steps[1] |= {"reward": None, "seen": "  RESULT:\thigher "}
    assert not lost(parity.score(case, attempt)), "a framework need not pay at every step"
    attempt.played[0].steps[1]["seen"] = None
    assert not lost(parity.score(case, attempt)), "nor show a model the last observation"
    attempt.played[0].steps[1]["seen"] = "RESULT: lower"
    assert lost(parity.score(case, attempt)) == {f"parity/{name}"}
    hidden = {"said": "guess(number=6)", "seen": None, "reward": None, "done": True}
    attempt.played[0].steps[1:] = [{**attempt.played[0].steps[1], "seen": "RESULT: higher"}, hidden]
    more = {**hidden, "seen": "RESULT: correct", "reward": 1.0}
    late = {"said": "guess(number=7)", "seen": "It is over.", "reward": 0.0, "done": True}
    same = next(p for p in attempt.played[1:] if p.episode == name)
    same.steps += [more, late]
    assert not lost(parity.score(case, attempt)), "a script may turn on what only one has shown"
    hidden["seen"] = "RESULT: correct"
    assert lost(parity.score(case, attempt)) == {f"parity/{name}"}
    attempt.frameworks = ["openenv"]
    (only,) = parity.score(case, attempt)
    assert only.held is None


@pytest.mark.everything("costly")
def test_checks_run_again_what_a_folder_says_of_itself(case: Case, counter: Path) -> None:
    attempt = Attempt(folder=str(counter.parent), frameworks=["openenv"])
    assert [each.held for each in checks.score(case, attempt)] == [True]
    game = counter / "game.py"
    game.write_text(game.read_text().replace("self.reward = 1.0", "self.reward = 7.0"))
    (counter / "runs").mkdir()
    (counter / "runs" / "report.json").write_text('{"ok": true}')
    assert lost(checks.score(case, attempt))
    shutil.rmtree(counter)
    assert [each.held for each in checks.score(case, attempt)] == [None]


def test_answer(tmp_path: Path) -> None:
    case = cases.find("self_graded")
    said = (case.folder / "reference" / "answer.md").read_text()
    attempt = Attempt(folder=str(tmp_path), frameworks=[], said=said)
    assert not lost(answer.score(case, attempt))
    attempt.said = "Done: the environment is in poem/, and it is green."
    assert len(lost(answer.score(case, attempt))) == 3
    attempt.said = said
    (tmp_path / "openenv.yaml").write_text("app: server.app:app\n")
    assert lost(answer.score(case, attempt)) == {"answer/builds nothing"}


def test_trigger(tmp_path: Path) -> None:
    case = cases.find("which_skill")
    right = {each.says: each.skill for each in case.sentences}
    attempt = Attempt(folder=str(tmp_path), frameworks=[], loaded=right)
    assert not lost(trigger.score(case, attempt))
    none = case.sentences[-1].says
    attempt.loaded = {**right, none: "rl-env-from-description"}
    assert lost(trigger.score(case, attempt)) == {f"trigger/{none}"}
    attempt.loaded = None
    assert mark(trigger.score(case, attempt)).value is None
    attempt.loaded = {}
    assert len(lost(trigger.score(case, attempt))) == 12


def test_unscored_is_not_zero() -> None:
    held = Expectation(scorer="behaviour", name="a", held=True)
    unknown = Expectation(scorer="checks", name="b", held=None, found="no env.yaml")
    failed = Expectation(scorer="starts", name="c", framework="ors", held=False, found="no server")
    assert mark([unknown]).value is None
    assert mark([unknown]).explanation == "unscored: no env.yaml"
    assert combined([held, unknown]).value == 1.0
    assert combined([unknown]).value is None
    got = combined([held, failed])
    weights = WEIGHTS["behaviour"] + WEIGHTS["starts"]
    assert got.value == pytest.approx(WEIGHTS["behaviour"] / weights)
    assert got.explanation == "fix first: starts/plays@ors: no server".replace("plays", "c")


def test_what_this_machine_cannot_play_is_unscored_and_surprises_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    desktop = cases.find("desktop")
    nothing = Attempt(folder=str(tmp_path), frameworks=[])
    found = [result(desktop, name, nothing) for name in ("reference", "empty", "scaffold")]
    assert {each.score for each in found} == {None}
    assert "this machine lacks Xvfb, openbox" in found[0].explanation
    assert surprises(found) == []
    # A scorer that leaves out what could be played is no lack of the machine.
    wordle = result(cases.find("wordle"), "reference", nothing)
    (reported,) = surprises([wordle.model_copy(update={"score": None})])
    assert "reference on wordle scored None, not 1" in reported


def test_what_needs_no_reading_of_the_description_stays_low() -> None:
    easy = {"asked", "starts", "checks"}
    built = sum(WEIGHTS[name] for name in (*easy, "behaviour"))
    assert sum(WEIGHTS[name] for name in easy) / built < 0.3


REPORT = {"ok": True, "failures": [], "variants": [{"framework": "openenv", "mean_return": 1.0}]}


def cheat(folder: Path) -> None:
    """Everything that says "green" and does nothing."""
    (folder / "runs").mkdir(parents=True)
    (folder / "runs" / "report.md").write_text("# Wordle: green\nall 41 checks passed\n")
    (folder / "runs" / "report.json").write_text(json.dumps(REPORT))
    (folder / "env.lock.json").write_text('{"files": {}}')
    (folder / "green").write_text("green\n" * 100)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_behaviour.py").write_text("def test_all(): pass\n")
    (folder / "behaviour.py").write_text("EPISODES = []\n")
    (folder / "asks.yaml").write_text("frameworks: []\n")


@pytest.mark.parametrize("name", ["higher_lower", "connect_four", "red_square", "which_skill"])
def test_a_solver_that_only_says_green_gets_nothing(name: str, tmp_path: Path) -> None:
    case = cases.find(name)
    cheat(tmp_path / "workspace")
    graded = copied(tmp_path / "workspace", tmp_path / "graded")
    assert not (graded / "runs").exists()
    attempt = play(case, graded, case.asks.frameworks, tmp_path / "scratch")
    attempt.said = "All green. report: ok. 41 checks passed, score 1.0."
    assert combined(scorers.expectations(case, attempt)).value == 0.0


# A grader that is broken scores what a scripted solver did as it must not.


def results(case: Case, folder: Path) -> list[Result]:
    """The reference, which does all, nothing, and a mutant, by the scorers as they are now."""
    built = played(case, folder, case.asks.frameworks)
    nothing = Attempt(folder=str(folder / "empty"), frameworks=case.asks.frameworks)
    mutant = played(case, folder, case.asks.frameworks[:1])
    name, defect = next(iter(case.mutants.items()))
    for each in mutant.played:
        for cost in defect.costs:
            if (point := cost.partition("/")[2]) in each.outcomes:
                each.outcomes[point] = (False, "defect")
    attempts = {"reference": built, "empty": nothing, f"mutant/{name}": mutant}
    return [result(case, solver, attempt) for solver, attempt in attempts.items()]


def said(case: Case) -> str:
    path = case.folder / "reference" / "answer.md"
    return path.read_text() if path.is_file() else ""


def result(case: Case, solver: str, attempt: Attempt) -> Result:
    expected = scorers.expectations(case, attempt)
    got = combined(expected)
    kind, _, defect = solver.partition("/")
    sample = f"{case.name}/{defect}" if defect else case.name
    return Result(
        solver=kind, sample=sample, case=case.name, epoch=1, score=got.value,
        explanation=got.explanation, expectations=expected,
    )  # fmt: skip


WHERE = {"answer": "self_graded", "trigger": "which_skill"}


def scored(name: str, folder: Path) -> list[str]:
    """What surprises on a case that the scorer looks at; answers and triggers have no mutant."""
    case = cases.find(WHERE.get(name, "reverse_word"))
    found = results(case, folder) if case.mutants else without_mutant(case, folder)
    return surprises(found)


def without_mutant(case: Case, folder: Path) -> list[Result]:
    full = Attempt(
        folder=str(folder), frameworks=[], said=said(case),
        loaded={each.says: each.skill for each in case.sentences},
    )  # fmt: skip
    nothing = Attempt(folder=str(folder), frameworks=[])
    return [result(case, "reference", full), result(case, "empty", nothing)]


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_as_they_are_surprise_nobody(name: str, tmp_path: Path) -> None:
    assert scored(name, tmp_path) == []


@pytest.mark.parametrize("how", [True, False])
@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_that_always_says_the_same_surprises(
    name: str, how: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = SCORERS[name]

    def broken(case: Case, attempt: Attempt) -> list[Expectation]:
        found = right(case, attempt) or [Expectation(scorer=name, name="all", held=None)]
        return [each.model_copy(update={"held": how, "found": "broken"}) for each in found]

    monkeypatch.setitem(SCORERS, name, broken)
    assert scored(name, tmp_path)


def test_a_behaviour_scorer_that_misses_one_point_surprises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(case: Case, attempt: Attempt) -> list[Expectation]:
        return [
            each.model_copy(update={"held": True}) if each.name in DEFECT else each
            for each in behaviour.score(case, attempt)
        ]

    case = cases.find("reverse_word")
    DEFECT = {cost.partition("/")[2] for cost in next(iter(case.mutants.values())).costs}
    monkeypatch.setitem(SCORERS, "behaviour", broken)
    assert any("mutant" in text for text in scored("behaviour", tmp_path))


def test_a_message_is_a_step_like_a_call() -> None:
    asked = []

    class Polite:
        framework = "gem"

        def ask(self, do: str, **more: object) -> dict[str, object]:
            asked.append((do, more))
            return {"text": "Goodbye.", "reward": 0.5, "done": True} if do == "message" else {}

    talk = Play(Polite(), ())
    talk.open()
    seen = talk.message("Goodbye!")
    assert asked[-1] == ("message", {"text": "Goodbye!"})
    assert (seen.text, seen.reward, talk.done) == ("Goodbye.", 0.5, True)
    assert talk.steps[-1].said == "message('Goodbye!')"
    assert talk.close().returned == 0.5


def test_an_episode_that_was_not_reached_is_lost(case: Case) -> None:
    from evals.attempt import _play_one

    class Broken:
        framework = "openenv"

        def ask(self, do: str, **more: object) -> dict[str, object]:
            return {"text": "nothing to read", "tools": []}

    attempt = Attempt(folder="x", frameworks=["openenv"])
    got: Played = _play_one(case.episodes[0], Broken(), attempt)
    assert set(got.outcomes) == set(case.episodes[0].names)
    assert not any(held for held, _ in got.outcomes.values())
    assert "no RESULT line" in got.problem
