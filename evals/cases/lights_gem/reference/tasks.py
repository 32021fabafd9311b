"""The boards of the GEM environment, as the lights that were pressed to make them."""

TRAIN = ["5", "19", "37", "258", "1379", "46", "159", "2468", "78", "12369"]
TEST = ["28", "357", "1489", "26"]


def board(split: str, index: int, numbers: str) -> dict:
    """Return a task. Lights are numbered from 1 to 9, row by row."""
    places = [divmod(int(number) - 1, 3) for number in numbers]
    pressed = [[row + 1, column + 1] for row, column in places]
    return {"id": f"{split}-{index}", "seed": index, "pressed": pressed}


TASKS = {
    "train": [board("train", index, numbers) for index, numbers in enumerate(TRAIN)],
    "test": [board("test", index, numbers) for index, numbers in enumerate(TEST)],
}
