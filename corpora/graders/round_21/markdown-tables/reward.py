"""Reward for rewriting notes as a GitHub-style Markdown table."""
import re

DELIMITER = re.compile(r":?-+:?")
CELL_BREAK = re.compile(r"(?<!\\)\|")


def split_row(line):
    """Cells of one table line; the outer pipes are optional, \\| is a literal pipe."""
    line = line.strip()
    if line.startswith("|"):
        line = line[1:]
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [cell.strip().replace("\\|", "|") for cell in CELL_BREAK.split(line)]


def alignment(cell):
    if not DELIMITER.fullmatch(cell):
        return None
    left, right = cell.startswith(":"), cell.endswith(":")
    return {(True, True): "center", (False, True): "right"}.get((left, right), "left")


def find_tables(text):
    """Every (header, alignments, body) in the text, in order."""
    lines = text.splitlines()
    tables, i = [], 0
    while i + 1 < len(lines):
        header, rule = split_row(lines[i]), split_row(lines[i + 1])
        aligned = [alignment(cell) for cell in rule]
        if "|" not in lines[i] or len(rule) != len(header) or None in aligned:
            i += 1
            continue
        body, i = [], i + 2
        while i < len(lines) and "|" in lines[i]:
            body.append(split_row(lines[i]))
            i += 1
        tables.append((header, aligned, body))
    return tables


def same_cell(got, want):
    return " ".join(got.split()) == want


def same_row(got, want):
    # GFM lets a row stop early and leaves the rest of it blank; it may not run over
    if len(got) > len(want):
        return False
    return all(same_cell(g, w) for g, w in zip(got, want))


def reward(completion, header, align, rows, **row) -> float:
    tables = find_tables(completion)
    if len(tables) != 1:
        return 0.0
    got_header, got_align, body = tables[0]
    if got_header != header or got_align != align:
        return 0.0
    if len(body) != len(rows):
        return 0.0
    return 1.0 if all(same_row(g, w) for g, w in zip(body, rows)) else 0.0
