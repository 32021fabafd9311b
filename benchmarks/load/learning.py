"""A small policy for one environment, in TRL's venv: made, taught random play, and played on held-out tasks.

usage: python learning.py PLAN.json STAGE …, in a rendered `trl` folder; benchmarks/learns.py writes the plan

The policy is no language model: a Transformer from scratch that reads the environment's words and numbers as tokens
and writes each call as one token. What it learns is which call to make, by TRL's trainer, tool loop and rewards, as
a language model would. Each stage reads and writes folders in the plan's folder:

start     the vocabulary, random weights, and next-token training on random legal play: the folder `warm`
control   `warm` trained on in the same way, on other random play, for as long as GRPO takes: `control`
play:X    held-out tasks by the model in folder X, or by `random`, which is legal play by chance: X.json
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path.cwd()))

import torch
from datasets import Dataset
from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    PrinterCallback,
)
from trl import GRPOConfig
from trl.chat_template_utils import qwen2_5_chat_template

PLAN: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text("utf-8"))
FOLDER = Path(PLAN["folder"])
VARIANT = importlib.import_module(f"{PLAN['name']}_trl")
TASK_TABLE = importlib.import_module(f"{PLAN['name']}_domain._shared.task_table")
(TRAINER,) = (
    kind
    for name, kind in vars(VARIANT).items()
    if name.endswith("Trainer") and name != "GRPOTrainer"
)
(ENVIRONMENT,) = (kind for name, kind in vars(VARIANT).items() if name.endswith("Environment"))
END, PAD, UNKNOWN, BEGIN = "<|im_end|>", "<|endoftext|>", "<unknown>", "<|im_start|>"


def said(tool: str, arguments: dict[str, Any]) -> str:
    """A call as the chat template writes it, which is one token."""
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"


CALLS = [said(tool, arguments) for tool, arguments in PLAN["calls"]]


def legal(environment: Any) -> list[str]:
    """What can be called now: what the domain says, and any call of the vocabulary where it says nothing."""
    listed = getattr(environment.episode._world, "valid_calls", None)
    return [said(*call) for call in listed()] if listed else CALLS


class Played(TRAINER):  # type: ignore[misc, valid-type]
    """The rendered trainer, which plays rows and optimises nothing."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.returns: list[float] = []
        self.calls: list[int] = []
        self.batches: list[dict[str, torch.Tensor]] = []
        super().__init__(
            model,
            args=GRPOConfig(
                tempfile.mkdtemp(dir=FOLDER),
                use_cpu=True,
                bf16=False,
                report_to="none",
                disable_tqdm=True,
                per_device_eval_batch_size=PLAN["at_once"],
                num_generations_eval=1,
                max_completion_length=PLAN["tokens"],
            ),
            train_dataset=Dataset.from_list([{"prompt": [{"role": "user", "content": ""}]}]),
            processing_class=tokenizer,
            environment_factory=ENVIRONMENT,
        )
        self.remove_callback(PrinterCallback)

    def play(self, rows: list[dict[str, Any]]) -> None:
        """Play the episodes of rows, in their order."""
        self.evaluate(Dataset.from_list(rows))

    def prediction_step(self, model: Any, inputs: Any, *others: Any, **options: Any) -> Any:
        """Play a batch, and note what came of it."""
        batch = self._prepare_inputs(inputs)
        self.batches.append(batch)
        self.returns += [environment.get_reward() for environment in self.environments]
        self.calls += [len(environment.episode.steps) for environment in self.environments]
        return torch.zeros(()), None, None


class ByChance(Played):
    """The same loop, in which chance chooses among the legal calls."""

    def __init__(self, *given: Any, seed: int, stops: float) -> None:
        self.chance, self.stops = random.Random(seed), stops
        super().__init__(*given)

    def _generate_single_turn(self, prompt_ids: list[Any], *asked: Any, **how: Any) -> Any:
        going = [e for e in self.environments if not e.episode.over]
        assert len(going) == len(prompt_ids)
        texts = []
        for environment in going:
            if self.chance.random() < self.stops:
                environment._end()
                texts.append(END)
            else:
                texts.append(self.chance.choice(legal(environment)) + END)
        return [self._tokenizer(text)["input_ids"] for text in texts], None


