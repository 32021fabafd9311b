"""The skills: valid for every client, true to the code, and enough to build an environment from."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from ruamel.yaml import YAML

from skill_tools import __version__, pipeline
from skill_tools.archetypes import ARCHETYPES
from skill_tools.cli.app import app
from skill_tools.errors import SkillToolsError
from skill_tools.frameworks.rules import load
from skill_tools.mcp.app import TOOLS
from skill_tools.pipeline.bare_runs import play_domain
from tests.conftest import ROOT
from tests.over import over
from tools import skill_pages

SKILLS = ROOT / "skills"
MOST_SHOWN = 7_850
"""Characters of a SKILL.md: Cline cuts a hole into what is longer than 8,000 with its own words around."""
MOST_READ = 2_500
"""Words that a fresh agent reads before it writes the first line."""
MOST_BYTES = 12_000
"""Size of a page: some terminals cut the middle out of what is longer."""
FOLDERS = sorted(path.parent for path in SKILLS.glob("*/SKILL.md"))
PAGES = sorted(SKILLS.glob("*/**/*.md"))
ORIGINALS = sorted((SKILLS / skill_pages.SOURCE).rglob("*.md"))
GENERATORS = [folder for folder in FOLDERS if folder.name.startswith("generate-")]
TITLES = {"nemo-gym": "NeMo Gym", "openenv": "OpenEnv", "ors": "ORS", "verifiers": "Verifiers"}
MCP_TOOLS = set(TOOLS)
OTHERS = {"get_reward", "read_policy", "run_shell"}
"""Tools of environments, which only look like MCP tools of ours."""
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMMAND = typer.main.get_command(app)


def name_of(path: Path) -> str:
    return str(path.relative_to(SKILLS))


def front(folder: Path) -> dict[str, object]:
    _, text, _ = (folder / "SKILL.md").read_text("utf-8").split("---\n", 2)
    return YAML(typ="safe", pure=True).load(text)


def blocks(path: Path, *languages: str) -> list[str]:
    found = FENCE.findall(path.read_text("utf-8"))
    return [text for _, language, text in found if language in languages]


def example(page: str) -> list[str]:
    """The Python blocks of a page that are whole modules."""
    text = SKILLS / skill_pages.SOURCE / "references" / page
    return [block for block in blocks(text, "python") if block.startswith('"""')]


def test_there_are_exactly_the_five_skills() -> None:
    wanted = {"rl-env-from-description", *(f"generate-{name}-env" for name in TITLES)}
    assert {folder.name for folder in FOLDERS} == wanted
    assert {path.name for path in SKILLS.iterdir()} == wanted
    link = ROOT / ".claude" / "skills"
    assert link.is_symlink()
    assert link.resolve() == SKILLS


@over("folder", FOLDERS, ids=lambda folder: folder.name)
def test_frontmatter_is_valid_for_every_client(folder: Path) -> None:
    text = (folder / "SKILL.md").read_text("utf-8")
    head = text.split("---\n", 2)[1]
    found = front(folder)
    assert list(found) == ["name", "description", "license", "metadata"]
    assert found["name"] == folder.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", folder.name)
    assert len(folder.name) <= 64
    assert found["metadata"] == {"version": __version__}
    assert found["license"] == "Apache-2.0"
    assert not re.search(r"[<>\[\]{}]", head), "some validators refuse brackets or read them"
    assert "---" not in head.rstrip("-\n")
    lines = [line for line in head.splitlines() if not line.startswith(" ")]
    assert not [line for line in lines if ": " in line.partition(": ")[2]]


@over("folder", FOLDERS, ids=lambda folder: folder.name)
def test_descriptions_are_short_and_exclude_the_siblings(folder: Path) -> None:
    found = front(folder)["description"]
    assert 200 < len(found) <= 400
    assert "Use " in found
    for short in ("OpenEnv", "ORS", "Verifiers", "NeMo Gym"):
        assert short in found, f"{short} is a near miss that the description does not mention"
    if folder in GENERATORS:
        assert "rl-env-from-description" in found


