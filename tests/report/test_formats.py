"""The forms that other programs read: each is read back by a reader of that form, whatever is in it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from junitparser import Failure, JUnitXml, Skipped
from markdown_it import MarkdownIt
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif
from rich.console import Console

from skill_tools.checks import Finding
from skill_tools.checks.check import Place
from skill_tools.report.baseline import KnownFinding
from skill_tools.report.formats import FORMATS, Ruled, known_format
from skill_tools.report.formats.annotations import COMMANDS
from skill_tools.report.gate import read_gate
from skill_tools.report.outcome import judge
from skill_tools.report.terminal import print_report
from tests.checks.audited import audit_of
from tests.report.test_gate import report_of

HOSTILE = (
    "::error file=x::gotcha\r\n::add-mask::a\n##[error]b %0A, : </failure>]]>&<script>alert(1)</script>"
    "\x1b[31m\x00\ud800\u202e\ufffe | a | `b` [link](https://evil.example) ![i](https://evil.example/i) "
    "www.evil.example <img src=x onerror=y> \n\n# Heading\n- item\n| x |\n|---|\n$x$ {0} @somebody"
)
"""What a task, a reply or a file's name may hold."""
MESSAGES = {"empty": "", "hostile": HOSTILE, "long": "x" * 100_000}


def ruled(folder: Path, *gate: str, message: str = "it is 1.4", **more: object) -> Ruled:
    (folder / "env.yaml").write_text("name: counter\n", "utf-8")
    findings = [
        Finding("REW001", "reward-out-of-range", "fail", message, message, f"see {message}"),
        Finding("REW001", "reward-out-of-range", "fail", "and 3 more", "mend it"),
        Finding("CON003", "no-invalid-action", "fail", message, place=Place(file="game.py", line=7)),
        Finding("REW011", "wrong-answer-paid", "warn", message, place=Place(task=message, tool=message)),
        Finding("EPI012", "odd-words", "note", message, place=Place(file=f"a, b:{message}%.py")),
        Finding("REW004", "idle-policy-paid", "excepted", message),
        Finding("DET001", "another-time", "pass"),
        Finding("OBS001", "no-picture", "skip", message),
        Finding("XYZ001", "of-another-package", "warn", message),
    ]  # fmt: skip
    counts = {"fail": 2, "pass": 1, "skip": 1}
    fields = {"folder": str(folder), "title": f"Counter {message}", "environment": message}
    fields |= {"measures": {"ceiling": 0.25}, "counts": counts}
    report = report_of(*findings, **fields)
    return Ruled(report, read_gate(gate), root=folder, **more)  # type: ignore[arg-type]


@pytest.fixture(params=MESSAGES)
def whatever(request: pytest.FixtureRequest, tmp_path: Path) -> Ruled:
    """A report in which somebody wrote what no format likes."""
    return ruled(tmp_path, "warn,ceiling>0.1", message=MESSAGES[request.param])


def test_every_format_is_text_that_any_file_holds(whatever: Ruled) -> None:
    for name, make in FORMATS.items():
        text = make(whatever)
        assert text.encode("utf-8")
        assert "\x1b" not in text
        assert "\x00" not in text
        assert len(text) < 100_000 or name == "json"


def test_sarif_is_as_its_schema_says(whatever: Ruled) -> None:
    log = json.loads(FORMATS["sarif"](whatever))
    Sarif.model_validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == sorted(
        {f.check for f in whatever.report.findings} - {"XYZ001"}
    )
    for each in rules:
        assert each["helpUri"].startswith(("https://", "file://"))
        assert each["fullDescription"]["text"]
    for result in run["results"]:
        assert result["message"]["text"]
        assert "](" not in result["message"]["text"]
        if "ruleIndex" in result:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_has_a_result_for_what_asks_for_something_at_its_place(tmp_path: Path) -> None:
    log = json.loads(FORMATS["sarif"](ruled(tmp_path)))
    results = log["runs"][0]["results"]
    assert [each["level"] for each in results] == [
        "error",
        "error",
        "error",
        "warning",
        "warning",
        "note",
        "note",
    ]
    places = [each["locations"][0]["physicalLocation"] for each in results]
    assert places[0]["artifactLocation"] == {"uri": "env.yaml", "uriBaseId": "%SRCROOT%"}
    assert places[2]["artifactLocation"]["uri"] == "game.py"
    assert places[2]["region"] == {"startLine": 7}
    assert results[-1]["suppressions"][0]["kind"] == "inSource"
    assert log["runs"][0]["properties"]["measures"] == {"ceiling": 0.25}


