"""Certificates: what may differ by declaration, what a build says about them, and what is wrong with a broken one."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import skill_tools
from skill_tools import CompareOptions, SkillToolsError, checks
from skill_tools.evidence.certificate import CERTIFICATE_FILE, Certificate, PortRun
from skill_tools.frameworks import rules
from skill_tools.pipeline.collection import read_author_files
from skill_tools.ports.equality import EqualityRules, Replacement, read_rules
from skill_tools.ports.validity import check_certificate
from skill_tools.runtime.progress import silent
from tests.over import over

ORIGINAL = Path(__file__).parent / "counting"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A port that is equal to its original, with its certificate."""
    folder = tmp_path_factory.mktemp("ports") / "port"
    shutil.copytree(ORIGINAL, folder, ignore=shutil.ignore_patterns("__pycache__"))
    found = skill_tools.compare(folder, ORIGINAL, options=CompareOptions(actions=100))
    assert found.file == folder / CERTIFICATE_FILE
    return folder


def findings(folder: Path, run: PortRun | None) -> dict[str, list[str]]:
    """The messages of the checks of a certificate, by check and status."""
    seen = replace(read_author_files(rules.load(folder), folder), port=run)
    found: dict[str, list[str]] = {}
    for each in checks.run(seen):
        if each.check.startswith("POR") and each.status != "skip":
            found.setdefault(f"{each.check} {each.status}", []).append(each.message)
    return found


def checked(folder: Path) -> dict[str, list[str]]:
    return findings(folder, check_certificate(rules.load(folder), folder, silent))


def copy_of(port: Path, folder: Path, before: str = "", after: str = "") -> Path:
    shutil.copytree(port, folder)
    game = folder / "game.py"
    game.write_text(game.read_text("utf-8").replace(before, after), "utf-8")
    return folder


@pytest.mark.everything("costly")
def test_an_unchanged_port_keeps_its_certificate(port: Path) -> None:
    assert checked(port).keys() == {"POR001 pass", "POR002 pass"}


@pytest.mark.everything("costly")
def test_a_change_after_the_comparison_is_played_against_the_kept_episodes(
    port: Path, tmp_path: Path
) -> None:
    harmless = checked(
        copy_of(port, tmp_path / "a", '"""One game."""', '"""One game of adding."""')
    )
    assert harmless["POR001 pass"]
    assert "game.py; " in harmless["POR002 warn"][0]
    broken = checked(copy_of(port, tmp_path / "b", "Reached", "You reached"))
    assert "You reached" in broken["POR001 fail"][0]


def test_an_original_that_differs_from_itself_is_not_comparable(port: Path) -> None:
    seen = Certificate(skill_tools="0", ours="a", theirs="b", actions=9, unstable="b differs")
    assert findings(port, PortRun(certificate=seen))["POR003 warn"] == ["b differs"]


@pytest.mark.everything("costly")
def test_an_original_with_chance_of_its_own_has_no_certificate(tmp_path: Path) -> None:
    folder = tmp_path / "port"
    shutil.copytree(ORIGINAL, folder, ignore=shutil.ignore_patterns("__pycache__"))
    game = folder / "game.py"
    game.write_text(
        game.read_text("utf-8").replace("random.Random(seed)", "random.SystemRandom()"), "utf-8"
    )
    found = skill_tools.compare(
        ORIGINAL, folder, options=CompareOptions(actions=50, output=tmp_path / "c.json")
    )
    assert found.certificate.verdict == "not comparable"
    assert "differs between two runs" in found.certificate.unstable


@over(
    ("rules", "ours", "theirs"),
    [
        (EqualityRules(), '{"a": 1, "b": [1, 2]}', '{"b": [1, 2], "a": 1.0}'),
        (EqualityRules(unordered=["b"]), '{"b": [{"x": 1}, 2]}', '{"b": [2, {"x": 1}]}'),
        (EqualityRules(ignore=["id"]), '{"id": 1, "b": 2}', '{"id": 7, "b": 2}'),
        (EqualityRules(varies=["time"]), "at 10:00:01", "at 11:30:59"),
        (EqualityRules(replace=[Replacement(pattern="s-[0-9]+", by="s")]), "in s-12", "in s-3"),
        (EqualityRules(tolerance=0.01), '{"score": 0.501}', '{"score": 0.5}'),
    ],
)
def test_what_is_declared_may_differ_and_nothing_else(
    rules: EqualityRules, ours: str, theirs: str
) -> None:
    assert rules.same_text(ours, theirs)
    assert not rules.same_text(f"{ours}!", theirs)
    if rules != EqualityRules():
        assert not EqualityRules().same_text(ours, theirs)


@pytest.mark.everything("costly")
def test_wrong_rules_and_broken_certificates_are_named(port: Path, tmp_path: Path) -> None:
    file = tmp_path / "port.yaml"
    file.write_text("replace: [{pattern: '(', by: x}]", "utf-8")
    with pytest.raises(SkillToolsError, match=r"replace.0.pattern: .*not a regular expression"):
        read_rules(file)
    file.write_text("ignored: [id]", "utf-8")
    with pytest.raises(SkillToolsError, match="the fields are varies, replace, ignore"):
        read_rules(file)
    folder = copy_of(port, tmp_path / "broken")
    (folder / CERTIFICATE_FILE).write_text("{}", "utf-8")
    with pytest.raises(SkillToolsError, match=r"port.json is not a certificate: skill_tools"):
        checked(folder)


def test_environments_without_a_common_task_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SkillToolsError, match=r"has no original: .*original.json cannot be read"):
        skill_tools.compare(ORIGINAL)
    with pytest.raises(SkillToolsError, match="no script 'random/x'"):
        skill_tools.compare_episode(ORIGINAL, "random/x", ORIGINAL)
