"""Write the tasks of a split as a dataset that SkyRL trains on.

Rendered from env.yaml; `skill-tools render` overwrites it. A row says where its task is and has no
hidden field; the prompt is what the episode opens with.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from wordle_domain._shared import text_actions
from wordle_domain._shared.env_spec import NAME
from wordle_domain._shared.episode import Episode
from wordle_domain._shared.task_table import splits, task, tasks


def row(split: str, index: int) -> dict[str, Any]:
    """One row, in the keys that SkyRL's PromptDataset and environments expect."""
    episode = Episode(task(split, index))
    try:
        prompt = text_actions.opening(episode.prompt)
    finally:
        episode.close()
    return {
        "data_source": NAME,
        "env_class": NAME,
        "prompt": prompt,
        # SkyRL wants the key; the environment itself knows what solves the task.
        "reward_spec": {"method": "rule", "ground_truth": None},
        "extra_info": {"split": split, "index": index, "seed": episode.seed},
    }


def main() -> None:
    """Write the rows of the split that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--split", default=splits()[0], choices=splits())
    parser.add_argument("--output", type=Path, help="a new file; default: SPLIT.jsonl")
    args = parser.parse_args()
    output = args.output or Path(f"{args.split}.jsonl")
    if output.exists():
        parser.error(f"{output} exists; name a new file with --output")
    with output.open("w", encoding="utf-8") as file:
        for index in range(len(tasks(args.split))):
            file.write(json.dumps(row(args.split, index)) + "\n")
    print(f"{len(tasks(args.split))} rows: {output}")


if __name__ == "__main__":
    main()