def rows(split: str, indices: Any, each: int) -> list[dict[str, Any]]:
    """A row per episode."""
    return [row for row in VARIANT.rows(split, indices) for _ in range(each)]


def start() -> None:
    """Make the policy, and train it on random play."""
    torch.manual_seed(PLAN["seed"])
    tokenizer = vocabulary()
    sizes = {"hidden_size": PLAN["hidden"], "intermediate_size": 3 * PLAN["hidden"]}
    heads = {
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "num_hidden_layers": PLAN["layers"],
    }
    limits = {
        "vocab_size": len(tokenizer),
        "max_position_embeddings": 4096,
        "tie_word_embeddings": False,
    }
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    # Not Qwen's: a folder with a model of Qwen's is read with Qwen's tokenizer, whatever lies beside it.
    model = LlamaForCausalLM(LlamaConfig(**sizes, **heads, **limits, **ends))
    imitate(model, tokenizer, PLAN["seed"], PLAN["warm_steps"], FOLDER / "warm")


def control() -> None:
    """Train the warm start on, without any reward."""
    model = AutoModelForCausalLM.from_pretrained(FOLDER / "warm")
    tokenizer = AutoTokenizer.from_pretrained(FOLDER / "warm")
    imitate(model, tokenizer, PLAN["seed"] + 1000, PLAN["steps"], FOLDER / "control")


def vocabulary() -> PreTrainedTokenizerFast:
    """A tokenizer of whole calls, of the words and numbers of train tasks, and of what all prompts begin with."""
    split, chance = PLAN["train"], random.Random(PLAN["seed"])
    tasks = range(len(TASK_TABLE.tasks(split)))
    texts, openings = [], set()
    for row in VARIANT.rows(split, chance.sample(tasks, min(40, len(tasks)))):
        environment = ENVIRONMENT()
        texts.append(environment.reset(**row))
        openings.add(json.dumps(row["prompt"][:-1]))
        while not environment.episode.over:
            call = json.loads(chance.choice(legal(environment)).split("\n")[1])
            texts.append(str(environment._call(call["name"], call["arguments"])))
    (opening,) = openings  # the same for all tasks, so that it can be one token
    shown = bare(models.WordLevel({UNKNOWN: 0}, UNKNOWN)).apply_chat_template(
        [*json.loads(opening), {"role": "user", "content": ""}], tools=VARIANT.TOOLS, tokenize=False
    )
    same = shown[: shown.index(END)]
    split_up = pre_tokenizers.Split(Regex(r"\w+"), "removed", invert=True)
    words = {word for text in texts for word, _ in split_up.pre_tokenize_str(text)}
    words |= {*map(str, range(PLAN["numbers"]))}
    known = {word: at for at, word in enumerate([UNKNOWN, PAD, END, BEGIN, *sorted(words)])}
    marks = [f"{BEGIN}user\n", f"{BEGIN}assistant\n", "<tool_response>", "</tool_response>"]
    return bare(models.WordLevel(known, UNKNOWN), split_up, [same, *marks, *CALLS])


def bare(
    words: Any, split_up: Any = None, whole: list[str] | None = None
) -> PreTrainedTokenizerFast:
    """A tokenizer with a chat template whose calls TRL can read."""
    read = Tokenizer(words)
    if split_up:
        read.pre_tokenizer = split_up
    read.add_tokens([AddedToken(text, normalized=False) for text in whole or []])
    return PreTrainedTokenizerFast(
        tokenizer_object=read,
        unk_token=UNKNOWN,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=[BEGIN],
        chat_template=qwen2_5_chat_template,
    )


