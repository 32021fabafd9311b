"""Looks up the first letters, then says the words of a chain that is long enough."""

from .world import LinkWords, chain_of


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    begun = LinkWords(task, seed).chain
    chain = chain_of(begun, task["words"])
    if chain is None:
        raise LookupError(f"no chain for {task['id']} with seed {seed}")
    return [("look_up", {"start": begun[0][-2:]}), *(("say", {"word": word}) for word in chain[1:])]
