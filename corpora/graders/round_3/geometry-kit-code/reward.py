import ast
import re
import signal


class _TooLong(BaseException):
    pass


def _alarm(*_):
    raise _TooLong()


def reward(answer, row):
    """Every test has to give the expected value, else nothing."""
    found = re.findall(r"```(?:python)?\s*\n(.*?)```", answer, re.DOTALL)
    code = found[-1] if found else answer
    space = {"__name__": "solution"}
    old = signal.signal(signal.SIGALRM, _alarm)
    signal.alarm(3)
    try:
        exec(compile(code, "<solution>", "exec"), space)
        fn = space[row["entry"]]
        for args, want in row["tests"]:
            got = fn(*ast.literal_eval(args))
            if not got == ast.literal_eval(want):
                return 0.0
        return 1.0
    except BaseException:
        return 0.0
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
