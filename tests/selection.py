"""Which tests a run plays, and which of them one worker plays together.

A test marked ``everything("part")`` is left out of ``python3 dev.py test``. ``--everything`` plays
all of them, ``--changed`` the parts whose files differ from the last landed commit (a third of each
where these are many), and a test that the command names by its file is always played.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
LANDED = ("origin/HEAD", "origin/main", "main")
"""Names of the branch that holds what has landed, the first that there is counts."""
PARTS = {
    # Both confined backends under attack, under load and in every mode, and what plays in them.
    "sandboxes": (
        "skill_tools/backends", "skill_tools/render", "skill_tools/frameworks",
        "packages/rl-env-sandbox", "reference_envs/jupyter_env", "tests/live/sandbox",
        "tests/live/test_jupyter_env.py",
        "tests/live/test_jupyter_e2b.py", "tests/live/test_jupyter_servers.py",
    ),
    # Desktops on E2B, under attack and on the page for people, and what plays on them everywhere.
    "desktops": (
        "skill_tools/backends", "skill_tools/render", "skill_tools/frameworks/openenv",
        "skill_tools/archetypes/starters/desktop", "reference_envs/desktop_env",
        "packages/rl-env-sandbox",
        "tests/live/desktop", "tests/live/sandbox", "tests/live/test_starters.py",
    ),
    # What others play in some frameworks, ends or modes only, in all of them.
    "frameworks": (
        "skill_tools/frameworks", "skill_tools/backends", "skill_tools/render", "skill_tools/play",
        "skill_tools/runtime", "skill_tools/checks", "skill_tools/pipeline",
        "skill_tools/server", "reference_envs", "evals/cases", "tests/live", "tests/server",
    ),
    # TRL, which brings PyTorch: every environment in its loop, and models that are trained by it.
    "trl": (
        "skill_tools/frameworks/trl", "skill_tools/render", "skill_tools/archetypes/starters",
        "tests/live/trl", "benchmarks/learns.py", "benchmarks/load/learning.py",
    ),
    # Every starter in every framework that it names.
    "starters": (
        "skill_tools/archetypes", "skill_tools/frameworks", "skill_tools/render",
        "skill_tools/backends", "tests/live/test_starters.py",
    ),
    # Deployments under a real balancer and a real SLURM, and what other engines' schemas say of them.
    "deploy": (
        "skill_tools/render/deploy", "skill_tools/render/deployment.py",
        "skill_tools/pipeline/deployments.py", "tests/live/deployed",
    ),
    # Bundles in the hands of each framework's own publishing tools.
    "publishing": (
        "skill_tools/frameworks", "skill_tools/render", "tests/live/test_bundle.py",
        "packages/rl-env-sandbox",
        "tests/live/test_text_variants.py",
    ),
    # Coding agents beyond Claude Code.
    "clients": ("skills", "skill_tools/server", "tests/live/clients", "evals/agents"),
    # The README's ways to install, by the real installers.
    "installers": (
        "pyproject.toml", "plugin.json", "mcp.json", "gemini-extension.json", ".claude-plugin",
        "README.md", "docs/install.md", "skills", "skill_tools/archetypes", "skill_tools/server",
        "tests/live/clients", "evals/agents", "tests/pages",
        "skill_tools/cli/pytest_plugin.py", "tests/report/test_pytest_plugin.py",
        "tests/test_distributions.py", "tests/live/test_distributions.py",
        "skill_tools/render/wheel.py", "skill_tools/render/vendored/harness.toml", "tests/render/test_wheel.py",
    ),
    # Other releases of frameworks and of E2B's client than the one that is pinned.
    "releases": (
        "skill_tools/frameworks", "skill_tools/render", "skill_tools/backends",
        "tests/live/test_releases.py", "tests/live/sandbox", "packages/rl-env-sandbox",
    ),
    # More of the corpus of defects, and of what is right and unusual; small ones of both kinds.
    "mutants": (
        "skill_tools/checks", "skill_tools/play", "skill_tools/render", "skill_tools/archetypes",
        "corpora/mutants", "tests/checks",
    ),
    # Audits of environments that we did not render, in every framework, and of servers that lie.
    "audit": (
        "skill_tools/frameworks", "skill_tools/play", "skill_tools/pipeline/audits.py",
        "skill_tools/pipeline/repros.py",
        "skill_tools/report/rfc008.py", "tests/live/test_audit.py", "tests/live/test_audit_v0.py",
        "tests/live/scaffolds.py", "tests/live/test_judged.py", "tests/live/test_repro.py",
        "corpora/graders",
    ),
    # Every framework's client on what is asked for, coding agents, resuming, the page.
    "evals": (
        "evals", "skills", "skill_tools/frameworks", "skill_tools/render", "skill_tools/checks",
        "reference_envs/wordle_env", "tests/live/evals", "pyproject.toml",
        "skill_tools/report/inspect_log.py", "skill_tools/report/inspect_messages.py",
        "skill_tools/evidence/references.py", "tests/live/test_inspect_log.py",
    ),
    # Every task of a split in every framework.
    "whole split": (
        "skill_tools/frameworks", "skill_tools/render", "skill_tools/play", "reference_envs",
        "tests/live/test_whole_split.py",
    ),
    # A study of a model of 500 episodes, killed again and again.
    "study": (
        "skill_tools/pipeline/sampling.py", "skill_tools/pipeline/study_terms.py",
        "skill_tools/play/records/study_file.py", "skill_tools/play/rollouts",
        "skill_tools/render/vendored/_shared/records.py", "tests/live/test_study_model.py",
    ),
    # Rollouts over a real Ray cluster, whose nodes are killed.
    "ray": (
        "skill_tools/play/rollouts", "skill_tools/pipeline/clusters.py",
        "skill_tools/runtime/supervisor.py", "tests/live/test_ray.py", "tests/live/ray_scenes.py",
    ),
    # The page in which episodes are read, in a browser.
    "page": ("skill_tools/report/page", "tests/live/test_page.py", "tests/report/test_page.py"),
    # The site of the pages, built and read in a browser, and every command that they show.
    "site": (
        "docs", "README.md", "mkdocs.yml", "tools/site.py", "tests/pages", "skill_tools/cli",
    ),
    # A real small model over two real servers, in every variant: each record held against the
    # server's own log; and what llama.cpp takes of tool schemas. Nothing covers these two: they
    # install hundreds of megabytes, so they are played when --everything or their file is named.
    "real model": (),
    "model servers": (),
}  # fmt: skip
"""What only --everything plays, and the files and folders that each part covers, if any."""
EVERY_PART = ("dev.py", ".ci", "tests/selection.py", "tests/conftest.py", "tests/live/conftest.py")
WIDE = 6
"""A change that touches more parts than this plays a third of each, so that CI ends within 40
minutes. Which third depends on the commit: what one run leaves out, one of the next plays."""
TOGETHER = (
    "suffered", "session", "served", "built", "by_hand", "local", "played", "framework", "archetype", "place",
)  # fmt: skip
"""Parameters that cost much to set up or to share: tests with one value stay on one worker."""


def wanted(item: pytest.Item, parts: Iterable[str], commit: str | None = None) -> bool:
    """Whether a test is played when these parts are, or a third of them: that of a commit.

    Fails for a part that does not exist.
    """
    marks = [mark.args[0] for mark in item.iter_markers("everything")]
    for name in marks:
        assert name in PARTS, f"{item.nodeid} is marked everything({name!r}); there are {[*PARTS]}"
    if not set(marks) <= set(parts):
        return False
    return not marks or commit is None or in_third(group(item) or item.nodeid, commit)


def in_third(name: str, commit: str) -> bool:
    """Whether a test, or a group that shares its set-up, is in the third that a commit plays."""
    return hashlib.sha256(f"{commit}/{name}".encode()).digest()[0] % 3 == 0


def third(parts: Collection[str], root: Path = ROOT) -> str | None:
    """The commit that chooses the third to play; None where the parts are played whole."""
    return _git(root, "rev-parse", "HEAD") if len(parts) > WIDE else None


def some(names: Iterable[Any], usual: Iterable[Any], part: str = "frameworks") -> list[Any]:
    """Parameters of which only the usual ones are played without the part."""
    mark = pytest.mark.everything(part)
    return [pytest.param(name, marks=[] if name in usual else mark) for name in names]


def group(item: pytest.Item) -> str | None:
    """The name that live tests share which one worker is to play: the file, and a parameter."""
    if not is_live(item):
        return None
    path = item.path.relative_to(ROOT / "tests").with_suffix("").as_posix()
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return path
    given = item.callspec
    for name in TOGETHER:
        if name in given.params:
            value = given.params[name]
            return f"{path}:{value if isinstance(value, str) else given.indices[name]}"
    return path


def ungrouped(name: str) -> str:
    """A test's name without the group that xdist puts behind an @."""
    return name.rpartition("@")[0] if "::" in name and "@" in name.rpartition("]")[2] else name


