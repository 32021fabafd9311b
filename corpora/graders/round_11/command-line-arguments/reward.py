"""Reward for text-to-command tasks: the command is parsed like getopt_long does and compared by meaning."""
import json
import re
import shlex

FENCE = re.compile(r"```\w*[ \t]*\n(.*?)```", re.DOTALL)
# outside quotes these mean something to the shell; inside single quotes they would be harmless,
# but no task needs them
SHELL_CHARACTERS = set("|&;<>()$`*?[]{}!#~\n")


def split_options(tokens, options):
    """({long name: [values]}, [arguments]); ValueError for a command that the tool would refuse."""
    short = {entry[0][1]: entry for entry in options}
    long = {entry[1]: entry for entry in options}
    found, arguments = {}, []
    tokens = list(tokens)
    while tokens:
        token = tokens.pop(0)
        if token == "--":
            arguments += tokens
            break
        if token.startswith("--"):
            name, equals, value = token.partition("=")
            if name not in long:
                raise ValueError(f"unknown option {name}")
            if long[name][2]:
                found.setdefault(name, []).append(value if equals else next_value(tokens))
            elif equals:
                raise ValueError(f"{name} takes no value")
            else:
                found.setdefault(name, []).append(True)
        elif token.startswith("-") and len(token) > 1:
            rest = token[1:]
            while rest:
                letter, rest = rest[0], rest[1:]
                if letter not in short:
                    raise ValueError(f"unknown option -{letter}")
                name, takes_value = short[letter][1:]
                if takes_value:
                    found.setdefault(name, []).append(rest or next_value(tokens))
                    break
                found.setdefault(name, []).append(True)
        else:
            arguments.append(token)
    return found, arguments


def next_value(tokens):
    if not tokens:
        raise ValueError("value missing")
    return tokens.pop(0)


def reward(completion, program, options, want, arguments, **row):
    blocks = FENCE.findall(completion)
    if len(blocks) != 1:
        return 0.0
    command = blocks[0].strip().removeprefix("$ ")
    if SHELL_CHARACTERS & set(command):
        return 0.0
    try:
        tokens = shlex.split(command)
        if not tokens or tokens[0] != program:
            return 0.0
        found, given = split_options(tokens[1:], options)
    except ValueError:
        return 0.0
    want = json.loads(want)
    same = found.keys() == want.keys() and all(sorted(found[name]) == sorted(want[name]) for name in want)
    return 1.0 if same and given == arguments else 0.0
