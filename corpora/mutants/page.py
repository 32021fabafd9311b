"""The page in docs about the mutants and controls that the checks find or miss."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from corpora.mutants.cache import Result
from corpora.mutants.corpus import Round, controls, mutants, rounds

EXAMPLES = "EXA"
"""The family of checks of worked examples."""
NOTE = """\
For each mutant, the corpus names the checks that would report its cause. Findings in mutants whose cause no check could report never count as exact.
If a mutant breaks a rule, the named check is EXA001, provided that an example covers the rule and the message says so. If a mutant changes the
prompt, it is EXA003 or EXA004, which know only the sentences that the author tied to examples. People who knew some of the defects wrote the worked
examples, so findings from examples alone are counted separately.""".splitlines()

READERS = """\
Rounds 9 and 11 were played without any worked example. At first, the checks found 15 of the 28 defects of round 9, half of which are deliberately
subtle, and 14 of the 20 of round 11. In all but two of the missed defects, the oracle and the world agree on a rule, reward or answer that differs
from the prompt, and no check understands a prompt. **Readers can.** Five agents new to the project received only the output of
`skill-tools blind-review` for these 17 environments and 16 correct ones, mixed. They wrote `readings.yaml`, that is, the results to expect from the
prompt alone. When we played these readings (EXA006), they exposed 16 of the 17 defects, with no false alarm on the 16 correct environments. The
remaining defect costs memory, which no transcript shows. `python -m corpora.mutants.readers` repeats this. In total, 47 of these 48 defects are found
without an author's worked example. The readers were agents of one kind, and each read once; others may find less.""".splitlines()

EXPECT = """\
For your environment, expect the figures in the column *found at first*, not *found now*. Round 6 is the fairest, because we played its environments
once, before any fix, and half of them without worked examples. The checks found 27 of 40 defects (14 of 20 with worked examples, 13 of 20 without)
and reported the true cause first for 24 of these. Nine of the 13 missed defects are rules that the code implements differently from the prompt, which
only a worked example of the rule can show. In round 5, the checks found 46 of 50 defects, 17 of them only by worked examples, and reported the true
cause first for 36. They found two in five subtle defects unlike any in the corpus.""".splitlines()


def summary(results: list[Result]) -> list[str]:
    """Return figures about the results, such as the recall, as short lines."""
    broken, right = _split(results)
    seen = [each for each in broken if each.status]
    first = [each for each in seen if each.named_first]
    lines = [
        f"recall: {_of(seen, broken)}; of this without examples: {_of(_without(seen), broken)}",
        f"the cause is named first (exactness): {_of(first, seen)}",
        f"the cause is named at all: {_of([e for e in seen if e.named], seen)}",
        f"precision: {_of(seen, [*seen, *(e for e in right if e.status)])}",
        f"controls: {_of([e for e in right if e.status == 'fail'], right)} red, "
        + f"{_of([e for e in right if e.status == 'warn'], right)} warned",
    ]
    for on, several in sorted(_by(broken, "on").items()):
        found = [each for each in several if each.status]
        exact = [each for each in found if each.named_first]
        lines.append(f"  {on}: found {_of(found, several)}, exact {_of(exact, found)}")
    return lines


