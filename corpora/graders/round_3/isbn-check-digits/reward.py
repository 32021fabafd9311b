def reward(answer, row):
    """One character, as the prompt demands; only white space around it is forgiven."""
    said = answer.strip(" \t\r\n")
    return 1.0 if len(said) == 1 and said == row["check"] else 0.0
