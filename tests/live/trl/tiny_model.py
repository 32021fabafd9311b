"""Writes a model of a few thousand random weights that says little else than given texts; run in TRL's venv.

usage: python tiny_model.py FOLDER TEXT …

Each text is one token, so that chance says it; all that the model reads besides is unknown to it.
"""

import sys

import torch
from tokenizers import AddedToken, Tokenizer, models
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl.chat_template_utils import qwen2_5_chat_template

END, PAD, UNKNOWN = "<|im_end|>", "<|endoftext|>", "<unknown>"


def main(folder: str, texts: list[str]) -> None:
    """Write the model and its tokenizer."""
    torch.manual_seed(0)
    words = [UNKNOWN, PAD, END, "<|im_start|>", *texts]
    read = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, UNKNOWN))
    read.add_tokens([AddedToken(text, normalized=False) for text in texts])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=read,
        unk_token=UNKNOWN,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=["<|im_start|>"],
        chat_template=qwen2_5_chat_template,
    )
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
    limits = {"vocab_size": len(tokenizer), "max_position_embeddings": 4096}
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    Qwen2ForCausalLM(Qwen2Config(**sizes, **heads, **limits, **ends)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
