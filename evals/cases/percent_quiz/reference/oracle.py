"""An oracle that knows the number."""


def solve(task, seed):
    return [{"message": f"I multiply and divide by 100.\nANSWER: {task['answer']}"}]
