"""Worlds whose best differs by task, and worlds of chance: what is judged by which best, and what is found."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools import checks, pipeline
from skill_tools.checks import Finding
from skill_tools.frameworks.rules import load
from skill_tools.reference.playbook import ask_bests, write_scripts
from skill_tools.report.outcome import Outcome
from tests.conftest import ROOT
from tests.selection import few

CONTROLS = ROOT / "corpora" / "mutants" / "controls"
STEP = "        ask = max(world.lowest, ask - 2 * world.step)"
CHOICE = 'call = "hit" if hitting(total, shown) > standing(total, shown) else "stand"'


def copied(name: str, folder: Path, **edits: tuple[str, str]) -> Path:
    """A control in a new folder, with an edit of each file that is named."""
    shutil.copytree(CONTROLS / name, folder / name)
    for file, (find, put) in edits.items():
        path = next((folder / name).glob(f"{file}.*"))
        assert path.read_text("utf-8").count(find) == 1
        path.write_text(path.read_text("utf-8").replace(find, put), "utf-8")
    return folder / name


def played(folder: Path) -> Outcome:
    return pipeline.check(folder, play=True)


def reported(outcome: Outcome) -> dict[str, Finding]:
    """What asks for something to be done, by check, the first of each."""
    findings = reversed(outcome.report.findings)
    return {f.check: f for f in findings if f.status in ("fail", "warn")}


@pytest.fixture(scope="module")
def sale() -> Outcome:
    return played(CONTROLS / "barn-sale")


@pytest.fixture(scope="module")
def cards() -> Outcome:
    return played(CONTROLS / "open-card")


@pytest.mark.everything("checks")
def test_an_oracle_is_judged_by_what_each_task_can_pay(sale: Outcome) -> None:
    (evidence,) = sale.seen
    bests = evidence.reference.tasks.bests
    assert len(set(bests.values())) > 5
    assert max(bests.values()) < evidence.declaration.reward_range[1]
    assert reported(sale) == {}
    status = {f.check: f.status for f in sale.report.findings}
    assert {status[check] for check in ("REW002", "REW008", "REW009", "REW026", "REW027")} == {
        "pass"
    }


@pytest.mark.everything("checks")
def test_the_report_says_how_near_the_best_policies_come(sale: Outcome, cards: Outcome) -> None:
    (said,) = sale.report.of_best
    assert said.startswith("oracle 1.000, random 0.")
    assert said.endswith(", noop 0.000 of the maximum of 10 tasks")
    assert cards.report.of_best == []


@pytest.mark.everything("checks")
def test_tasks_on_which_leaving_is_best_count_for_nobody_who_does_nothing(sale: Outcome) -> None:
    (evidence,) = sale.seen
    worthless = {label for label, best in evidence.reference.tasks.bests.items() if best == 0}
    assert worthless
    tried = {each.of for kind in ("cross", "last") for each in evidence.probed.attempts[kind]}
    assert tried.isdisjoint(worthless)
    assert any(each.total == each.best == 0 for each in evidence.probed.wandered)  # and no REW021


@pytest.mark.everything("checks")
def test_other_seeds_have_bests_of_their_own(sale: Outcome) -> None:
    (evidence,) = sale.seen
    found = [each for each in evidence.probed.reseeded if each.index == 0]
    assert len({each.best for each in found}) > 5
    assert all(each.total == pytest.approx(each.best) for each in found)


@pytest.mark.everything("checks")
def test_an_oracle_that_leaves_something_is_found_and_the_fix_names_the_field(
    tmp_path: Path,
) -> None:
    folder = copied(
        "barn-sale", tmp_path, oracle=("    while offers and", "    while offers > 4 and")
    )
    finding = reported(played(folder))["REW002"]
    assert finding.status == "fail"
    assert "reward.best: by_task" in finding.fix
    assert "reward.best: luck" in finding.fix
    assert "reward.range" not in finding.fix


@pytest.mark.everything("checks")
def test_a_best_that_somebody_beats_is_a_finding_of_its_own(tmp_path: Path) -> None:
    low = copied("barn-sale", tmp_path, oracle=(STEP, STEP.replace("2 * ", "")))
    found = reported(played(low))
    assert set(found) == {"REW026"}
    assert "oracle earned 0.51, but best() returns 0.5" in found["REW026"].message


@pytest.mark.everything("checks")
def test_who_beats_the_best_need_not_be_the_oracle(sale: Outcome) -> None:
    (evidence,) = sale.seen
    (first, *others) = evidence.probed.attempts["luck"]
    rich = first.trajectory.model_copy(update={"total": 0.9})
    attempts = {**evidence.probed.attempts, "luck": [replace(first, trajectory=rich), *others]}
    changed = replace(evidence, probed=replace(evidence.probed, attempts=attempts))
    (finding,) = (f for f in checks.run(changed) if f.check == "REW026")
    assert finding.status == "fail"
    assert f"train/{rich.index}: on {rich.label}" in finding.message
    assert finding.shown == rich


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("says", "why"),
    few(
        [
            ("    return max(0, purse - ask)\n", "is not in [0, 1]"),
            ("    return None\n", "returned None, which is not a number"),
            ('    return float("nan")\n', "returned nan, which is not a number"),
            ("    raise LookupError(task)\n", "LookupError"),
        ],
        1,
        "checks",
    ),
)
def test_a_best_that_is_none_is_told(says: str, why: str, tmp_path: Path) -> None:
    folder = copied("barn-sale", tmp_path, oracle=("    return max(0, purse - ask) / 100\n", says))
    found = reported(played(folder))
    assert why in found["REW027"].message
    assert "REW002" not in found


@pytest.mark.everything("checks")
def test_a_world_without_the_function_is_told_to_write_it(tmp_path: Path) -> None:
    folder = copied("barn-sale", tmp_path, oracle=("def best(", "def most("))
    assert "oracle.py has no best(task, seed)" in reported(played(folder))["REW027"].message


@pytest.mark.everything("costly")
def test_nothing_that_is_rendered_or_played_says_what_the_best_is(
    tmp_path: Path, sale: Outcome
) -> None:
    folder = copied("barn-sale", tmp_path)
    pipeline.render(folder, frameworks=["all"])
    own = {"oracle.py", "env.yaml"}
    texts = [p.read_text("utf-8") for p in folder.rglob("*.py") if p.name not in own]
    assert not [text for text in texts if "import oracle" in text or "oracle:" in text]
    (evidence,) = sale.seen
    for each in evidence.every_bare:
        assert "best" not in str([*each.prompt, *(step.observation for step in each.steps)])


@pytest.mark.everything("checks")
def test_bests_are_asked_for_the_seed_that_is_played_and_one_that_fails_is_left_out(
    tmp_path: Path,
) -> None:
    folder = copied(
        "barn-sale",
        tmp_path,
        oracle=(
            "    world = BarnSale(task, seed)\n    ask, last",
            (
                "    if seed == 2:\n        raise LookupError(seed)\n"
                "    world = BarnSale(task, seed)\n    ask, last"
            ),
        ),
    )
    spec = load(folder)
    own = ask_bests(spec, folder, None, (0, 3))
    assert set(own) == {"train/0", "train/1", "train/3"}
    assert own["train/0"] == 0.51
    other = ask_bests(spec, folder, "train", (0, 0), seed=77)
    assert other.keys() == {"train/0"}
    assert other != {"train/0": 0.51}
    assert "noop" in write_scripts(spec, folder, None, 2).scripts


@pytest.mark.everything("checks")
def test_a_world_of_chance_need_not_win_each_deal(cards: Outcome) -> None:
    (evidence,) = cards.seen
    totals = [each.total for each in evidence.reference.episodes["oracle"].values()]
    assert min(totals) == 0.0 < max(totals) == 1.0
    assert any(each.total == 0.0 for each in evidence.probed.reseeded)
    assert reported(cards) == {}
    found = {f.check: f for f in cards.report.findings}
    assert "luck may win a single episode" in found["REW002"].message
    assert {
        found[check].status for check in ("REW008", "REW009", "REW028", "REW029", "REW030")
    } == {"pass"}


@pytest.mark.everything("checks")
def test_players_who_do_not_look_are_dealt_the_same_hands(cards: Outcome) -> None:
    (evidence,) = cards.seen
    chance = evidence.probed.chance
    assert {"doing nothing", "only stand()", "only hit()", "legal calls at random"} <= {
        *chance.players
    }
    stands = chance.players.index("only stand()")
    at_once = [
        deal for deal in chance.dealt if deal.own and deal.total == deal.others[stands] == 1.0
    ]
    assert at_once
    assert chance.compared > 50
    assert len({(deal.task, deal.seed) for deal in chance.dealt}) == len(chance.dealt)


@pytest.mark.everything("checks")
def test_hands_that_were_won_are_what_probes_vary(cards: Outcome) -> None:
    (evidence,) = cards.seen
    oracle = evidence.reference.episodes["oracle"]
    tried = {each.of for each in evidence.probed.attempts["cross"]}
    assert tried
    assert {oracle[label].total for label in tried} == {1.0}


@pytest.mark.parametrize(
    ("file", "find", "put", "check", "said"),
    [
        ("oracle", CHOICE, 'call = "stand"', "REW028", "only stand(): "),
        (
            "oracle",
            CHOICE,
            'call = "hit" if total < 20 else "stand"',
            "REW028",
            "more on the same deals",
        ),
        (
            "oracle",
            CHOICE,
            'call = "hit" if total + _next(world) <= LIMIT else "stand"',
            "REW029",
            "which had shown the same up to this step",
        ),
        (
            "tasks",
            "enumerate(seeds)",
            "enumerate(filter(_won, seeds))",
            "REW030",
            "with their own seeds",
        ),
    ],
)
@pytest.mark.everything("mutants")
def test_what_is_wrong_with_an_oracle_of_chance_is_found_by_its_own_check(
    file: str, find: str, put: str, check: str, said: str, tmp_path: Path
) -> None:
    folder = copied("open-card", tmp_path, **{file: (find, put)})
    with (folder / "oracle.py").open("a", encoding="utf-8") as oracle:
        oracle.write(
            "\n\ndef _next(world):\n    state = world._rng.getstate()\n    card = world._card()\n"
            "    world._rng.setstate(state)\n    return card\n"
        )
    tasks = folder / "tasks.py"
    won = (
        "from .cards import OpenCard\n\n\ndef _won(seed):\n    ends = []\n"
        "    for more in range(3):\n        hand = OpenCard({}, seed)\n"
        "        for _ in range(more):\n            hand.done or hand.hit()\n"
        "        hand.done or hand.stand()\n        ends.append(hand.reward)\n"
        "    return max(ends) == 1.0\n\n\n"
    )
    tasks.write_text(tasks.read_text("utf-8").replace("def hands", f"{won}def hands"), "utf-8")
    found = reported(played(folder))
    assert set(found) == {check}
    assert said in found[check].message