def is_live(item: pytest.Item) -> bool:
    """Whether a test plays with real frameworks or clients."""
    return item.path.is_relative_to(ROOT / "tests" / "live")


def parts_changed(root: Path = ROOT) -> list[str]:
    """The parts whose files differ from the last landed commit; all where none can be found.

    Never one that covers nothing.
    """
    every = [name for name, covered in PARTS.items() if covered]
    base = _landed(root)
    if base is None:
        return every
    # Committed or not; a file that git does not know yet counts too.
    known = _git(root, "diff", "--name-only", "--no-renames", base, "--")
    new = _git(root, "ls-files", "--others", "--exclude-standard")
    if known is None or new is None:
        return every
    changed = [Path(line) for line in (known + new).splitlines()]

    def touched(*covered: str) -> bool:
        return any(path.is_relative_to(each) for path in changed for each in covered)

    return [name for name in every if touched(*PARTS[name], *EVERY_PART)]


def _landed(root: Path) -> str | None:
    """The newest landed commit that HEAD builds on, unless that is HEAD itself or not known."""
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    for name in LANDED:
        if base := _git(root, "merge-base", name, "HEAD"):
            return None if base == head else base.strip()
    return None


def _git(root: Path, *arguments: str) -> str | None:
    """What git prints; None where it, or what it is asked for, is not there."""
    command = ["git", "-C", str(root), *arguments]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return run.stdout if run.returncode == 0 else None
