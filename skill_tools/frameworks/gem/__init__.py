"""GEM: the facts that differ."""

from skill_tools.frameworks.framework import Framework, InFolder

GEM = Framework(
    name="gem",
    title="GEM",
    distribution="gem-llm",
    # gem-llm 0.1 does not declare `requests`, which its wrapper factory imports; `rstr` makes random
    # text that matches a pattern. ROLL pins 0.0.4, which has all that the rendered class uses.
    requirements=("gem-llm>=0.0.4,<0.2", "requests>=2", "rstr>=3"),
    python=">=3.11,<3.13",
    transport="in-process",
    actions="text",
    packages=("gem",),
    in_folder=InFolder(mark="gem-llm", links=True, id="asked"),
    reads_text=True,
    docs="https://github.com/axon-rl/gem",
    summary=(
        "Choose it for Gymnasium's reset and step over text, with vectorised environments: ROLL makes"
        " its episodes by `gem.make`, and GEM's repository has the glue for Oat, verl, OpenRLHF, RL2 and"
        " Tinker."
    ),
    driver=(
        "Your code drives, as in Gymnasium: `reset()` opens an episode and gives its first text,"
        " `step()` takes a message of the model, and a vector of environments resets itself."
    ),
    turns=(
        "Multi-turn; there is no turn limit but that of the environment, which `gem.make()` takes. A"
        " single-turn environment is one whose first step is `terminated`."
    ),
    reward_and_end=(
        "Every `step()` returns its reward, `terminated` (the world is done, or the model stopped)"
        " and `truncated` (the turn limit)."
    ),
    state=(
        "Stateful: the object has one episode at a time and `reset()` replaces it;"
        " `spawn(same_state=True)` gives a second object at the same point."
    ),
    vocabulary={
        "environment": "an `Env`, made by `gem.make(id)`; here one id per split",
        "task": "what `reset()` opens: the next of the split, or the one given to `gem.make()`",
        "split": "none; here part of the id, as in `NAME:train`",
        "episode": "from one `reset()` to the next",
        "tool": "a tag in the model's text; GEM's own `BaseTool` wraps an environment",
        "observation": "the text that `reset()` and `step()` return",
        "step": "`step()`: one message of the model, which may hold several tool calls",
        "reward": "the second of the five that `step()` returns",
        "end": "`terminated` or `truncated`",
        "turn limit": "none; here `max_turns` of `gem.make()`, reported by `truncated`",
        "seed": "`seed` of `reset()`, `gem.make()` and `gem.make_vec()`",
        "rollout": "your own loop",
        "trajectory": "none; here `info` has the steps that a message played",
    },
    comparison=(
        (
            "Compared with SkyRL Gym, which also passes text: one object plays many episodes, `reset` chooses the "
            "task, and the turn limit has a flag of its own. There is no dataset: the split is in the id, its "
            "order in the seed."
        ),
        (
            "Compared with OpenEnv and ORS: no server and no list of tasks (pass `index=` or `task=` to choose "
            "one), and `step` takes the model's text, not a tool call."
        ),
        "Compared with Verifiers and NeMo Gym: you run the rollouts yourself, and rewards come message by message.",
    ),
    pitfalls=(
        (
            "Of the trainers only ROLL imports GEM. Oat, verl, OpenRLHF, RL2 and Tinker do not: their glue is"
            " in GEM's repository (`examples/train_*`, last changed in December 2025), to be copied and fitted"
            " to the release of the trainer."
        ),
        (
            "ROLL pins gem-llm 0.0.4, on which this class runs, too. Its TrajEnvManager ends an episode at"
            " `terminated` or its own `max_steps`, and passes over `truncated`: set `max_steps` to the turn"
            " limit, or the model continues uselessly after the end."
        ),
        (
            "`gem.make_vec` resets an environment in the step that ends its episode: the last text and"
            " info are replaced by those of the next episode. The rewards and flags are those of the old"
            " one. For the rest, make SyncVectorEnv yourself with `AutoresetMode.NEXT_STEP`."
        ),
        (
            "`gem.make_vec` passes each environment a seed of its own (`seed` plus its position), which"
            " decides the order of the tasks there. A seed given to an environment of one task is the"
            " seed of its world."
        ),
        (
            "`reset()` of `gem.Env` reseeds Python's and numpy's global generators, which threads share:"
            " this class has its own and does not call it."
        ),
        (
            "Wrappers copy attributes when they are made, so that their `episode` stays None, and hide"
            " `spawn()` and `sample_random_action()`: ask `env.unwrapped`."
        ),
        (
            "GRPO on GEM copies a running episode with `get_state()` and `set_state()`, or"
            " `spawn()` (Oat's `train_oat_grpo.py`, Tinker's adapter). Here a state is JSON data, and the"
            " copy is made by playing the same calls again, which in a sandbox runs them again."
        ),
        (
            "GEM's training scripts put each observation into a template that asks for `\\boxed{}` and"
            " read the action from there: choose the template `no`."
        ),
        (
            "Neither `gem.Env` nor a vector has `close()`: this class has one, and frees its world at"
            " the next `reset()` too."
        ),
        (
            "The wheel asks for Python 3.12.0 at most: pip refuses it on 3.12.1, uv installs it. It pins"
            " nltk, msgspec and reasoning-gym to one release each."
        ),
        "Importing gem sets up the root logger at INFO and takes about a second.",
        (
            "Observations are text only: an image becomes a note that says so, and is in"
            ' `info["steps"]`. GEM\'s one environment with pictures shows them at `reset()`, never after a step.'
        ),
    ),
    blocking_pitfalls=(
        (
            "`gem.make_vec` steps its environments one after another; where calls block, pass"
            " `async_mode=True`, with which each has a thread. Even so `reset()` opens them one by one,"
            " and a step takes as long as the slowest; rollout.py plays each at its own pace."
        ),
    ),
    warm_imports=("gem", "gem.wrappers.wrapper_factory", "httpx", "jsonschema"),
    publish="install the folder where the trainer runs: `uv pip install FOLDER`",
)