@over("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_skill_is_short(folder: Path) -> None:
    whole = (folder / "SKILL.md").read_text("utf-8")
    assert len(whole.splitlines()) < 120
    assert len(whole) <= MOST_SHOWN
    for page in (folder / "references").iterdir():
        text = page.read_text("utf-8")
        assert page.suffix == ".md"
        assert len(text.encode()) <= MOST_BYTES, f"{page.name}: a terminal cuts a longer page"
        # Of the checks each has a line, and is looked up.
        assert len(text.splitlines()) < (290 if page.name == "checks.md" else 200)
        if len(text.splitlines()) > 110 and page.name != "checks.md":
            assert "\nContents: " in text, f"{page.name} is long and has no contents"


def required(folder: Path, archetype: str) -> list[Path]:
    """SKILL.md, and the pages that its section "Read before you write" names for this archetype."""
    found = re.search(
        r"^## Read before you write\n(.*?)^## ",
        (folder / "SKILL.md").read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    links = set(re.findall(r"\]\((references/[^)]+)\)", found[1])) if found else set()
    others = {f"references/{name}.md" for name in ARCHETYPES if name != archetype}
    assert f"references/{archetype}.md" in links
    return [folder / "SKILL.md", *(folder / link for link in sorted(links - others))]


@over("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_fresh_agent_reads_little_before_it_writes(folder: Path) -> None:
    for archetype in ARCHETYPES:
        pages = required(folder, archetype)
        assert len(pages) == 3
        words = sum(len(page.read_text("utf-8").split()) for page in pages)
        assert words <= MOST_READ, archetype


@over("folder", FOLDERS, ids=lambda folder: folder.name)
def test_links_resolve_one_level_deep_and_every_page_is_linked(folder: Path) -> None:
    links = set(re.findall(r"\]\(([^)]+)\)", (folder / "SKILL.md").read_text("utf-8")))
    assert links
    for link in links:
        assert re.fullmatch(r"references/[a-z-]+\.md", link)
        assert (folder / link).is_file()
        assert not (folder / link).is_symlink()
        assert "](" not in re.sub(r"\]\(https?:", "", (folder / link).read_text("utf-8"))
    assert {path.name for path in folder.iterdir()} == {"SKILL.md", "references"}
    assert {f"references/{path.name}" for path in (folder / "references").iterdir()} == links


@over("path", PAGES, ids=name_of)
def test_mcp_tools_exist_and_carry_no_clients_prefix(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "mcp__" not in text
    assert not re.search(r"skill_tools[_.:/-]+(list|check|render|validate|run|get|explain)_", text)
    looks = re.findall(
        r"`((?:list|read|check|render|validate|run|explain|get)_[a-z_]+)`(?!\()", text
    )
    assert set(looks) <= MCP_TOOLS | OTHERS, f"no MCP tool: {set(looks) - MCP_TOOLS}"


@over("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_skill_names_all_mcp_tools_and_the_fallback(folder: Path) -> None:
    text = (folder / "SKILL.md").read_text("utf-8")
    assert set(re.findall(r"`(\w+)`", text)) >= MCP_TOOLS
    assert "absent in your second turn" in text
    assert "`uvx --from SOURCE skill-tools COMMAND`" in text
    assert "uvx --from rl-env-skills" not in text, "nobody owns that name on the index"
    assert "python3 dev.py" in text
    table = (folder / "references" / "commands.md").read_text("utf-8")
    assert set(re.findall(r"`(\w+)`", table)) >= MCP_TOOLS


def commands() -> list[tuple[str, str]]:
    """Every skill-tools command that a page tells, inline or in a block."""
    found = []
    for path in PAGES:
        text = path.read_text("utf-8")
        inline = re.findall(r"`(skill-tools [a-z][^`]*)`", text)
        block = [line for text in blocks(path, "bash", "sh") for line in text.splitlines()]
        found += [(name_of(path), line.partition("#")[0].strip()) for line in [*inline, *block]]
    return sorted({pair for pair in found if "skill-tools" in pair[1].split()})


@pytest.mark.everything("costly")
@over(("page", "line"), commands())
def test_commands_of_ours_parse(page: str, line: str) -> None:
    _, name, *arguments = shlex.split(line)
    assert name in COMMAND.commands, f"{page}: there is no command {name}"
    command = COMMAND.commands[name]
    if not [word for word in arguments if not word.startswith("-")]:
        # In a sentence the folder goes without saying.
        arguments += ["DIR" for each in command.params if each.param_type_name == "argument"]
    command.make_context(name, arguments)


def test_the_commands_shown_are_many_enough_to_be_checked() -> None:
    shown = {command.split()[1] for _, command in commands()}
    assert shown >= {"new", "check", "render", "build", "validate", "rollout", "explain", "bundle"}


@over("path", PAGES, ids=name_of)
def test_shell_blocks_are_shell_and_name_options_of_rollout(path: Path) -> None:
    play = (ROOT / "packages/rl-env-harness/src/rl_env_harness/rollouts/command_line.py").read_text(
        "utf-8"
    )
    for block in blocks(path, "bash", "sh"):
        subprocess.run(["bash", "-n"], input=block, text=True, check=True)
        for line in block.splitlines():
            if "rollout.py" in line:
                options = re.findall(r"--[a-z-]+", line.partition("rollout.py")[2])
                assert all(f'"{option}"' in play for option in options), line


@over("path", ORIGINALS, ids=name_of)
def test_python_blocks_compile(path: Path) -> None:
    for block in blocks(path, "python"):
        compile(block, str(path), "exec")


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    """The environment that the pages print, written into a folder."""
    folder = tmp_path / "take_stones"
    folder.mkdir()
    (spec,) = blocks(SKILLS / skill_pages.SOURCE / "references" / "example.md", "yaml")
    game, tasks, oracle = example("example.md")
    for name, text in (
        ("env.yaml", spec),
        ("game.py", game),
        ("tasks.py", tasks),
        ("oracle.py", oracle),
    ):
        (folder / name).write_text(text, "utf-8")
    return folder


def test_every_yaml_block_is_a_spec(taught: Path) -> None:
    found = [(path, block) for path in ORIGINALS for block in blocks(path, "yaml")]
    assert found
    for path, block in found:
        (taught / "env.yaml").write_text(block, "utf-8")
        assert load(taught).name, path


@pytest.mark.everything("costly")
def test_the_environment_of_the_pages_keeps_the_contract_they_teach(taught: Path) -> None:
    assert pipeline.check(taught).report.ok
    played = play_domain(load(taught), taught, count=30).reference.episodes
    means = {p: sum(t.total for t in by.values()) / len(by) for p, by in played.items()}
    assert means["oracle"] == 1.0
    assert means["noop"] == means["malformed"] == means["turn_limit"] == 0.0
    assert 0.0 < means["random"] < 0.6
    assert {t.end for t in played["oracle"].values()} == {"terminated"}


def test_the_generated_parts_and_the_copies_are_in_step() -> None:
    assert skill_pages.drift(SKILLS) == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(SKILLS, tmp_path / "skills"))
    skill_pages.write(folder)
    return folder


@pytest.mark.everything("costly")
def test_drift_is_found_and_fixed(copied: Path) -> None:
    source, other = (
        copied / name / "references" for name in (skill_pages.SOURCE, "generate-ors-env")
    )
    (source / "ors.md").write_text((source / "ors.md").read_text().replace("finished", "ended"))
    (other / "checks.md").unlink()
    (other / "stray.md").write_text("nobody links to it\n")
    broken = {"rl-env-from-description/references/ors.md"}
    broken |= {f"generate-ors-env/references/{name}.md" for name in ("ors", "checks", "stray")}
    assert set(skill_pages.drift(copied)) == broken
    assert set(skill_pages.write(copied)) == broken
    assert skill_pages.drift(copied) == []
    assert not (other / "stray.md").exists()
    # What is outside of the markers is the author's: it was changed, and copied as it is.
    assert "set `self.reward` to the sum so far" in (other / "ors.md").read_text()


def test_an_original_that_nobody_links_to_is_drift_and_is_kept(copied: Path) -> None:
    page = copied / skill_pages.SOURCE / "references" / "forgotten.md"
    page.write_text("a page\n")
    assert skill_pages.write(copied) == [f"{skill_pages.SOURCE}/references/forgotten.md"]
    assert page.is_file()
    assert skill_pages.drift(copied)


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[no](references/no-such-page.md)\n", "no such page"),
        ("<!-- generated: no-such-part -->\n<!-- end -->\n", "no-such-part"),
    ],
)
def test_what_cannot_be_generated_is_named(copied: Path, text: str, message: str) -> None:
    page = copied / "generate-ors-env" / "SKILL.md"
    page.write_text(page.read_text() + text)
    with pytest.raises(SkillToolsError, match=message):
        skill_pages.planned(copied)


def section(folder: Path, title: str) -> str:
    """A section of a SKILL.md, with the framework's names replaced."""
    text = (folder / "SKILL.md").read_text("utf-8")
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    short = folder.name.removeprefix("generate-").removesuffix("-env")
    words = {
        TITLES[short]: "TITLE",
        f"references/{short}.md": "PAGE",
        short.replace("-", "_"): "ID",
    }
    body = found[1]
    for word, stands in words.items():
        body = body.replace(word, stands)
    return " ".join(body.split())


@pytest.mark.parametrize(
    "title",
    [
        "Tools",
        "Read before you write",
        r"Where do you start\?",
        "Steps",
        "Guard rails",
        "Pages for one case",
    ],
)
def test_the_four_generators_say_the_same_of_what_they_share(title: str) -> None:
    texts = {folder.name: section(folder, title) for folder in GENERATORS}
    for (one, first), (other, second) in pairwise(texts.items()):
        assert first == second, f"{one} and {other} differ in {title!r}"


@pytest.mark.live
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_reference_validator_accepts_a_skill(folder: Path) -> None:
    from uv import find_uv_bin

    command = [find_uv_bin(), "tool", "run", "--from", "skills-ref==0.1.1", "agentskills"]
    found = subprocess.run(
        [*command, "validate", str(folder)], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "Valid skill" in found.stdout + found.stderr
