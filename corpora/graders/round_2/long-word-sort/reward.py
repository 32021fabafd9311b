import re


def reward(completion, row):
    """The sorted list, one word a line, in one code block or bare."""
    text = completion.replace("\r\n", "\n").strip()
    if text.count("```"):
        blocks = re.findall(r"```[A-Za-z]*[ \t]*\n(.*?)\n?```", text, re.DOTALL)
        if text.count("```") != 2 or len(blocks) != 1:
            return 0.0
        text = blocks[0]
    got = [line.strip() for line in text.split("\n") if line.strip()]
    return 1.0 if got == row["in_order"].split() else 0.0
