"""The pipeline, with the steps from a spec to a report."""

from skill_tools.files import find_environment
from skill_tools.pipeline.datasets.task_rows import write_dataset
from skill_tools.pipeline.deployments import bundle
from skill_tools.pipeline.steps import (
    build,
    check,
    load,
    new,
    plan_file,
    render,
    replay,
    rollout,
    rollout_models,
    try_calls,
    validate,
)
from skill_tools.policies.scripted import known as known_policy
from skill_tools.render.choice import choose_rendered, choose_variants
from skill_tools.rollouts.records.export import Exported
from skill_tools.rollouts.server_check import examine_server

__all__ = [
    "Exported",
    "build",
    "bundle",
    "check",
    "choose_rendered",
    "choose_variants",
    "examine_server",
    "find_environment",
    "known_policy",
    "load",
    "new",
    "plan_file",
    "render",
    "replay",
    "rollout",
    "rollout_models",
    "try_calls",
    "validate",
    "write_dataset",
]
