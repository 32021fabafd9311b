"""Saved evidence is what was seen: it reads back the same, and is judged the same."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools import __version__, checks
from skill_tools.errors import SkillToolsError
from skill_tools.evidence import saved
from skill_tools.evidence.audited import Audited
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from tests.checks.audited import AUDITS
from tests.checks.exploited import EXPLORED, WORDS
from tests.checks.test_checks import EDITS
from tests.over import over
from tests.selection import few

TABLES = {**EDITS, **{name: edit for name, (edit, _) in {**EXPLORED, **WORDS}.items()}}


def kept(folder: Path, *evidence: Evidence) -> Path:
    path = folder / saved.EVIDENCE_FILE
    saved.write(path, evidence)
    return path


def unpacked(path: Path) -> dict:
    return json.loads(gzip.decompress(path.read_bytes()))


def test_evidence_reads_back_as_it_was_for_each_split(good: Evidence, tmp_path: Path) -> None:
    other = replace(
        good,
        reference=replace(good.reference, tasks=replace(good.reference.tasks, split="test")),
        seconds=3.5,
    )
    path = kept(tmp_path, good, other)
    assert saved.read(path, good.folder) == [good, other]
    assert [each.folder for each in saved.read(path)] == [None, None]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_it_says_who_played_and_when_and_nothing_of_where(good: Evidence, tmp_path: Path) -> None:
    path = kept(tmp_path, good)
    said = unpacked(path)
    assert (said["format"], said["skill_tools"]) == (saved.FORMAT, __version__)
    assert str(good.folder) not in json.dumps(said["evidence"][0]["spec"])
    assert "folder" not in said["evidence"][0]
    assert f"by skill-tools {__version__}" in saved.read_saved(path).origin


@pytest.mark.everything("costly")
@pytest.mark.parametrize("identities", few([[*TABLES][::16], [*TABLES]], 1, "checks"), ids=len)
def test_what_is_found_of_it_is_found_of_what_was_saved(
    identities: list[str], good: Evidence, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for identity in identities:
        with subtests.test(identity):
            broken = TABLES[identity](good)
            found = checks.run(broken)
            assert checks.run(saved.read(kept(tmp_path, broken), good.folder)[0]) == found
            told = {each.check for each in found if each.status in ("fail", "warn", "note")}
            assert identity in told


@pytest.mark.everything("costly")
@over("identity", AUDITS)
def test_what_is_found_of_an_audit_is_found_of_what_was_saved(
    identity: str, tmp_path: Path
) -> None:
    broken = AUDITS[identity]()
    assert checks.run(saved.read(kept(tmp_path, broken))[0]) == checks.run(broken)


def test_pairs_as_keys_and_rewards_that_are_no_numbers_survive(
    good: Evidence, tmp_path: Path
) -> None:
    odd = Trajectory(model="m", label="\ud800", end="terminated", final_reward=math.inf)
    found = replace(
        good,
        audit=replace(good.audit, audited=Audited(seen={("noop", "train/0"): {"states": [1]}})),
        probed=replace(good.probed, attempts={"luck": [Attempt("luck", "", "", odd)]}),
    )
    (back,) = saved.read(kept(tmp_path, found))
    assert back.audit.audited == found.audit.audited
    (attempt,) = back.probed.attempts["luck"]
    assert (attempt.trajectory.final_reward, attempt.trajectory.label) == (math.inf, "?")


def test_data_of_attempts_are_such_as_json_has(good: Evidence) -> None:
    # Anything else would be another value when it is read: a tuple a list, a number as key a text.
    for each in (one for several in good.probed.attempts.values() for one in several):
        assert json.loads(json.dumps(each.change)) == each.change


def test_where_nothing_was_saved_it_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(SkillToolsError, match=r"does not exist.*\n.*skill-tools build"):
        saved.read(tmp_path / saved.EVIDENCE_FILE)


def test_another_format_is_named_with_the_version_that_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / saved.EVIDENCE_FILE
    path.write_bytes(gzip.compress(b'{"format": 99, "skill_tools": "7.1", "seen": []}'))
    with pytest.raises(SkillToolsError, match=r"format 99, saved by skill-tools 7\.1.*format 2"):
        saved.read(path)


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.999])
def test_half_a_file_is_called_that(share: float, good: Evidence, tmp_path: Path) -> None:
    path = kept(tmp_path, good)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(SkillToolsError, match="is incomplete"):
        saved.read(path)


def test_evidence_that_lacks_what_it_must_have_names_it(good: Evidence, tmp_path: Path) -> None:
    path = kept(tmp_path, good)
    said = unpacked(path)
    del said["evidence"][0]["declaration"]["name"]
    path.write_bytes(gzip.compress(json.dumps(said).encode()))
    with pytest.raises(SkillToolsError, match=r"broken: evidence\.0\.declaration\.name"):
        saved.read(path)


def test_every_file_of_the_author_is_hashed_and_a_change_of_each_is_seen(counter: Path) -> None:
    text = counter / "env.yaml"
    text.write_text(text.read_text().replace("tasks:TASKS", "tasks/{split}.jsonl"), "utf-8")
    (counter / "tasks").mkdir()
    (counter / "tasks" / "train.jsonl").write_text('{"seed": 1, "target_word": "w"}\n')
    hashed = saved.hash_sources(load(counter), counter)
    beside = {"answers.yaml", "claims.yaml", "examples.yaml", "readings.yaml"}
    assert set(hashed) == {"env.yaml", *beside, "game.py", "oracle.py", "tasks/train.jsonl"}
    seen = Evidence(Declaration.of(load(counter)), folder=counter, sources=hashed)
    assert saved.changed_sources(seen) == []
    for path in hashed:
        with (counter / path).open("a") as file:
            file.write("\n# more\n")
    assert saved.changed_sources(seen) == list(hashed)
