"""Verifiers' older API, ``load_environment(**kwargs)``: the facts that an audit needs to play it.

Most environments on the public Hub use this API. ``verifiers`` has it up to 0.3.1; 0.4 has only tasksets.
Docs: https://github.com/PrimeIntellect-ai/verifiers/tree/v0.1.14/docs

Unexpected behavior:

- In every release, an exception in a reward function is logged and counted as 0.0. The driver wraps the
  functions, and records a failure instead.
- ``-> tuple[Messages, State]``, ``is_completed(messages, state)`` and ``rollout(client, model, prompt, ...)``
  belong to releases before 0.1.8; later releases removed more (OUTDATED). If an environment's source uses
  these forms, only older releases can play the environment, as if the environment itself required these
  releases.
- A column ``task`` with names is refused since 0.1.14: it was reserved for v1.
- ``JudgeRubric`` of 0.3 gives the judge an empty question, because it expects messages that are dicts.
- A reply without text is a model error since 0.1.11: a space is sent instead.
- A requirement with ``.dev`` allows pre-releases, and the pre-releases of 0.3.2 do not have the older API.
"""

from skill_tools.frameworks.framework import InFolder, Playable

RELEASES = (
    *("0.1.3", "0.1.3.post0", "0.1.4", "0.1.5", "0.1.5.post0", "0.1.6", "0.1.6.post0", "0.1.7"),
    *("0.1.7.post0", "0.1.8", "0.1.8.post0", "0.1.8.post1", "0.1.8.post2", "0.1.9", "0.1.9.post0"),
    *("0.1.9.post1", "0.1.9.post2", "0.1.9.post3", "0.1.10", "0.1.11", "0.1.12", "0.1.14"),
    *("0.2.0", "0.2.1", "0.3.0", "0.3.1"),
)
"""The stable releases on the package index that the driver plays."""
OUTDATED = (
    (r"def is_completed\(\s*self,\s*messages|->\s*[Tt]uple\[\s*(vf\.)?Messages", "<0.1.8"),
    (r"\breward_(funcs|weights)\b", "<0.1.8"),
    (r"\bToolRubric\b", "<0.1.9"),
    (r"\boai_tools\b", "<0.1.11"),
    (r"[\"']task[\"']\s*:", "<0.1.14"),
)
"""Patterns in an environment's source that use features removed in a release, and the releases before it."""

VERIFIERS_V0 = Playable(
    name="verifiers_v0",
    title="Verifiers' older API",
    distribution="verifiers",
    # All releases require openai without an upper bound, and none supports openai 3.
    requirements=("verifiers>=0.1.3,<=0.3.1", "openai>=1.108.1,<3"),
    python=">=3.11,<3.14",
    transport="in-process",
    warm_imports=("verifiers", "datasets", "openai", "httpx"),
    packages=("verifiers",),
    configured=True,
    in_folder=InFolder(
        defines="load_environment",
        unlike=r"verifiers\.v1|\bvf\.Taskset\b",
        links=True,
        id="package",
        outdated=OUTDATED,
    ),
    releases=RELEASES,
    environment={
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        # Seconds: a hub that does not answer is no reason to wait long.
        "HF_HUB_ETAG_TIMEOUT": "5",
        "HF_HUB_DOWNLOAD_TIMEOUT": "10",
        "TOKENIZERS_PARALLELISM": "false",
        "TQDM_DISABLE": "1",
        "WANDB_MODE": "disabled",
    },
)
