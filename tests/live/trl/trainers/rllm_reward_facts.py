"""Scores messages by rLLM's own engine and gateway and the page's code; prints the scores.

usage: python rllm_reward_facts.py MODULE, the page's module, with rLLM's source on the path; the messages are on
standard input
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys

from rllm.engine.agentflow_engine import AgentFlowEngine
from rllm_facts import Model, Training, served


def main() -> None:
    """Score each message to the first row."""
    page, found = importlib.import_module(sys.argv[1]), []
    row = page.rows("train")[0]
    with served() as url:
        for text in json.load(sys.stdin):
            Model.said = [text]
            gateway = Training(url, "model")
            gateway.start()
            engine = AgentFlowEngine(page.ask, page.paid, gateway, "model", retry_limit=1)
            (episode,) = asyncio.run(engine.execute_tasks([row], ["task"]))
            engine.shutdown()
            gateway.stop()
            found.append(episode.trajectories[0].reward)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
