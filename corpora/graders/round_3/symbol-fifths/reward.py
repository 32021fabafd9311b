import re

_ROW = re.compile(r"\s*([1-9])[.):]\s*[*_`]*([A-Za-z]+)[*_`]*\s*")


def symbol_reward(prompts, completions, symbols, **kwargs):
    """A fifth for each right line, as the prompt says; a reply in another shape gets 0."""
    out = []
    for completion, want in zip(completions, symbols):
        lines = [l for l in completion.split("\n") if l.strip()]
        found = [_ROW.fullmatch(l) for l in lines]
        said = {}
        if None not in found:
            said = {int(m.group(1)): m.group(2) for m in found}
        if len(lines) != len(want) or sorted(said) != list(range(1, len(want) + 1)):
            out.append(0.0)
        else:
            right = sum(said[i] == w for i, w in enumerate(want, 1))
            out.append(round(right / len(want), 4))
    return out
