"""Checks of one's own: they run with ours, and what is wrong with them names their package."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import skill_tools
from skill_tools import checks, pipeline
from skill_tools.checks import catalogue
from skill_tools.checks.own import GROUP, SWITCH, every_check, own_checks
from skill_tools.checks.testing import hits_of
from skill_tools.errors import SkillToolsError
from skill_tools.evidence import saved
from skill_tools.evidence.declaration import Declaration, Excepted
from skill_tools.evidence.evidence import Evidence, gather_rollouts
from skill_tools.evidence.trajectory import Step, Trajectory
from tests.conftest import ROOT, write_counter

EXAMPLE = ROOT / "docs" / "own_checks"
IMPORTS = "from skill_tools.checks.check import Hit, check\n"
RIGHT = '@check("{id}", "{name}", fix="Mend it.")\ndef f(evidence):\n    """Nothing is odd."""\n    {does}\n'


def install(folder: Path, package: str, module: str, entry: str) -> None:
    """Put a package where it is found as one that was installed there: its metadata beside it."""
    about = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\nmine = {entry}\n")
    (folder / f"{entry.partition(':')[0]}.py").write_text(module)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The documented example, installed as its pyproject.toml says."""
    declared = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    (entry,) = declared["entry-points"][GROUP].values()
    folder = tmp_path / "site"
    install(folder, declared["name"], (EXAMPLE / "house_checks.py").read_text("utf-8"), entry)
    monkeypatch.syspath_prepend(folder)
    yield folder
    sys.modules.pop("house_checks", None)


def offered(
    folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, package: str = "odd-checks"
) -> None:
    name = f"{package.replace('-', '_')}_{folder.name.replace('-', '_')}"
    install(folder / package, package, IMPORTS + text, f"{name}:CHECKS")
    monkeypatch.syspath_prepend(folder / package)


def one(identity: str = "ODD001", name: str = "odd-thing", does: str = "yield Hit('odd')") -> str:
    return RIGHT.format(id=identity, name=name, does=does) + "CHECKS = [f]\n"


def played(text: str) -> Evidence:
    step = Step(
        tool="read", arguments={}, observation=[{"type": "text", "text": text}], reward=0, done=True
    )
    episode = Trajectory(
        framework="openenv", model="oracle", label="reader/train/0", steps=[step], end="terminated"
    )
    return gather_rollouts(Declaration(name="reader"), [episode])


def test_the_example_runs_with_ours_at_the_end_and_shows_its_episode(house: Path) -> None:
    evidence = played("x" * 5000)
    assert list(every_check()) == [*checks.CHECKS, "HOU001"]
    (found,) = [each for each in checks.run(evidence) if each.check == "HOU001"]
    assert (found.status, found.place.tool, found.shown) == ("fail", "read", evidence.every[0])
    (passed,) = [each for each in checks.run(played("short")) if each.check == "HOU001"]
    assert passed.status == "pass"


def test_it_is_listed_apart_and_explained(house: Path) -> None:
    assert "HOU001" not in {each.id for each in catalogue.entries()}
    (entry,) = catalogue.own_entries()
    assert (entry.id, entry.package) == ("HOU001", "house-checks")
    assert catalogue.find("reply-too-long").what.startswith("No reply of a tool")


@pytest.mark.everything("checks")
def test_the_command_line_lists_it_unless_it_is_switched_off(house: Path) -> None:
    def listed(**more: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-m", "skill_tools.cli", "checks", "--json"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}", **more},
        )
        return [row["id"] for row in json.loads(done.stdout)]

    assert listed()[-1] == "HOU001"
    assert listed(**{SWITCH: "0"}) == list(checks.CHECKS)


def test_switched_off_nothing_of_a_package_is_imported(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SWITCH, "0")
    assert own_checks() == {}
    assert "house_checks" not in sys.modules


@pytest.mark.everything("costly")
def test_the_tests_of_the_example_pass(house: Path, tmp_path: Path) -> None:
    shutil.copy(EXAMPLE / "test_house_checks.py", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "test_house_checks.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}"},
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_module\n", "ModuleNotFoundError"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("CHECKS = 5\n", "TypeError"),
        ("", "AttributeError"),
        ("CHECKS = ['REW001']\n", "'REW001', which is not a Check"),
        (one("ODD1"), "'ODD1' is not an id"),
        (one("REW999"), "REW999 begins with REW, which is reserved"),
        (one(name="opens-differently") + "CHECKS *= 2\n", "ODD001 is already an id of odd-checks"),
        (one(name=checks.CHECKS["REW001"].name), "as is our REW001"),
        (one().replace('"""Nothing is odd."""', "pass"), "give it a docstring"),
        ("import sys\nsys.exit('bye')\n", "SystemExit: bye"),
        (
            one().replace("fix=", "level='error', fix="),
            "'error', but must be one of fail, warn, note",
        ),
        (
            one().replace("fix=", "stage='odd', fix="),
            "stage of ODD001 is 'odd', but must be one of",
        ),
        (one().replace("fix=", "trusts='all', fix="), "must be one of nothing, runs, episodes"),
        (one().replace("fix=", "needs=['played'], fix="), "needs 'played', which is not a need"),
        (
            one().replace("fix=", "plays=['odd'], fix="),
            "names 'odd', which is not a policy; the policies are oracle,",
        ),
    ],
)
def test_what_cannot_be_used_names_the_package_and_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    offered(tmp_path, monkeypatch, text)
    with pytest.raises(SkillToolsError, match=f"(?s)package odd-checks .*{SWITCH}=0") as refused:
        checks.run(played("x"))
    assert said in str(refused.value)


