"""NeMo Gym: the facts in which this framework differs from the others."""

from __future__ import annotations

from skill_tools.frameworks.framework import Affinity, Framework, InFolder

NEMO_GYM = Framework(
    name="nemo_gym",
    title="NeMo Gym",
    distribution="nemo-gym",
    # uvicorn uses the second for HTTP automatically, which makes a step a quarter faster.
    requirements=("nemo-gym>=0.4,<0.8", "httptools>=0.6.3,<1"),
    python=">=3.12,<3.14",
    transport="http",
    actions="tool-calls",
    empty_row={"responses_create_params": {"input": []}},
    packages=("nemo_gym",),
    in_folder=InFolder(
        mark="nemo_gym",
        hosts=True,
        serves=("app.py", "server.py"),
        rows=("data/example.jsonl", "data/*.jsonl"),
        within="resources_servers",
    ),
    docs="https://docs.nvidia.com/nemo/gym/latest/",
    summary=(
        "Choose NeMo Gym to train with NeMo RL, or to collect rollouts with NVIDIA's tooling. NeMo Gym has an HTTP "
        "server for the tools and the score, an agent server and a model server."
    ),
    driver=(
        "The agent server drives: its `/run` resets a session, calls the model's `/v1/responses`, and posts each "
        "response to the resources server's `/step`, until `/step` ends the episode."
    ),
    turns=(
        "Multi-turn, until the environment ends the episode; the agent's `max_steps` limits the model's messages. "
        "In NeMo Gym's other protocol (`/seed_session` and `/verify`), the environment cannot end the episode."
    ),
    reward_and_end=(
        "Every `/step` returns `reward`, `terminated` and `truncated` from the session's own "
        "episode; the agent adds the rewards up."
    ),
    state=(
        "Stateful: the resources server keeps an episode per session, which a cookie identifies, "
        "from `/reset` to the `/step` that ends it."
    ),
    vocabulary={
        "environment": "a resources server, and the agent server that runs its episodes",
        "task": "a dataset row",
        "split": "a dataset (a JSON lines file)",
        "episode": "a session, identified by a cookie, from `/reset` to its last `/step`",
        "tool": "a function in the request's `tools`",
        "observation": "`function_call_output`, from `tool_outputs` in the step's `info`",
        "step": "one call in a response; `/step` executes all calls of a response",
        "reward": "`reward` of `/step`; the rollout's reward is the sum of these",
        "end": (
            "`terminated` of `/step`, or `max_steps` of the agent; in our variants also `end` in `info`"
        ),
        "turn limit": "`truncated`; in our variants `max_turns` of the row, for tool calls",
        "seed": "none; in our variants `seed` of the row",
        "rollout": "a rollout: one `/run` of the agent server",
        "trajectory": "a line of the rollouts file, with the model's whole `response`",
    },
    comparison=(
        (
            "Verifiers also drives and scores once, but NeMo Gym has three servers (environment, "
            "agent, model) instead of one process, and routes instead of hooks."
        ),
        (
            "Unlike in OpenEnv and ORS, a step accepts a whole response of the model, not one tool "
            "call. There is no client to call: you submit a row and get a scored rollout."
        ),
        (
            "SkyRL Gym also starts from rows, but a row of NeMo Gym needs no prompt, and the model "
            "calls tools through the Responses API instead of writing tags. GEM also uses tags, and "
            "has tasks in the order of a seed instead of rows."
        ),
    ),
    pitfalls=(
        (
            "In the tool-route protocol, the environment cannot stop simple_agent, which also replies to unparsable "
            "arguments itself. Our variant uses the Gymnasium protocol, in which the environment parses the model's "
            "own text and ends the episode."
        ),
        (
            "gymnasium_agent drops images, and its 500 for a broken rollout ends the whole collection. Our bundle's "
            "agent.py passes images on and writes NeMo Gym's failure row, without a reward."
        ),
        (
            "`/reset` can add text to a row, but no pictures. If an opening has pictures, the row itself must "
            "contain this opening. Write such rows with `server.py rows`."
        ),
        (
            "Pydantic models are sent to a model server with only the fields that were set, so an item whose `type` "
            "is a default arrives without `type` (KeyError in vllm_model, 400 at a real endpoint). Our bundle's "
            "agent sends plain items, each with its type, a unique id, and arguments that are an object."
        ),
        (
            "In gymnasium_agent and GymnasiumServer, a cut-off reply (`incomplete_details`) and a full context (an "
            "empty message from vllm_model) would count as a stop by the model. Our `/step` reports `cut_off` or "
            "`context_full`, and the episode counts as truncated."
        ),
        (
            "openai_model turns the 400 for a full context into a 500, and discards the text of a 5xx. Our agent "
            "reads the endpoint's own text. At the first request, a full context still counts as a failure."
        ),
        (
            "NeMo Gym does not check a row's fields, so a misspelled field would select another task. Our `/reset` "
            "returns 422 for a row that names no task, or has unknown fields."
        ),
        (
            "`gym eval run` starts over by default; gym 0.4 fails on a half-written line and keeps old failures. "
            "Our native.py continues the run, refuses the file of a different run, and repeats failed rows."
        ),
        (
            "GymnasiumServer forgets a session at its last step. Our server keeps the session for a minute, and "
            "refuses calls after the end as in the other frameworks."
        ),
        (
            "A request without the cookie silently gets a new session. Our /step returns 409 if the session has no "
            "episode."
        ),
        "NeMo Gym never frees a session that does not end. At a reset, our server closes sessions idle for an hour.",
        (
            "NeMo Gym's model client retries a refused connection forever. Our rollout.py calls the model through "
            "the OpenAI client, which gives up."
        ),
        (
            "`gym env start` always starts Ray, which listens beyond loopback. Our rollout.py needs no Ray. Our "
            "bundle's native.py runs gym and Ray in a process namespace that dies with native.py."
        ),
        "gym 0.4 fails if ray_enabled is not a ClassVar. Our server declares `ray_enabled: ClassVar[bool] = False`.",
        (
            "uvicorn's keep-alive of 5 s drops connections under load, and the client then posts a step twice. Our "
            "server's keep-alive is 120 s."
        ),
        (
            "nemo-gym 0.5 and later need Python 3.13.14. With an older Python, resolvers pick 0.4.0, with which our "
            "variant works too."
        ),
    ),
    blocking_pitfalls=(
        (
            "All sessions share asyncio's few threads. If calls block, our variant gives each session its own thread."
        ),
        (
            "A client that disappears during a blocking call, or before it gets its cookie, would leave its episode "
            "open for an hour. Our server closes the episode as soon as the call returns."
        ),
    ),
    warm_imports=("resources_servers.gymnasium", "httpx", "uvicorn"),
    url_variable="NEMO_GYM_URL",
    reserved_names=frozenset(
        {"agent", "gymnasium_agent", "native", "nemo_gym", "openai_model", "rollout", "server"}
    ),
    publish=(
        "copy that folder to resources_servers/<name>/ and responses_api_agents/<name>_agent/ of a NeMo Gym checkout"
    ),
    # gym refuses a folder with both this file and requirements.txt.
    not_bundled=frozenset({"pyproject.toml"}),
    environment={"RAY_USAGE_STATS_ENABLED": "0", "WANDB_MODE": "disabled"},
    affinity=Affinity(
        by="cookie",
        app="server",
        name="{class_name}Server___{name}",
        opens="/reset",
    ),
)
