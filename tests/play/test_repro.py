"""Repros: what was found, as a script that needs nothing of ours, and is handed out if it shows it twice."""

from __future__ import annotations

import hashlib
import html
import json
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_tools.audit.driver import DriverSession
from skill_tools.audit.repros.literal import literal
from skill_tools.audit.repros.repro import Defect
from skill_tools.audit.repros.repro_script import Written, default_target
from skill_tools.audit.repros.repro_trial import TriedRepro, prepare_folder, try_repros
from skill_tools.audit.target import recognise
from skill_tools.audit.target_venv import target_venv
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.audited import Audited
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.evidence.grading.graded import Graded, GradedReply
from skill_tools.report.formats import FORMATS, Ruled
from skill_tools.runtime.progress import silent
from tests.audits import audit
from tests.command_line import skill_tools as command

ROWS = [{"prompt": f"What is {n} plus {n + 2}?", "answer": str(2 * n + 2)} for n in range(104, 112)]
LOOSE = """
def reward(completions, answer, **more):
    return [float(right in said) for said, right in zip(completions, answer)]
"""
STRICT = LOOSE.replace("right in said", "said.strip() == right")
NASTY = (
    "'\"''' \"\"\" \\ \\\\ \\N{BULLET} \\x41 {{ target }} {% raw %} {# no #} %s {0} \n\r\n\t\x00\x1b[31m"
    "\u2028\u202e\ufeffΩ é\n# -*- coding: utf-7 -*-\nraise SystemExit(3)\n"
)


def write(folder: Path, source: str, rows: Iterable[object] = ROWS) -> tuple[str, Path]:
    """A reward function, as it is named, and its rows."""
    (folder / "grader.py").write_text(source, "utf-8")
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return f"{folder / 'grader.py'}:reward", folder / "rows.jsonl"


