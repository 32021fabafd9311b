"""Verifiers: the facts in which this framework differs from the others."""

import sys

from skill_tools.frameworks.framework import Framework, InFolder

# Verifiers first looks for a package's name among its own tasksets, harnesses and environments.
BUILT_IN = frozenset(
    """
    harbor nemo_gym openenv textarena bash browser_use claude_code codex hermes_agent kimi_code
    mini_swe_agent node null openclaw pi prime_agent rlm terminus_2 utils agentic_judge
    best_of_n isolated_verifier shared_agentic_judge single_agent user_sim
    """.split()  # noqa: SIM905 - a list of words is easier to read
)
# Packages of Verifiers and of its dependencies: one of ours with that name would replace them.
IMPORTED = frozenset(
    """
    verifiers renderers aiohttp anthropic anyio attrs certifi click gepa h11 httpcore httpx
    httpx2 idna jinja2 jsonschema loguru math_verify mcp msgpack multidict numpy openai
    pydantic pydantic_config pydantic_core referencing requests rich rpds sniffio starlette
    sympy tenacity tokenizers transformers typer uvicorn yaml yarl zmq rollout
    """.split()  # noqa: SIM905 - a list of words is easier to read
)

VERIFIERS = Framework(
    name="verifiers",
    title="Verifiers",
    distribution="verifiers",
    requirements=("verifiers>=0.4,<0.5",),
    python=">=3.11,<3.14",
    transport="in-process",
    actions="tool-calls",
    loads_itself=True,
    packages=("verifiers",),
    configured=True,
    in_folder=InFolder(mark="verifiers", links=True, id="package"),
    docs="https://github.com/PrimeIntellect-ai/verifiers",
    summary=(
        "Choose Verifiers to evaluate and train with prime-rl and the Prime Environments Hub: rollouts run in the "
        "trainer's own processes, and you host no server."
    ),
    driver=(
        "Verifiers drives: it sets a task up, lets the harness call the model through its "
        "interception server, finalizes the task and scores it."
    ),
    turns=(
        "Multi-turn, as long as the harness continues: the rendered harness stops when the episode is over or the "
        "model calls no tool. The `max_turns` of the taskset limits tool calls; the `max_turns` of the agent "
        "limits model calls."
    ),
    reward_and_end=(
        "The reward is the return of the whole episode, computed after the rollout from"
        " `trace.info`; the harness stops when the episode is over or the model calls no tool."
    ),
    state=(
        "Stateful: the episode lives in `trace.state` of its rollout, in the same process as the"
        " harness that plays it, and is never saved."
    ),
    vocabulary={
        "environment": "an `Env`, which combines a taskset with the harness that plays it",
        "task": "a `Task`: its `TaskData`, which is recorded, and its behavior, which is not recorded",
        "split": "a field of the taskset's config: `--env.taskset.split`",
        "episode": "`trace.state` of one rollout; `Episode` is a record of one or more traces",
        "tool": "a function that the harness offers the model, under its bare name",
        "observation": "the tool message of a call",
        "step": "none; a turn is one model call plus the results of its tool calls",
        "reward": "`@vf.reward`, once per rollout; the step rewards are in `trace.info`",
        "end": "the harness returns; whether and why the environment itself ended is in `trace.info`",
        "turn limit": (
            "`--env.agent.max-turns` for model calls; in our variants `--env.taskset.max-turns` for tool calls"
        ),
        "seed": "none; in our variants `--env.taskset.seed`",
        "rollout": "a rollout, one of `-n` tasks times `-r` repeats",
        "trajectory": "`Trace`; `traces.jsonl` has a line per `Episode`",
    },
    comparison=(
        (
            "NeMo Gym also drives and scores once, but Verifiers has one process instead of three servers, and a "
            "class with hooks instead of routes. The score is a function of the trace, so `vf-replay` can compute "
            "it again."
        ),
        (
            "Unlike OpenEnv and ORS, Verifiers has no server. The process that runs the rollouts "
            "imports the package, and the harness calls `reset` and the tools; a step's reward is in "
            "`trace.info`."
        ),
        "Unlike in SkyRL Gym and GEM, the model calls tools through the chat API, and its text is not parsed.",
    ),
    pitfalls=(
        (
            "The error 'not authenticated with prime' means that Verifiers uses Prime's runtime, its default. Our "
            "package's own default is `subprocess`; only `vf-validate` still needs `--runtime.type subprocess`."
        ),
        (
            "The error 'failed to prepare uv script' comes from Verifiers' `bash` and `null` harnesses, which fetch "
            "packages in every rollout. Our package has its own harness, which runs in process. It refuses a "
            'configuration that names a different harness, as all prime-rl examples do (`id = "null"`).'
        ),
        "Verifiers uploads runs if you are logged in to Prime. Pass `--no-push`.",
        (
            "Verifiers does not save `trace.state`. Our package computes the score from `trace.info`, so "
            "`vf-replay` can compute it again."
        ),
        "Traces record `TaskData`, which has the task's position and its public fields, but no hidden fields.",
        (
            "`prompt` and `system_prompt` of a task are the templates of env.yaml. Our package fills in the task "
            "and the first observation when it sets the world up, before the model sees the prompt."
        ),
        "A broken rollout has an error on its trace and no reward. Never count it as 0.",
        (
            "`--env.agent.max-turns` limits model calls; `--env.taskset.max-turns` limits tool "
            "calls, and only this limit counts as truncation."
        ),
        (
            "`load_environment(**kwargs)`, `ToolEnv` and `Rubric` were removed in verifiers 0.4; "
            "examples that use them are for 0.3."
        ),
        (
            "`prime env push` assumes the old API unless the package requires `verifiers` 0.2 or newer. Our package "
            "requires 0.4."
        ),
        "A killed run leaves empty folders in ~/.cache/verifiers/runtimes/subprocess.",
    ),
    warm_imports=("verifiers.v1", "aiohttp", "httpx", "jsonschema"),
    publish="`prime env push --path FOLDER --visibility PRIVATE`; needs a Prime account",
    reserved_names=BUILT_IN | IMPORTED | sys.stdlib_module_names,
)
