"""The MCP tools that play an environment; each call is a job that continues in the background."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import anyio
from fastmcp import Context
from pydantic import Field

import skill_tools
from skill_tools.mcp.arguments import FEW, Approve, EnvPath, Limit, Names, Offset, Split
from skill_tools.mcp.job_pages import JobState, show_job
from skill_tools.mcp.jobs import Job, JobLimits, Jobs
from skill_tools.mcp.workspace import Workspace

WAIT = 18.0
"""Seconds that a call waits for its job; clients give up after 20 or more."""


class JobTools:
    """The MCP tools for long work, with the server's jobs and the folders that the tools may access."""

    def __init__(self, roots: Sequence[Path] = (), limits: JobLimits | None = None) -> None:
        self.jobs = Jobs(limits)
        self._workspace = Workspace(roots)

    async def validate_env(
        self,
        env_path: EnvPath,
        frameworks: Names = None,
        tasks: Annotated[int | None, Field(ge=1, le=100, description=FEW)] = None,
        split: Split = None,
        approve: Approve = False,
        ctx: Context | None = None,
    ) -> JobState:
        """Play every scripted policy in every rendered variant and check rewards, ends, determinism,
        leaks and parity. Returns a job after at most 18 s; call get_job until it is done."""
        folder = self._workspace.folder(env_path)
        choice = await anyio.to_thread.run_sync(_choose, folder, frameworks)
        self._workspace.must_run(folder, approve)
        options = {"frameworks": list(choice.frameworks), "count": tasks, "split": split}
        return await self._job(self.jobs.start("validate", folder, options), ctx)

    # One parameter per argument of the tool: its schema is derived from them.
    async def run_smoke_rollout(
        self,
        env_path: EnvPath,
        framework: Annotated[str, Field(description="a rendered framework, such as openenv")],
        policy: Annotated[
            str,
            Field(
                description="oracle, random, noop, malformed, early_stop, past_done, turn_limit or example"
            ),
        ] = "oracle",
        tasks: Annotated[int, Field(ge=1, le=100, description="number of tasks to play")] = 1,
        first: Annotated[int, Field(ge=0, description="index of the first task")] = 0,
        split: Split = None,
        approve: Approve = False,
        ctx: Context | None = None,
    ) -> JobState:
        """Play one scripted policy in one variant and show every step, to read what a model would
        see. Returns a job after at most 18 s; call get_job until it is done."""
        folder = self._workspace.folder(env_path)
        await anyio.to_thread.run_sync(_choose, folder, [framework], policy)
        self._workspace.must_run(folder, approve)
        indices = [first, first + tasks - 1]
        options = {"framework": framework, "policy": policy, "indices": indices, "split": split}
        return await self._job(self.jobs.start("rollout", folder, options), ctx)

    # One parameter per argument of the tool: its schema is derived from them.
    async def study_env(
        self,
        env_path: EnvPath,
        tasks: Annotated[int, Field(ge=1, le=500, description="number of tasks to play")] = 24,
        samples: Annotated[
            int, Field(ge=2, le=64, description="episodes per task and skill level")
        ] = 8,
        split: Split = None,
        approve: Approve = False,
        ctx: Context | None = None,
    ) -> JobState:
        """Predict whether a model can learn from the environment: play policies from oracle to random, and report tasks
        or levels whose reward does not rise with skill, teaches nothing, or goes to players who ignore the task. Plays
        the bare domain, no model. Returns a job after at most 18 s; call get_job until it is done."""
        folder = self._workspace.folder(env_path)
        await anyio.to_thread.run_sync(lambda: skill_tools.load(folder))
        self._workspace.must_run(folder, approve)
        options = {"num_tasks": tasks, "samples": samples, "split": split}
        return await self._job(self.jobs.start("study", folder, options), ctx)

    async def get_job(
        self,
        job: Annotated[str, Field(description="id from validate_env or run_smoke_rollout")],
        wait_seconds: Annotated[float, Field(ge=0, description="at most 18")] = 15,
        cancel: Annotated[bool, Field(description="end the job")] = False,
        offset: Offset = 0,
        limit: Limit = 100,
        ctx: Context | None = None,
    ) -> JobState:
        """Wait for a job and return its result, such as the report of a validation or the steps of a rollout.
        Call this tool again while the state is running."""
        found = self.jobs.find(job)
        found.asked()
        if cancel:
            found.cancel()
        await wait_for(found, min(WAIT, max(wait_seconds, 10.0 if cancel else 0.0)), ctx)
        return show_job(found, offset, limit)

    async def _job(self, job: Job, ctx: Context | None) -> JobState:
        await wait_for(job, WAIT, ctx)
        return show_job(job, 0, 100)


def _choose(folder: Path, frameworks: Sequence[str] | None, policy: str = "oracle") -> Any:
    """Return the variants to play. Raises SkillToolsError if a variant is not rendered or the policy is unknown."""
    from skill_tools import pipeline

    choice = pipeline.choose_rendered(folder, frameworks)
    pipeline.known_policy(policy)
    return choice


async def wait_for(job: Job, seconds: float, ctx: Context | None) -> None:
    """Wait for a job and report progress to the client; if the client cancels, mark the job as abandoned."""
    started, reported, at = time.monotonic(), "", 0.0
    try:
        while job.running and (waited := time.monotonic() - started) < seconds:
            job.asked()
            line = job.progress[-1] if job.progress else "starting"
            # Report regularly even without news: for some clients, progress keeps a call alive.
            if ctx and (line != reported or waited - at > 3.0):
                reported, at = line, waited
                await ctx.report_progress(round(job.seconds, 2), message=line)
            await anyio.sleep(0.05)
    except BaseException:
        job.abandoned()
        raise
