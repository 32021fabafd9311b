"""The MCP tools: for each tool a signature, a description for the model, and a call of the library.

The library is imported only when needed, because a client waits for the server's start.
"""

from __future__ import annotations

import functools
from typing import Annotated, Any

import anyio
from fastmcp import Context
from fastmcp.tools.base import ToolResult
from pydantic import Field

import skill_tools
from skill_tools.errors import SkillToolsError, SpecError
from skill_tools.mcp import pages
from skill_tools.mcp.arguments import Approve, EnvPath, Limit, Names, Offset, Split
from skill_tools.mcp.job_tools import WAIT, JobTools, wait_for
from skill_tools.report import exemplars


class SkillTools(JobTools):
    """The MCP tools of one server, with its jobs and the folders that it may access."""

    def list_archetypes(
        self,
        name: Annotated[
            str | None,
            Field(description="name of the one to describe in full; default: all, in short"),
        ] = None,
    ) -> pages.Archetypes:
        """List the kinds of environment and when to choose each kind; with a name, return the questions to ask
        the user, defaults, reward shapes and how agents cheat."""
        from skill_tools.report import facts

        if name is None:
            return pages.Archetypes(
                archetypes=facts.list_archetypes(brief=True),
                next="Choose the archetype whose `when` fits, and call list_archetypes with its name.",
            )
        found = facts.find_archetype(name.removeprefix("starter/"))
        starter = f"starter/{found['name']}"
        return pages.Archetypes(
            archetype=found,
            starter=starter,
            starter_files=list(exemplars.find(starter).files),
            next="Ask the user these questions, offering the defaults. Then copy the starter's files "
            f"(read_exemplar with exemplar={starter!r}) into a new folder and change them.",
        )

    def list_frameworks(
        self,
        name: Annotated[
            str | None,
            Field(description="name of the one to describe in full; default: all, in short"),
        ] = None,
    ) -> pages.Frameworks:
        """List the frameworks that an environment can be rendered for and when to choose each framework; with a
        name, return its vocabulary, its traps and how to publish."""
        from skill_tools.report import facts

        if name is None:
            return pages.Frameworks(
                frameworks=facts.list_frameworks(),
                next="Put the chosen names into env.yaml (frameworks: [...]); name=... describes one in full.",
            )
        return pages.Frameworks(
            framework=facts.find_framework(name),
            next=f"Render it with render_env and frameworks=[{name!r}], or name it in env.yaml.",
        )

    async def check_spec(
        self,
        env_path: EnvPath,
        approve: Approve = False,
        offset: Offset = 0,
        limit: Limit = 50,
        ctx: Context | None = None,
    ) -> pages.SpecCheck:
        """Report problems with env.yaml and, in an approved folder, with the domain, tasks and oracle as well. This
        tool
        writes no files and plays no episodes. Call this tool after every edit.
        """
        folder = self._workspace.folder(env_path)
        page = {"offset": offset, "limit": limit}
        try:
            # In a thread, because the first call imports the library.
            await anyio.to_thread.run_sync(lambda: skill_tools.load(folder))
        except SpecError as error:
            return pages.show_spec_check(
                error.problems, [], **page, ok=False, domain_checked=False, next=pages.FIX_SPEC
            )
        if self._workspace.may_run(folder, approve):
            job = self.jobs.start("check", folder, {})
            await wait_for(job, WAIT, ctx)
            return pages.show_check_job(job, **page)
        look = functools.partial(skill_tools.check, folder, run_code=False)
        found = (await anyio.to_thread.run_sync(look)).report
        failed = [finding for finding in found.findings if finding.status == "fail"]
        head: dict[str, Any] = {"ok": found.ok, "environment": found.environment}
        head |= {"domain_checked": False, "next": pages.ASK_TO_CHECK}
        return pages.show_spec_check([], failed, **page, **head)

    def render_file(
        self,
        env_path: EnvPath,
        file: Annotated[
            str, Field(description="path within the folder, such as openenv/server/app.py")
        ],
        offset: Offset = 0,
        limit: Limit = 200,
    ) -> pages.FileText:
        """Show one file as it would be rendered from env.yaml now, without writing the file."""
        from skill_tools import pipeline

        folder = self._workspace.folder(env_path)
        return pages.show_file(file, pipeline.plan_file(folder, file), offset, limit)

    def render_env(
        self,
        env_path: EnvPath,
        frameworks: Names = None,
        force: Annotated[
            bool, Field(description="overwrite files edited by hand; keeps each as .orig")
        ] = False,
        dry_run: Annotated[bool, Field(description="only report what would change")] = False,
    ) -> pages.FileStates:
        """Write the variants, one folder per framework, from env.yaml. Call this tool again after every
        edit of env.yaml; the domain is shared and needs no rendering."""
        folder = self._workspace.folder(env_path)
        job = self.jobs.at_work(folder)
        if job and not dry_run:
            raise SkillToolsError(
                f"{job.name} plays the files of {folder} now; call get_job with job={job.name!r} to "
                "wait for it (cancel=true ends it), then call this tool again"
            )
        from skill_tools import pipeline

        found = pipeline.render(folder, frameworks, force=force, dry_run=dry_run)
        return pages.show_rendering(found, pipeline.choose_variants(folder).unrendered)

    def explain_check(
        self, check: Annotated[str, Field(description="id such as REW001, or name")]
    ) -> dict[str, Any]:
        """Explain what a check examines, why it matters, and what to do if it fails."""
        from skill_tools.report import facts

        return facts.find_check(check)

    def list_exemplars(
        self,
        exemplar: Annotated[str | None, Field(description="exemplar whose files to list")] = None,
        offset: Offset = 0,
    ) -> pages.Exemplars:
        """List starters and finished environments, and their files. Before you write env.yaml, read
        starter/<archetype> with read_exemplar."""
        found = [exemplars.find(exemplar)] if exemplar else exemplars.every()
        rows = [each.summary(rendered=bool(exemplar)) for each in found]
        return pages.show_exemplars(rows, offset)

    def read_exemplar(
        self,
        exemplar: Annotated[str, Field(description="such as starter/pure-python-game or wordle")],
        file: Annotated[str, Field(description="file of the exemplar, such as env.yaml")],
        offset: Offset = 0,
        limit: Limit = 200,
    ) -> pages.FileText:
        """Read a file of a starter or a finished environment; begin with env.yaml of
        starter/<archetype>."""
        return pages.show_file(file, exemplars.find(exemplar).text(file), offset, limit)

    # One parameter per argument of the tool: its schema is derived from them.
    def show_episode(
        self,
        env_path: EnvPath,
        framework: Annotated[
            str | None, Field(description="variant; default: the first that was played")
        ] = None,
        policy: Annotated[str, Field(description="policy that played the episode")] = "oracle",
        index: Annotated[int, Field(ge=0, description="index of the task in its split")] = 0,
        split: Split = None,
        check: Annotated[
            str | None,
            Field(description="id of a check (REW011): show the episode of its finding instead"),
        ] = None,
        offset: Offset = 0,
        limit: Annotated[
            int, Field(ge=1, le=20, description="maximum number of steps; fewer if they are long")
        ] = 6,
    ) -> ToolResult:
        """Show an episode of the last validate_env as the agent saw it: prompt, calls, observations
        and pictures. This tool plays no episodes. Look at one episode of every environment that you made."""
        from skill_tools.mcp.episodes import find_episode, show_steps
        from skill_tools.report.storage.runs import read_shown

        folder = self._workspace.folder(env_path)
        who = (framework, policy, split, index)
        shown = read_shown(folder, check) if check else find_episode(folder, *who)
        return show_steps(shown, offset, limit)