def as_page(results: list[Result]) -> str:
    """Return the page about mutants and controls as Markdown."""
    broken, right = _split(results)
    seen = [each for each in broken if each.status]
    kinds, alarms = _by(broken, "kind"), [each for each in right if each.status]
    some = [k for k, several in kinds.items() if any(each.status for each in several)]
    alone = len(seen) - len(_without(seen))
    nameable = [each for each in broken if each.mutant and each.mutant.finds]
    rows = [
        ("defect found", _of(seen, broken)),
        ("of these, reported as failures", _of([e for e in seen if e.status == "fail"], seen)),
        ("of these, by the worked examples alone", f"{alone} of {len(seen)}"),
        ("found without the worked examples", _of(_without(seen), broken)),
        (
            "of the found, the true cause is reported first",
            _of([e for e in seen if e.named_first], seen),
        ),
        (
            "of the found, the true cause is reported at all",
            _of([e for e in seen if e.named], seen),
        ),
        ("defects that some check could name", _of(nameable, broken)),
        ("not found", _of([e for e in broken if not e.status], broken)),
        ("kinds with at least one defect found", _of(some, list(kinds))),
        ("correct, reported as a failure", _of([e for e in right if e.status == "fail"], right)),
        ("correct, with a warning", _of([e for e in right if e.status == "warn"], right)),
        ("precision: findings caused by a defect", _of(seen, [*seen, *alarms])),
    ]
    lines = [
        "# What the checks find",
        "",
        "<!-- Written by `python -m corpora.mutants`. -->",
        *_played(broken, right),
        "",
        *_table(("", "environments"), rows),
        "",
        *NOTE,
        "",
        "## By environment",
        "",
        *_table(
            ("environment", "found", "without examples", "cause first"),
            [_row(*each) for each in sorted(_by(broken, "on").items())],
        ),
        "",
        "## Not found",
        "",
        *_table(
            ("environment", "defect"),
            [(r.mutant.on, r.mutant.defect) for r in broken if r.mutant and not r.status],
        ),
        "",
        "## Found, but the cause is not reported first",
        "",
        *_table(
            ("environment", "defect", "found by", "the cause would be"),
            [
                (r.mutant.on, r.mutant.defect, r.ids, " or ".join(r.mutant.finds) or "no check's")
                for r in seen
                if r.mutant and not r.named_first
            ],
        ),
        "",
        "## By kind",
        "",
        (
            "If a precision is below 100%, a check of this kind also has a finding in a correct "
            "environment."
        ),
        "",
        *_table(
            ("kind", "found", "cause first", "precision"),
            [_kind(kind, several, alarms) for kind, several in sorted(kinds.items())],
        ),
        "",
        "## Found and named",
        "",
        *_table(
            ("environment", "defect", "by"),
            [(r.mutant.on, r.mutant.defect, r.ids) for r in seen if r.mutant and r.named_first],
        ),
    ]
    if alarms:
        rows = [(each.name, each.ids) for each in alarms]
        lines += ["", "## Correct, and yet", "", *_table(("control", "said"), rows)]
    return "\n".join(lines) + "\n"


def _played(broken: list[Result], right: list[Result]) -> list[str]:
    """Return the lines about the environments that were played, and the code that played them."""
    kinds = len(_by(broken, "kind"))
    codes = Counter(each.code for each in [*broken, *right])
    lines = [
        "This page shows how many planted defects the checks find. The corpus has",
        f"{len(mutants())} environments with one defect each, most of them by authors who had not seen the checks,",
        f"and {len(controls())} correct but unusual environments. We played {len(broken)} ({kinds} kinds of defects)",
        f"and {len(right)} of them, on the bare domain and ten tasks.",
    ]
    lines += ["", "## By round", "", *_table(_ROUND, [_round(each, broken) for each in rounds()])]
    lines += [
        "",
        *EXPECT,
        "",
        *READERS,
    ]
    if len(codes) > 1:
        lines += [
            f"They were played by {len(codes)} states of the code while checks were still written, some of them",
            "again after a fix of a check: this is a part of the corpus, not a random one.",
        ]
    return lines


_ROUND = ("round", "its authors had seen", "kinds", "found at first", "found now")


def _round(each: Round, broken: list[Result]) -> tuple[str, ...]:
    """Return the table row of a round: how many mutants were found before the round led to any fix, and now."""
    written = sum(mutant.round == each.number for mutant in mutants())
    several = [one for one in broken if one.mutant and one.mutant.round == each.number]
    first, now = each.found_at_first, _of([one for one in several if one.status], several)
    at_first = "not counted" if first is None else f"{first} of {written} ({first / written:.0%})"
    return str(each.number), each.seen, each.kinds, at_first, now


def _kind(kind: str, several: list[Result], alarms: list[Result]) -> tuple[str, ...]:
    seen = [each for each in several if each.status]
    wanted = {check for each in several if each.mutant for check in each.mutant.finds}
    wrong = [each for each in alarms if wanted & set(each.checks)]
    exact = [each for each in seen if each.named_first]
    precision = f"{len(seen) / (len(seen) + len(wrong)):.0%}" if seen else "-"
    return kind, f"{len(seen)} of {len(several)}", f"{len(exact)} of {len(seen)}", precision


def _row(on: str, several: list[Result]) -> tuple[str, ...]:
    seen = [each for each in several if each.status]
    exact = [each for each in seen if each.named_first]
    return on, _of(seen, several), _of(_without(seen), several), _of(exact, seen)


def _without(seen: Iterable[Result]) -> list[Result]:
    """Return the results with findings from checks other than the worked examples."""
    return [each for each in seen if any(not check.startswith(EXAMPLES) for check in each.checks)]


def _split(results: list[Result]) -> tuple[list[Result], list[Result]]:
    return [each for each in results if each.mutant], [each for each in results if not each.mutant]


def _by(broken: list[Result], what: str) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = defaultdict(list)
    for each in broken:
        found[getattr(each.mutant, what)].append(each)
    return found


def _of(some: list, several: list) -> str:
    share = f" ({len(some) / len(several):.0%})" if several else ""
    return f"{len(some)} of {len(several)}{share}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [" | ".join(_cell(cell) for cell in row) for row in rows]
    return [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {each} |" for each in lines)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
