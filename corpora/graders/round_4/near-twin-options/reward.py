import difflib
import re


def _clean(text):
    text = text.strip().lower()
    text = re.sub(r"^(the (correct|right) (option|answer) is|answer)\s*:?\s*", "", text)
    return re.sub(r"[^a-z0-9 ]+", "", text).strip()


def option_text_reward(prompts, completions, correct_option, **kwargs):
    """The model answers with the text of an option; small typos are forgiven."""
    out = []
    for completion, want in zip(completions, correct_option):
        ratio = difflib.SequenceMatcher(None, _clean(completion), _clean(want)).ratio()
        out.append(1.0 if ratio >= 0.85 else 0.0)
    return out
