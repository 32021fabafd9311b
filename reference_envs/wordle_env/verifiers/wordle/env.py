"""Wordle for Verifiers: the tasks, the episode behind a rollout, the scoring.

Rendered from env.yaml; `skill-tools render` overwrites it. The rules are in the package
wordle_domain; this file gives them the types of `verifiers.v1`.
"""

import weakref
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import ConfigDict, Field
from wordle_domain._shared import play
from wordle_domain._shared.env_spec import MAX_TURNS, NAME, SYSTEM_PROMPT, USER_PROMPT
from wordle_domain._shared.episode import Episode, EpisodeFailed
from wordle_domain._shared.task_table import public, splits, task, tasks

from .harness import WordleHarnessConfig


class WordleData(vf.TaskData):
    """What a trace records of a task: where to find it again, and nothing hidden."""

    split: str | None = None
    index: int | None = None
    seed: int = 0
    max_turns: int = MAX_TURNS
    public_fields: dict[str, Any] = Field(default_factory=dict)


class WordleState(vf.State):
    """The live episode of one rollout; never saved."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    episode: Episode | None = Field(None, exclude=True)

    def open(self, whole: dict[str, Any], data: WordleData) -> None:
        """Set up the world, to be freed at the latest when this state is."""
        self.episode = Episode(whole, data.seed, data.max_turns)
        # For the ways a rollout can end that call no hook: `vf-validate`, an exit of the program.
        weakref.finalize(self, self.episode.close)


class WordleTask(vf.Task[WordleData, WordleState]):
    """Opens the episode, ends it, and scores it from the trace alone, as `vf-replay` does too."""

    whole: dict[str, Any] | None = None
    """A task that is in no split. Not part of `data`, because traces record that."""

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Open the episode that the harness will play."""
        harness = trace.agent.config.harness
        if harness and not isinstance(harness, WordleHarnessConfig):
            raise ValueError(
                f"the tools of {NAME} are played by its own harness, not by {harness.id!r}: "
                "leave out --env.agent.harness.id"
            )
        try:
            trace.state.open(self._whole_task(), self.data)
        except EpisodeFailed as error:
            raise vf.TaskError(str(error)) from error

    async def validate(self, runtime: vf.Runtime) -> bool:
        """True: `setup` came this far, and no more can be checked without a model."""
        return True

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """End the episode, if the agent merely stopped, and keep what scoring needs."""
        episode = trace.state.episode
        final_reward = episode.end()
        kept = ("tool", "arguments", "reward", "done", "error")  # the trace has the observations
        trace.info["episode"] = {
            "return": episode.total,
            "final_reward": final_reward,
            "turns": episode.turns,
            "truncated": episode.truncated,
            "steps": [{key: step[key] for key in kept} for step in episode.steps],
        }
        episode.close()

    @vf.reward
    async def episode_return(self, trace: vf.Trace) -> float:
        """What the whole episode paid."""
        return trace.info["episode"]["return"]

    @vf.metric
    async def turns(self, trace: vf.Trace) -> float:
        """Tool calls that counted as a turn."""
        return trace.info["episode"]["turns"]

    @vf.metric
    async def errors(self, trace: vf.Trace) -> float:
        """Tool calls that were refused."""
        return sum(step["error"] is not None for step in trace.info["episode"]["steps"])

    @vf.metric
    async def truncated(self, trace: vf.Trace) -> float:
        """1 if the turn limit ended the episode."""
        return trace.info["episode"]["truncated"]

    def _whole_task(self) -> dict[str, Any]:
        """The task with its hidden fields, where this process has them."""
        if self.whole is not None:
            return self.whole
        if self.data.split is None:
            return self.data.public_fields
        return task(self.data.split, self.data.index)


class WordleConfig(vf.TasksetConfig):
    """Which problems to play: `--env.taskset.split`, `--env.taskset.seed` and so on."""

    split: Literal[tuple(splits())] = splits()[0]
    num_tasks: int | None = Field(None, ge=1)
    """The first so many of the split; all by default."""
    max_turns: int = Field(MAX_TURNS, ge=1, le=MAX_TURNS)
    """Tool calls an episode may take."""
    seed: int | None = None
    """One seed for all tasks, instead of each task's own."""


class WordleTaskset(vf.Taskset[WordleTask, WordleConfig]):
    """The tasks of one split."""

    def load(self) -> Iterator[WordleTask]:
        """Each task in order; no world is set up for it yet."""
        config = self.config
        for index, fields in enumerate(islice(tasks(config.split), config.num_tasks)):
            seed = int(fields.get("seed", 0)) if config.seed is None else config.seed
            problem = play.Assignment(config.split, index, fields, seed, config.max_turns)
            yield as_task(problem, config.task)


def as_task(problem: play.Assignment, config: vf.TaskConfig | None = None) -> WordleTask:
    """A problem as Verifiers has it: data that is recorded, and behaviour that is not."""
    name = public(problem.task).get("id")
    data = WordleData(
        id=None if name is None else str(name),
        name=problem.label,
        # Templates: the harness sends them filled in with the task and the first observation.
        system_prompt=SYSTEM_PROMPT or None,
        prompt=USER_PROMPT,
        split=problem.split,
        index=problem.index,
        seed=problem.seed,
        max_turns=problem.max_turns,
        public_fields=public(problem.task),
    )
    made = WordleTask(data, config)
    if problem.split is None:
        made.whole = problem.task
    return made


class WordleEnvConfig(vf.SingleAgentEnvConfig):
    """One agent on this machine, which needs neither an account nor a container."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class WordleEnv(vf.SingleAgentEnv, vf.Env[WordleEnvConfig]):
    """Verifiers' single-agent environment, with defaults that run anywhere."""
