"""NeMo Gym: the facts that differ."""

from __future__ import annotations

from skill_tools.frameworks.framework import Framework

NEMO_GYM = Framework(
    name="nemo_gym",
    title="NeMo Gym",
    distribution="nemo-gym",
    requirements=("nemo-gym>=0.4,<0.8",),
    python=">=3.12",
    transport="http",
    actions="tool-calls",
    modules=frozenset({"chat", "serving"}),
    docs="https://docs.nvidia.com/nemo/gym/latest/",
    summary=(
        "Choose it to train with NeMo RL, or to collect rollouts with NVIDIA's tooling: an HTTP"
        " server for the tools and the score, driven by an agent server and a model server."
    ),
    driver=(
        "The agent server drives: its `/run` seeds a session, calls the model's `/v1/responses`,"
        " posts each tool call to the resources server and asks it for the score at the end."
    ),
    turns=(
        "Multi-turn, as long as the agent goes on; its `max_steps` limits messages of the model."
        " Single-turn is an environment without tools, where `/verify` reads the one answer."
    ),
    reward_and_end=(
        "`/verify` answers the whole reward of a rollout, from the session's own episode. The"
        " framework has no end signal; the rendered agent stops when a tool's answer says `done`."
    ),
    state=(
        "Stateful: the resources server keeps an episode per session, which is a cookie, from"
        " `/seed_session` to `/verify`. A tool that keeps nothing ignores the cookie."
    ),
    vocabulary={
        "environment": "a resources server, and the agent server that plays it",
        "task": "a dataset row",
        "split": "a dataset (a JSON lines file)",
        "episode": "a session, a cookie, from `/seed_session` to `/verify`",
        "tool": "a POST route of the resources server",
        "observation": "`function_call_output`, the text that the route answers",
        "step": "a POST to a tool's route",
        "reward": "`reward` of `/verify`, once per rollout",
        "end": (
            "a message without tool calls, or `max_steps`; here also a tool's answer with `done`"
        ),
        "turn limit": (
            "`max_steps` of the agent, for messages; here `max_turns` of the row, for tool calls"
        ),
        "seed": "none; here `seed` of the row",
        "rollout": "a rollout: one `/run` of the agent server",
        "trajectory": "a line of the rollouts file, with the model's whole `response`",
    },
    beside=(
        "Beside Verifiers, which also drives and scores once: three servers (tools and score, agent, model) instead of one process, and routes instead of hooks.",
        "Beside OpenEnv and ORS: tool calls bring no reward and no end, only text; the whole reward comes from `/verify`. Nor is there a client to call: a row goes in, a scored rollout comes out.",
        "Beside SkyRL Gym, which also starts from rows: a row here needs no prompt, and the model calls tools through the Responses API instead of writing tags. Beside GEM: the same, and the tasks are rows instead of an order from a seed.",
    ),
    pitfalls=(
        (
            "simple_agent cannot be stopped by the environment and needs the prompt in the row -> "
            "agent.py takes the prompt from /seed_session and stops when a tool's answer says done."
        ),
        (
            "simple_agent answers unparsable arguments itself, and FastAPI answers wrong ones with a "
            "422 -> agent.py posts the model's text as it is and the routes read the raw body."
        ),
        (
            "A model that calls a tool named seed_session would reset its own episode -> agent.py "
            "posts unknown names to /unknown_tool, and a seeded session cannot be seeded again."
        ),
        (
            "A request without the cookie silently gets a new session -> tools and /verify answer 409 "
            "without a seeded session; agent.py resends the cookie of the last answer."
        ),
        (
            "Nothing in 0.4 frees a session that is never verified -> agent.py closes a broken "
            "rollout's session and the server closes those idle for an hour."
        ),
        (
            "A 500 from the agent ends the whole collection -> agent.py answers a broken rollout with "
            "NeMo Gym's failure row, which goes to *_failures.jsonl and carries no reward."
        ),
        (
            "On 0.4 simple_agent asks again for ever when a message holds only reasoning -> agent.py "
            "takes any message without a tool call for the end."
        ),
        (
            "NeMo Gym retries a refused connection for ever -> rollout.py watches the model endpoint "
            "and fails the episode when it is gone."
        ),
        (
            "NeMo Gym's HTTP client is one per process and bound to one event loop -> rollout.py "
            "serves agents and model servers in one thread."
        ),
        (
            "`gym env start` always starts Ray, which listens beyond loopback -> rollout.py needs no "
            "Ray; native.py runs gym and Ray in a process namespace that dies with it."
        ),
        "ray_enabled without ClassVar breaks 0.4 -> `ray_enabled: ClassVar[bool] = False`.",
        (
            "uvicorn's keep-alive of 5 s drops connections under load, and the client then posts a "
            "tool call twice -> 120 s."
        ),
        (
            "nemo-gym 0.5 and later need Python 3.13.14 -> below that, resolvers pick 0.4.0, on which "
            "everything here runs too."
        ),
    ),
    blocking_pitfalls=(
        (
            "asyncio's threads are a few for all sessions -> a blocking session has a thread of its own."
        ),
        (
            "A client that is gone amid a blocking call, or before it has its cookie, would leave its "
            "episode open for an hour -> it is closed as soon as the call returns."
        ),
    ),
    warm_imports=(
        "nemo_gym.base_resources_server",
        "nemo_gym.base_responses_api_agent",
        "responses_api_models.openai_model.app",
        "uvicorn",
    ),
    url_variable="NEMO_GYM_URL",
    reserved_tools=frozenset(
        {
            "aggregate_metrics",
            "close_session",
            "environment",
            "mcp",
            "reverify_mode",
            "run",
            "seed_session",
            "unknown_tool",
            "verify",
        }
    ),
    reserved_names=frozenset(
        {"agent", "native", "nemo_gym", "openai_model", "rollout", "server", "simple_agent"}
    ),
    publish=(
        "copy that folder to resources_servers/<name>/ and responses_api_agents/<name>_agent/ of a"
        " NeMo Gym checkout"
    ),
    # gym refuses a folder that has both this and requirements.txt.
    not_bundled=frozenset({"pyproject.toml"}),
    environment={"RAY_USAGE_STATS_ENABLED": "0", "WANDB_MODE": "disabled"},
)