def imitate(model: Any, tokenizer: Any, seed: int, steps: int, target: Path) -> None:
    """Next-token training on the calls of random legal play on train tasks; writes model and tokenizer."""
    began = time.monotonic()
    chance = random.Random(seed)
    tasks = range(len(TASK_TABLE.tasks(PLAN["train"])))
    player = ByChance(model, tokenizer, seed=seed, stops=PLAN["stops"])
    player.play(rows(PLAN["train"], chance.choices(tasks, k=PLAN["random_episodes"]), 1))
    episodes = [each for batch in player.batches for each in unpadded(batch)]
    collected = time.monotonic()
    optimiser = torch.optim.AdamW(
        model.parameters(), PLAN["warm_rate"], betas=(0.9, 0.99), weight_decay=0.0
    )
    size, losses = PLAN["warm_batch"], []
    model.train()
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = PLAN["warm_rate"] * min(
                1, 10 * (step + 1) / steps, 0.05 + 2 * (1 - step / steps)
            )
        chosen = chance.sample(episodes, size)
        longest = max(len(ids) for ids, _ in chosen)
        ids = torch.full((size, longest), tokenizer.pad_token_id)
        labels = torch.full((size, longest), -100)
        for at, (tokens, mask) in enumerate(chosen):
            ids[at, : len(tokens)] = tokens
            labels[at, : len(tokens)] = torch.where(mask, tokens, torch.tensor(-100))
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        losses.append(round(loss.item(), 4))
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)
    facts = {
        "parameters": sum(p.numel() for p in model.parameters()),
        "vocabulary": len(tokenizer),
        "loss": losses[:: max(1, steps // 20)] + losses[-1:],
        "tokens_per_episode": sum(len(ids) for ids, _ in episodes) / len(episodes),
        "seconds": {"playing": collected - began, "training": time.monotonic() - collected},
    }
    (target / "facts.json").write_text(json.dumps(facts, indent=1), "utf-8")
    print(target.name, json.dumps(facts), flush=True)


def unpadded(batch: dict[str, torch.Tensor]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Token ids and the mask of what the player said, of each episode as the trainer has them."""
    found = []
    for at in range(len(batch["completion_ids"])):
        asked = batch["prompt_ids"][at][batch["prompt_mask"][at].bool()]
        kept = batch["completion_mask"][at].bool()
        answer, mask = batch["completion_ids"][at][kept], batch["tool_mask"][at][kept].bool()
        found.append(
            (torch.cat([asked, answer]), torch.cat([torch.zeros_like(asked).bool(), mask]))
        )
    return found


def play(who: str) -> None:
    """Play the held-out tasks; writes the returns of each."""
    began = time.monotonic()
    torch.manual_seed(PLAN["seed"] + 77)
    where = FOLDER / ("warm" if who == "random" else who)
    given = (AutoModelForCausalLM.from_pretrained(where), AutoTokenizer.from_pretrained(where))
    player = (
        ByChance(*given, seed=PLAN["seed"] + 7, stops=0.0) if who == "random" else Played(*given)
    )
    each, tasks = PLAN["held_out_episodes"], PLAN["held_out_tasks"]
    player.play(rows(PLAN["held_out"], range(tasks), each))
    assert len(player.returns) == tasks * each
    found = {
        "returns": [player.returns[at : at + each] for at in range(0, tasks * each, each)],
        "calls": sum(player.calls) / len(player.calls),
        "seconds": time.monotonic() - began,
    }
    name = PLAN.get("as", "") + who
    (FOLDER / f"{name}.json").write_text(json.dumps(found), "utf-8")
    print(
        name,
        sum(player.returns) / len(player.returns),
        found["calls"],
        found["seconds"],
        flush=True,
    )


if __name__ == "__main__":
    for stage in sys.argv[2:]:
        name, _, argument = stage.partition(":")
        {"start": start, "control": control, "play": play}[name](*filter(None, [argument]))
