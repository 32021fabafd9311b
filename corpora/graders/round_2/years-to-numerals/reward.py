def numeral_reward(completion, row):
    """The prompt wants the bare numeral and nothing else, so compare literally."""
    return 1.0 if completion.strip(" \t\r\n") == row["numeral"] else 0.0