def run(script: Path, *given: Path) -> tuple[int, str]:
    """A script in a process that has nothing of ours, and no variable of this one."""
    ran = subprocess.run(
        [sys.executable, "-I", str(script), *map(str, given)],
        cwd="/",
        env={},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return ran.returncode, ran.stdout + ran.stderr


def tried(folder: Path, source: str, reply: str, message: str = "it is paid") -> TriedRepro:
    """What comes of the finding that a reply is paid as the right answer, whoever found it."""
    target, rows = write(folder, source)
    graded = Graded(
        replies=(
            GradedReply("reward/rows/0/0", "right", "right", "the right answer", "210", 1.0),
            GradedReply("reward/rows/0/0", "nonsense", "wrong", "a meaningless word", "zqxv", 0.0),
            GradedReply("reward/rows/0/0", "odd", "wrong", "something odd", reply, 1.0),
        )
    )
    found = {"name": "reward", "in_text": True, "tools": [{"name": "say"}], "places": []}
    found["places"] = [{"split": "rows", "index": 0, "seed": 0}]
    evidence = Evidence(
        Declaration(name="reward"), audit=AuditRun(audited=Audited(found=found), graded=graded)
    )
    aimed = recognise(target, tasks=rows)
    driven = DriverSession(aimed, target_venv(aimed, silent), 10.0, found=found)
    defect = Defect("GRA001", "wrong-reply-paid", message, "reply-rewarded", "reward/rows/0/0")
    (folder / "out").mkdir(exist_ok=True)
    argument = ("say", "text")
    (only,) = try_repros(
        [defect], evidence, Written(driven, found), argument, folder / "out", silent
    )
    return only


@pytest.mark.everything("graders")
def test_what_is_found_is_shown_by_a_script_until_the_grader_is_mended(tmp_path: Path) -> None:
    target, rows = write(tmp_path, LOOSE)
    out = tmp_path / "out"
    outcome = audit(target, dataset=rows, num_tasks=1, repro=out)
    (found,) = [each for each in outcome.report.findings if each.check == "GRA001"]
    script = Path(found.repro)
    assert script.parent == out
    text = script.read_text("utf-8")
    assert "skill_tools" not in text
    assert text.count(str(tmp_path)) == 1  # the default of its argument
    assert "8 of 8 tasks" in text
    for _ in range(2):
        code, said = run(script)
        assert (code, "DEFECT: " in said) == (1, True), said
    for form, written in FORMATS.items():
        assert str(script) in html.unescape(written(Ruled(outcome.report))), form
    (tmp_path / "mended.py").write_text(STRICT, "utf-8")
    code, said = run(script, tmp_path / "mended.py")
    assert (code, "no defect" in said) == (0, True), said
    code, said = run(script, tmp_path / "none.py")
    assert code == 2, said


@pytest.mark.everything("costly")
def test_a_defect_that_is_not_shown_again_has_no_script(tmp_path: Path) -> None:
    # It pays whatever is said as long as the audit's own driver asks.
    only_here = "import sys\n" + LOOSE.replace("right in said", "'driver' in sys.argv[0]")
    mine = tried(tmp_path, only_here, "99")
    assert (mine.file, mine.why) == (None, "the script did not show the defect again")
    once = (
        f"from pathlib import Path\nflag = Path({str(tmp_path / 'flag')!r})\n"
        + LOOSE.replace("float(right in said)", "float(flag.exists())").replace(
            "    return", "    paid ="
        )
        + "    flag.unlink(missing_ok=True) if '99' in completions else 0\n    return paid\n"
    )
    (tmp_path / "flag").touch()
    assert "not show" in tried(tmp_path, once, "99").why
    assert not (tmp_path / "flag").exists()  # the first run has shown it
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.everything("costly")
def test_one_that_tells_it_in_other_words_each_time_has_no_script(tmp_path: Path) -> None:
    by_clock = "import time\n" + LOOSE.replace("float(right in said)", "time.time()")
    assert "with a different message" in tried(tmp_path, by_clock, "99").why
    stuck = "def reward(completions, **more):\n    raise SystemExit('no more')\n"
    assert "the script failed" in tried(tmp_path, stuck, "99").why


@pytest.mark.everything("costly")
def test_any_reply_and_any_message_survive_and_run_nothing(tmp_path: Path) -> None:
    letters = random.Random(1).choices("abc \n\\'\"{}%é", k=20_000 - len(NASTY))
    reply = NASTY + "".join(letters)
    known = hashlib.sha256(reply.encode()).hexdigest()
    source = (
        "import hashlib\n"
        "def reward(completions, answer, **more):\n"
        f"    good = [answer[0], {known!r}]\n"
        "    said = [hashlib.sha256(c.encode()).hexdigest() for c in completions]\n"
        "    return [float(c in good or s in good) for c, s in zip(completions, said)]\n"
    )
    mine = tried(tmp_path, source, reply, message=NASTY)
    assert mine.file, mine.why
    code, said = run(mine.file)
    assert code == 1, said
    assert "\x1b" not in said
    comment = mine.file.read_text("utf-8").split("import asyncio")[0]
    assert all(line.startswith("#") for line in comment.splitlines())
    assert comment.isascii() or comment.replace("Ω", "").replace("é", "").isascii()


def test_no_name_and_password_of_an_address_is_handed_out(tmp_path: Path) -> None:
    mine, rows = write(tmp_path, LOOSE)
    venv = target_venv(recognise(mine, tasks=rows), silent)  # any: nothing is started
    target = recognise("https://me:secret@their.example/env?x=1", "openenv")
    assert default_target(DriverSession(target, venv, 1.0)) == "https://their.example/env?x=1"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.everything("costly")
@settings(max_examples=40, deadline=None)
@given(JSON)
def test_data_are_the_same_as_a_literal(value: object) -> None:
    assert eval(literal(value, 4), {}) == value


def test_filler_is_told_as_what_it_repeats() -> None:
    for text in ("zq " * 667, ("zq " * 700)[:2000], "'" * 300):
        assert len(literal(text)) < 40
        assert eval(literal(text)) == text


def test_scripts_of_an_earlier_audit_go_and_others_stay(tmp_path: Path) -> None:
    old = tried(tmp_path, LOOSE, "or 210").file
    assert old
    (old.parent / "theirs.py").write_text("# their own\n# Exit code 1\n", "utf-8")
    prepare_folder(old.parent)
    assert [each.name for each in old.parent.iterdir()] == ["theirs.py"]
    with pytest.raises(SkillToolsError, match="name a folder that you can write to"):
        prepare_folder(old.parent / "theirs.py")


def test_a_folder_that_cannot_be_is_told_before_anything_is_played(tmp_path: Path) -> None:
    target, rows = write(tmp_path, "raise SystemExit(9)")
    ran = command("audit", target, "--dataset", str(rows), "--repro", str(rows))
    assert ran.returncode == 2
    assert "cannot be written" in ran.stderr
