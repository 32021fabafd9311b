"""A tokenizer that needs no download, in Qwen's chat form; messages that play the counter.

Imported by the programs beside it, which run in the venv of several trainers.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

END, PAD = "<|im_end|>", "<|endoftext|>"
CHAT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
EPISODES = {
    "won": ['<add amount="9"/>', '<add amount="6"/>'],
    "lost": ['<add amount="3"/>', *["No call at all."] * 5],
    "stopped": ['<add amount="3"/>', "<end_episode/>"],
    "broken": ['<add amount="3"/>', '<add amount="1" note="boom"/>'],
}
"""What the model says in each; the counter's target is 15, it has 6 turns, and "boom" breaks it."""


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """A token per byte, and the special ones."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=["<|im_start|>"],
        chat_template=CHAT,
    )


class Scripted:
    """An engine without weights: each conversation is answered by the messages of an episode.

    Which one is told by the messages that it was answered before, so that conversations may mix.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerFast, messages: list[str]) -> None:
        self.tokenizer, self.messages, self.seen = tokenizer, messages, []

    def next(self, prompt: list[int]) -> SimpleNamespace:
        """The next message as text and as tokens; says nothing when there is none left."""
        self.seen.append(self.tokenizer.decode(prompt))
        said = self.seen[-1].count("<|im_start|>assistant") - 1
        text = self.messages[said] if said < len(self.messages) else ""
        ids: list[int] = self.tokenizer(text + END)["input_ids"]
        return SimpleNamespace(text=text + END, ids=ids)


def in_words(tokenizer: Any, ids: Any, mask: Any) -> str:
    """What is trained on, as text."""
    kept = [int(token) for token, on in zip(ids, mask, strict=True) if on]
    return str(tokenizer.decode(kept)).replace(END, "|")


def why(error: BaseException) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]
