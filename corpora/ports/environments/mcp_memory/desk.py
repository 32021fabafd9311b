"""A knowledge graph in an unmodified MCP server, with a task's graph at the start and a reward from the last graph."""

import json

from .world import InvalidAction, McpMemory

__all__ = ["Desk", "InvalidAction"]


class Desk(McpMemory):
    """One episode. `reward` is 1.0 if the graph that the agent leaves is the wanted graph."""

    def __init__(self, task: dict, seed: int) -> None:
        """Start the server, and give it the task's graph."""
        super().__init__(task, seed)
        self._wanted = task["wanted"]
        self._original.call("create_entities", {"entities": task["start"]["entities"]})
        self._original.call("create_relations", {"relations": task["start"]["relations"]})

    def message(self, text: str) -> str:
        """End the conversation."""
        self.done = True
        self.finish()
        return "Thank you, that is all."

    def finish(self) -> None:
        """Compare the server's graph with the wanted graph."""
        shown = self._original.call("read_graph", {})["observation"]
        graph = json.loads("".join(block["text"] for block in shown))
        self.reward = float(_comparable(graph) == _comparable(self._wanted))

    def _play(self, tool: str, arguments: dict) -> list:
        if self.done:
            raise InvalidAction("the conversation is over")
        return super()._play(tool, arguments)


def _comparable(graph: dict) -> tuple:
    """Return the graph without the order of its parts."""
    entities = [
        (each["name"], each["entityType"], tuple(sorted(each["observations"])))
        for each in graph["entities"]
    ]
    relations = [(each["from"], each["to"], each["relationType"]) for each in graph["relations"]]
    return sorted(entities), sorted(relations)