def test_rules_lead_to_the_pages_of_the_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_DOCS", "https://host.example/DET001/docs")
    rules = json.loads(FORMATS["sarif"](ruled(tmp_path)))["runs"][0]["tool"]["driver"]["rules"]
    uris = {each["id"]: each["helpUri"] for each in rules}
    assert uris["REW001"] == (
        "https://host.example/DET001/docs/checks/rewards.md#rew001-reward-out-of-range"
    )
    page = Path(__file__).parents[2] / "docs" / "checks" / "rewards.md"
    assert "(#rew001-reward-out-of-range)" in page.read_text("utf-8")


def test_what_is_known_is_suppressed_and_skipped_and_no_error(tmp_path: Path) -> None:
    known = {0: "a judge of ours", 1: "", 2: ""}
    kept = ruled(tmp_path, known=known, fixed=(KnownFinding(check="DET001", level="fail"),))
    assert not kept.failing
    results = json.loads(FORMATS["sarif"](kept))["runs"][0]["results"]
    assert results[0]["suppressions"] == [{"kind": "external", "justification": "a judge of ours"}]
    assert [each["baselineState"] for each in results[:4]] == ["unchanged"] * 3 + ["new"]
    cases = {case.name: case for case in parsed(kept)}
    (skipped,) = cases["REW001 reward-out-of-range"].result
    assert isinstance(skipped, Skipped)
    assert skipped.message == "known: a judge of ours"
    commands = FORMATS["github"](kept)
    assert "::error" not in commands
    assert "known: a judge of ours" in commands
    assert "fixed: DET001" in commands
    markdown = FORMATS["markdown"](kept)
    assert "| known | REW001" in markdown
    assert "The gate passes." in markdown
    stream = io.StringIO()
    print_report(kept.report, Console(file=stream, width=300), known=kept.known)
    assert "KNOWN fail REW001" in stream.getvalue()


def parsed(said: Ruled) -> list[object]:
    xml = JUnitXml.fromstring(FORMATS["junit"](said).encode())
    (suite,) = xml
    assert suite.tests == len(list(suite))
    return list(suite)


def test_junit_has_a_case_for_each_check_and_what_the_gate_looked_at(whatever: Ruled) -> None:
    cases = {case.name: case for case in parsed(whatever)}
    assert len(cases) == 8 + 3
    failed = {
        name for name, case in cases.items() if any(isinstance(r, Failure) for r in case.result)
    }
    assert failed == {
        "REW001 reward-out-of-range", "CON003 no-invalid-action", "REW011 wrong-answer-paid",
        "XYZ001 of-another-package", "fail", "warn", "ceiling>0.1",
    }  # fmt: skip
    assert [type(each) for each in cases["OBS001 no-picture"].result] == [Skipped]
    assert cases["DET001 another-time"].result == []


def test_junit_says_what_failed_what_to_do_and_where(tmp_path: Path) -> None:
    cases = {case.name: case for case in parsed(ruled(tmp_path))}
    (failure,) = cases["REW001 reward-out-of-range"].result
    assert failure.message == "it is 1.4"
    assert "fix: it is 1.4\nsee: see it is 1.4\nfail: and 3 more" in failure.text
    case = FORMATS["junit"](ruled(tmp_path))
    assert 'name="CON003 no-invalid-action" file="game.py" line="7"' in case
    assert not list(cases["REW011 wrong-answer-paid"].result), "a warning passes"


