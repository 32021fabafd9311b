"""A pytest plugin: `pytest --rl-env DIR` has a test for each check of an environment.

pytest imports this module in every run if skill-tools is installed. Until an environment is named, the module imports
nothing else from the package. With pytest-xdist, the process that starts the workers plays the environment once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

INPUT = "skill_tools_reports"
"""The key under which a pytest-xdist worker receives the reports, as JSON."""
Told = dict[str, Any]
"""A finding, as JSON data."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --rl-env. Many test suites use the shorter name --env for something else."""
    parser.getgroup("skill-tools").addoption(
        *("--rl-env",),
        action="append",
        default=[],
        metavar="DIR",
        help="folder with env.yaml; adds a test for each check of `skill-tools check --play`; repeatable",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take part in this run only if an environment is named."""
    if folders := config.getoption("rl_env"):
        config.pluginmanager.register(_Environments(config, folders), "skill-tools-environments")


class _Environments:
    """The environments of a run, each played once."""

    def __init__(self, config: pytest.Config, folders: list[str]) -> None:
        self._folders = [Path(folder) for folder in folders]
        given = getattr(config, "workerinput", {}).get(INPUT)
        self._reports: list[str] | None = json.loads(given) if given else None

    def reports(self) -> list[str]:
        """Return the report of each environment, as JSON.

        Raise pytest.UsageError for a folder without an environment.
        """
        if self._reports is None:
            from skill_tools.errors import SkillToolsError

            try:
                self._reports = [_play(folder) for folder in self._folders]
            except SkillToolsError as error:
                raise pytest.UsageError(f"--rl-env: {error}") from None
        return self._reports

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Pass the reports to a pytest-xdist worker."""
        node.workerinput[INPUT] = json.dumps(self.reports())

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add a test for each check, before -k and -m select tests."""
        for folder, text in zip(self._folders, self.reports(), strict=True):
            made = _Checks.from_parent(
                session, name=folder.name, nodeid=folder.as_posix(), path=folder.absolute()
            )
            made.report = json.loads(text)
            items.extend(made.collect())


def _play(folder: Path) -> str:
    """Play the bare domain, and return the report as JSON."""
    import skill_tools
    from skill_tools.report.formats import FORMATS, Ruled

    return FORMATS["json"](Ruled(skill_tools.check(folder, play=True).report))


class _Checks(pytest.Collector):
    """The checks of one environment."""

    report: Told

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each check, named by the check's id."""
        by_check: dict[str, list[Told]] = {}
        for finding in self.report["findings"]:
            by_check.setdefault(finding["check"], []).append(finding)
        for check, findings in sorted(by_check.items()):
            made = _Check.from_parent(self, name=f"{check} {findings[0]['name']}")
            made.findings = findings
            yield made


class _CheckFailed(Exception):
    """A check of an environment failed. The message consists of the findings."""


class _Check(pytest.Item):
    """A test of one check, which fails, warns, is skipped or passes according to the check's findings."""

    findings: list[Told]

    def runtest(self) -> None:
        """Report the findings. Raise _CheckFailed, or pytest's exception for a skip."""
        by_status: dict[str, list[str]] = {}
        for finding in self.findings:
            by_status.setdefault(finding["status"], []).append(_words(finding))
        for status in ("note", "excepted"):
            if said := by_status.get(status):
                self.add_report_section("call", status, "\n".join(said))
        if said := by_status.get("warn"):
            self.warn(pytest.PytestWarning(f"{self.name}: " + "\n".join(said)))
        if said := by_status.get("fail"):
            raise _CheckFailed("\n".join(said))
        if list(by_status) == ["skip"]:
            pytest.skip(by_status["skip"][0])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return only the message of a failed check, because a traceback would not explain it."""
        if isinstance(excinfo.value, _CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location: the environment's folder, without a line number."""
        return self.path, 0, self.name


def _words(finding: Told) -> str:
    from skill_tools.report.plain_text import visible

    lines = [finding["message"] or finding["name"]]
    if finding["status"] in ("fail", "warn"):
        lines += [f"    fix: {finding['fix']}"] if finding["fix"] else []
        lines += [f"    see: {finding['replay']}"] if finding["replay"] else []
    return visible("\n".join(lines))
