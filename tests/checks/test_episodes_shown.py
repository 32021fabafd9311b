"""Findings of leaks, pictures and words show their episode; what could not be seen is skipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools import checks
from skill_tools.checks import CHECKS, needs
from skill_tools.checks.check import Finding, Place
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.probes import PROBES
from tests.conftest import write_counter
from tests.over import over
from tests.selection import few

from .broken import FILES
from .exploited import BOUND, EXPLORED, WORDS, attempts, oracle, probed, snooped, together
from .played import evidence_of

FAMILIES = ("ISO", "OBS", "WOR")
EXAMPLES = {
    name: edit for name, (edit, _) in {**EXPLORED, **WORDS}.items() if name.startswith(FAMILIES)
}
OF_NO_EPISODE = {
    *("ISO004", "ISO007"),  # schemas and ids
    *("WOR001", "WOR002", "WOR003", "WOR004", "WOR012", "WOR013"),  # words alone
    "WOR006",  # what no episode has
}
OF_THE_PROMPT = {"WOR001", "WOR003", "WOR004", "WOR006", "WOR013"}
"""Those whose broken example has its defect in the prompt, or in several tools, and so in no place."""
RESTS_ON = {
    "ISO010": "survey",
    "ISO011": "snoop",
    "ISO016": "found",
    "OBS004": "look-between",
    "OBS006": "look-first",
    "OBS008": "same-shape",
    "WOR007": "edge",
    "WOR009": "sleep",
    "WOR010": "variables",
    "WOR015": "backwards",
}
SHOWS_PICTURES = {
    **dict.fromkeys(("ISO008", "OBS001", "OBS002", "OBS003"), needs.ORACLE_PICTURES.reason),
    **dict.fromkeys(("OBS007",), needs.PICTURES.reason),
    "OBS010": needs.PLAYED_PICTURES.reason,
}
SAYS_NOTHING = {
    *("ISO009", "ISO012", "ISO013", "ISO014", "OBS004", "OBS005"),
    *("WOR001", "WOR002", "WOR003", "WOR004", "WOR005", "WOR008", "WOR011", "WOR012", "WOR014"),
}
"""Those that compare what the counter neither says nor refuses."""


def found(evidence: Evidence, identity: str) -> list[Finding]:
    return [finding for finding in checks.run(evidence) if finding.check == identity]


def skipped(evidence: Evidence) -> dict[str, str]:
    return {
        finding.check: finding.message
        for finding in checks.run(evidence)
        if finding.status == "skip" and finding.check.startswith(FAMILIES)
    }


@pytest.mark.everything("costly")
@over("identity", EXAMPLES, few=8, part="checks")
def test_every_finding_that_rests_on_an_episode_shows_it_and_says_where(
    identity: str, good: Evidence
) -> None:
    findings = found(EXAMPLES[identity](good), identity)
    assert findings
    for finding in findings:
        if finding.message.endswith("more"):
            continue
        assert (finding.shown is None) is (identity in OF_NO_EPISODE)
        assert (finding.place == Place()) is (identity in OF_THE_PROMPT)
        if finding.shown is not None:
            assert finding.place.task == finding.shown.label or identity == "ISO010"


@pytest.mark.parametrize("identity", few(["ISO001", "ISO002", "ISO003", "ISO004"], 1, "checks"))
def test_what_a_broken_file_leaks_is_shown_by_an_episode(identity: str, tmp_path: Path) -> None:
    evidence = evidence_of(write_counter(tmp_path / "counter", **FILES[identity]))
    first = found(evidence, identity)[0]
    assert first.status == "fail"
    assert (first.shown is None) is (identity in OF_NO_EPISODE)
    assert first.place.task


def test_every_check_of_these_families_has_its_example_here() -> None:
    assert {*EXAMPLES, "ISO001", "ISO002", "ISO003", "ISO004"} == {
        name for name in CHECKS if name.startswith(FAMILIES)
    }


def test_a_check_is_skipped_where_its_probe_tried_nothing_and_says_why(good: Evidence) -> None:
    reasons = skipped(probed(attempts={}, answered=frozenset())(good))
    assert {name: reasons[name] for name in RESTS_ON} == {
        name: PROBES[of].absent for name, of in RESTS_ON.items()
    }


def test_a_check_is_skipped_with_the_cause_where_its_probe_died(good: Evidence) -> None:
    died = {name: f"{name} took too long" for name in PROBES}
    reasons = skipped(probed(attempts={}, answered=frozenset(), unanswered=died)(good))
    rests_on = {**RESTS_ON, "ISO006": "right", "ISO012": "refused"}
    assert {name: reasons[name] for name in rests_on} == {
        name: f"no answer: {of} took too long" for name, of in rests_on.items()
    }


def test_a_check_is_skipped_where_nothing_that_it_compares_was_shown_or_said(
    good: Evidence,
) -> None:
    reasons = skipped(good)
    of_probes = {"ISO011", "ISO016", "OBS008", "WOR009", "WOR010", "WOR015"}
    assert reasons.keys() == SAYS_NOTHING | SHOWS_PICTURES.keys() | of_probes
    assert {name: reasons[name] for name in SHOWS_PICTURES} == SHOWS_PICTURES


@pytest.mark.parametrize(
    ("identity", "kind", "change"),
    [
        ("ISO011", "snoop", {}),
        ("ISO016", "found", {}),
        ("WOR009", "sleep", {"seconds": 4.5}),
        ("WOR010", "variables", {"tool": "add"}),
    ],
)
def test_a_program_that_nothing_ran_has_not_found_that_all_is_well(
    identity: str, kind: str, change: dict, good: Evidence
) -> None:
    (finding,) = found(snooped(kind, "a program", "no such command", **change)(good), identity)
    assert finding.status == "skip"


def test_a_program_that_searched_all_files_and_came_upon_nothing_has_passed(
    good: Evidence,
) -> None:
    (finding,) = found(snooped("snoop", "all files", "SNOOPED searched")(good), "ISO011")
    assert finding.status == "pass"


def test_a_batch_that_died_hides_no_defect_that_others_show(good: Evidence) -> None:
    died = probed(unanswered={"refused": "it took too long"})
    edit, level = EXPLORED["ISO012"]
    assert [f.status for f in found(together(edit, died)(good), "ISO012")] == [level]


def refusing(good: Evidence, *words: tuple[int, int, str], **more: object) -> Evidence:
    """Calls that are refused at the start of tasks: the task's number, the amount, and the last word.

    A call whose last word is in ``more`` has that argument as well.
    """
    tried = []
    for number, amount, word in words:
        text = f"{amount} is far too much for this counter, look to the {word}"
        given = {"amount": amount} | ({word: more[word]} if word in more else {})
        refused = {"observation": [{"type": "text", "text": text}], "arguments": given}
        played = oracle(good)[number]
        steps = [BOUND.model_copy(update=refused)]
        tried.append(
            Attempt("refused", "", played.label, played.model_copy(update={"steps": steps}))
        )
    return probed(attempts={**good.probed.attempts, "refused": tried})(good)


def test_two_different_refusals_of_one_tool_reveal_nothing_if_they_follow_from_the_calls(
    good: Evidence,
) -> None:
    alike = [(0, 98, "north"), (1, 98, "north"), (0, 99, "south"), (1, 99, "south")]
    assert [f.status for f in found(refusing(good, *alike), "ISO012")] == ["pass"]
    other_calls = [(0, 96, "north"), (1, 97, "north"), (0, 98, "south"), (1, 99, "south")]
    with_another_argument = refusing(good, *other_calls, south=True)
    assert [f.status for f in found(with_another_argument, "ISO012")] == ["pass"]
    assert [f.status for f in found(refusing(good, *other_calls), "ISO012")] == ["fail"]
    (leak,) = found(refusing(good, (0, 98, "north"), (1, 98, "south"), (2, 98, "east")), "ISO012")
    assert leak.status == "fail"
    assert "neither the calls nor the tasks contained 'north' or 'south' before" in leak.message


def test_a_finding_that_may_be_an_exception_says_which_tool_that_names(good: Evidence) -> None:
    numbers = [(number, 98, str(600 + 7 * number)) for number in range(4)]
    (leak,) = found(refusing(good, *numbers), "ISO012")
    assert (leak.status, leak.place.tool) == ("warn", "add")
    assert leak.fix.endswith("(an exception for this finding has `tool: add`)")


def test_looks_of_which_the_words_tell_the_price_are_not_judged(good: Evidence) -> None:
    edit, level = EXPLORED["OBS006"]
    seen = edit(good)
    assert [f.status for f in found(seen, "OBS006")] == [level]
    said = seen.declaration.model_copy(update={"prompt": "Each look costs a turn."})
    assert [f.status for f in found(replace(seen, declaration=said), "OBS006")] == ["skip"]


def test_clicks_that_all_failed_say_nothing_of_shapes(good: Evidence) -> None:
    nothing = attempts("same-shape", "click at 9, 9", 0.0, steps=[])
    assert [f.status for f in found(nothing(good), "OBS008")] == ["skip"]
