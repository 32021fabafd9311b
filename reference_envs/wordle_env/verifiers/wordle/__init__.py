# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Wordle for Verifiers: the tasks, the episode behind a rollout, its scoring, and the harness."""

import weakref
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import ConfigDict, Field, field_validator
from wordle_domain._shared import task_table
from wordle_domain._shared.env_spec import MAX_TURNS, NAME, SYSTEM_PROMPT, USER_PROMPT
from wordle_domain._shared.episode import Episode, EpisodeFailed, Step
from wordle_domain._shared.models import interception
from wordle_domain._shared.models.model_server import Model, ServerFailed
from wordle_domain._shared.models.replies import Reply
from wordle_domain._shared.rollouts import chat, play

__all__ = ["WordleEnv", "WordleHarness", "WordleTaskset"]


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
    played: play.Played | None = Field(None, exclude=True)


class WordleHarnessConfig(vf.HarnessConfig):
    """No settings of its own."""


class WordleTask(vf.Task[WordleData, WordleState]):
    """Opens the episode, ends it, and scores it from the trace alone, as `vf-replay` does too."""

    whole: dict[str, Any] | None = None
    """A task that is in no split. Not part of `data`, because traces record that."""

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Open the episode, to be freed at the latest when the rollout's state is."""
        # Our configuration refuses it already, but another environment may play our taskset.
        own_harness(trace.agent.config)
        data, state, whole = self.data, trace.state, self.whole
        if whole is None:
            listed = data.split is not None
            whole = task_table.task_at(data.split, data.index) if listed else data.public_fields
        try:
            state.episode = Episode(whole, data.seed, data.max_turns)
            # For the ways a rollout can end that call no hook: `vf-validate`, an exit of the program.
            weakref.finalize(state, state.episode.close)
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
        steps = [{key: step[key] for key in kept} for step in episode.steps]
        played = trace.state.played or play.Played()
        ended = {"limit": played.limit, "cut_off": played.cut_off}
        paid = {"final_reward": final_reward, "turns": episode.turns}
        trace.info["episode"] = {**episode.record(), "steps": steps, **paid, **ended}

    @vf.reward
    async def episode_return(self, trace: vf.Trace) -> float:
        """What the whole episode paid."""
        return trace.info["episode"]["return"]

    @vf.metric
    async def counts(self, trace: vf.Trace) -> dict[str, float]:
        """Turns, calls refused, and 1 if a limit ended the episode, or a message that was cut off."""
        episode = trace.info["episode"]
        errors = sum(step["error"] is not None for step in episode["steps"])
        limited = episode["truncated"] or bool(episode["limit"])
        ended = {"truncated": limited, "cut_off": episode["cut_off"]}
        return {"turns": episode["turns"], "errors": errors, **ended}


class WordleConfig(vf.TasksetConfig):
    """Which problems to play: `--env.taskset.split`, `--env.taskset.seed` and so on."""

    split: Literal[tuple(task_table.splits())] = task_table.splits()[0]
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
        for index, task in enumerate(islice(task_table.tasks(config.split), config.num_tasks)):
            seed = int(task.get("seed", 0)) if config.seed is None else config.seed
            problem = play.Assignment(config.split, index, task, seed, config.max_turns)
            yield as_task(problem, config.task)


def own_harness(agent: vf.AgentConfig) -> vf.AgentConfig:
    """An agent that our harness plays. Raises ValueError: what another leaves unplayed would score 0."""
    harness = agent.harness
    if harness is not None and not isinstance(harness, WordleHarnessConfig):
        wrong = f"{NAME} is played by its own harness, not by {harness.id!r}"
        raise ValueError(f"{wrong}: leave out agent.harness, or write id = 'wordle'")
    return agent


def as_task(problem: play.Assignment, config: vf.TaskConfig | None = None) -> WordleTask:
    """A problem as Verifiers has it: data that is recorded, and behaviour that is not."""
    public = task_table.public(problem.task)
    name = public.get("id")
    data = WordleData(
        id=None if name is None else str(name),
        name=problem.label,
        # Templates: the harness sends them filled in with the task and the first observation.
        system_prompt=SYSTEM_PROMPT or None,
        prompt=USER_PROMPT,
        public_fields=public,
        **{key: getattr(problem, key) for key in ("split", "index", "seed", "max_turns")},
    )
    made = WordleTask(data, config)
    made.whole = problem.task if problem.split is None else None
    return made


class WordleHarness(vf.Harness[WordleHarnessConfig]):
    """Lets the model act until the episode is over or it calls no tool.

    In this process, because a tool server per rollout costs a second and more; and a harness, because
    `interaction` exchanges text, not tool calls.
    """

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Play the episode that the task's `setup` opened."""
        state, data = trace.state, trace.task.data
        played = state.played = play.Played(opening(state.episode, data), state.episode.tools)

        async def end() -> None:
            """Leave the rest to `finalize`."""

        async def answer(reply: Reply) -> None:
            if not reply.calls:
                return played.stop(reply)
            play_call = state.episode.call
            seen = [
                (c, await self.step(state, play_call, c.name, c.arguments)) for c in reply.calls
            ]
            played.over = state.episode.over
            return played.conversation.answer(seen)

        try:
            async with interception.connected() as exchange:
                model = Model(ctx.model, endpoint, secret, tell=play.complain, exchange=exchange)
                await chat.take_turns(played, model, data.name, answer, end)
        except (ServerFailed, TimeoutError) as failed:
            # Verifiers refuses calls after one of its limits; it knows whether this is one. It would
            # take our TimeoutError for a limit of its own.
            return vf.ProgramResult(exit_code=1, stdout="", stderr=str(failed))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")

    async def step(
        self, state: WordleState, play_it: Callable[..., Step], *asked: Any
    ) -> list[dict[str, Any]]:
        """Play one action; after the end it is refused by the episode."""
        try:
            step = play_it(*asked)
        except EpisodeFailed as error:
            # The world broke, not this harness: Verifiers records whose failure it was.
            raise vf.TaskError(str(error)) from error
        return step.observation

    async def cleanup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Free the world, however the rollout ended."""
        if trace.state.episode:
            trace.state.episode.close()


def opening(episode: Episode, data: vf.TaskData) -> list[dict[str, Any]]:
    """The first messages; `--env.taskset.system-prompt` and prompt optimisers replace the system's."""
    if data.system_prompt in (None, "", SYSTEM_PROMPT):
        return episode.prompt
    rest = episode.prompt[episode.prompt[0]["role"] == "system" :]
    return [{"role": "system", "content": data.system_prompt}, *rest]


class WordleEnvConfig(vf.SingleAgentEnvConfig):
    """One agent on this machine, which needs neither an account nor a container."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())

    _own_harness = field_validator("agent")(own_harness)


class WordleEnv(vf.SingleAgentEnv, vf.Env[WordleEnvConfig]):
    """Verifiers' single-agent environment, with defaults that run anywhere."""