def test_a_workflow_command_is_a_line_that_nothing_said_can_begin(whatever: Ruled) -> None:
    lines = FORMATS["github"](whatever).splitlines()
    assert len(lines) == 6 + 3 + 1
    for line in lines:
        command, properties, data = read_command(line)
        assert command in COMMANDS.values()
        assert set(properties) <= {"file", "line", "title"}
        assert properties["title"]
        assert data or whatever.report.environment == ""


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """A command as GitHub's runner reads it."""
    assert line.startswith("::")
    end = line.index("::", 2)
    name, _, rest = line[2:end].partition(" ")
    properties = dict(each.split("=", 1) for each in rest.split(",") if each)
    return (
        name,
        {key: unescaped(value) for key, value in properties.items()},
        unescaped(line[end + 2 :]),
    )


def unescaped(text: str) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_a_workflow_command_says_all_that_was_said(tmp_path: Path) -> None:
    said = ruled(tmp_path, message="50%0A of a, b:\nc")
    first = read_command(FORMATS["github"](said).splitlines()[0])
    assert first[0] == "error"
    assert first[1] == {"file": "env.yaml", "line": "1", "title": "REW001 reward-out-of-range"}
    assert first[2].startswith("50%0A of a, b:\nc\nfix: 50%0A of")
    odd = [line for line in FORMATS["github"](said).splitlines() if "EPI012" in line]
    assert read_command(odd[0])[1]["file"] == "a, b:50%0A of a, b:\nc%.py"


def test_markdown_shows_what_was_said_and_does_nothing_else(whatever: Ruled) -> None:
    text = FORMATS["markdown"](whatever)
    html = MarkdownIt("commonmark").enable("table").render(text)
    for tag in ("<script", "<img", "<a ", "<ul>\n<li>item", "<h1"):
        assert tag not in html
    assert html.count("<table>") == 2
    assert html.count("<tr>") == 2 + 1 + 7, "a row a finding"
    assert "https://" not in text
    assert "www.evil" not in text


def test_markdown_says_the_verdict_the_gate_and_what_would_let_it_be_judged() -> None:
    report = judge(audit_of(again={})).report
    text = FORMATS["markdown"](Ruled(report, read_gate(["unjudged"])))
    assert text.startswith("## theirs: not judged\n")
    assert "It needs more time" in text
    assert "**The gate fails:**" in text


def test_an_audit_is_placed_in_what_was_audited(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "pyproject.toml").write_text("", "utf-8")
    (tmp_path / "score.py").write_text("", "utf-8")
    report = report_of(Finding("AUD001", "pays-for-anything", "fail", "it pays"))
    there = Ruled(report, root=tmp_path, target=str(tmp_path / "theirs"))
    assert there.locate(Place(task="train/1")) == ("theirs/pyproject.toml", 1)
    function = Ruled(report, root=tmp_path, target=f"{tmp_path}/score.py:reward")
    assert function.locate(Place(task="train/1")) == ("score.py", 1)
    assert Ruled(report, target="https://host.example").locate(Place()) is None
    for form in FORMATS.values():
        assert form(Ruled(report, target="https://host.example"))


def test_a_file_elsewhere_is_told_by_its_whole_path(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "else where"
    root.mkdir()
    elsewhere.mkdir()
    said = ruled(elsewhere)
    moved = Ruled(said.report, said.gate, root=root)
    assert moved.locate(Place(file="../game.py")) == ((tmp_path / "game.py").as_posix(), 1)
    results = json.loads(FORMATS["sarif"](moved))["runs"][0]["results"]
    location = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": (elsewhere / "env.yaml").as_uri()}


def test_an_unknown_format_is_named_with_those_there_are() -> None:
    from skill_tools.errors import SkillToolsError

    with pytest.raises(SkillToolsError, match="did you mean 'sarif'"):
        known_format("serif")
