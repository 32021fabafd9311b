"""TRL: the facts in which this framework differs from the others."""

from skill_tools.frameworks.framework import Framework, InFolder

TRL = Framework(
    name="trl",
    title="TRL",
    distribution="trl",
    # Transformers parses tool calls by template since 5.13; Unsloth allows TRL up to 1.15, whose
    # own trainers need a GPU.
    requirements=("trl>=1.15,<2", "transformers>=5.13,<6", "torch>=2.6"),
    python=">=3.11,<3.14",
    transport="in-process",
    actions="tool-calls",
    empty_row={},
    packages=("trl",),
    in_folder=InFolder(mark="environment_factory", links=True, id="asked"),
    reads_text=True,
    docs="https://huggingface.co/docs/trl/grpo_trainer",
    summary=(
        "Choose TRL to train with its `GRPOTrainer`, on one machine or many: the trainer creates the environments "
        "in its own process, and `train.py` is a training script that is ready to run."
    ),
    driver=(
        "TRL drives: it resets a pool of environments with the rows of a batch, generates, calls the"
        " tools as methods, and asks each environment for its reward."
    ),
    turns=(
        "Multi-turn, as long as the model calls a tool and `max_completion_length` has room; our rendered trainer "
        "stops when the episode is over, but TRL's own trainer continues."
    ),
    reward_and_end=(
        "TRL calls `get_reward()` once, after the last message. This method returns the episode's return. For a "
        "broken world, it returns None, and TRL excludes the episode from the group."
    ),
    state=("Stateful: an object of the pool has one episode at a time, and `reset()` replaces it."),
    vocabulary={
        "environment": "a class: `reset()`, a method per tool, `get_reward()`",
        "task": "a row of the dataset: `reset()` gets its columns",
        "split": "a dataset; in our variants `rows(split)`",
        "episode": "from one `reset()` to the next",
        "tool": "a public method, with types and a docstring",
        "observation": "what a method returns, in a tool message",
        "step": "one message of the model, which may contain several tool calls",
        "reward": "`get_reward()`, once per episode",
        "end": "a message without a call, or no tokens left; in our variants also the episode's own end",
        "turn limit": "`max_tool_calling_iterations`; in our variants `max_turns` of the row",
        "seed": "none; in our variants `seed` of the row",
        "rollout": "a completion, one of `num_generations` for a row",
        "trajectory": "prompt and completion ids, with a mask over the tools' output",
    },
    comparison=(
        (
            "Unlike Verifiers, TRL has no harness and no interception server, because the trainer has the weights; "
            "the environment object itself returns the reward."
        ),
        "Unlike with OpenEnv and ORS, which TRL can also use, there is no server, and a row chooses the task.",
        (
            "Unlike in SkyRL Gym and GEM, the model calls tools through its chat template; with "
            "`--actions text`, it writes tags, as in these two frameworks."
        ),
    ),
    pitfalls=(
        (
            "TRL derives tool schemas from signatures and docstrings, without bounds and lengths, so a policy would "
            "train on other schemas than in evaluation. Our trainer shows the schemas of env.yaml."
        ),
        (
            "TRL continues after the end of an episode, and trains on the further messages. Our trainer stops. With "
            "TRL's own trainer, our environment refuses calls after the end, and gives no reward for them."
        ),
        (
            "TRL itself replies to calls to unknown tools, without counting them. Our trainer passes them to the "
            "episode. A call whose JSON TRL cannot parse still ends the episode, like a message without a call."
        ),
        (
            "An exception in `reset()` would end the run, so our environment catches it. TRL shows the model an "
            "exception in a tool. In both cases, the reward is None, and TRL excludes the episode from the group."
        ),
        (
            "TRL calls tools one after another in the trainer's thread. If calls block, a step takes as long as all "
            "of its episodes together."
        ),
        (
            "The chat template must support tools, and TRL must be able to parse its calls. The templates of Qwen, "
            "Llama, Gemma, GLM and others work. For a model without such a template, use `--actions text`."
        ),
        "Every public method of the class is a tool, so all other names begin with an underscore.",
        (
            "Only vision models see pictures. Other models see a note, as do all models with `--actions text`. Load "
            'rows that have pictures or earlier calls with `Dataset.from_list(rows, on_mixed_types="use_json")`.'
        ),
        (
            "On Linux, torch from PyPI installs gigabytes of CUDA. On machines without a GPU, "
            "`UV_TORCH_BACKEND=cpu` makes uv install the CPU build."
        ),
    ),
    warm_imports=(
        "trl",
        "trl.trainer.grpo_trainer",
        "datasets",
        "transformers",
        "httpx",
        "jsonschema",
    ),
    reserved_names=frozenset({"trl", "train", "rollout"}),
    environment={"TRL_EXPERIMENTAL_SILENCE": "1", "HF_HUB_OFFLINE": "1"},
    publish="install the folder where the trainer runs: `uv pip install FOLDER`",
)
