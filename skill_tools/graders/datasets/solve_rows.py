"""Ask an author's function for the answer to each row, in a separate process.

The command is ``solve_rows.py FILE FUNCTION ROWS RESULTS SECONDS``; the script imports only the standard
library and the author's file. A line of RESULTS is [number, answer], or [number, null, error] if the function
raised.
"""

import importlib.util
import json
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn

ROW_SECONDS = 5
"""Seconds for one row: a solver for all rows is quick, and if it hangs on one row, the others must still be solved."""


class RowTooLong(BaseException):
    """Error for a row that took too long.

    This is a BaseException so that a solver's ``except Exception`` does not catch it.
    """


def _too_long(number: int, frame: FrameType | None) -> NoReturn:
    raise RowTooLong


def main(file: str, function: str, rows: str, results: str, seconds: str) -> None:
    """Write one line per row until all rows are solved or the time is up."""
    path = Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    solve = getattr(module, function)
    signal.signal(signal.SIGALRM, _too_long)
    until = time.monotonic() + float(seconds)
    with (
        Path(rows).open(encoding="utf-8") as asked,
        Path(results).open("w", encoding="utf-8") as told,
    ):
        for line in asked:
            if time.monotonic() > until:
                return
            number, row = json.loads(line)
            signal.alarm(ROW_SECONDS)
            try:
                found = [number, solve(row)]
            except RowTooLong:
                found = [number, None, f"took more than {ROW_SECONDS} s"]
            except Exception as error:  # noqa: BLE001 - the author's function may raise anything
                found = [number, None, f"{type(error).__name__}: {error}"[:200]]
            finally:
                signal.alarm(0)
            told.write(json.dumps(found, default=str) + "\n")
            told.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
