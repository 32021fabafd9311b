"""Turn an env spec into framework variants, roll them out, and check their behavior.

Each function is one step of the pipeline; docs/api.md shows how to call each function. The functions and
their result types are imported on first use, so that ``import skill_tools`` costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skill_tools.audit.options import AuditOptions
    from skill_tools.checks import Finding
    from skill_tools.errors import (
        DomainError,
        InstallError,
        InterpreterError,
        Problem,
        RenderError,
        RolloutError,
        SkillToolsError,
        SpecError,
    )
    from skill_tools.evidence.certificate import Certificate
    from skill_tools.evidence.evidence import Evidence
    from skill_tools.evidence.trajectory import Trajectory
    from skill_tools.learnability.model import Study
    from skill_tools.pipeline import (
        build,
        bundle,
        check,
        load,
        new,
        render,
        replay,
        rollout,
        rollout_models,
        try_calls,
        validate,
        write_dataset,
    )
    from skill_tools.pipeline.audits import audit
    from skill_tools.pipeline.datasets.row_checks import check_data
    from skill_tools.pipeline.datasets.row_environments import new_from_rows
    from skill_tools.pipeline.deployments import Scale, deploy
    from skill_tools.pipeline.ports import compare, compare_episode, import_environment
    from skill_tools.pipeline.reviews.review import review, review_brief
    from skill_tools.pipeline.studies.calibration import Calibration, calibrate
    from skill_tools.pipeline.studies.sampling import sample_model
    from skill_tools.pipeline.studies.study import study
    from skill_tools.pipeline.tool_environments import new_from_tools
    from skill_tools.pipeline.views import view
    from skill_tools.ports.options import CompareOptions, ImportOptions
    from skill_tools.render.writer import Rendering
    from skill_tools.report.model import Report
    from skill_tools.report.outcome import Outcome
    from skill_tools.report.storage.recheck import judge
    from skill_tools.rollouts.options import RolloutOptions, SamplePlan
    from skill_tools.rollouts.records.export import export
    from skill_tools.rollouts.records.summary import summarize
    from skill_tools.spec.model import EnvSpec

__version__ = "0.1.0"
__all__ = [
    "AuditOptions",
    "Calibration",
    "Certificate",
    "CompareOptions",
    "DomainError",
    "EnvSpec",
    "Evidence",
    "Finding",
    "ImportOptions",
    "InstallError",
    "InterpreterError",
    "Outcome",
    "Problem",
    "RenderError",
    "Rendering",
    "Report",
    "RolloutError",
    "RolloutOptions",
    "SamplePlan",
    "Scale",
    "SkillToolsError",
    "SpecError",
    "Study",
    "Trajectory",
    "__version__",
    "audit",
    "build",
    "bundle",
    "calibrate",
    "check",
    "check_data",
    "compare",
    "compare_episode",
    "deploy",
    "export",
    "import_environment",
    "judge",
    "load",
    "new",
    "new_from_rows",
    "new_from_tools",
    "render",
    "replay",
    "review",
    "review_brief",
    "rollout",
    "rollout_models",
    "sample_model",
    "study",
    "summarize",
    "try_calls",
    "validate",
    "view",
    "write_dataset",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    errors = import_module("skill_tools.errors")
    place = "errors" if hasattr(errors, name) else _TYPES.get(name, "pipeline")
    found = globals()[name] = getattr(import_module(f"skill_tools.{place}"), name)
    return found


_TYPES = {
    "AuditOptions": "audit.options",
    "Certificate": "evidence.certificate",
    "CompareOptions": "ports.options",
    "ImportOptions": "ports.options",
    "compare": "pipeline.ports",
    "compare_episode": "pipeline.ports",
    "import_environment": "pipeline.ports",
    "Calibration": "pipeline.studies.calibration",
    "EnvSpec": "spec.model",
    "Evidence": "evidence.evidence",
    "Finding": "checks",
    "Outcome": "report.outcome",
    "Rendering": "render.writer",
    "Report": "report.model",
    "RolloutOptions": "rollouts.options",
    "SamplePlan": "rollouts.options",
    "Scale": "pipeline.deployments",
    "Study": "learnability.model",
    "Trajectory": "evidence.trajectory",
    "audit": "pipeline.audits",
    "calibrate": "pipeline.studies.calibration",
    "check_data": "pipeline.datasets.row_checks",
    "new_from_rows": "pipeline.datasets.row_environments",
    "new_from_tools": "pipeline.tool_environments",
    "deploy": "pipeline.deployments",
    "export": "rollouts.records.export",
    "judge": "report.storage.recheck",
    "review": "pipeline.reviews.review",
    "review_brief": "pipeline.reviews.review",
    "sample_model": "pipeline.studies.sampling",
    "study": "pipeline.studies.study",
    "summarize": "rollouts.records.summary",
    "view": "pipeline.views",
}
"""The modules of the result types, and of functions that need no env spec; the other functions are in the pipeline."""


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """A package module that keeps its public functions if a subpackage of the same name is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
