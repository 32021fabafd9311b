"""The parts of the tests that a plain run leaves out: what each covers, and what it takes.

Their paths are those of the whole repository, in this module alone.
"""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """Tests that a plain run leaves out."""

    core: float
    """CPU minutes (user and system) of its live tests without a marker, measured on two cores."""
    whole: float | None
    """CPU minutes of all its tests; None if nobody measured them, so that only shards play them."""
    covers: tuple[str, ...]
    """Files and folders: a change of one plays the part. Of a part without any, nothing does."""


PLAYS = (
    "skill_tools/policies", "skill_tools/reference", "skill_tools/worker", "skill_tools/probes",
    "skill_tools/rollouts", "skill_tools/graders", "skill_tools/audit",
)  # fmt: skip
"""The rooms that play something."""
PARTS = {
    # Tests that take more than about a CPU second. A plain run has cheaper tests of the same modules.
    "costly": Part(0, 11.0, ("skill_tools", "packages", "evals", "corpora", "tools", "tests")),
    # Both confined backends under attack, under load and in every mode, and what plays in them.
    "sandboxes": Part(1.5, None, (
        "skill_tools/backends", "skill_tools/render", "skill_tools/frameworks",
        "packages/rl-env-sandbox", "reference_envs/jupyter_env", "tests/live/sandbox",
        "tests/live/test_jupyter_env.py",
        "tests/live/test_jupyter_e2b.py", "tests/live/test_jupyter_servers.py",
    )),
    # Desktops on E2B, under attack and on the page for people, and what plays on them everywhere.
    "desktops": Part(0.2, None, (
        "skill_tools/backends", "skill_tools/render", "skill_tools/frameworks/openenv",
        "skill_tools/archetypes/starters/desktop", "reference_envs/desktop_env",
        "packages/rl-env-sandbox",
        "tests/live/desktop", "tests/live/sandbox", "tests/live/test_starters.py",
    )),
    # What others play in some frameworks, ends or modes only, in all of them.
    "frameworks": Part(4.4, None, (
        "skill_tools/frameworks", "skill_tools/backends", "skill_tools/render", *PLAYS,
        "skill_tools/runtime", "skill_tools/checks", "skill_tools/pipeline",
        "skill_tools/mcp", "reference_envs", "evals/cases", "tests/live", "tests/mcp",
    )),
    # TRL, which brings PyTorch: every environment in its loop, and models that are trained by it.
    "trl": Part(0, None, (
        "skill_tools/frameworks/trl", "skill_tools/render", "skill_tools/archetypes/starters",
        "tests/live/trl", "benchmarks/learns.py", "benchmarks/load/learning.py",
    )),
    # Every starter in every framework that it names.
    "starters": Part(0.1, None, (
        "skill_tools/archetypes", "skill_tools/frameworks", "skill_tools/render",
        "skill_tools/backends", "tests/live/test_starters.py",
    )),
    # Deployments under a real balancer and a real SLURM, and what other engines' schemas say of them.
    "deploy": Part(0, None, (
        "skill_tools/render/deploy", "skill_tools/render/deployment.py",
        "skill_tools/pipeline/deployments.py", "tests/live/deployed",
    )),
    # Bundles in the hands of each framework's own publishing tools.
    "publishing": Part(0.2, None, (
        "skill_tools/frameworks", "skill_tools/render", "tests/live/test_bundle.py",
        "packages/rl-env-sandbox",
        "tests/live/test_text_variants.py",
    )),
    # Coding agents beyond Claude Code.
    "clients": Part(0.5, None, ("skills", "skill_tools/mcp", "tests/live/clients", "evals/agents",)),
    # The README's ways to install, by the real installers.
    "installers": Part(0, None, (
        "pyproject.toml", "plugin.json", "mcp.json", "gemini-extension.json", ".claude-plugin",
        "README.md", "docs/install.md", "skills", "skill_tools/archetypes", "skill_tools/mcp",
        "tests/live/clients", "evals/agents", "tests/pages",
        "skill_tools/cli/pytest_plugin.py", "tests/report/test_pytest_plugin.py",
        "tests/test_distributions.py", "tests/live/test_distributions.py",
        "skill_tools/render/wheel.py", "packages/rl-env-harness", "tests/render/test_wheel.py",
    )),
    # Other releases of frameworks and of E2B's client than the one that is pinned.
    "releases": Part(0, None, (
        "skill_tools/frameworks", "skill_tools/render", "skill_tools/backends",
        "tests/live/test_releases.py", "tests/live/sandbox", "packages/rl-env-sandbox",
    )),
    # More of the corpus of defects, and of what is right and unusual; small ones of both kinds.
    "mutants": Part(0, None, (
        "skill_tools/checks", *PLAYS, "skill_tools/render", "skill_tools/archetypes",
        "corpora/mutants", "tests/checks",
    )),
    # Audits of environments that we did not render, in every framework, and of servers that lie.
    "audit": Part(0.2, None, (
        "skill_tools/frameworks", *PLAYS, "skill_tools/pipeline/audits.py",
        "skill_tools/pipeline/repros.py",
        "skill_tools/report/formats/rfc008.py", "tests/live/test_audit.py", "tests/live/test_audit_v0.py",
        "tests/live/test_audit_spaces.py", "tests/live/test_audit_mcp.py", "tests/live/driven.py",
        "tests/live/scaffolds.py", "tests/live/test_judged.py", "tests/live/test_repro.py",
        "corpora/graders",
    )),
    # Environments of every framework, wrapped and compared with their originals.
    "ports": Part(0, 5.0, (
        "skill_tools/ports", "skill_tools/audit/drivers", "skill_tools/frameworks", "skill_tools/pipeline/ports.py",
        "skill_tools/archetypes/templates", "tests/ports", "tests/live/scaffolds.py",
    )),
    # Every framework's client on what is asked for, coding agents, resuming, the page.
    "evals": Part(0, None, (
        "evals", "skills", "skill_tools/frameworks", "skill_tools/render", "skill_tools/checks",
        "reference_envs/wordle_env", "tests/live/evals", "pyproject.toml",
        "skill_tools/report/formats",
        "skill_tools/evidence/images", "tests/live/test_inspect_log.py",
    )),
    # Every task of a split in every framework.
    "whole split": Part(0, None, (
        "skill_tools/frameworks", "skill_tools/render", *PLAYS, "reference_envs",
        "tests/live/test_whole_split.py",
    )),
    # A study of a model of 500 episodes, killed again and again.
    "study": Part(0.1, None, (
        "skill_tools/pipeline/studies",
        "skill_tools/rollouts",
        "packages/rl-env-harness/src/rl_env_harness/records", "tests/live/test_study_model.py",
    )),
    # Rollouts over a real Ray cluster, whose nodes are killed.
    "ray": Part(0, None, (
        "skill_tools/rollouts", "skill_tools/pipeline/clusters.py",
        "skill_tools/runtime/supervisor.py", "tests/live/test_ray.py", "tests/live/ray_scenes.py",
    )),
    # The page in which episodes are read, in a browser.
    "page": Part(0, None, ("skill_tools/report/page", "tests/live/test_page.py", "tests/report/test_page.py",)),
    # The site of the pages, built and read in a browser, and every command that they show.
    "site": Part(0.1, None, (
        "docs", "README.md", "mkdocs.yml", "tools/site.py", "tests/pages", "skill_tools/cli",
    )),
    # More of the broken examples of checks, and of what plays seconds for one of them.
    "checks": Part(0, 7.5, (
        "skill_tools/checks", "skill_tools/evidence", *PLAYS, "tests/checks", "tests/evidence",
    )),
    # More of the audits of graders, and the corpus of graders that others wrote.
    "graders": Part(0, 9.6, (
        "skill_tools/graders", "skill_tools/audit",
        "skill_tools/checks/rules/graders", "corpora/graders", "tests/checks/test_graders.py",
        "tests/checks/test_circumstances.py",
    )),
    # Our server of tools, with real clients and jobs that build.
    "server": Part(1.3, 1.5, ("skill_tools/mcp", "tests/mcp", "tests/live/test_server.py")),
    # What training code plays, and what model servers answer, in the variants that ask them.
    "endpoints": Part(0.9, None, (
        "packages/rl-env-harness", "skill_tools/frameworks", "skill_tools/policies",
        "tests/live/model_servers", "tests/live/test_model_faults.py", "tests/live/test_trainers.py",
        "tests/live/test_nemo_agent.py",
    )),
    # A real small model over two real servers, in every variant: each record held against the
    # server's own log; and what llama.cpp takes of tool schemas. Nothing covers these two: they
    # install hundreds of megabytes, so they are played when --everything or their file is named.
    "real model": Part(0, None, ()),
    "model servers": Part(0, None, ()),
}  # fmt: skip
"""What a plain run leaves out."""
LIVE = {
    "tests": "frameworks",
    "tests/backends": "sandboxes",
    "tests/live/clients": "clients",
    "tests/live/desktop": "desktops",
    "tests/live/evals": "evals",
    "tests/live/model_servers": "endpoints",
    "tests/live/sandbox": "sandboxes",
    "tests/live/test_audit.py": "audit",
    "tests/live/test_audit_token.py": "audit",
    "tests/live/test_bundle.py": "publishing",
    "tests/live/test_jupyter_e2b.py": "sandboxes",
    "tests/live/test_jupyter_env.py": "sandboxes",
    "tests/live/test_model_faults.py": "endpoints",
    "tests/live/test_nemo_agent.py": "endpoints",
    "tests/live/test_server.py": "server",
    "tests/live/test_starters.py": "starters",
    "tests/live/test_study_model.py": "study",
    "tests/live/test_trainers.py": "endpoints",
    "tests/live/trl": "trl",
    "tests/pages": "site",
    "tests/mcp": "server",
}
"""The part of the live tests below a path that have no marker of their own; the longest path counts."""
EVERY_PART = (
    "dev.py", ".ci", "tests/parts.py", "tests/selection.py", "tests/conftest.py", "tests/live/conftest.py",
)  # fmt: skip
"""What decides about the tests of all parts."""
MOST_MINUTES = 26.0
"""CPU minutes that ``--changed`` adds to a plain run of eight, all measured on the same machine. On two cores of
the slowest machine seen, ``.ci/run`` then took 29 minutes; it must end within 40."""
