"""Two-level intent labels: full credit for the label, a little for its group."""
import re

GROUP_CREDIT = 0.3
LABEL_LINE = re.compile(r"^[\s*_#>-]*label[\s*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def predicted_label(completion):
    lines = LABEL_LINE.findall(completion)
    if not lines:
        return None
    value = lines[-1].strip().strip("*_`'\".").strip()
    return re.sub(r"\s*/\s*", "/", value).lower()


def group_of(label):
    return label.split("/", 1)[0]


def reward(completion, label, labels, **row):
    if not isinstance(completion, str):
        return 0.0
    predicted = predicted_label(completion)
    known = {name.lower() for name in labels}
    if predicted is None or predicted not in known:
        return 0.0
    if predicted == label.lower():
        return 1.0
    if group_of(predicted) == group_of(label.lower()):
        return GROUP_CREDIT
    return 0.0
