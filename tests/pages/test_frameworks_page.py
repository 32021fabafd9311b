"""What frameworks call our words: complete, and in step with the committed page and READMEs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.framework import VOCABULARY
from skill_tools.frameworks.rules import load
from skill_tools.render.bundle import Bundled
from skill_tools.render.plan import plan
from tests.conftest import CONNECT_FOUR, ROOT, WORDLE, write_counter
from tests.over import over
from tools import frameworks_page

LONGEST_PAGE = 40
"""Lines of a variant's README."""


def test_the_committed_page_is_in_step() -> None:
    page = (ROOT / "reference_envs" / "README.md").read_text("utf-8")
    command = "python -m tools"
    assert page == frameworks_page.as_markdown(), f"run: {command}"


@over("name", FRAMEWORKS)
def test_every_framework_translates_every_word_in_the_same_order(name: str) -> None:
    words = FRAMEWORKS[name].vocabulary
    assert tuple(words) == tuple(VOCABULARY)
    assert not [word for word, theirs in words.items() if not theirs or "|" in theirs]


@over("name", FRAMEWORKS)
def test_the_facts_that_decide_are_whole_sentences(name: str) -> None:
    framework = FRAMEWORKS[name]
    for fact in (framework.summary, framework.driver, framework.turns, framework.reward_and_end,
                 framework.state):  # fmt: skip
        assert re.fullmatch(r"(?s)[A-Z`].*\.", fact)
        assert "  " not in fact


@over("name", FRAMEWORKS)
def test_a_page_answers_every_decision_for_every_framework(name: str, tmp_path: Path) -> None:
    page = frameworks_page.as_markdown(tmp_path)
    title = re.escape(FRAMEWORKS[name].title)
    for decision in frameworks_page.DECISIONS:
        section = page.partition(f"### {decision.title}\n")[2].partition("\n#")[0]
        assert len(re.findall(rf"^- \*\*{title}\*\*: .", section, re.MULTILINE)) == 1


def test_an_environment_is_listed_with_a_link_to_each_variant(tmp_path: Path) -> None:
    write_counter(tmp_path / "counter_env", env=("episode:", "frameworks: [ors, gem]\nepisode:"))
    page = frameworks_page.as_markdown(tmp_path)
    [row] = [line for line in page.splitlines() if "counter_env" in line]
    assert "[Counter](counter_env/README.md) | pure-python-game | The agent counts up" in row
    links = re.findall(r"\(counter_env/(\w+)/README\.md\)", row)
    assert links == ["ors", "gem"]


def test_links_of_the_committed_page_lead_somewhere() -> None:
    page = (ROOT / "reference_envs" / "README.md").read_text("utf-8")
    paths = [link for link in re.findall(r"\]\(([^)]+)\)", page) if "://" not in link]
    assert len(paths) > len(FRAMEWORKS)
    assert not [path for path in paths if not (ROOT / "reference_envs" / path).is_file()]


@pytest.mark.everything("costly")
@over("name", FRAMEWORKS)
@over("folder", [WORDLE, CONNECT_FOUR], ids=["wordle", "connect_four"])
def test_a_readme_is_short_and_says_how_to_run_train_and_publish(name: str, folder: Path) -> None:
    page = plan(load(folder), [name])[f"{name}/README.md"]
    assert len(page.splitlines()) <= LONGEST_PAGE
    for part in ("**Run**", "**Train**", "**Publish**", "uv run rollout.py --model"):
        assert part in page
    assert f"skill-tools bundle .. {name}" in page


def test_the_page_has_every_word_of_every_framework_and_compares_them() -> None:
    page = frameworks_page.as_markdown()
    for framework in FRAMEWORKS.values():
        for word, theirs in framework.vocabulary.items():
            assert f"| {word} |" in page
            assert f"| {theirs} |" in page
        assert framework.comparison
        assert all(sentence in page for sentence in framework.comparison)


@pytest.mark.everything("costly")
@over("name", FRAMEWORKS)
def test_the_readme_of_a_bundle_leads_to_nothing_that_stays_behind(name: str) -> None:
    spec = Bundled.model_validate(load(WORDLE).model_dump())
    page = plan(spec, [name])[f"{name}/README.md"]
    assert "../" not in page
    assert "skill-tools bundle" not in page
