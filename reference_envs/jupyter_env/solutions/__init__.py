"""How each question is answered, by its name: steps that end with a printed `Answer: ...`.

The oracle plays them with the agent's own tools. They work on the files as the agent finds them,
and know nothing of the records from which the files were made.
"""

from . import ledger, parcels, shop, weather, weblog
from .steps import Step, cell

_WORLDS = (ledger, weather, shop, weblog, parcels)


def steps(asks: str, values: dict) -> list[Step]:
    """The tool calls that print the answer to the question `asks` with these values.

    Raises LookupError for a question that there is no solution of.
    """
    for world in _WORLDS:
        if asks in world.SOLUTIONS:
            given = "\n".join(f"{name} = {value!r}" for name, value in values.items())
            return [*world.LOOK, *([cell(given)] if given else []), *world.SOLUTIONS[asks]]
    raise LookupError(f"there is no solution of the question {asks!r}")