def test_an_id_of_another_package_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered(tmp_path, monkeypatch, one(), "first-checks")
    offered(tmp_path, monkeypatch, one(name="another-thing"), "second-checks")
    with pytest.raises(SkillToolsError, match=r"second-checks .* an id of first-checks"):
        own_checks()


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("yield 1 / 0", r"ZeroDivisionError at odd_checks_\w+\.py:5: division"),
        ("yield 'odd'", "TypeError: the check yields 'odd', which is not a Hit"),
        ("yield Hit('odd', 'train/0')", "shown must be a Trajectory or None"),
        ("yield Hit('odd', level='error')", "a hit of level 'error'"),
        (
            "yield Hit('odd'); yield Hit('no more', level='skip')",
            "the check yields a skip as well as hits",
        ),
        (
            "yield Hit('no', level='skip'); yield Hit('odd')",
            "the check yields a skip as well as hits",
        ),
    ],
)
def test_a_check_that_breaks_is_its_packages_defect_and_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, said: str
) -> None:
    offered(tmp_path, monkeypatch, one(does=does))
    named = "(?s)the check ODD001 of the package odd-checks raised .*"
    with pytest.raises(SkillToolsError, match=named + said):
        checks.run(played("x"))


def excepting(evidence: Evidence, **exception: str) -> Evidence:
    declared = [Excepted(because="Texts are long here.", **exception)]
    return replace(evidence, declaration=replace_model(evidence.declaration, exceptions=declared))


def replace_model(declaration: Declaration, **changes: object) -> Declaration:
    return declaration.model_copy(update=changes)


@pytest.mark.parametrize(
    ("exception", "expected"),
    [
        ({"check": "HOU001"}, {("HOU001", "excepted"), ("SPE006", "pass")}),
        ({"check": "reply-too-long", "tool": "read"}, {("HOU001", "excepted"), ("SPE006", "pass")}),
        ({"check": "HOU001", "tool": "write"}, {("HOU001", "fail"), ("SPE006", "warn")}),
        ({"check": "HOU002"}, {("HOU001", "fail"), ("SPE006", "note")}),
    ],
)
def test_what_env_yaml_excepts_of_it_is_excepted(
    house: Path, exception: dict[str, str], expected: set[tuple[str, str]]
) -> None:
    found = checks.run(excepting(played("x" * 5000), **exception))
    asked = {(each.check, each.status) for each in found if each.check in ("HOU001", "SPE006")}
    assert asked == expected


def test_where_the_package_is_not_installed_its_exception_makes_nothing_red() -> None:
    found = checks.run(excepting(played("x"), check="HOU001"))
    (noted,) = [each for each in found if each.check == "SPE006"]
    assert noted.status == "note"
    assert noted.message.startswith("HOU001 belongs to a package that is not installed")


@pytest.mark.live
def test_what_was_played_is_kept_when_a_check_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = one(does="yield 1 / 0").replace("fix=", "needs=[PLAYED], fix=")
    offered(tmp_path, monkeypatch, f"from skill_tools.checks.needs import PLAYED\n{text}")
    folder = write_counter(tmp_path / "counter", frameworks=["gem"])
    with pytest.raises(SkillToolsError, match="ODD001"):
        pipeline.build(folder, ["gem"])
    monkeypatch.setenv(SWITCH, "0")
    assert [f.status for f in skill_tools.judge(folder).report.findings if f.check == "EPI001"] == [
        "pass"
    ]


def test_of_very_many_hits_it_is_said_that_there_may_be_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered(tmp_path, monkeypatch, one(does="yield from [Hit('odd')] * 2000"))
    found = [each.message for each in checks.run(played("x")) if each.check == "ODD001"]
    assert found[-1] == "and at least 995 more"


def test_hits_are_asked_for_on_saved_evidence_too(house: Path, tmp_path: Path) -> None:
    check = importlib.import_module("house_checks").reply_too_long
    path = tmp_path / saved.EVIDENCE_FILE
    saved.write(path, [played("x" * 5000), played("short")])
    (hit,) = hits_of(check, path)
    assert hit.shown.label == "reader/train/0"
    assert hits_of(check, Evidence(Declaration(name="reader")))[0].level == "skip"
